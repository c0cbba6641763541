//! When a batch that failed is sent to D1 again. Pure: `edge::database` follows it.

/// Why a send of a batch has no answer that can be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Failure {
    /// A table or a column is missing. The send did nothing.
    SchemaMissing,
    /// The database refused a statement as wrong: its syntax, its parameters, or a constraint that
    /// it breaks. The batch is a transaction, so the send did nothing; nor would another one.
    StatementRefused,
    /// It passes by itself: sending the same batch again is worth it. It may have been committed.
    Transient,
    /// Sending again would not help or would make it worse. It may have been committed.
    Permanent,
}

/// What D1 answers when another send is worth it
/// ([its documentation](https://developers.cloudflare.com/d1/observability/debug-d1/)). It never
/// repeats a write by itself, so the service does. The texts are parts of messages that vary.
const TRANSIENT: &[&str] = &[
    "Network connection lost",
    "storage caused object to be reset",
    "reset because its code was updated",
    "Cannot resolve D1 DB due to transient issue",
];

const MISSING: &[&str] = &["no such table", "no such column"];

/// `SQLITE_ERROR` is a statement that does not compile, `D1_TYPE_ERROR` a value that cannot be bound.
const REFUSED: &[&str] = &[
    "SQLITE_CONSTRAINT",
    "constraint failed",
    "SQLITE_ERROR",
    "SQLITE_MISMATCH",
    "Wrong number of parameter bindings",
    "D1_TYPE_ERROR",
];

impl Failure {
    /// The failure that a message of D1 is.
    pub fn of(message: &str) -> Self {
        // By bytes: the standard search for texts is a kilobyte and a half, gzip.
        let contains =
            |part: &str| message.as_bytes().windows(part.len()).any(|bytes| bytes == part.as_bytes());
        let any = |parts: &[&str]| parts.iter().any(|part| contains(part));
        if any(MISSING) {
            Self::SchemaMissing
        } else if any(TRANSIENT) {
            Self::Transient
        } else if any(REFUSED) {
            Self::StatementRefused
        } else {
            Self::Permanent
        }
    }
}

/// Maximum sends of one batch.
pub const SENDS_MAX: u32 = 3;

/// How long one send may take.
pub const SEND_MS_MAX: u64 = 4_000;

/// How long all sends and the pauses between them may take: within the 15 seconds that the
/// page waits for an answer.
pub const SENDS_MS_MAX: u64 = 10_000;

/// The pause after a send that failed: full jitter, at most 0.5 s, then 1 s. `random` is within
/// `0.0..1.0`.
pub fn pause_ms(sent: u32, random: f64) -> u64 {
    let at_most = match sent {
        0 | 1 => 500.0,
        _ => 1_000.0,
    };
    (at_most * random) as u64
}
