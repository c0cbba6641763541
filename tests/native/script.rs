//! Scripts: tests with one step a line. `tests/worker` runs those of `tests/scenarios/` against the built Worker
//! as well.
//!
//! ```text
//! workshop ws capacity 3 per-actor 2    creates or changes a workshop. Other settings: `closed`,
//!                                       `open`, `hidden`, `shown`, and `closes`, `starts`,
//!                                       `published` with a time
//! at 600                                sets the clock, in ms
//! anna k1 ws 2 -> reserved              one attempt: actor, key, workshop, quantity
//! anna k1 ws 2 -> reserved, replayed
//! anna k1 ws 2 sent twice -> reserved   two sends of its batch, as after a lost answer
//! anna k1 ws 2 fails at 1 -> nothing    its batch fails at the second statement
//! anna cancels k1 -> reserved, cancelled  releases the places; or `nothing`, or `unknown`
//! anna abandons k1 -> abandoned         abandons the operation; or the outcome it has already
//! anna looks up k1 -> reserved, held    reads the outcome; or `unknown`
//! held ws 2                             compares the places held in the database
//! ```
//!
//! `abandons` and `cancels` can be `sent twice`, too. A short name stands for a valid key. After `->` is the
//! expected result.

use std::fmt;

use einmal::domain::{Actor, Attempt, Decision, Hex128, OperationKey};
use einmal::operation::Operation;
use einmal::reservations::{NewIds, OperationRecord, Quantity, Reserve, WorkshopId, operations};
use einmal::testing::Database;

use super::migrations::schema_of_the_service;

/// Runs a script; panics at the first line whose result differs.
pub fn check(script: &str) {
    let mut harness = Harness::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (step, expected) = line.split_once(" -> ").unwrap_or((line, ""));
        let result =
            harness.run(&Step::parse(step).unwrap_or_else(|| panic!("cannot read the line: {line}")));
        assert_eq!(result, expected, "{line}");
    }
}

/// One line of a script, without the expected result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Step {
    Workshop { id: String, settings: Vec<Setting> },
    At(u64),
    Request { actor: String, key: String, workshop: String, quantity: u64, sending: Sending },
    Settle { actor: String, verb: Verb, key: String, twice: bool },
    Held { workshop: String, places: i64 },
}

/// A request about an existing operation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verb {
    LookUp,
    Abandon,
    Cancel,
}

impl Verb {
    const WORDS: [(&'static str, Self); 3] =
        [("looks up", Self::LookUp), ("abandons", Self::Abandon), ("cancels", Self::Cancel)];

    fn words(self) -> &'static str {
        Self::WORDS.iter().find(|(_, verb)| *verb == self).unwrap().0
    }
}

/// How often the batch of an attempt is sent, or where it fails.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Sending {
    Once,
    Twice,
    FailsAt(usize),
}

/// A column of a workshop and its new value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Setting {
    pub text: String,
    pub column: &'static str,
    pub value: Option<i64>,
}

impl Setting {
    pub fn new(word: &str, number: Option<i64>) -> Option<Self> {
        let (column, value) = match (word, number) {
            ("capacity", Some(_)) => ("capacity", number),
            ("per-actor", Some(_)) => ("places_per_actor", number),
            ("closes", Some(_)) => ("closes_at_ms", number),
            ("starts", Some(_)) => ("starts_at_ms", number),
            ("published", Some(_)) => ("published_at_ms", number),
            ("closed", None) => ("closes_at_ms", Some(0)),
            ("open", None) => ("closes_at_ms", None),
            ("hidden", None) => ("published_at_ms", None),
            ("shown", None) => ("published_at_ms", Some(0)),
            _ => return None,
        };
        let text = number.map_or(word.to_owned(), |number| format!("{word} {number}"));
        Some(Self { text, column, value })
    }

    fn parse_all(words: &[&str]) -> Option<Vec<Self>> {
        match *words {
            [] => Some(Vec::new()),
            [word, ref rest @ ..] => {
                let number = rest.first().and_then(|number| number.parse().ok());
                let rest = if number.is_some() { &rest[1..] } else { rest };
                let mut settings = vec![Self::new(word, number)?];
                settings.extend(Self::parse_all(rest)?);
                Some(settings)
            }
        }
    }
}

