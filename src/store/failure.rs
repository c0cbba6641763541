use std::ops::RangeInclusive;

/// Why a batch has no answer that can be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Failure {
    /// A table or a column is missing: nothing can have been done.
    NotConfigured,
    /// It passes by itself, and the same batch may be sent again. It may have been committed.
    Passing,
    /// Sending again would not help or would make it worse. It may have been committed.
    Lasting,
}

/// What D1 says when another send is worth it. By the documentation it never repeats a
/// write by itself, so the service does. The texts are parts of messages that vary.
const PASSING: &[&str] = &[
    Failure::NO_ANSWER,
    "Network connection lost",
    "storage caused object to be reset",
    "reset because its code was updated",
    "Cannot resolve D1 DB due to transient issue",
];

const MISSING: &[&str] = &["no such table", "no such column"];

impl Failure {
    /// What is said of a send that was not answered in time.
    pub const NO_ANSWER: &str = "no answer in time";

    /// The kind of a failure, by the words of D1.
    pub fn of(message: &str) -> Self {
        // By bytes: the standard search for texts is a kilobyte and a half, gzip.
        let contains =
            |part: &str| message.as_bytes().windows(part.len()).any(|bytes| bytes == part.as_bytes());
        let says = |parts: &[&str]| parts.iter().any(|part| contains(part));
        if says(MISSING) {
            Self::NotConfigured
        } else if says(PASSING) {
            Self::Passing
        } else {
            Self::Lasting
        }
    }
}

/// How often the same batch is sent.
pub const SENDS: RangeInclusive<u32> = 1..=3;
/// How long the answer to one send is waited for.
pub const SEND_MILLISECONDS_MAX: u64 = 4_000;
/// How long all sends and the pauses between them may take: within the 15 seconds that the
/// page waits for an answer.
pub const SENDS_MILLISECONDS_MAX: u64 = 10_000;

/// How long to wait after a send that failed: full jitter, at most 0.5 s, then 1 s. `random`
/// is within `0.0..1.0`.
pub fn pause_milliseconds(sent: u32, random: f64) -> u64 {
    let at_most = match sent {
        0 | 1 => 500.0,
        _ => 1_000.0,
    };
    (at_most * random) as u64
}
