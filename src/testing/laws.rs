//! The laws of an operation type, and the check of them.

use std::fmt;

use super::{Database, MapRow};
use crate::domain::{Actor, Attempt, Decision, Hex128, OperationKey, Receipt};
use crate::operation::{Changes, NewIds, Operation, OperationType, Outcome};
use crate::store::{Batch, Row, read_receipt, text};

/// The time of every attempt, in milliseconds since 1970-01-01T00:00:00Z:
/// 2027-01-15T08:00:00Z. A seed can have times before and after it.
pub const NOW_MS: u64 = 1_800_000_000_000;

/// The actor of the operations. A seed can have rows that belong to it.
pub const ACTOR: &str = "t_somebody";

/// A law: what must hold for every operation type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Law {
    /// Every given body is a request of the type.
    BodyIsRead,
    /// No statement fails: a refusal is an outcome, not an error of the database.
    BatchRuns,
    /// A receipt has the status and body of its outcome: a status from 200 to 599, and a JSON object.
    ResponseIsValid,
    /// Later sends of the same attempt, as after a lost answer, change nothing and read the same receipt,
    /// which is not a replay.
    SentAgain,
    /// Another attempt changes nothing and reads the same receipt, which is a replay.
    Replay,
    /// Another payload under the key is a conflict and changes nothing.
    Conflict,
    /// An undecided operation changes nothing, and has a reason.
    Undecided,
    /// A batch that fails at any of its statements is rolled back completely.
    RolledBack,
    /// A receipt never changes, even after other decisions.
    ReceiptIsFinal,
    /// The same key of another actor names another operation.
    ActorsAreSeparate,
    /// Some body leads to each outcome.
    EveryOutcome,
    /// Each effect changes a row for some body; an effect that changes `Always`, for each body.
    EveryEffect,
}

/// A law that an operation type breaks.
#[derive(Clone, Eq, PartialEq)]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The shortest list of bodies, each sent as an operation of its own, whose last one broke the law.
    pub bodies: Vec<String>,
    /// What was found.
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {} (after {})", self.law, self.found, self.bodies.join(", then "))
    }
}

/// Like `Display`, so that `unwrap` prints it.
impl fmt::Debug for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for Broken {}

/// Checks that operations of a type happen exactly once, on SQLite.
///
/// `schema` is the text of the migrations, `seed` is SQL that prepares data, and `bodies` are requests that
/// lead to every outcome, to no decision, and to every limit. Each body is sent to the seeded database, then
/// after one of the bodies, then after two.
///
/// ```ignore
/// exactly_once::<CreateNote>(include_str!("../migrations/0001_operations_notes.sql"), "", &[
///     r#"{"title":"Buy milk"}"#,
///     r#"{"title":"Buy bread"}"#,
/// ])
/// .unwrap();
/// ```
///
/// # Errors
///
/// The first broken law, with the minimum of bodies that break it.
///
/// # Panics
///
/// If SQLite cannot run `schema` or `seed`.
#[expect(clippy::expect_used, reason = "a test cannot continue without its schema")]
pub fn exactly_once<T: OperationType>(schema: &str, seed: &str, bodies: &[&str]) -> Result<(), Broken> {
    let new_harness = || {
        let database = Database::new(schema).expect("the schema is SQL");
        database.script(seed).expect("the seed is SQL");
        Harness { database, requests: 0 }
    };
    let mut seen = Seen { outcomes: Vec::new(), changed: vec![false; T::SQL.effects.len()] };
    for length in 1..=3 {
        for history in histories(bodies, length) {
            check::<T>(&new_harness, &history, bodies, &mut seen).map_err(|(law, found)| Broken {
                law,
                bodies: history.iter().map(|body| (*body).to_owned()).collect(),
                found,
            })?;
        }
    }
    let all = || bodies.iter().map(|body| (*body).to_owned()).collect();
    for outcome in T::Outcome::ALL {
        if !seen.outcomes.iter().any(|seen| seen == outcome.name()) {
            let found = format!("no body led to the outcome {}", outcome.name());
            return Err(Broken { law: Law::EveryOutcome, bodies: all(), found });
        }
    }
    for (effect, changed) in T::SQL.effects.iter().zip(&seen.changed) {
        if !changed {
            let found = format!("the effect {} changed nothing for any body", effect.sql.name);
            return Err(Broken { law: Law::EveryEffect, bodies: all(), found });
        }
    }
    Ok(())
}

/// Every list of `length` bodies.
fn histories<'a>(bodies: &[&'a str], length: usize) -> Vec<Vec<&'a str>> {
    let mut histories = vec![Vec::new()];
    for _ in 0..length {
        histories = histories
            .iter()
            .flat_map(|history: &Vec<&str>| {
                bodies.iter().map(|body| history.iter().copied().chain([*body]).collect())
            })
            .collect();
    }
    histories
}

type Found = (Law, String);

/// The outcomes and effects of all bodies together.
struct Seen {
    outcomes: Vec<String>,
    changed: Vec<bool>,
}

/// A database, and the number of requests so far.
struct Harness {
    database: Database,
    requests: u64,
}

