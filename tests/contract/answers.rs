//! The bytes of the answers, of receipts, and of the log.

use einmal::domain::{Actor, Decision, Fields, Fingerprint, FingerprintVersion, Hex128, Receipt};
use einmal::operation::{Operation, OperationType, Payload};
use einmal::reservations::rejections::{
    NOTHING_TO_CANCEL, UNKNOWN_OPERATION, UNKNOWN_WORKSHOP, every_rejection,
};
use einmal::reservations::{
    ABANDONED, NewIds, OperationRecord, Outcome, Quantity, Reservation, Reserve, Workshop, WorkshopId,
    documents,
};
use einmal::wire::{self, LogEntry, operation_key, rejection};

use crate::prelude::test;

fn receipt() -> Receipt {
    Receipt {
        outcome: "reserved".to_owned(),
        http_status: 201,
        body: "the stored bytes".to_owned(),
        fingerprint: None,
        send_id: String::new(),
    }
}

fn reserve(quantity: u64) -> Reserve {
    Reserve {
        workshop: WorkshopId::parse("workshop-demo").unwrap(),
        quantity: Quantity::new(quantity).unwrap(),
    }
}

#[test]
fn an_outcome_has_exactly_these_members() {
    let new_ids = NewIds { reservation_id: Hex128::from_random([0xa5; 16]) };
    let body = |outcome| reserve(1).body(outcome, &new_ids).as_str().to_owned();
    assert_eq!(
        body(Outcome::Reserved),
        r#"{"status":"reserved","reservation_id":"a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5","quantity":1}"#
    );
    assert_eq!(body(Outcome::Unavailable), r#"{"status":"unavailable"}"#);
    assert_eq!(ABANDONED, r#"{"status":"abandoned"}"#);
}

#[test]
fn an_attempt_recognises_its_own_sends_and_no_others() {
    let attempt = |byte| einmal::domain::Attempt { id: Hex128::from_random([byte; 16]), now_ms: 0 };
    assert_eq!(attempt(0xa5).send_id(2), format!("{}-2", "a5".repeat(16)));
    assert!(attempt(0xa5).has_sent(&attempt(0xa5).send_id(1)));
    assert!(attempt(0xa5).has_sent(&attempt(0xa5).send_id(3)));
    assert!(!attempt(0xa5).has_sent(&attempt(0xa6).send_id(1)));
    assert!(!attempt(0xa5).has_sent(&"a5".repeat(16)));
}

#[test]
fn a_receipt_is_returned_as_stored_and_marked_as_first_or_replayed() {
    for replayed in [false, true] {
        let decided = Decision::Decided { receipt: receipt(), replayed };
        let answer = wire::decision(decided).unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (201, "the stored bytes"));
        assert_eq!(answer.replayed, Some(replayed));
        assert_eq!(answer.content_type.header(), "application/json");
    }
}

#[test]
fn a_conflict_and_an_unknown_workshop_are_rejections() {
    assert_eq!(wire::decision(Decision::Conflict), Err(rejection::OPERATION_CONFLICT));
    assert_eq!(Operation::<Reserve>::undecided(&[] as &[NoRow]), Some(UNKNOWN_WORKSHOP));
}

struct NoRow;

impl einmal::store::Row for NoRow {
    fn text(&self, _column: &'static str) -> Option<String> {
        None
    }

    fn integer(&self, _column: &'static str) -> Option<i64> {
        None
    }
}

fn record(outcome: &str, reservation: Option<Reservation>) -> OperationRecord {
    OperationRecord {
        key: "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17".to_owned(),
        outcome: outcome.to_owned(),
        http_status: if reservation.is_some() { 201 } else { 409 },
        decided_at: "2026-11-30T09:00:00Z".to_owned(),
        workshop: reservation.as_ref().map(|_| "ws".to_owned()),
        reservation,
    }
}

#[test]
fn an_operation_document_has_the_outcome_and_the_state_of_the_reservation() {
    let reserved = |cancelled| {
        let reservation = Reservation { id: "a5".repeat(16), quantity: 2, cancelled };
        record("reserved", Some(reservation))
    };
    let abandoned = record("abandoned", None);
    let document = |outcome: &str, rest: &str| {
        format!(r#"{{"key":"6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17","outcome":"{outcome}",{rest}}}"#)
    };
    let held = document(
        "reserved",
        concat!(
            r#""http_status":201,"decided_at":"2026-11-30T09:00:00Z","workshop":"ws","#,
            r#""reservation":{"id":"a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5","quantity":2,"state":"held"}"#,
        ),
    );
    let nothing = document(
        "abandoned",
        r#""http_status":409,"decided_at":"2026-11-30T09:00:00Z","workshop":null,"reservation":null"#,
    );
    for (found, expected) in [
        (reserved(false), held.clone()),
        (reserved(true), held.replace(r#""held""#, r#""cancelled""#)),
        (abandoned.clone(), nothing.clone()),
    ] {
        let answer = documents::operation(Some(&found)).unwrap();
        assert_eq!((answer.status, answer.replayed, answer.body), (200, None, expected));
    }
    let list = documents::operations(&[reserved(false), abandoned]);
    assert_eq!(list.body, format!(r#"{{"operations":[{held},{nothing}]}}"#));
}

#[test]
fn an_undecided_operation_is_not_found_and_one_without_a_reservation_cannot_be_cancelled() {
    assert_eq!(documents::operation(None), Err(UNKNOWN_OPERATION));
    assert_eq!(documents::cancelled(None), Err(UNKNOWN_OPERATION));
    let refused = record("unavailable", None);
    assert_eq!(documents::cancelled(Some(&refused)), Err(NOTHING_TO_CANCEL));
    assert_eq!(documents::operation(Some(&refused)).unwrap().status, 200);
}

#[test]
fn every_rejection_is_a_problem_document_with_a_code_and_a_retry() {
    for rejection in every_rejection() {
        let answer = rejection.answer();
        assert_eq!(answer.status, rejection.status);
        assert_eq!(answer.content_type.header(), "application/problem+json");
        assert_eq!(answer.replayed, None, "a rejection is not an outcome");
        let document: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        let members = document.as_object().unwrap();
        assert_eq!(members.len(), 6);
        assert_eq!(members["type"], format!("/contract#{}", rejection.code));
        assert_eq!(members["status"], rejection.status);
        assert_eq!(members["error"], rejection.code);
        assert_eq!(members["retry"], rejection.retry.name());
        for words in ["title", "detail"] {
            assert!(!members[words].as_str().unwrap().is_empty());
        }
    }
}

#[test]
fn the_detail_of_an_invalid_request_states_what_was_expected() {
    for (body, words) in [
        ("[]", "object"),
        ("{}", "exactly the members workshop and quantity"),
        (r#"{"workshop":"W","quantity":3}"#, "workshop to be a string that matches [a-z][a-z0-9-]{1,40}"),
        (r#"{"quantity":3,"workshop":"ws"}"#, "quantity to be the JSON integer 1 or 2"),
    ] {
        let answer = Reserve::read(body.as_bytes()).unwrap_err().answer();
        let document: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(document["error"], "request_contract");
        assert!(document["detail"].as_str().unwrap().contains(words), "{document}");
    }
}

#[test]
fn each_rejection_has_its_own_code() {
    let mut codes: Vec<&str> = every_rejection().iter().map(|rejection| rejection.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), every_rejection().len());
}

/// A retry can succeed later or with another credential, but not if the request itself is wrong.
#[test]
fn a_rejection_may_be_retried_only_if_the_request_itself_is_right() {
    for rejection in every_rejection() {
        let expected = match rejection.status {
            401 | 429 | 500 | 503 => "same_key",
            403 if rejection == rejection::ACTOR_CHANGED => "same_key",
            _ => "fix_request",
        };
        assert_eq!(rejection.retry.name(), expected, "{}", rejection.code);
    }
}

#[test]
fn only_transient_rejections_have_retry_after() {
    for rejection in every_rejection() {
        let expected = match rejection {
            rejection::RATE_LIMITED => Some(60),
            rejection::OUTCOME_UNKNOWN => Some(2),
            _ => None,
        };
        assert_eq!(rejection.answer().retry_after_seconds, expected, "{}", rejection.code);
    }
}

#[test]
fn a_401_and_nothing_else_names_the_authentication_scheme() {
    for rejection in every_rejection() {
        let scheme = (rejection.status == 401).then_some("Bearer");
        assert_eq!(rejection.answer().www_authenticate, scheme, "{rejection:?}");
    }
}

#[test]
fn a_line_of_log_has_the_result_of_a_request_and_nothing_to_repeat_it_with() {
    let key = operation_key(Some("6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17")).unwrap();
    let mut entry = LogEntry {
        route: "/reserve",
        status: 201,
        outcome: "reserved".to_owned(),
        replayed: Some(true),
        duration_ms: 7,
        d1_calls: 1,
        rows_read: 4,
        ..LogEntry::default()
    };
    entry.set_key(&key);
    entry.set_actor(&Actor::parse("s_somebody").unwrap());
    // The digits: printf 6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17 | sha256sum | cut -c 1-8
    assert_eq!(
        entry.line(),
        concat!(
            r#"{"route":"/reserve","status":201,"outcome":"reserved","replayed":true,"actor":"50c7da46","key":"6aa32529","#,
            r#""duration_ms":7,"d1_calls":1,"rows_read":4,"rows_written":0}"#,
        )
    );
}

/// The digests were computed by another program: Python's hashlib over
/// `len(field).to_bytes(4, "big") + field` for each field.
#[test]
fn a_fingerprint_of_version_1_is_this_digest() {
    for (quantity, digest) in [
        (1, "2a0a51a65dd1c6542b606e20108caa16b08927342bfa2c150d175479c6543205"),
        (2, "1e179e7a8f4a5e83dea4869cee9ac482cbe54d70eb815daa42288c2aac1568e8"),
    ] {
        let names: Vec<&str> = Reserve::NAMES.iter().map(|name| name.text).collect();
        assert_eq!(names, ["workshop", "quantity"]);
        let fields = Fields {
            operation: Reserve::NAME,
            values: vec!["workshop-demo".to_owned(), quantity.to_string()],
        };
        assert_eq!(Fingerprint::of(&fields, FingerprintVersion::V1).hex, digest);
    }
}

#[test]
fn a_workshop_document_has_the_available_places_and_whether_it_is_open() {
    let workshop = Workshop {
        id: "ws".to_owned(),
        title: "A \"workshop\"".to_owned(),
        venue: None,
        starts_at: Some("2027-03-28T09:00:00Z".to_owned()),
        ends_at: None,
        time_zone: Some("Europe/Zurich".to_owned()),
        capacity: 3,
        reserved: 2,
        open: false,
    };
    let document = concat!(
        r#"{"id":"ws","title":"A \"workshop\"","venue":null,"starts_at":"2027-03-28T09:00:00Z","ends_at":null,"#,
        r#""time_zone":"Europe/Zurich","capacity":3,"reserved":2,"available":1,"state":"closed"}"#,
    );
    assert_eq!(documents::workshop(&workshop).body, document);
    assert_eq!(documents::workshops(&[workshop]).body, format!(r#"{{"workshops":[{document}]}}"#));
    assert_eq!(documents::workshops(&[]).body, r#"{"workshops":[]}"#);
}
