//! The decisions of `POST /reserve`.

use einmal::domain::Decision;
use einmal::operation::Operation;
use einmal::reservations::Reserve;

use super::script::{Harness, check, new_ids, operation};

#[test]
fn a_retry_gets_the_receipt_and_reserves_nothing_more() {
    check(
        "workshop ws capacity 3
         anna k1 ws 1 -> reserved
         anna k1 ws 1 -> reserved, replayed
         anna k1 ws 1 -> reserved, replayed
         held ws 1",
    );
}

#[test]
fn a_new_key_is_a_new_operation_even_with_the_same_payload() {
    check(
        "workshop ws capacity 3
         anna k1 ws 1 -> reserved
         anna k2 ws 1 -> reserved
         held ws 2",
    );
}

#[test]
fn the_last_places_are_reserved_once() {
    check(
        "workshop ws capacity 3
         anna k1 ws 2 -> reserved
         anna k2 ws 2 -> unavailable
         anna k3 ws 1 -> reserved
         anna k4 ws 1 -> unavailable
         held ws 3",
    );
}

#[test]
fn a_refusal_is_final_for_its_key() {
    check(
        "workshop ws capacity 3
         anna k1 ws 2 -> reserved
         anna k2 ws 2 -> unavailable
         workshop ws capacity 9
         anna k2 ws 2 -> unavailable, replayed
         anna k3 ws 2 -> reserved
         held ws 4",
    );
}

#[test]
fn another_payload_with_the_same_key_is_a_conflict_and_changes_nothing() {
    check(
        "workshop ws capacity 3
         workshop other capacity 3
         anna k1 ws 1 -> reserved
         anna k1 ws 2 -> conflict
         anna k1 other 1 -> conflict
         anna k1 ws 1 -> reserved, replayed
         held ws 1
         held other 0",
    );
}

#[test]
fn the_key_is_checked_before_the_workshop_and_its_capacity() {
    check(
        "workshop ws capacity 1
         anna k1 ws 1 -> reserved
         anna k1 nowhere 1 -> conflict
         anna k1 ws 1 -> reserved, replayed
         workshop ws published 900
         anna k1 ws 1 -> reserved, replayed
         anna k2 ws 1 -> unknown workshop",
    );
}

#[test]
fn an_unknown_workshop_does_not_consume_the_key() {
    check(
        "anna k1 ws 1 -> unknown workshop
         workshop ws capacity 1
         anna k1 ws 1 -> reserved",
    );
}

#[test]
fn a_workshop_is_on_offer_from_its_publication() {
    check(
        "workshop ws capacity 1 published 500
         at 499
         anna k1 ws 1 -> unknown workshop
         at 500
         anna k1 ws 1 -> reserved",
    );
}

#[test]
fn a_closed_workshop_is_unavailable() {
    check(
        "workshop ws capacity 9 closes 500
         at 499
         anna k1 ws 1 -> reserved
         at 500
         anna k2 ws 1 -> unavailable
         anna k1 ws 1 -> reserved, replayed",
    );
}

#[test]
fn a_workshop_closes_at_its_start_unless_it_has_a_closing_time() {
    check(
        "workshop early capacity 9 starts 500 closes 300
         workshop plain capacity 9 starts 500
         workshop late capacity 9 starts 500 closes 700
         at 400
         anna k1 early 1 -> unavailable
         anna k2 plain 1 -> reserved
         at 600
         anna k3 plain 1 -> unavailable
         anna k4 late 1 -> reserved",
    );
}

#[test]
fn an_actor_holds_at_most_places_per_actor() {
    check(
        "workshop ws capacity 9 per-actor 3
         anna k1 ws 2 -> reserved
         anna k2 ws 2 -> unavailable
         anna k3 ws 1 -> reserved
         anna k4 ws 1 -> unavailable
         held ws 3",
    );
}

#[test]
fn places_per_actor_counts_the_held_places_of_this_actor_in_this_workshop() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 9), ("places_per_actor", 2)]);
    harness.workshop("other", &[("capacity", 9)]);
    harness.request(&operation("k1", "other", 2));
    harness.request(&operation("k2", "ws", 2));
    harness.database.write("UPDATE reservations SET cancelled_at_ms = 5 WHERE workshop = 'ws'", []).unwrap();
    let decision = harness.request(&operation("k3", "ws", 2));
    assert!(
        matches!(&decision, Some(Decision::Decided { receipt, .. }) if receipt.http_status == 201),
        "cancelled places and places in other workshops do not count: {decision:?}"
    );
}

