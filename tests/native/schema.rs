//! The schema against other writers: a person at a console, a script, a later version of the service. Their
//! statements are refused, or counted correctly.

use einmal::reservations::{Quantity, WorkshopId, operations, workshops};
use einmal::store::read_schema;
use rusqlite::Result;

use super::script::{Harness, new_ids, operation};

/// A workshop `ws` with three places: `k1` holds one, and `k2` held one and is cancelled.
fn harness() -> Harness {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 3)]);
    harness.workshop("other", &[("capacity", 3)]);
    harness.request(&operation("k1", "ws", 1));
    harness.request(&operation("k2", "ws", 1));
    harness.database.write("UPDATE reservations SET cancelled_at_ms = 7 WHERE key LIKE '%6b32'", []).unwrap();
    harness
}

/// Asserts that a write was refused by the constraint or trigger of this name, and changed nothing.
#[track_caller]
fn refused(harness: &Harness, by: &str, result: Result<usize>, before: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(by), "expected to be refused by {by}, found: {message}");
    assert_eq!(harness.database.dump().unwrap(), before, "a refused write must change nothing");
}

/// Asserts that each statement is refused by the constraint or trigger beside it.
#[track_caller]
fn refuses(statements: &[(&str, &str)]) {
    let harness = harness();
    let before = harness.database.dump().unwrap();
    for (by, statement) in statements {
        refused(&harness, by, harness.database.write(statement, []), &before);
    }
}

/// Inserts a receipt by hand, so that a reservation can be inserted by hand.
fn receipt(harness: &Harness, key: &str) {
    let sql = format!(
        "INSERT INTO operations (actor, key, workshop, send_id, outcome, http_status, body, decided_at_ms)
        VALUES ('demo', '{key:0>36}', 'ws', '{:032}-1', 'reserved', 201, '{{}}', 0)",
        0
    );
    harness.database.write(&sql, []).unwrap();
}

fn reservation(harness: &Harness, key: &str, quantity: &str, cancelled_at_ms: &str) -> Result<usize> {
    let sql = format!(
        "INSERT INTO reservations VALUES ('ws', 'demo', '{key:0>36}', '{:032}', {quantity}, {cancelled_at_ms})",
        0
    );
    harness.database.write(&sql, [])
}

fn reserved(harness: &Harness) -> i64 {
    harness.database.number("SELECT reserved FROM workshops WHERE id = 'ws'").unwrap()
}

#[test]
fn an_insert_beyond_capacity_is_refused() {
    let harness = harness();
    receipt(&harness, "1");
    reservation(&harness, "1", "2", "NULL").unwrap();
    assert_eq!(reserved(&harness), 3);
    receipt(&harness, "2");
    let before = harness.database.dump().unwrap();
    let result = reservation(&harness, "2", "1", "NULL");
    refused(&harness, "workshops_reserved_within_capacity", result, &before);
}

/// A conflict clause does not bypass the limit.
#[test]
fn no_kind_of_insert_exceeds_the_capacity() {
    for or in ["OR IGNORE", "OR REPLACE", "OR FAIL", "OR ABORT"] {
        let harness = harness();
        for key in ["1", "2", "3"] {
            receipt(&harness, key);
            let id = "0".repeat(32);
            let insert =
                format!("INSERT {or} INTO reservations VALUES ('ws', 'demo', '{key:0>36}', '{id}', 2, NULL)");
            drop(harness.database.write(&insert, []));
        }
        assert_eq!(harness.held("ws"), (3, 3), "{or}");
        drop(harness.database.write("UPDATE OR IGNORE workshops SET capacity = 1", []));
        assert_eq!(
            harness.database.number("SELECT capacity FROM workshops WHERE id = 'ws'").unwrap(),
            3,
            "{or}"
        );
    }
}

