//! The schema against another writer: somebody at a console, a script, a later service.
//! Whatever they try is refused, or counted right.

use einmal::reservations::{Quantity, WorkshopId, operations, workshops};
use einmal::store::read_schema;
use rusqlite::Result;

use super::script::{World, new_ids, operation};

/// A workshop `ws` with three places, of which one is held under `k1` and one was held
/// under `k2` and is cancelled.
fn world() -> World {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 3)]);
    world.workshop("other", &[("capacity", 3)]);
    world.request(&operation("k1", "ws", 1));
    world.request(&operation("k2", "ws", 1));
    world.database.write("UPDATE reservations SET cancelled_at_ms = 7 WHERE key LIKE '%6b32'", []).unwrap();
    world
}

/// The name of the constraint or trigger that refused, as the message has it.
#[track_caller]
fn refused(world: &World, by: &str, result: Result<usize>, before: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(by), "expected to be refused by {by}, found: {message}");
    assert_eq!(world.database.dump().unwrap(), before, "what was refused must change nothing");
}

/// Each statement is refused by the constraint or trigger that is named first.
#[track_caller]
fn refuses(statements: &[(&str, &str)]) {
    let world = world();
    let before = world.database.dump().unwrap();
    for (by, statement) in statements {
        refused(&world, by, world.database.write(statement, []), &before);
    }
}

/// A receipt by hand, so that a reservation can be made by hand.
fn receipt(world: &World, key: &str) {
    let sql = format!(
        "INSERT INTO operations (actor, key, workshop, send_id, outcome, http_status, body, decided_at_ms)
        VALUES ('demo', '{key:0>36}', 'ws', '{:032}-1', 'reserved', 201, '{{}}', 0)",
        0
    );
    world.database.write(&sql, []).unwrap();
}

fn reservation(world: &World, key: &str, quantity: &str, cancelled_at_ms: &str) -> Result<usize> {
    let sql = format!(
        "INSERT INTO reservations VALUES ('ws', 'demo', '{key:0>36}', '{:032}', {quantity}, {cancelled_at_ms})",
        0
    );
    world.database.write(&sql, [])
}

fn reserved(world: &World) -> i64 {
    world.database.number("SELECT reserved FROM workshops WHERE id = 'ws'").unwrap()
}

#[test]
fn an_insert_beyond_capacity_is_refused() {
    let world = world();
    receipt(&world, "1");
    reservation(&world, "1", "2", "NULL").unwrap();
    assert_eq!(reserved(&world), 3);
    receipt(&world, "2");
    let before = world.database.dump().unwrap();
    let result = reservation(&world, "2", "1", "NULL");
    refused(&world, "workshops_reserved_within_capacity", result, &before);
}

/// What a writer says that it wants done about conflicts does not change what is refused.
#[test]
fn no_way_of_inserting_gets_beyond_capacity() {
    for or in ["OR IGNORE", "OR REPLACE", "OR FAIL", "OR ABORT"] {
        let world = world();
        for key in ["1", "2", "3"] {
            receipt(&world, key);
            let id = "0".repeat(32);
            let insert =
                format!("INSERT {or} INTO reservations VALUES ('ws', 'demo', '{key:0>36}', '{id}', 2, NULL)");
            drop(world.database.write(&insert, []));
        }
        assert_eq!(world.held("ws"), (3, 3), "{or}");
        drop(world.database.write("UPDATE OR IGNORE workshops SET capacity = 1", []));
        assert_eq!(
            world.database.number("SELECT capacity FROM workshops WHERE id = 'ws'").unwrap(),
            3,
            "{or}"
        );
    }
}

/// Foreign keys can be deferred by a writer; the count must not be lost for that.
#[test]
fn a_workshop_is_not_replaced_under_its_reservations() {
    for replace in [
        "INSERT OR REPLACE INTO workshops (id, title, capacity) VALUES ('ws', 'New', 9)",
        "DELETE FROM workshops WHERE id = 'ws'; INSERT INTO workshops (id, title, capacity) VALUES ('ws', 'New', 9)",
    ] {
        let world = world();
        let before = world.database.dump().unwrap();
        let deferred = format!("BEGIN; PRAGMA defer_foreign_keys = ON; {replace}; COMMIT");
        let message = world.database.script(&deferred).unwrap_err().to_string();
        assert!(message.contains("workshops_are_not_replaced"), "{message}");
        world.database.script("ROLLBACK").unwrap();
        assert_eq!(world.database.dump().unwrap(), before);
    }
}

#[test]
fn a_reservation_that_comes_cancelled_takes_no_place() {
    let world = world();
    receipt(&world, "1");
    reservation(&world, "1", "2", "5").unwrap();
    assert_eq!(reserved(&world), 1);
}