/// One request for an operation.
struct Request<T: OperationType> {
    operation: Operation<T>,
    attempt: Attempt,
    new_ids: T::NewIds,
}

impl<T: OperationType> Request<T> {
    fn batch(&self, send: u32) -> Batch {
        self.operation.batch(&self.attempt, &self.new_ids, send)
    }
}

impl Harness {
    fn random(&mut self) -> Hex128 {
        self.requests = self.requests.saturating_add(1);
        Hex128::from_random(u128::from(self.requests).to_be_bytes())
    }

    fn request<T: OperationType>(&mut self, actor: &str, key: u64, body: &str) -> Result<Request<T>, Found> {
        let request = T::read(body.as_bytes())
            .map_err(|rejection| (Law::BodyIsRead, format!("{}: {}", rejection.code, rejection.detail)))?;
        let key = OperationKey::parse(&format!("00000000-0000-4000-8000-{key:012x}"));
        let (Some(actor), Some(key)) = (Actor::parse(actor), key) else {
            return Err((Law::BodyIsRead, "no actor or no key".to_owned()));
        };
        let attempt = Attempt { id: self.random(), now_ms: NOW_MS };
        let new_ids = T::NewIds::draw(|| Ok::<_, Found>(self.random()))?;
        Ok(Request { operation: Operation::new(actor, key, request), attempt, new_ids })
    }

    fn dump(&self) -> Result<String, Found> {
        self.database.dump().map_err(fails(Law::BatchRuns))
    }

    /// Sends the batch of a request; returns its decision, and the number of rows that each statement changed.
    fn send<T: OperationType>(
        &mut self,
        request: &Request<T>,
        send: u32,
        law: Law,
    ) -> Result<(Option<Decision>, Vec<u64>), Found> {
        let (rows, changes) = self.database.run_counting(&request.batch(send)).map_err(fails(law))?;
        let decision = request.operation.decision(&rows, &request.attempt);
        Ok((decision.map_err(|error| (law, format!("the receipt cannot be read: {error:?}")))?, changes))
    }

    /// Sends a request that must change nothing.
    fn send_unchanged<T: OperationType>(
        &mut self,
        request: &Request<T>,
        send: u32,
        law: Law,
    ) -> Result<Option<Decision>, Found> {
        let before = self.dump()?;
        let (decision, _) = self.send(request, send, law)?;
        let after = self.dump()?;
        if before != after {
            return Err((law, format!("it changed the data:\n{before}became\n{after}")));
        }
        Ok(decision)
    }
}

fn fails(law: Law) -> impl Fn(rusqlite::Error) -> Found {
    move |error| (law, format!("the database answered: {error}"))
}

fn expect_same(law: Law, found: &Option<Decision>, expected: &Option<Decision>) -> Result<(), Found> {
    match found == expected {
        true => Ok(()),
        false => Err((law, format!("expected {expected:?}, found {found:?}"))),
    }
}

/// Sends all bodies except the last, and then the last one in every way.
fn check<T: OperationType>(
    new_harness: &impl Fn() -> Harness,
    history: &[&str],
    bodies: &[&str],
    seen: &mut Seen,
) -> Result<(), Found> {
    let Some((body, earlier)) = history.split_last() else { return Ok(()) };
    let mut harness = new_harness();
    for (key, body) in (1..).zip(earlier) {
        let request = harness.request::<T>(ACTOR, key, body)?;
        harness.send(&request, 1, Law::BatchRuns)?;
    }
    const KEY: u64 = 100;
    let first = harness.request::<T>(ACTOR, KEY, body)?;
    rolls_back(&mut harness, &first)?;
    let before = harness.dump()?;
    let (decision, changes) = harness.send(&first, 1, Law::BatchRuns)?;
    let Some(decision) = decision else {
        return undecided(&mut harness, &first, &before);
    };
    let Decision::Decided { receipt, replayed } = decision else {
        return Err((Law::BatchRuns, "a new key is a conflict".to_owned()));
    };
    let first_answer = Some(Decision::Decided { receipt: receipt.clone(), replayed: false });
    expect_same(
        Law::SentAgain,
        &Some(Decision::Decided { receipt: receipt.clone(), replayed }),
        &first_answer,
    )?;
    response(&first, &receipt)?;
    effects::<T>(&receipt, &changes, seen)?;
    for send in [2, 3] {
        let again = harness.send_unchanged(&first, send, Law::SentAgain)?;
        expect_same(Law::SentAgain, &again, &first_answer)?;
    }
    let replay = Some(Decision::Decided { receipt, replayed: true });
    let second = harness.request::<T>(ACTOR, KEY, body)?;
    expect_same(Law::Replay, &harness.send_unchanged(&second, 1, Law::Replay)?, &replay)?;
    for other in bodies {
        let other = harness.request::<T>(ACTOR, KEY, other)?;
        let expected = if other.operation.has_payload_of(&first.operation) {
            replay.clone()
        } else {
            Some(Decision::Conflict)
        };
        expect_same(Law::Conflict, &harness.send_unchanged(&other, 1, Law::Conflict)?, &expected)?;
    }
    actors_are_separate::<T>(&mut harness, KEY, body)?;
    for (key, other) in (200..).zip(bodies) {
        let later = harness.request::<T>(ACTOR, key, other)?;
        harness.send(&later, 1, Law::BatchRuns)?;
    }
    let third = harness.request::<T>(ACTOR, KEY, body)?;
    expect_same(Law::ReceiptIsFinal, &harness.send_unchanged(&third, 1, Law::ReceiptIsFinal)?, &replay)
}