/// Even if a writer defers foreign keys, the count must not be lost.
#[test]
fn a_workshop_with_reservations_cannot_be_replaced() {
    for replace in [
        "INSERT OR REPLACE INTO workshops (id, title, capacity) VALUES ('ws', 'New', 9)",
        "DELETE FROM workshops WHERE id = 'ws'; INSERT INTO workshops (id, title, capacity) VALUES ('ws', 'New', 9)",
    ] {
        let harness = harness();
        let before = harness.database.dump().unwrap();
        let deferred = format!("BEGIN; PRAGMA defer_foreign_keys = ON; {replace}; COMMIT");
        let message = harness.database.script(&deferred).unwrap_err().to_string();
        assert!(message.contains("workshops_are_not_replaced"), "{message}");
        harness.database.script("ROLLBACK").unwrap();
        assert_eq!(harness.database.dump().unwrap(), before);
    }
}

#[test]
fn a_reservation_inserted_as_cancelled_takes_no_place() {
    let harness = harness();
    receipt(&harness, "1");
    reservation(&harness, "1", "2", "5").unwrap();
    assert_eq!(reserved(&harness), 1);
}

#[test]
fn cancelling_releases_the_places_once() {
    let harness = harness();
    let cancel = "UPDATE reservations SET cancelled_at_ms = 9 WHERE key LIKE '%6b31'";
    assert_eq!(harness.database.write(cancel, []).unwrap(), 1);
    assert_eq!(reserved(&harness), 0);
    let before = harness.database.dump().unwrap();
    refused(&harness, "reservations_only_cancel", harness.database.write(cancel, []), &before);
}

#[test]
fn a_reservation_cannot_change_in_another_way() {
    refuses(&[
        ("reservations_only_cancel", "UPDATE reservations SET cancelled_at_ms = NULL"),
        ("reservations_only_cancel", "UPDATE reservations SET cancelled_at_ms = 8"),
        ("reservations_only_cancel", "UPDATE reservations SET workshop = 'other'"),
        ("reservations_only_cancel", "UPDATE reservations SET actor = 'somebody'"),
        ("reservations_only_cancel", "UPDATE reservations SET key = substr(key, 2) || '0'"),
        ("reservations_only_cancel", "UPDATE reservations SET id = substr(id, 2) || '0'"),
        ("reservations_only_cancel", "UPDATE reservations SET quantity = 2"),
        ("reservations_only_cancel", "UPDATE reservations SET quantity = 2, cancelled_at_ms = 8"),
        ("reservations_only_cancel", "UPDATE OR REPLACE reservations SET key = substr(key, 1, 35) || '1'"),
        ("reservations_only_cancel", "UPDATE OR IGNORE reservations SET quantity = 2"),
        ("reservations_stay", "DELETE FROM reservations"),
        ("reservations_are_not_replaced", "INSERT OR REPLACE INTO reservations SELECT * FROM reservations"),
        ("reservations_are_not_replaced", "INSERT OR IGNORE INTO reservations SELECT * FROM reservations"),
    ]);
}

#[test]
fn a_reservation_has_a_receipt_a_workshop_and_valid_values() {
    let harness = harness();
    receipt(&harness, "1");
    let before = harness.database.dump().unwrap();
    for (by, key, quantity, cancelled_at_ms) in [
        ("FOREIGN KEY", "9", "1", "NULL"),
        ("reservations_quantity_in_range", "1", "0", "NULL"),
        ("reservations_quantity_in_range", "1", "3", "NULL"),
        ("reservations_cancelled_at_is_a_time", "1", "1", "-1"),
        ("reservations.quantity", "1", "1.5", "NULL"),
        ("reservations.quantity", "1", "NULL", "NULL"),
    ] {
        let result = reservation(&harness, key, quantity, cancelled_at_ms);
        refused(&harness, by, result, &before);
    }
    let nowhere = "INSERT INTO reservations SELECT 'nowhere', actor, key, substr(send_id, 1, 32), 1, NULL FROM operations LIMIT 1";
    refused(&harness, "FOREIGN KEY", harness.database.write(nowhere, []), &before);
    let id = "INSERT INTO reservations SELECT 'other', actor, key, upper(id), 1, NULL FROM reservations";
    let id = id.replace("upper(id)", "'A' || substr(id, 2)");
    refused(&harness, "reservations_id_is_hex", harness.database.write(&id, []), &before);
}

