//! What is on offer.

use einmal::domain::Decision;
use einmal::reservations::{Workshop, WorkshopId, workshops};

use super::script::{World, operation};

/// 2027-03-28T09:00:00Z, the day on which Zurich changes to summer time.
const MORNING_MS: i64 = 1_806_224_400_000;
const HOUR_MS: i64 = 3_600_000;

fn list(world: &mut World, now_ms: i64) -> Vec<Workshop> {
    let rows = world.database.run(&workshops::list(now_ms as u64)).unwrap();
    workshops::read(&rows).unwrap()
}

fn ids(workshops: &[Workshop]) -> Vec<&str> {
    workshops.iter().map(|workshop| workshop.id.as_str()).collect()
}

#[test]
fn a_workshop_says_when_in_utc_and_how_many_places() {
    let mut world = World::new();
    world.workshop(
        "ws",
        &[("capacity", 3), ("starts_at_ms", MORNING_MS), ("ends_at_ms", MORNING_MS + HOUR_MS + 999)],
    );
    world.database.write("UPDATE workshops SET venue = 'Room 1'", []).unwrap();
    world.request(&operation("k1", "ws", 2));
    let found = list(&mut world, MORNING_MS - 1);
    assert_eq!(
        found,
        [Workshop {
            id: "ws".to_owned(),
            title: "A workshop".to_owned(),
            venue: Some("Room 1".to_owned()),
            starts_at: Some("2027-03-28T09:00:00Z".to_owned()),
            ends_at: Some("2027-03-28T10:00:00Z".to_owned()),
            time_zone: Some("Europe/Zurich".to_owned()),
            capacity: 3,
            reserved: 2,
            open: true,
        }]
    );
}

#[test]
fn what_is_not_published_is_not_on_offer() {
    let mut world = World::new();
    world.workshop("later", &[("capacity", 3), ("published_at_ms", 500)]);
    world
        .database
        .write("INSERT INTO workshops (id, title, capacity) VALUES ('draft', 'Draft', 3)", [])
        .unwrap();
    assert_eq!(ids(&list(&mut world, 499)), [""; 0]);
    assert_eq!(ids(&list(&mut world, 500)), ["later"]);
}

#[test]
fn the_next_workshop_comes_first_and_what_has_ended_is_gone() {
    let mut world = World::new();
    world.workshop("third", &[("starts_at_ms", 3_000), ("ends_at_ms", 4_000)]);
    world.workshop("second", &[("starts_at_ms", 2_000), ("ends_at_ms", 2_500)]);
    world.workshop("always", &[]);
    assert_eq!(ids(&list(&mut world, 1_000)), ["always", "second", "third"]);
    assert_eq!(ids(&list(&mut world, 2_499)), ["always", "second", "third"]);
    assert_eq!(ids(&list(&mut world, 2_500)), ["always", "third"]);
}

#[test]
fn one_workshop_is_found_also_after_it_ended() {
    let mut world = World::new();
    world.workshop("ws", &[("starts_at_ms", 2_000), ("ends_at_ms", 2_500)]);
    world.workshop("other", &[]);
    let id = WorkshopId::parse("ws").unwrap();
    let rows = world.database.run(&workshops::one(&id, 9_000)).unwrap();
    let found = workshops::read(&rows).unwrap();
    assert_eq!(ids(&found), ["ws"]);
    assert!(!found[0].open);
}

/// The list says "open" by the same rule by which the deciding statement reserves.
#[test]
fn what_is_said_to_be_open_takes_reservations_and_nothing_else_does() {
    let times = [("starts_at_ms", 500), ("closes_at_ms", 300), ("closes_at_ms", 700)];
    for chosen in 0..8 {
        let settings: Vec<_> = times
            .iter()
            .enumerate()
            .filter(|(bit, _)| chosen >> bit & 1 == 1)
            .map(|(_, time)| *time)
            .collect();
        for now_ms in [299, 300, 499, 500, 699, 700] {
            let mut world = World::new();
            world.now_ms = now_ms;
            world.workshop("ws", &[("capacity", 1)]);
            world.workshop("ws", &settings);
            let rows =
                world.database.run(&workshops::one(&WorkshopId::parse("ws").unwrap(), now_ms)).unwrap();
            let said = workshops::read(&rows).unwrap()[0].open;
            let decision = world.request(&operation("k1", "ws", 1));
            let reserved =
                matches!(decision, Some(Decision::Decided { receipt, .. }) if receipt.http_status == 201);
            assert_eq!(said, reserved, "{settings:?} at {now_ms}");
        }
    }
}
