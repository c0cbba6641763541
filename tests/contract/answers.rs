use einmal::domain::{
    Decision, Fingerprint, FingerprintVersion, Hex128, Intention, Outcome, Quantity, Receipt, Workshop,
    WorkshopId,
};
use einmal::wire::{self, ContentType, Rejection};

use crate::prelude::test;

fn receipt() -> Receipt {
    Receipt {
        http_status: 201,
        body: "the stored bytes".to_owned(),
        fingerprint: None,
        attempt_id: String::new(),
    }
}

#[test]
fn an_outcome_has_exactly_these_members() {
    let reserved = Outcome::Reserved {
        reservation_id: Hex128::from_random([0xa5; 16]),
        quantity: Quantity::new(1).unwrap(),
    };
    assert_eq!(
        wire::outcome_body(&reserved),
        r#"{"status":"reserved","reservation_id":"a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5","quantity":1}"#
    );
    assert_eq!(wire::outcome_body(&Outcome::Unavailable), r#"{"status":"unavailable"}"#);
}

#[test]
fn a_receipt_is_given_as_it_was_stored_and_says_whether_again() {
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
    assert_eq!(wire::decision(Decision::Conflict), Err(Rejection::OperationConflict));
    assert_eq!(wire::decision(Decision::UnknownWorkshop), Err(Rejection::UnknownWorkshop));
}

#[test]
fn a_rejection_is_a_problem_document() {
    let answer = Rejection::OperationConflict.answer();
    assert_eq!(answer.status, 409);
    assert_eq!(answer.content_type, ContentType::Problem);
    assert_eq!(answer.replayed, None);
    let document: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(document["status"], 409);
    assert_eq!(document["error"], "operation_conflict");
    assert_eq!(document["retry"], "fix_request");
}

#[test]
fn only_an_unknown_outcome_says_when_to_come_back() {
    assert_eq!(Rejection::OutcomeUnknown.answer().retry_after_seconds, Some(2));
    assert_eq!(Rejection::UnknownWorkshop.answer().retry_after_seconds, None);
}

/// The digests were made by another program: Python's hashlib over
/// `len(field).to_bytes(4, "big") + field` for each field.
#[test]
fn a_fingerprint_of_version_1_is_this_digest() {
    for (quantity, digest) in [
        (1, "2a0a51a65dd1c6542b606e20108caa16b08927342bfa2c150d175479c6543205"),
        (2, "1e179e7a8f4a5e83dea4869cee9ac482cbe54d70eb815daa42288c2aac1568e8"),
    ] {
        let intention = Intention {
            workshop: WorkshopId::parse("workshop-demo").unwrap(),
            quantity: Quantity::new(quantity).unwrap(),
        };
        assert_eq!(Fingerprint::of(&intention, FingerprintVersion::V1).hex, digest);
    }
}

#[test]
fn a_workshop_says_what_is_left_and_whether_it_is_open() {
    let workshop = Workshop {
        id: "ws".to_owned(),
        title: "A \"workshop\"".to_owned(),
        place: None,
        starts_at: Some("2027-03-28T09:00:00Z".to_owned()),
        ends_at: None,
        time_zone: Some("Europe/Zurich".to_owned()),
        capacity: 3,
        reserved: 2,
        open: false,
    };
    let document = concat!(
        r#"{"id":"ws","title":"A \"workshop\"","place":null,"starts_at":"2027-03-28T09:00:00Z","ends_at":null,"#,
        r#""time_zone":"Europe/Zurich","capacity":3,"reserved":2,"available":1,"state":"closed"}"#,
    );
    assert_eq!(wire::workshop(&workshop).body, document);
    assert_eq!(wire::workshops(&[workshop]).body, format!(r#"{{"workshops":[{document}]}}"#));
    assert_eq!(wire::workshops(&[]).body, r#"{"workshops":[]}"#);
}