#[test]
fn a_receipt_cannot_be_changed_or_deleted() {
    refuses(&[
        ("operations_are_final", "UPDATE operations SET body = '{}'"),
        ("operations_are_final", "UPDATE operations SET decided_at_ms = 0"),
        ("operations_are_final", "UPDATE OR REPLACE operations SET actor = 'somebody'"),
        ("operations_stay", "DELETE FROM operations"),
        ("FOREIGN KEY", "INSERT OR REPLACE INTO operations SELECT * FROM operations"),
        ("UNIQUE", "INSERT INTO operations SELECT * FROM operations"),
    ]);
}

#[test]
fn a_receipt_has_valid_values() {
    let columns = [
        "actor",
        "key",
        "workshop",
        "fingerprint_version",
        "fingerprint",
        "send_id",
        "outcome",
        "http_status",
        "body",
        "decided_at_ms",
    ];
    let insert = |changed: &str, value: &str| {
        let values = columns.map(|column| match column {
            _ if column == changed => value.to_owned(),
            "key" => "'1111' || substr(key, 5)".to_owned(),
            _ => column.to_owned(),
        });
        format!(
            "INSERT INTO operations ({}) SELECT {} FROM operations LIMIT 1",
            columns.join(", "),
            values.join(", ")
        )
    };
    let statements = [
        ("operations_actor_is_a_name", insert("actor", "'A'")),
        ("operations_actor_is_a_name", insert("actor", "'a@b'")),
        ("operations_key_is_a_uuid", insert("key", "'k'")),
        ("operations_key_is_a_uuid", insert("key", "replace(key, '0', 'ä')")),
        ("operations_key_is_a_uuid", insert("key", "upper(replace(key, '0', 'a'))")),
        ("FOREIGN KEY", insert("workshop", "'nowhere'")),
        ("operations_fingerprint_has_a_version", insert("fingerprint_version", "NULL")),
        ("operations_fingerprint_is_whole", insert("fingerprint", "substr(fingerprint, 2)")),
        ("operations_send_id_is_whole", insert("send_id", "'1'")),
        ("operations_outcome_is_known", insert("outcome", "'waiting'")),
        ("operations_http_status_is_of_the_outcome", insert("outcome", "'unavailable'")),
        ("operations_http_status_is_of_the_outcome", insert("http_status", "503")),
        ("operations_body_is_json", insert("body", "'{'")),
        ("operations_decided_at_is_a_time", insert("decided_at_ms", "-1")),
    ];
    refuses(&statements.each_ref().map(|(by, statement)| (*by, statement.as_str())));
}

#[test]
fn a_capacity_below_the_reserved_places_is_refused() {
    let harness = harness();
    let before = harness.database.dump().unwrap();
    let lower = |capacity: i64| {
        harness.database.write("UPDATE workshops SET capacity = ?1 WHERE id = 'ws'", [capacity])
    };
    refused(&harness, "workshops_reserved_within_capacity", lower(0), &before);
    lower(1).unwrap();
}

#[test]
fn only_reservations_change_the_count() {
    refuses(&[
        ("workshops_reserved_is_counted", "UPDATE workshops SET reserved = 0"),
        ("workshops_reserved_is_counted", "UPDATE workshops SET reserved = reserved + 1"),
        ("workshops_reserved_is_counted", "UPDATE OR IGNORE workshops SET reserved = 0"),
        ("workshops_reserved_is_counted", "UPDATE workshops SET count_version = 9223372036854775807"),
        ("workshops_reserved_is_counted", "UPDATE workshops SET count_version = count_version + 1"),
        (
            "workshops_start_empty",
            "INSERT INTO workshops (id, title, capacity, reserved) VALUES ('new', 'New', 9, 1)",
        ),
        (
            "workshops_start_empty",
            "INSERT INTO workshops (id, title, capacity, count_version) VALUES ('new', 'New', 9, 1)",
        ),
        ("FOREIGN KEY", "INSERT OR REPLACE INTO workshops (id, title, capacity) VALUES ('ws', 'New', 9)"),
        ("FOREIGN KEY", "DELETE FROM workshops WHERE id = 'ws'"),
        ("workshops_keep_their_id", "UPDATE workshops SET id = 'renamed' WHERE id = 'ws'"),
    ]);
}

