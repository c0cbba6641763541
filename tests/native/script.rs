//! Scripts: tests of a few words a line.
//!
//! ```text
//! workshop ws capacity 3 closes 500     makes or changes a workshop
//! at 600                                sets the clock, in ms
//! k1 ws 2 -> reserved                   one request: key, workshop, quantity
//! k1 ws 2 -> reserved, replayed
//! held ws 2                             asks the database
//! ```
//!
//! Keys are short names; the actor is the demo actor.

use einmal::domain::{
    Actor, Attempt, Decision, Hex128, Intention, Operation, OperationKey, Outcome, Quantity, WorkshopId,
};
use einmal::store::{Bodies, read_decision, reserve};
use einmal::wire::outcome_body;

use super::database::Database;

/// Runs a script and panics at the first line that does not come true.
pub fn check(script: &str) {
    let mut world = World::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        world.line(line);
    }
}

/// A database, a clock, and requests by the demo actor.
pub struct World {
    pub database: Database,
    pub now_ms: u64,
    requests: u8,
}

impl World {
    pub fn new() -> Self {
        Self { database: Database::new(), now_ms: 100, requests: 0 }
    }

    /// Makes or changes a published workshop. `settings` are pairs of a column and a
    /// value.
    pub fn workshop(&self, id: &str, settings: &[(&str, i64)]) {
        let made = "INSERT INTO workshops (id, title, capacity, time_zone, published_at_ms)
            VALUES (?1, 'A workshop', 0, 'Europe/Zurich', 0) ON CONFLICT (id) DO NOTHING";
        self.database.write(made, [id]).unwrap();
        for (column, value) in settings {
            let set = format!("UPDATE workshops SET {column} = {value} WHERE id = ?1");
            self.database.write(&set, [id]).unwrap();
        }
    }

    /// A new attempt: what a request brings along.
    pub fn attempt(&mut self) -> Attempt {
        self.requests += 1;
        Attempt {
            id: Hex128::from_random([self.requests; 16]),
            reservation_id: Hex128::from_random([self.requests | 0x80; 16]),
            now_ms: self.now_ms,
        }
    }

    /// One request, as the Worker runs it.
    pub fn request(&mut self, operation: &Operation) -> Decision {
        let attempt = self.attempt();
        self.send(operation, &attempt)
    }

    /// One batch of one request.
    pub fn send(&mut self, operation: &Operation, attempt: &Attempt) -> Decision {
        let reserved = outcome_body(&Outcome::Reserved {
            reservation_id: attempt.reservation_id.clone(),
            quantity: operation.intention.quantity,
        });
        let unavailable = outcome_body(&Outcome::Unavailable);
        let bodies = Bodies { reserved: &reserved, unavailable: &unavailable };
        let rows = self.database.run(&reserve(operation, attempt, bodies)).unwrap();
        read_decision(&rows, operation, attempt).unwrap()
    }

    fn line(&mut self, line: &str) {
        let (request, expected) = line.split_once(" -> ").unwrap_or((line, ""));
        let words: Vec<&str> = request.split_whitespace().collect();
        match *words.as_slice() {
            ["workshop", id, ref settings @ ..] => {
                let settings: Vec<(&str, i64)> = settings.chunks(2).map(setting).collect();
                self.workshop(id, &settings);
            }
            ["at", now_ms] => self.now_ms = now_ms.parse().unwrap(),
            ["held", workshop, places] => {
                let held = format!(
                    "SELECT COALESCE(SUM(quantity), 0) FROM reservations
                    WHERE workshop = '{workshop}' AND cancelled_at_ms IS NULL"
                );
                let counted = format!("SELECT reserved FROM workshops WHERE id = '{workshop}'");
                let places: i64 = places.parse().unwrap();
                assert_eq!(self.database.number(&held), places, "{line}: what the reservations hold");
                assert_eq!(self.database.number(&counted), places, "{line}: what is counted");
            }
            [key, workshop, quantity] => {
                let decision = self.request(&operation(key, workshop, quantity.parse().unwrap()));
                assert_eq!(words_of(&decision), expected, "{line}");
            }
            _ => panic!("cannot read the line: {line}"),
        }
    }
}

fn setting<'a>(pair: &[&'a str]) -> (&'a str, i64) {
    let column = match pair[0] {
        "capacity" => "capacity",
        "closes" => "closes_at_ms",
        "starts" => "starts_at_ms",
        "published" => "published_at_ms",
        "per-actor" => "places_per_actor",
        other => panic!("no such setting: {other}"),
    };
    (column, pair[1].parse().unwrap())
}

/// An operation of the demo actor under a short name, which stands for a valid key.
pub fn operation(key: &str, workshop: &str, quantity: u64) -> Operation {
    Operation {
        actor: Actor::parse("demo").unwrap(),
        key: key_of(key),
        intention: Intention {
            workshop: WorkshopId::parse(workshop).unwrap(),
            quantity: Quantity::new(quantity).unwrap(),
        },
    }
}

/// A valid key that is the same for the same name.
pub fn key_of(name: &str) -> OperationKey {
    let hex: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    OperationKey::parse(&format!("00000000-0000-4000-8000-{hex:0>12}")).unwrap()
}

fn words_of(decision: &Decision) -> String {
    match decision {
        Decision::Decided { receipt, replayed } => {
            let status = receipt.body.split('"').nth(3).unwrap();
            format!("{status}{}", if *replayed { ", replayed" } else { "" })
        }
        Decision::Conflict => "conflict".to_owned(),
        Decision::UnknownWorkshop => "unknown workshop".to_owned(),
    }
}
