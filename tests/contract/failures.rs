use einmal::store::{Failure, SEND_MILLISECONDS_MAX, SENDS, SENDS_MILLISECONDS_MAX, pause_milliseconds};

use crate::prelude::test;

#[test]
fn a_failure_is_known_by_what_d1_says_wherever_it_says_it() {
    for (failure, message) in [
        (Failure::Passing, "D1_ERROR: Network connection lost."),
        (Failure::Passing, "Network connection lost"),
        (Failure::Passing, "D1_ERROR: D1 DB storage caused object to be reset."),
        (Failure::Passing, "D1_ERROR: D1 DB reset because its code was updated."),
        (Failure::Passing, "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
        (Failure::Lasting, "D1_ERROR: D1 DB is overloaded. Requests queued for too long."),
        (Failure::Lasting, "D1_ERROR: D1 DB is overloaded. Too many requests queued."),
        (
            Failure::Lasting,
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
        ),
        (Failure::Lasting, "D1_ERROR: D1 DB exceeded its memory limit and was reset."),
        (Failure::Lasting, "D1_ERROR: D1 DB exceeded its CPU time limit and was reset."),
        (Failure::Lasting, "D1_ERROR: CHECK constraint failed: workshops_reserved_within_capacity"),
        (Failure::Lasting, ""),
        (Failure::NotConfigured, "D1_ERROR: no such table: operations: SQLITE_ERROR"),
        (Failure::NotConfigured, "D1_ERROR: no such column: attempt at offset 7: SQLITE_ERROR"),
    ] {
        assert_eq!(Failure::of(message), failure, "{message}");
    }
}

#[test]
fn pauses_are_within_their_bounds_and_everything_within_its_time() {
    for sent in SENDS {
        assert_eq!(pause_milliseconds(sent, 0.0), 0);
    }
    assert_eq!(pause_milliseconds(1, 0.999_999), 499);
    assert_eq!(pause_milliseconds(2, 0.999_999), 999);
    assert_eq!(SENDS, 1..=3);
    assert_eq!((SEND_MILLISECONDS_MAX, SENDS_MILLISECONDS_MAX), (4_000, 10_000));
}