#[test]
fn cancelling_gives_the_places_back_once() {
    let world = world();
    let cancel = "UPDATE reservations SET cancelled_at_ms = 9 WHERE key LIKE '%6b31'";
    assert_eq!(world.database.write(cancel, []).unwrap(), 1);
    assert_eq!(reserved(&world), 0);
    let before = world.database.dump().unwrap();
    refused(&world, "reservations_only_cancel", world.database.write(cancel, []), &before);
}

#[test]
fn a_reservation_changes_in_no_other_way() {
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
fn a_reservation_has_a_receipt_a_workshop_and_sound_values() {
    let world = world();
    receipt(&world, "1");
    let before = world.database.dump().unwrap();
    for (by, key, quantity, cancelled_at_ms) in [
        ("FOREIGN KEY", "9", "1", "NULL"),
        ("reservations_quantity_in_range", "1", "0", "NULL"),
        ("reservations_quantity_in_range", "1", "3", "NULL"),
        ("reservations_cancelled_at_is_a_time", "1", "1", "-1"),
        ("reservations.quantity", "1", "1.5", "NULL"),
        ("reservations.quantity", "1", "NULL", "NULL"),
    ] {
        let result = reservation(&world, key, quantity, cancelled_at_ms);
        refused(&world, by, result, &before);
    }
    let nowhere = "INSERT INTO reservations SELECT 'nowhere', actor, key, substr(send_id, 1, 32), 1, NULL FROM operations LIMIT 1";
    refused(&world, "FOREIGN KEY", world.database.write(nowhere, []), &before);
    let id = "INSERT INTO reservations SELECT 'other', actor, key, upper(id), 1, NULL FROM reservations";
    let id = id.replace("upper(id)", "'A' || substr(id, 2)");
    refused(&world, "reservations_id_is_hex", world.database.write(&id, []), &before);
}

#[test]
fn a_receipt_never_changes_and_never_goes() {
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
fn a_receipt_has_sound_values() {
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
fn capacity_below_what_is_reserved_is_refused() {
    let world = world();
    let before = world.database.dump().unwrap();
    let lower = |capacity: i64| {
        world.database.write("UPDATE workshops SET capacity = ?1 WHERE id = 'ws'", [capacity])
    };
    refused(&world, "workshops_reserved_within_capacity", lower(0), &before);
    lower(1).unwrap();
}

#[test]
fn only_reservations_move_the_count() {
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
fn a_workshop_has_sound_values() {
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

/// What a column accepts is what the type accepts, tried for each candidate.
#[test]
fn the_schema_and_the_type_agree_on_quantity() {
    for places in 0..=5u64 {
        let world = world();
        receipt(&world, "1");
        world.workshop("ws", &[("capacity", 9)]);
        let accepted = reservation(&world, "1", &places.to_string(), "NULL").is_ok();
        assert_eq!(accepted, Quantity::new(places).is_some(), "{places}");
    }
}

#[test]
fn the_schema_and_the_type_agree_on_workshop_ids() {
    let world = World::new();
    let longest = "a".repeat(41);
    let too_long = "a".repeat(42);
    for id in [
        "", "a", "ab", "a1", "a-", "1a", "-a", "Ab", "aB", "a_b", "a b", "a\n", "ä1", "aä", "a\0b", "ab\0!",
        "ab\n", &longest, &too_long,
    ] {
        let accepted = world
            .database
            .write("INSERT INTO workshops (id, title, capacity) VALUES (?1, 't', 1)", [id])
            .is_ok();
        assert_eq!(accepted, WorkshopId::parse(id).is_some(), "{id:?}");
    }
}

#[test]
fn a_note_has_a_receipt_and_says_something_and_can_be_deleted() {
    refuses(&[
        ("FOREIGN KEY", "INSERT INTO notes VALUES ('demo', 'no such key', 'Ada')"),
        ("notes_note_length", "INSERT INTO notes SELECT actor, key, '' FROM operations LIMIT 1"),
        (
            "notes_note_length",
            "INSERT INTO notes SELECT actor, key, printf('%0501d', 1) FROM operations LIMIT 1",
        ),
    ]);
    let world = world();
    let written = world.database.write("INSERT INTO notes SELECT actor, key, 'Ada' FROM operations", []);
    assert_eq!(written.unwrap(), 2);
    assert_eq!(world.database.write("DELETE FROM notes", []).unwrap(), 2);
}

#[test]
fn every_statement_of_the_worker_is_one_for_this_schema() {
    let mut world = World::new();
    let attempt = world.attempt();
    let named = operation("k1", "ws", 1);
    let (actor, key) = (named.actor(), named.key());
    let batches = [
        named.batch(&attempt, &new_ids(&mut world), 1),
        operations::look_up(actor, key),
        operations::list(actor),
        operations::abandon(actor, key, &attempt, 1),
        operations::cancel(actor, key, 1),
        workshops::list(1),
        workshops::one(&WorkshopId::parse("ws").unwrap(), 1),
        read_schema(),
    ];
    for statement in batches.iter().flatten() {
        world.database.prepare(statement.sql).unwrap_or_else(|error| panic!("{}: {error}", statement.name));
    }
}
