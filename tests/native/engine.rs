//! The engine: independent of reservations, and operation types are separate.

use std::path::Path;

use einmal::domain::Decision;
use einmal::operation::{Body, Operation, OperationSql, OperationType, Undecided};
use einmal::reservations::Reserve;
use einmal::testing::exactly_once;
use einmal::wire::{Members, Rejection};
use einmal::{operation_sql, outcomes, payload};

use super::migrations::schema_of_the_service;
use super::script::{Harness, operation};

/// Every file of Rust or SQL in a folder of `src/`, or the one file.
fn texts(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            texts(&entry.unwrap().path(), found);
        }
    } else {
        found.push((path.display().to_string(), std::fs::read_to_string(path).unwrap()));
    }
}

#[test]
fn the_engine_does_not_mention_workshops() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut found = Vec::new();
    for part in ["domain", "wire", "store", "operation.rs", "retry.rs", "testing", "edge"] {
        texts(&source.join(part), &mut found);
    }
    assert!(found.len() > 25, "{} files were read", found.len());
    for (path, text) in found {
        let text = text.to_lowercase();
        for word in ["workshop", "reserv", "quantit", "capacity", "places"] {
            assert!(!text.contains(word), "{path} mentions {word}");
        }
    }
}

#[test]
fn sql_is_sent_without_comments_and_with_numbered_parameters() {
    let sql = operation("k1", "ws", 1).look_up().remove(0).sql;
    assert!(
        sql.starts_with("SELECT fingerprint_version") && sql.ends_with("actor = ?1 AND key = ?2"),
        "{sql}"
    );
}

payload! {
    /// Has the same values as a reservation of one place in `ws`.
    struct Applause { workshop: String, quantity: i64 }
}

outcomes! {
    enum Applauded { Applauded: "reserved" = 201 }
}

impl OperationType for Applause {
    const NAME: &'static str = "applaud";
    type Outcome = Applauded;
    type NewIds = ();
    const SQL: OperationSql = operation_sql! {
        Applause;
        decide: "SELECT 'reserved' AS outcome WHERE :workshop <> '' AND :quantity > 0";
        effects: [];
    };
    const UNDECIDED: Undecided = Undecided::Never;

    fn read(body: &[u8]) -> Result<Self, Rejection> {
        Members::of_body(body).map(|_| applause())
    }

    fn body(&self, outcome: Applauded, _new_ids: &()) -> Body {
        Body::json(&outcome.name())
    }
}

fn applause() -> Applause {
    Applause { workshop: "ws".to_owned(), quantity: 1 }
}

fn applaud(harness: &mut Harness, name: &str) -> Option<Decision> {
    let named = operation(name, "ws", 1);
    let applause = Operation::new(named.actor().clone(), named.key().clone(), applause());
    let attempt = harness.attempt();
    let rows = harness.database.run(&applause.batch(&attempt, &(), 1)).unwrap();
    applause.decision(&rows, &attempt).unwrap()
}

#[test]
fn the_same_key_for_another_operation_type_is_a_conflict_even_with_the_same_values() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 3)]);
    harness.request(&operation("k1", "ws", 1));
    assert!(matches!(applaud(&mut harness, "k2"), Some(Decision::Decided { replayed: false, .. })));
    assert!(matches!(applaud(&mut harness, "k2"), Some(Decision::Decided { replayed: true, .. })));
    let stored = harness.database.dump().unwrap();
    assert_eq!(applaud(&mut harness, "k1"), Some(Decision::Conflict));
    assert_eq!(harness.request(&operation("k2", "ws", 1)), Some(Decision::Conflict));
    assert_eq!(harness.database.dump().unwrap(), stored);
}

/// Two places of three in `ws`: reserved, then unavailable. `draft` is not on offer.
const SEED: &str = "
    INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES ('ws', 'A workshop', 3, 0);
    INSERT INTO workshops (id, title, capacity, published_at_ms, places_per_actor) VALUES ('few', 'Few each', 9, 0, 2);
    INSERT INTO workshops (id, title, capacity) VALUES ('draft', 'Draft', 3);";

#[test]
fn a_reservation_happens_exactly_once() {
    let bodies = [
        r#"{"workshop":"ws","quantity":2}"#,
        r#"{"workshop":"ws","quantity":1}"#,
        r#"{"workshop":"few","quantity":2}"#,
        r#"{"workshop":"draft","quantity":1}"#,
    ];
    exactly_once::<Reserve>(&schema_of_the_service(), SEED, &bodies).unwrap();
}