/// The answer to a batch can be lost after it was committed. The attempt then sends the batch again.
#[test]
fn a_second_send_for_the_last_place_changes_nothing() {
    for quantity in [1, 2] {
        let mut harness = Harness::new();
        harness.workshop("ws", &[("capacity", 2)]);
        if quantity == 1 {
            harness.request(&operation("k0", "ws", 1));
        }
        let operation = operation("k1", "ws", quantity);
        let (attempt, new_ids) = (harness.attempt(), new_ids(&mut harness));
        let first = harness.send(&operation, &attempt, &new_ids, 1);
        let stored = harness.database.dump().unwrap();
        let second = harness.send(&operation, &attempt, &new_ids, 2);
        assert!(
            matches!(first, Some(Decision::Decided { ref receipt, replayed: false }) if receipt.http_status == 201)
        );
        assert_eq!(second, first, "the attempt still recognises its own receipt");
        assert_eq!(harness.database.dump().unwrap(), stored);
    }
}

#[test]
fn a_second_send_after_a_refusal_changes_nothing() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 1)]);
    let operation = operation("k1", "ws", 2);
    let (attempt, new_ids) = (harness.attempt(), new_ids(&mut harness));
    let first = harness.send(&operation, &attempt, &new_ids, 1);
    let stored = harness.database.dump().unwrap();
    harness.workshop("ws", &[("capacity", 2)]);
    assert_eq!(harness.send(&operation, &attempt, &new_ids, 2), first);
    harness.workshop("ws", &[("capacity", 1)]);
    assert_eq!(harness.database.dump().unwrap(), stored);
}

/// Statement 0 writes the receipt, 1 inserts the reservation, 2 reads the receipt.
#[test]
fn a_batch_that_fails_at_any_statement_is_rolled_back() {
    check(
        "workshop ws capacity 3
         anna k1 ws 2 -> reserved
         anna k2 ws 1 fails at 0 -> nothing
         anna k2 ws 1 fails at 1 -> nothing
         anna k2 ws 1 fails at 2 -> nothing
         anna k1 ws 2 fails at 2 -> nothing
         anna k3 ws 2 fails at 1 -> nothing
         held ws 2
         anna k2 ws 1 -> reserved
         anna k3 ws 2 -> unavailable
         held ws 3",
    );
}

/// The batch for an actor over its limit.
#[test]
fn a_look_up_reads_the_receipt_and_decides_nothing() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 3)]);
    let first = harness.request(&operation("k1", "ws", 1));
    let stored = harness.database.dump().unwrap();
    let mut look_up = |operation: &Operation<Reserve>| {
        let attempt = harness.attempt();
        let rows = harness.database.run(&operation.look_up()).unwrap();
        operation.decision(&rows, &attempt).unwrap()
    };
    let Some(Decision::Decided { receipt: decided, .. }) = first else { panic!("{first:?}") };
    assert_eq!(
        look_up(&operation("k1", "ws", 1)),
        Some(Decision::Decided { receipt: decided, replayed: true })
    );
    assert_eq!(look_up(&operation("k1", "ws", 2)), Some(Decision::Conflict));
    assert_eq!(look_up(&operation("k2", "ws", 1)), None);
    assert_eq!(harness.database.dump().unwrap(), stored);
}

#[test]
fn a_receipt_without_a_fingerprint_matches_any_payload() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 3)]);
    let operation = operation("k1", "ws", 1);
    let abandoned = "INSERT INTO operations (actor, key, send_id, outcome, http_status, body, decided_at_ms)
        VALUES ('demo', ?1, 'ffffffffffffffffffffffffffffffff-1', 'abandoned', 409, '{\"status\":\"abandoned\"}', 1)";
    harness.database.write(abandoned, [operation.key().text()]).unwrap();
    let decision = harness.request(&operation);
    assert!(
        matches!(&decision, Some(Decision::Decided { receipt, replayed: true }) if receipt.body.contains("abandoned")),
        "{decision:?}"
    );
    assert_eq!(harness.database.number("SELECT COUNT(*) FROM reservations").unwrap(), 0);
}

#[test]
fn a_receipt_of_a_newer_version_is_not_compared() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("capacity", 3)]);
    let operation = operation("k1", "ws", 1);
    let newer = "INSERT INTO operations VALUES ('demo', ?1, 'ws', 99, ?2, ?3, 'unavailable', 409, '{}', 1)";
    harness.database.write(newer, (operation.key().text(), "f".repeat(64), "f".repeat(34))).unwrap();
    let (attempt, new_ids) = (harness.attempt(), new_ids(&mut harness));
    let rows = harness.database.run(&operation.batch(&attempt, &new_ids, 1)).unwrap();
    let error = operation.decision(&rows, &attempt).unwrap_err();
    assert_eq!(error.0, "fingerprint_version");
}
