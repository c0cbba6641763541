//! What is the same for every kind of operation: it knows nothing of reservations, and keeps
//! kinds apart.

use std::path::Path;

use einmal::domain::{Decision, Hex128};
use einmal::operation::{Kind, Operation};
use einmal::store::{Parameter, Statement};
use einmal::wire::{Members, Rejection};

use super::script::{World, operation};

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
fn nothing_but_the_reservations_speaks_of_workshops() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut found = Vec::new();
    for part in ["domain", "wire", "store", "operation.rs", "edge"] {
        texts(&source.join(part), &mut found);
    }
    assert!(found.len() > 25, "{} files were read", found.len());
    for (path, text) in found {
        let text = text.to_lowercase();
        for word in ["workshop", "reserv", "quantit", "capacity", "places"] {
            assert!(!text.contains(word), "{path} speaks of {word}");
        }
    }
}

#[test]
fn what_stands_above_a_statement_is_not_sent() {
    let named = operation("k1", "ws", 1);
    for statement in named.look_up() {
        assert!(statement.sql.starts_with("SELECT"), "{}", statement.sql);
        let file = include_str!("../../src/store/sql/read_receipt.sql");
        assert!(file.starts_with("--") && file.ends_with(statement.sql));
    }
}

/// Another kind of operation, with the same values as a reservation of one place in `ws`.
struct Applause;

impl Kind for Applause {
    const NAME: &'static str = "applaud";

    fn read(body: &[u8]) -> Result<Self, Rejection> {
        Members::of_body(body).map(|_| Self)
    }

    fn values(&self) -> Vec<String> {
        vec!["ws".to_owned(), "1".to_owned()]
    }

    fn decide<'a>(&'a self, new_id: &'a Hex128) -> Statement<'a> {
        Statement {
            sql: "INSERT INTO operations (
                    actor, key, fingerprint_version, fingerprint, attempt, decided_at_ms, http_status, body
                ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 201, json_object('id', ?7)) ON CONFLICT DO NOTHING",
            parameters: vec![Parameter::Borrowed(new_id.as_str())],
        }
    }

    fn effects<'a>(&'a self, _new_id: &'a Hex128) -> Vec<Statement<'a>> {
        Vec::new()
    }
}

fn applaud(world: &mut World, name: &str) -> Decision {
    let named = operation(name, "ws", 1);
    let applause = Operation::new(named.actor().clone(), named.key().clone(), Applause);
    let attempt = world.attempt();
    let rows = world.database.run(&applause.batch(&attempt)).unwrap();
    applause.decision(&rows, &attempt).unwrap()
}

#[test]
fn the_same_key_for_another_kind_is_a_conflict_even_with_the_same_values() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 3)]);
    world.request(&operation("k1", "ws", 1));
    assert!(matches!(applaud(&mut world, "k2"), Decision::Decided { replayed: false, .. }));
    assert!(matches!(applaud(&mut world, "k2"), Decision::Decided { replayed: true, .. }));
    let stored = world.database.dump();
    assert_eq!(applaud(&mut world, "k1"), Decision::Conflict);
    assert_eq!(world.request(&operation("k2", "ws", 1)), Decision::Conflict);
    assert_eq!(world.database.dump(), stored);
}