/// Makes the batch fail at each of its statements.
fn rolls_back<T: OperationType>(harness: &mut Harness, request: &Request<T>) -> Result<(), Found> {
    let before = harness.dump()?;
    for failing in 0..request.batch(1).len() {
        let mut batch = request.batch(1);
        if let Some(statement) = batch.get_mut(failing) {
            statement.sql = "SELECT no_such_column FROM operations";
            statement.parameters.clear();
        }
        let failed = harness.database.run(&batch).is_err();
        if !failed || harness.dump()? != before {
            return Err((Law::RolledBack, format!("the batch failed at statement {failing}")));
        }
    }
    Ok(())
}

fn undecided<T: OperationType>(
    harness: &mut Harness,
    request: &Request<T>,
    before: &str,
) -> Result<(), Found> {
    let after = harness.dump()?;
    if after != before {
        return Err((Law::Undecided, format!("it changed the data:\n{before}became\n{after}")));
    }
    let rows: Vec<MapRow> = match request.operation.why_undecided(&request.attempt, &request.new_ids) {
        Some(why) => harness.database.run(&why).map_err(fails(Law::Undecided))?,
        None => Vec::new(),
    };
    match Operation::<T>::undecided(&rows) {
        None => Err((Law::Undecided, "the type is never undecided, but decide selected no row".to_owned())),
        Some(rejection) => match rows.first().map(|row| text(row, "error")) {
            Some(Ok(code)) if code != rejection.code => Err((
                Law::Undecided,
                format!("why_undecided selected {code}, which is not a reason of the type"),
            )),
            Some(Err(_)) => Err((Law::Undecided, "why_undecided selected no error".to_owned())),
            _ => Ok(()),
        },
    }
}

fn response<T: OperationType>(request: &Request<T>, receipt: &Receipt) -> Result<(), Found> {
    let broken = |found: &str| Err((Law::ResponseIsValid, format!("{found}: {receipt:?}")));
    let Some(outcome) = T::Outcome::ALL.iter().find(|outcome| outcome.name() == receipt.outcome) else {
        return broken("the outcome does not belong to the type");
    };
    if receipt.http_status != outcome.status() || !(200..=599).contains(&receipt.http_status) {
        return broken("the status is not that of the outcome");
    }
    let parse = |body: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(body);
    let expected = request.operation.request().body(*outcome, &request.new_ids);
    match (parse(&receipt.body), parse(expected.as_str())) {
        (Ok(stored), Ok(expected))
            if expected.iter().all(|(name, value)| stored.get(name) == Some(value)) =>
        {
            Ok(())
        }
        (_, Err(_)) => broken("the body of the outcome is not a JSON object"),
        _ => broken("the stored body lacks a member of the outcome's body"),
    }
}

fn effects<T: OperationType>(receipt: &Receipt, changes: &[u64], seen: &mut Seen) -> Result<(), Found> {
    seen.outcomes.push(receipt.outcome.clone());
    // The first statement writes the receipt.
    let changes = changes.iter().skip(1);
    for ((effect, changed), seen) in T::SQL.effects.iter().zip(changes).zip(&mut seen.changed) {
        *seen |= *changed > 0;
        let is_due = effect.outcome == receipt.outcome;
        if is_due && *changed == 0 && effect.changes == Changes::Always {
            return Err((Law::EveryEffect, format!("the effect {} changed no row", effect.sql.name)));
        }
    }
    Ok(())
}

/// Another actor's operation with the same key neither finds nor changes this one.
fn actors_are_separate<T: OperationType>(harness: &mut Harness, key: u64, body: &str) -> Result<(), Found> {
    let mine = harness.request::<T>(ACTOR, key, body)?;
    let receipt = |harness: &mut Harness| {
        let read = [read_receipt(mine.operation.actor(), mine.operation.key())];
        let rows = harness.database.run(&read).map_err(fails(Law::ActorsAreSeparate))?;
        Ok::<_, Found>(rows.first().and_then(|row| row.text("body")))
    };
    let before = receipt(harness)?;
    let other = harness.request::<T>("t_another", key, body)?;
    if let (Some(Decision::Decided { replayed: true, .. } | Decision::Conflict), _) =
        harness.send(&other, 1, Law::BatchRuns)?
    {
        return Err((Law::ActorsAreSeparate, "another actor found the receipt".to_owned()));
    }
    match receipt(harness)? == before {
        true => Ok(()),
        false => Err((Law::ActorsAreSeparate, "another actor changed the receipt".to_owned())),
    }
}
