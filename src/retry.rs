//! The retry policy: which failures of D1 are transient, how often and how long a batch is retried. Pure;
//! `edge::database` applies it.

/// Why a send of a batch failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Failure {
    /// A table or a column is missing. The send did nothing.
    SchemaMissing,
    /// The database refused a statement as wrong: its syntax, its parameters, or a violated constraint.
    /// The batch is a transaction, so the send did nothing. A retry would fail in the same way.
    StatementRefused,
    /// Transient: the batch is retried. The send may have been committed.
    Transient,
    /// A retry would not help or would make it worse. The send may have been committed.
    Permanent,
}

/// Parts of D1's messages about transient failures
/// ([documentation](https://developers.cloudflare.com/d1/observability/debug-d1/)). D1 does not retry
/// writes, so the service does.
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
    /// Classifies a message of D1.
    pub fn of(message: &str) -> Self {
        // By bytes: `str::contains` adds 4.5 KB gzip to the build.
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

/// Maximum time for one send, in milliseconds.
pub const SEND_MS_MAX: u64 = 4_000;

/// Maximum time for all sends and the pauses between them, in milliseconds: less than the 15 seconds that
/// the page waits for an answer.
pub const SENDS_MS_MAX: u64 = 10_000;

/// The pause after a failed send, with full jitter: at most 0.5 s, then 1 s. `random` is within `0.0..1.0`.
pub fn pause_ms(sent: u32, random: f64) -> u64 {
    let maximum_ms = match sent {
        0 | 1 => 500.0,
        _ => 1_000.0,
    };
    (maximum_ms * random) as u64
}