#[test]
fn a_workshop_has_valid_values() {
    refuses(&[
        ("workshops_title_length", "UPDATE workshops SET title = ''"),
        ("workshops_venue_length", "UPDATE workshops SET venue = ''"),
        ("workshops_times_in_order", "UPDATE workshops SET starts_at_ms = 9, ends_at_ms = 8"),
        ("workshops_times_in_order", "UPDATE workshops SET starts_at_ms = -1"),
        ("workshops_times_in_order", "UPDATE workshops SET starts_at_ms = 253402300799001"),
        ("workshops_end_has_a_start", "UPDATE workshops SET ends_at_ms = 8"),
        ("workshops_times_have_a_zone", "UPDATE workshops SET starts_at_ms = 9, time_zone = NULL"),
        ("workshops_reserved_within_capacity", "UPDATE workshops SET capacity = -1 WHERE id = 'other'"),
        ("workshops_capacity_is_a_count", "UPDATE workshops SET capacity = 1000001"),
        ("workshops_places_per_actor_is_a_count", "UPDATE workshops SET places_per_actor = 0"),
        ("workshops_published_at_is_a_time", "UPDATE workshops SET published_at_ms = -1"),
        ("workshops_closes_at_is_a_time", "UPDATE workshops SET closes_at_ms = -1"),
    ]);
}

/// The column accepts the same values as the type.
#[test]
fn the_schema_and_the_type_agree_on_quantity() {
    for places in 0..=5u64 {
        let harness = harness();
        receipt(&harness, "1");
        harness.workshop("ws", &[("capacity", 9)]);
        let accepted = reservation(&harness, "1", &places.to_string(), "NULL").is_ok();
        assert_eq!(accepted, Quantity::new(places).is_some(), "{places}");
    }
}

#[test]
fn the_schema_and_the_type_agree_on_workshop_ids() {
    let harness = Harness::new();
    let longest = "a".repeat(41);
    let too_long = "a".repeat(42);
    for id in [
        "", "a", "ab", "a1", "a-", "1a", "-a", "Ab", "aB", "a_b", "a b", "a\n", "ä1", "aä", "a\0b", "ab\0!",
        "ab\n", &longest, &too_long,
    ] {
        let accepted = harness
            .database
            .write("INSERT INTO workshops (id, title, capacity) VALUES (?1, 't', 1)", [id])
            .is_ok();
        assert_eq!(accepted, WorkshopId::parse(id).is_some(), "{id:?}");
    }
}

#[test]
fn a_note_has_a_receipt_and_a_text_and_can_be_deleted() {
    refuses(&[
        ("FOREIGN KEY", "INSERT INTO notes VALUES ('demo', 'no such key', 'Ada')"),
        ("notes_note_length", "INSERT INTO notes SELECT actor, key, '' FROM operations LIMIT 1"),
        (
            "notes_note_length",
            "INSERT INTO notes SELECT actor, key, printf('%0501d', 1) FROM operations LIMIT 1",
        ),
    ]);
    let harness = harness();
    let written = harness.database.write("INSERT INTO notes SELECT actor, key, 'Ada' FROM operations", []);
    assert_eq!(written.unwrap(), 2);
    assert_eq!(harness.database.write("DELETE FROM notes", []).unwrap(), 2);
}

#[test]
fn every_statement_of_the_worker_is_valid_for_the_schema() {
    let mut harness = Harness::new();
    let attempt = harness.attempt();
    let named = operation("k1", "ws", 1);
    let (actor, key) = (named.actor(), named.key());
    let batches = [
        named.batch(&attempt, &new_ids(&mut harness), 1),
        operations::look_up(actor, key),
        operations::list(actor),
        operations::abandon(actor, key, &attempt, 1),
        operations::cancel(actor, key, 1),
        workshops::list(1),
        workshops::one(&WorkshopId::parse("ws").unwrap(), 1),
        read_schema(),
    ];
    for statement in batches.iter().flatten() {
        harness.database.prepare(statement.sql).unwrap_or_else(|error| panic!("{}: {error}", statement.name));
    }
}
