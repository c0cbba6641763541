//! Random scripts against a model: the database decides as these few lines do.
//!
//! The model uses neither SQL nor HTTP. A script on which the two disagree is shrunk and printed, so that it
//! can be copied into a test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestError, TestRunner};

use super::script::{Harness, Sending, Setting, Step, Verb};

/// How long random scripts are tried, unless `EINMAL_MODEL_SECONDS` is set.
const SECONDS: u64 = 8;

#[derive(Default)]
struct Workshop {
    capacity: i64,
    per_actor: Option<i64>,
    closed: bool,
    hidden: bool,
}

#[derive(Clone)]
struct Receipt {
    /// The payload: workshop and quantity; `None` for an abandoned one.
    payload: Option<(String, i64)>,
    outcome: &'static str,
    cancelled: bool,
}

impl Receipt {
    fn holds(&self) -> bool {
        self.outcome == "reserved" && !self.cancelled
    }

    fn text(&self) -> String {
        let state = match (self.outcome, self.cancelled) {
            ("reserved", true) => ", cancelled",
            ("reserved", false) => ", held",
            _ => "",
        };
        format!("{}{state}", self.outcome)
    }
}

#[derive(Default)]
struct Model {
    workshops: BTreeMap<String, Workshop>,
    receipts: BTreeMap<(String, String), Receipt>,
}

impl Model {
    /// Places held in a workshop, by all actors or by one.
    fn held(&self, workshop: &str, by: Option<&str>) -> i64 {
        let held = self.receipts.iter().filter_map(|((actor, _), receipt)| {
            let (id, quantity) = receipt.payload.as_ref().filter(|_| receipt.holds())?;
            (id == workshop && by.is_none_or(|by| by == actor)).then_some(quantity)
        });
        held.sum()
    }

    fn run(&mut self, step: &Step) -> String {
        match step {
            Step::Workshop { id, settings } => self.set(id, settings),
            Step::Settle { actor, verb, key, .. } => self.settle(actor, *verb, key),
            Step::Request { sending: Sending::FailsAt(_), .. } => "nothing".to_owned(),
            Step::Request { actor, key, workshop, quantity, .. } => {
                self.decide(actor, key, workshop, *quantity as i64)
            }
            Step::At(_) | Step::Held { .. } => String::new(),
        }
    }

    fn set(&mut self, id: &str, settings: &[Setting]) -> String {
        for setting in settings {
            let held = self.held(id, None);
            let workshop = self.workshops.entry(id.to_owned()).or_default();
            match (setting.text.split(' ').next().unwrap(), setting.value) {
                ("capacity", Some(capacity)) if capacity < held => return "refused".to_owned(),
                ("capacity", Some(capacity)) => workshop.capacity = capacity,
                ("per-actor", limit) => workshop.per_actor = limit,
                (word @ ("closed" | "open"), _) => workshop.closed = word == "closed",
                (word @ ("hidden" | "shown"), _) => workshop.hidden = word == "hidden",
                (other, _) => panic!("the model has no {other}"),
            }
        }
        String::new()
    }

    fn settle(&mut self, actor: &str, verb: Verb, key: &str) -> String {
        let operation = (actor.to_owned(), key.to_owned());
        if verb == Verb::Abandon {
            let abandoned = Receipt { payload: None, outcome: "abandoned", cancelled: false };
            return self.receipts.entry(operation).or_insert(abandoned).text();
        }
        match self.receipts.get_mut(&operation) {
            None => "unknown".to_owned(),
            Some(receipt) if verb == Verb::Cancel && receipt.outcome != "reserved" => "nothing".to_owned(),
            Some(receipt) => {
                receipt.cancelled |= verb == Verb::Cancel;
                receipt.text()
            }
        }
    }