impl Step {
    fn parse(line: &str) -> Option<Self> {
        let settles = Verb::WORDS.iter().find_map(|(words, verb)| {
            let (actor, key) = line.split_once(&format!(" {words} "))?;
            let (key, twice) = key.strip_suffix(" sent twice").map_or((key, false), |key| (key, true));
            Some(Self::Settle { actor: actor.to_owned(), verb: *verb, key: key.to_owned(), twice })
        });
        if settles.is_some() {
            return settles;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match *words.as_slice() {
            ["workshop", id, ref settings @ ..] => {
                Self::Workshop { id: id.to_owned(), settings: Setting::parse_all(settings)? }
            }
            ["at", now_ms] => Self::At(now_ms.parse().ok()?),
            ["held", workshop, places] => {
                Self::Held { workshop: workshop.to_owned(), places: places.parse().ok()? }
            }
            [actor, key, workshop, quantity, ref sending @ ..] => Self::Request {
                actor: actor.to_owned(),
                key: key.to_owned(),
                workshop: workshop.to_owned(),
                quantity: quantity.parse().ok()?,
                sending: match sending {
                    [] => Sending::Once,
                    ["sent", "twice"] => Sending::Twice,
                    ["fails", "at", statement] => Sending::FailsAt(statement.parse().ok()?),
                    _ => return None,
                },
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workshop { id, settings } => {
                write!(formatter, "workshop {id}")?;
                settings.iter().try_for_each(|setting| write!(formatter, " {}", setting.text))
            }
            Self::At(now_ms) => write!(formatter, "at {now_ms}"),
            Self::Held { workshop, places } => write!(formatter, "held {workshop} {places}"),
            Self::Settle { actor, verb, key, twice } => {
                let twice = if *twice { " sent twice" } else { "" };
                write!(formatter, "{actor} {} {key}{twice}", verb.words())
            }
            Self::Request { actor, key, workshop, quantity, sending } => {
                write!(formatter, "{actor} {key} {workshop} {quantity}")?;
                match sending {
                    Sending::Once => Ok(()),
                    Sending::Twice => write!(formatter, " sent twice"),
                    Sending::FailsAt(statement) => write!(formatter, " fails at {statement}"),
                }
            }
        }
    }
}

/// A database, a clock, and the number of requests so far.
pub struct Harness {
    pub database: Database,
    pub now_ms: u64,
    requests: u64,
}

impl Harness {
    pub fn new() -> Self {
        Self { database: Database::new(&schema_of_the_service()).unwrap(), now_ms: 100, requests: 0 }
    }

    /// Runs a step and returns its result as text.
    pub fn run(&mut self, step: &Step) -> String {
        match step {
            Step::Workshop { id, settings } => {
                let settings: Vec<_> =
                    settings.iter().map(|setting| (setting.column, setting.value)).collect();
                let set = self.set_workshop(id, &settings);
                set.map_or_else(|_| "refused".to_owned(), |()| String::new())
            }
            Step::At(now_ms) => {
                self.now_ms = *now_ms;
                String::new()
            }
            Step::Held { workshop, places } => {
                assert_eq!(self.held(workshop), (*places, *places), "{step}: held places, counted places");
                String::new()
            }
            Step::Settle { actor, verb, key, twice } => {
                let (actor, key) = (Actor::parse(actor).unwrap(), key_of(key));
                let attempt = self.attempt();
                let first = self.settle(&actor, *verb, &key, &attempt, 1);
                if *twice {
                    let stored = self.database.dump().unwrap();
                    assert_eq!(
                        self.settle(&actor, *verb, &key, &attempt, 2),
                        first,
                        "{step}: the second send"
                    );
                    assert_eq!(self.database.dump().unwrap(), stored, "{step}: the second send");
                }
                first
            }
            Step::Request { actor, key, workshop, quantity, sending } => {
                let operation = operation_of(actor, key, workshop, *quantity);
                let (attempt, new_ids) = (self.attempt(), new_ids(self));
                match sending {
                    Sending::Once => text_of(&self.send(&operation, &attempt, &new_ids, 1)),
                    Sending::Twice => {
                        let first = self.send(&operation, &attempt, &new_ids, 1);
                        let stored = self.database.dump().unwrap();
                        assert_eq!(
                            self.send(&operation, &attempt, &new_ids, 2),
                            first,
                            "{step}: the second send"
                        );
                        assert_eq!(self.database.dump().unwrap(), stored, "{step}: the second send");
                        text_of(&first)
                    }
                    Sending::FailsAt(statement) => {
                        let before = self.database.dump().unwrap();
                        self.fail(&operation, &attempt, &new_ids, *statement);
                        assert_eq!(self.database.dump().unwrap(), before, "{step}");
                        "nothing".to_owned()
                    }
                }
            }
        }
    }

    /// Creates or changes a published workshop.
    pub fn workshop(&self, id: &str, settings: &[(&str, i64)]) {
        let settings: Vec<_> = settings.iter().map(|(column, value)| (*column, Some(*value))).collect();
        self.set_workshop(id, &settings).unwrap();
    }

    fn set_workshop(&self, id: &str, settings: &[(&str, Option<i64>)]) -> rusqlite::Result<()> {
        let made = "INSERT INTO workshops (id, title, capacity, time_zone, published_at_ms)
            VALUES (?1, 'A workshop', 0, 'Europe/Zurich', 0) ON CONFLICT (id) DO NOTHING";
        self.database.write(made, [id])?;
        settings.iter().try_for_each(|(column, value)| {
            let set = format!("UPDATE workshops SET {column} = ?2 WHERE id = ?1");
            self.database.write(&set, (id, value)).map(drop)
        })
    }

    /// The places held by the reservations of a workshop, and the counted places.
    pub fn held(&self, workshop: &str) -> (i64, i64) {
        let held = format!(
            "SELECT COALESCE(SUM(quantity), 0) FROM reservations
            WHERE workshop = '{workshop}' AND cancelled_at_ms IS NULL"
        );
        let counted = format!("SELECT reserved FROM workshops WHERE id = '{workshop}'");
        (self.database.number(&held).unwrap(), self.database.number(&counted).unwrap())
    }

    /// A new attempt.
    pub fn attempt(&mut self) -> Attempt {
        Attempt { id: self.random(), now_ms: self.now_ms }
    }

    /// A new id.
    pub fn random(&mut self) -> Hex128 {
        self.requests += 1;
        Hex128::from_random(u128::from(self.requests).to_be_bytes())
    }

    /// One attempt, as the Worker runs it.
    pub fn request(&mut self, operation: &Operation<Reserve>) -> Option<Decision> {
        let (attempt, new_ids) = (self.attempt(), new_ids(self));
        self.send(operation, &attempt, &new_ids, 1)
    }

    /// One send of the batch of an attempt.
    pub fn send(
        &mut self,
        operation: &Operation<Reserve>,
        attempt: &Attempt,
        new_ids: &NewIds,
        send: u32,
    ) -> Option<Decision> {
        let rows = self.database.run(&operation.batch(attempt, new_ids, send)).unwrap();
        operation.decision(&rows, attempt).unwrap()
    }

    /// Runs a request about an existing operation, as the Worker does.
    fn settle(
        &mut self,
        actor: &Actor,
        verb: Verb,
        key: &OperationKey,
        attempt: &Attempt,
        send: u32,
    ) -> String {
        let batch = match verb {
            Verb::LookUp => operations::look_up(actor, key),
            Verb::Abandon => operations::abandon(actor, key, attempt, send),
            Verb::Cancel => operations::cancel(actor, key, attempt.now_ms),
        };
        let rows = self.database.run(&batch).unwrap();
        let found = operations::read(&rows).unwrap();
        match (verb, found.as_slice()) {
            (Verb::Cancel, [OperationRecord { reservation: None, .. }]) => "nothing".to_owned(),
            (_, [record]) => text_of_record(record),
            _ => "unknown".to_owned(),
        }
    }

    /// Runs a batch that fails at a statement, counted from 0.
    fn fail(
        &mut self,
        operation: &Operation<Reserve>,
        attempt: &Attempt,
        new_ids: &NewIds,
        statement: usize,
    ) {
        let mut batch = operation.batch(attempt, new_ids, 1);
        batch[statement].sql = "SELECT no_such_column FROM operations";
        batch[statement].parameters.clear();
        self.database.run(&batch).unwrap_err();
    }
}

/// An operation of the demo actor; the short name stands for a valid key.
pub fn operation(key: &str, workshop: &str, quantity: u64) -> Operation<Reserve> {
    operation_of("demo", key, workshop, quantity)
}

fn operation_of(actor: &str, key: &str, workshop: &str, quantity: u64) -> Operation<Reserve> {
    let request = Reserve {
        workshop: WorkshopId::parse(workshop).unwrap(),
        quantity: Quantity::new(quantity).unwrap(),
    };
    Operation::new(Actor::parse(actor).unwrap(), key_of(key), request)
}

/// New ids for an attempt.
pub fn new_ids(harness: &mut Harness) -> NewIds {
    NewIds { reservation_id: harness.random() }
}

/// The valid key that a short name stands for.
fn key_of(name: &str) -> OperationKey {
    let hex: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    OperationKey::parse(&format!("00000000-0000-4000-8000-{hex:0>12}")).unwrap()
}

fn text_of_record(record: &OperationRecord) -> String {
    let state = match &record.reservation {
        Some(reservation) if reservation.cancelled => ", cancelled",
        Some(_) => ", held",
        None => "",
    };
    format!("{}{state}", record.outcome)
}

fn text_of(decision: &Option<Decision>) -> String {
    match decision {
        Some(Decision::Decided { receipt, replayed }) => {
            let status = receipt.body.split('"').nth(3).unwrap();
            assert_eq!(status, receipt.outcome, "the body states the outcome");
            format!("{status}{}", if *replayed { ", replayed" } else { "" })
        }
        Some(Decision::Conflict) => "conflict".to_owned(),
        None => "unknown workshop".to_owned(),
    }
}
