//! The workshops on offer.

use einmal::domain::Decision;
use einmal::reservations::{Workshop, WorkshopId, workshops};

use super::script::{Harness, operation};

/// 2027-03-28T09:00:00Z, the day on which daylight saving time starts in Zurich.
const MORNING_MS: i64 = 1_806_224_400_000;
const HOUR_MS: i64 = 3_600_000;

fn list(harness: &mut Harness, now_ms: i64) -> Vec<Workshop> {
    let rows = harness.database.run(&workshops::list(now_ms as u64)).unwrap();
    workshops::read(&rows).unwrap()
}

fn ids(workshops: &[Workshop]) -> Vec<&str> {
    workshops.iter().map(|workshop| workshop.id.as_str()).collect()
}

#[test]
fn a_workshop_has_its_times_in_utc_and_its_places() {
    let mut harness = Harness::new();
    harness.workshop(
        "ws",
        &[("capacity", 3), ("starts_at_ms", MORNING_MS), ("ends_at_ms", MORNING_MS + HOUR_MS + 999)],
    );
    harness.database.write("UPDATE workshops SET venue = 'Room 1'", []).unwrap();
    harness.request(&operation("k1", "ws", 2));
    let found = list(&mut harness, MORNING_MS - 1);
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
fn an_unpublished_workshop_is_not_on_offer() {
    let mut harness = Harness::new();
    harness.workshop("later", &[("capacity", 3), ("published_at_ms", 500)]);
    harness
        .database
        .write("INSERT INTO workshops (id, title, capacity) VALUES ('draft', 'Draft', 3)", [])
        .unwrap();
    assert_eq!(ids(&list(&mut harness, 499)), [""; 0]);
    assert_eq!(ids(&list(&mut harness, 500)), ["later"]);
}

#[test]
fn the_earliest_workshop_is_first_and_ended_ones_are_not_listed() {
    let mut harness = Harness::new();
    harness.workshop("third", &[("starts_at_ms", 3_000), ("ends_at_ms", 4_000)]);
    harness.workshop("second", &[("starts_at_ms", 2_000), ("ends_at_ms", 2_500)]);
    harness.workshop("always", &[]);
    assert_eq!(ids(&list(&mut harness, 1_000)), ["always", "second", "third"]);
    assert_eq!(ids(&list(&mut harness, 2_499)), ["always", "second", "third"]);
    assert_eq!(ids(&list(&mut harness, 2_500)), ["always", "third"]);
}

#[test]
fn one_workshop_is_found_even_after_it_ended() {
    let mut harness = Harness::new();
    harness.workshop("ws", &[("starts_at_ms", 2_000), ("ends_at_ms", 2_500)]);
    harness.workshop("other", &[]);
    let id = WorkshopId::parse("ws").unwrap();
    let rows = harness.database.run(&workshops::one(&id, 9_000)).unwrap();
    let found = workshops::read(&rows).unwrap();
    assert_eq!(ids(&found), ["ws"]);
    assert!(!found[0].open);
}

/// `open` and the decision are by the same rule.
#[test]
fn an_open_workshop_takes_reservations_and_a_closed_one_does_not() {
    let times = [("starts_at_ms", 500), ("closes_at_ms", 300), ("closes_at_ms", 700)];
    for chosen in 0..8 {
        let settings: Vec<_> = times
            .iter()
            .enumerate()
            .filter(|(bit, _)| chosen >> bit & 1 == 1)
            .map(|(_, time)| *time)
            .collect();
        for now_ms in [299, 300, 499, 500, 699, 700] {
            let mut harness = Harness::new();
            harness.now_ms = now_ms;
            harness.workshop("ws", &[("capacity", 1)]);
            harness.workshop("ws", &settings);
            let rows =
                harness.database.run(&workshops::one(&WorkshopId::parse("ws").unwrap(), now_ms)).unwrap();
            let open = workshops::read(&rows).unwrap()[0].open;
            let decision = harness.request(&operation("k1", "ws", 1));
            let reserved =
                matches!(decision, Some(Decision::Decided { receipt, .. }) if receipt.http_status == 201);
            assert_eq!(open, reserved, "{settings:?} at {now_ms}");
        }
    }
}