    fn decide(&mut self, actor: &str, key: &str, workshop: &str, quantity: i64) -> String {
        let operation = (actor.to_owned(), key.to_owned());
        if let Some(receipt) = self.receipts.get(&operation) {
            let same =
                receipt.payload.as_ref().is_none_or(|payload| *payload == (workshop.to_owned(), quantity));
            return if same { format!("{}, replayed", receipt.outcome) } else { "conflict".to_owned() };
        }
        let Some(offer) = self.workshops.get(workshop).filter(|offer| !offer.hidden) else {
            return "unknown workshop".to_owned();
        };
        let fits = self.held(workshop, None) + quantity <= offer.capacity;
        let allowed =
            offer.per_actor.is_none_or(|maximum| self.held(workshop, Some(actor)) + quantity <= maximum);
        let reserved = !offer.closed && fits && allowed;
        let outcome = if reserved { "reserved" } else { "unavailable" };
        let payload = Some((workshop.to_owned(), quantity));
        self.receipts.insert(operation, Receipt { payload, outcome, cancelled: false });
        outcome.to_owned()
    }
}

fn step() -> impl Strategy<Value = Step> {
    let one_of = |names: &'static [&'static str]| select(names).prop_map(str::to_owned);
    let actor = move || one_of(&["anna", "ben", "cleo"]);
    let key = move || one_of(&["k1", "k2", "k3", "k4", "k5", "k6"]);
    let workshop = move || one_of(&["ws", "other", "third"]);
    let sending = prop_oneof![
        6 => Just(Sending::Once),
        2 => Just(Sending::Twice),
        1 => (0..3usize).prop_map(Sending::FailsAt),
    ];
    let verb = prop_oneof![2 => Just(Verb::Cancel), 1 => Just(Verb::Abandon), 1 => Just(Verb::LookUp)];
    let flag =
        select(&["closed", "open", "open", "hidden", "shown", "shown"][..]).prop_map(|word| (word, None));
    let number = prop_oneof![
        3 => (0..9i64).prop_map(|capacity| ("capacity", Some(capacity))),
        1 => (1..4i64).prop_map(|maximum| ("per-actor", Some(maximum))),
    ];
    prop_oneof![
        8 => (actor(), key(), workshop(), 1..=2u64, sending).prop_map(
            |(actor, key, workshop, quantity, sending)| Step::Request { actor, key, workshop, quantity, sending }
        ),
        3 => (workshop(), prop_oneof![number, flag]).prop_map(|(id, (word, number))| Step::Workshop {
            id,
            settings: vec![Setting::new(word, number).unwrap()],
        }),
        4 => (actor(), verb, key(), any::<bool>()).prop_map(|(actor, verb, key, twice)| Step::Settle {
            actor,
            verb,
            key,
            twice
        }),
    ]
}

/// Runs the steps on the database and on the model; returns where they first disagree.
fn disagreement(steps: &[Step]) -> Result<(), String> {
    let (mut harness, mut model) = (Harness::new(), Model::default());
    let mut script = String::new();
    for step in steps {
        let (found, expected) = (harness.run(step), model.run(step));
        writeln!(script, "{step}{}{expected}", if expected.is_empty() { "" } else { " -> " }).unwrap();
        if found != expected {
            return Err(format!("{script}but it was: {found}"));
        }
        for workshop in model.workshops.keys() {
            let held = model.held(workshop, None);
            if harness.held(workshop) != (held, held) {
                return Err(format!(
                    "{script}held {workshop} {held}\nbut it was: {:?}",
                    harness.held(workshop)
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn random_scripts_have_the_results_of_the_model() {
    let seconds = std::env::var("EINMAL_MODEL_SECONDS").map_or(SECONDS, |seconds| seconds.parse().unwrap());
    let seed = std::env::var("EINMAL_MODEL_SEED").map_or(1, |seed| seed.parse().unwrap());
    let until = Instant::now() + Duration::from_secs(seconds);
    let scripts = proptest::collection::vec(step(), 1..60);
    let mut tried = 0;
    while Instant::now() < until {
        let config = Config {
            cases: 100,
            max_shrink_iters: 20_000,
            rng_seed: RngSeed::Fixed(seed + tried),
            failure_persistence: None::<Box<FileFailurePersistence>>.map(|boxed| boxed as _),
            ..Config::default()
        };
        let outcome =
            TestRunner::new(config).run(&scripts, |steps| disagreement(&steps).map_err(TestCaseError::fail));
        if let Err(TestError::Fail(_, steps)) = &outcome {
            panic!("after {tried} scripts, the shortest:\n\n{}", disagreement(steps).unwrap_err());
        }
        outcome.unwrap();
        tried += 100;
    }
    println!("{tried} scripts in {seconds} s, from seed {seed}");
    assert!(tried > 0);
}
