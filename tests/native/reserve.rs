//! What `POST /reserve` decides.

use einmal::domain::Decision;
use einmal::operation::Operation;
use einmal::reservations::Reserve;

use super::script::{World, check, new_ids, operation};

#[test]
fn a_repetition_gets_the_first_answer_and_reserves_nothing_more() {
    check(
        "workshop ws capacity 3
         anna k1 ws 1 -> reserved
         anna k1 ws 1 -> reserved, replayed
         anna k1 ws 1 -> reserved, replayed
         held ws 1",
    );
}

#[test]
fn a_new_key_is_a_new_intention_even_with_the_same_values() {
    check(
        "workshop ws capacity 3
         anna k1 ws 1 -> reserved
         anna k2 ws 1 -> reserved
         held ws 2",
    );
}

#[test]
fn the_last_places_are_given_once() {
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
fn other_values_under_a_key_are_a_conflict_and_change_nothing() {
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
fn a_key_is_judged_before_its_workshop_and_before_capacity() {
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
fn an_unknown_workshop_uses_up_no_key() {
    check(
        "anna k1 ws 1 -> unknown workshop
         workshop ws capacity 1
         anna k1 ws 1 -> reserved",
    );
}

#[test]
fn a_workshop_is_on_offer_from_its_publication_on() {
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
fn a_workshop_closes_when_it_starts_unless_told_otherwise() {
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
fn an_actor_holds_at_most_the_places_it_may() {
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
fn the_limit_of_an_actor_counts_what_this_actor_holds_here() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 9), ("places_per_actor", 2)]);
    world.workshop("other", &[("capacity", 9)]);
    world.request(&operation("k1", "other", 2));
    world.request(&operation("k2", "ws", 2));
    world.database.write("UPDATE reservations SET cancelled_at_ms = 5 WHERE workshop = 'ws'", []).unwrap();
    let decision = world.request(&operation("k3", "ws", 2));
    assert!(
        matches!(&decision, Some(Decision::Decided { receipt, .. }) if receipt.http_status == 201),
        "places given back and places elsewhere do not count: {decision:?}"
    );
}

/// The answer to a batch can be lost after it was committed; the same batch is then
/// sent again, with the same attempt.
#[test]
fn the_same_batch_twice_for_the_last_place_changes_nothing_the_second_time() {
    for quantity in [1, 2] {
        let mut world = World::new();
        world.workshop("ws", &[("capacity", 2)]);
        if quantity == 1 {
            world.request(&operation("k0", "ws", 1));
        }
        let operation = operation("k1", "ws", quantity);
        let (attempt, new_ids) = (world.attempt(), new_ids(&mut world));
        let first = world.send(&operation, &attempt, &new_ids, 1);
        let stored = world.database.dump().unwrap();
        let second = world.send(&operation, &attempt, &new_ids, 2);
        assert!(
            matches!(first, Some(Decision::Decided { ref receipt, replayed: false }) if receipt.http_status == 201)
        );
        assert_eq!(second, first, "the attempt still knows that it was the one");
        assert_eq!(world.database.dump().unwrap(), stored);
    }
}

#[test]
fn the_same_batch_twice_for_a_refusal_changes_nothing_the_second_time() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 1)]);
    let operation = operation("k1", "ws", 2);
    let (attempt, new_ids) = (world.attempt(), new_ids(&mut world));
    let first = world.send(&operation, &attempt, &new_ids, 1);
    let stored = world.database.dump().unwrap();
    world.workshop("ws", &[("capacity", 2)]);
    assert_eq!(world.send(&operation, &attempt, &new_ids, 2), first);
    world.workshop("ws", &[("capacity", 1)]);
    assert_eq!(world.database.dump().unwrap(), stored);
}

/// Statement 0 writes the receipt, 1 makes the reservation, 2 reads the receipt.
#[test]
fn nothing_remains_of_a_batch_that_fails_at_any_of_its_statements() {
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

/// What is asked past an actor's limit.
#[test]
fn a_look_up_tells_what_was_decided_and_decides_nothing() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 3)]);
    let first = world.request(&operation("k1", "ws", 1));
    let stored = world.database.dump().unwrap();
    let mut look_up = |operation: &Operation<Reserve>| {
        let attempt = world.attempt();
        let rows = world.database.run(&operation.look_up()).unwrap();
        operation.decision(&rows, &attempt).unwrap()
    };
    let Some(Decision::Decided { receipt: decided, .. }) = first else { panic!("{first:?}") };
    assert_eq!(
        look_up(&operation("k1", "ws", 1)),
        Some(Decision::Decided { receipt: decided, replayed: true })
    );
    assert_eq!(look_up(&operation("k1", "ws", 2)), Some(Decision::Conflict));
    assert_eq!(look_up(&operation("k2", "ws", 1)), None);
    assert_eq!(world.database.dump().unwrap(), stored);
}

#[test]
fn a_receipt_without_values_answers_any_intention() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 3)]);
    let operation = operation("k1", "ws", 1);
    let abandoned = "INSERT INTO operations (actor, key, send_id, outcome, http_status, body, decided_at_ms)
        VALUES ('demo', ?1, 'ffffffffffffffffffffffffffffffff-1', 'abandoned', 409, '{\"status\":\"abandoned\"}', 1)";
    world.database.write(abandoned, [operation.key().text()]).unwrap();
    let decision = world.request(&operation);
    assert!(
        matches!(&decision, Some(Decision::Decided { receipt, replayed: true }) if receipt.body.contains("abandoned")),
        "{decision:?}"
    );
    assert_eq!(world.database.number("SELECT COUNT(*) FROM reservations").unwrap(), 0);
}

#[test]
fn a_receipt_of_a_newer_version_is_not_judged() {
    let mut world = World::new();
    world.workshop("ws", &[("capacity", 3)]);
    let operation = operation("k1", "ws", 1);
    let newer = "INSERT INTO operations VALUES ('demo', ?1, 'ws', 99, ?2, ?3, 'unavailable', 409, '{}', 1)";
    world.database.write(newer, (operation.key().text(), "f".repeat(64), "f".repeat(34))).unwrap();
    let (attempt, new_ids) = (world.attempt(), new_ids(&mut world));
    let rows = world.database.run(&operation.batch(&attempt, &new_ids, 1)).unwrap();
    let error = operation.decision(&rows, &attempt).unwrap_err();
    assert_eq!(error.0, "fingerprint_version");
}
