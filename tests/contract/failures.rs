//! The retry policy.

use einmal::retry::{Failure, SENDS_MAX, SENDS_MS_MAX, pause_ms};

use crate::prelude::test;

#[test]
fn a_failure_is_classified_by_a_part_of_the_message_of_d1() {
    for (failure, message) in [
        (Failure::Transient, "D1_ERROR: Network connection lost."),
        (Failure::Transient, "Network connection lost"),
        (Failure::Transient, "D1_ERROR: D1 DB storage caused object to be reset."),
        (Failure::Transient, "D1_ERROR: D1 DB reset because its code was updated."),
        (Failure::Transient, "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
        (Failure::Permanent, "D1_ERROR: D1 DB is overloaded. Requests queued for too long."),
        (Failure::Permanent, "D1_ERROR: D1 DB is overloaded. Too many requests queued."),
        (
            Failure::Permanent,
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
        ),
        (Failure::Permanent, "D1_ERROR: D1 DB exceeded its memory limit and was reset."),
        (Failure::Permanent, "D1_ERROR: D1 DB exceeded its CPU time limit and was reset."),
        (Failure::StatementRefused, "D1_ERROR: CHECK constraint failed: workshops_reserved_within_capacity"),
        (
            Failure::StatementRefused,
            "D1_ERROR: UNIQUE constraint failed: a.b: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)",
        ),
        (Failure::StatementRefused, "D1_ERROR: near \"DO\": syntax error at offset 7: SQLITE_ERROR"),
        (Failure::StatementRefused, "D1_ERROR: Wrong number of parameter bindings for SQL query."),
        (Failure::StatementRefused, "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'"),
        (Failure::StatementRefused, "D1_ERROR: datatype mismatch: SQLITE_MISMATCH"),
        (Failure::Permanent, ""),
        (Failure::SchemaMissing, "D1_ERROR: no such table: operations: SQLITE_ERROR"),
        (Failure::SchemaMissing, "D1_ERROR: no such column: attempt at offset 7: SQLITE_ERROR"),
    ] {
        assert_eq!(Failure::of(message), failure, "{message}");
    }
}

/// The time-out of the page: `ATTEMPT_MS_MAX` in public/client.js.
const PAGE_WAITS_MS: u64 = 15_000;

#[test]
fn all_sends_and_pauses_take_less_time_than_the_page_waits() {
    let script = include_str!("../../public/client.js");
    assert!(script.contains("ATTEMPT_MS_MAX = 15_000"), "the page waits as long as this test assumes");
    const { assert!(SENDS_MS_MAX < PAGE_WAITS_MS) };
    for sent in 1..=SENDS_MAX {
        assert_eq!(pause_ms(sent, 0.0), 0);
        assert!(pause_ms(sent, 0.999_999) <= 1_000);
    }
    assert!(pause_ms(1, 0.999_999) < pause_ms(2, 0.999_999));
}
