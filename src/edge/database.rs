//! Runs a batch on D1: in one call, which is made again only for a failure that passes.

use std::cell::RefCell;

use js_sys::{Array, JsString, Promise, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;

use super::bindings::binding;
use super::timing::{now_ms, pause, within};
use crate::store::{
    Failure, Parameter, Row, SEND_MILLISECONDS_MAX, SENDS, SENDS_MILLISECONDS_MAX, Statement,
    pause_milliseconds,
};
use crate::wire::{LogEntry, Rejection, rejection};

/// The name of the D1 binding in wrangler.toml.
const BINDING: &str = "DB";

/// The service's database.
pub struct Database(D1);

impl Database {
    /// The bound database.
    ///
    /// # Errors
    ///
    /// [`rejection::NOT_CONFIGURED`] without a binding.
    pub fn of(env: &Env, log: &mut LogEntry) -> Result<Self, Rejection> {
        let Some(database) = binding(env, BINDING) else {
            log.cause = Some(format!("the database is not bound as {BINDING} in wrangler.toml"));
            return Err(rejection::NOT_CONFIGURED);
        };
        Ok(Self(database.unchecked_into()))
    }

    /// Runs a batch in one transaction and gives the rows of its last statement. What it
    /// cost, and why it failed, goes to the log.
    ///
    /// The same batch is sent again while that is worth it. An earlier send may have been
    /// committed with its answer lost, or may still be on its way: the attempt's id in the
    /// batch makes a later one change nothing and answer the same.
    ///
    /// # Errors
    ///
    /// [`rejection::NOT_CONFIGURED`] if a table or a column is missing, so that nothing
    /// can have been done; [`rejection::OUTCOME_UNKNOWN`] for every other failure.
    pub async fn run(
        &self,
        batch: &[Statement<'_>],
        log: &mut LogEntry,
    ) -> Result<Vec<ObjectRow>, Rejection> {
        let deadline_ms = now_ms().saturating_add(SENDS_MILLISECONDS_MAX);
        for sent in SENDS {
            let left_ms = deadline_ms.saturating_sub(now_ms());
            if left_ms == 0 {
                break;
            }
            let cause = match within(left_ms.min(SEND_MILLISECONDS_MAX), self.rows(batch, log)).await {
                Some(Ok(rows)) => return Ok(rows),
                Some(Err(cause)) => message(&cause),
                None => Failure::NO_ANSWER.to_owned(),
            };
            let failure = Failure::of(&cause);
            log.cause = Some(cause);
            match failure {
                Failure::NotConfigured => return Err(rejection::NOT_CONFIGURED),
                Failure::Lasting => break,
                Failure::Passing if sent == *SENDS.end() => break,
                Failure::Passing => pause(pause_milliseconds(sent, js_sys::Math::random())).await,
            }
        }
        Err(rejection::OUTCOME_UNKNOWN)
    }

    async fn rows(&self, batch: &[Statement<'_>], log: &mut LogEntry) -> Result<Vec<ObjectRow>, JsValue> {
        let statements = Array::new();
        for Statement { sql, parameters } in batch {
            let values = parameters.iter().map(to_js).collect::<Array>();
            statements.push(&self.0.prepare(&kept(sql))?.bind(values)?);
        }
        log.d1_calls = log.d1_calls.saturating_add(1);
        log.attempts = log.attempts.saturating_add(1);
        let results: Array = JsFuture::from(self.0.batch(&statements)?).await?.dyn_into()?;
        let outcomes: Vec<Outcome> = results.iter().map(JsCast::unchecked_into).collect();
        for outcome in &outcomes {
            note_cost(outcome, log);
        }
        let all_succeeded = outcomes.iter().all(|outcome| matches!(outcome.success(), Ok(true)));
        match outcomes.last() {
            Some(last) if outcomes.len() == batch.len() && all_succeeded => {
                Ok(last.results()?.unwrap_or_default().iter().map(ObjectRow).collect())
            }
            _ => Err(JsValue::from_str("a batch was answered with fewer successes than it has statements")),
        }
    }
}

thread_local! {
    /// The texts that were sent to JavaScript before: one of the program is known by where it
    /// stands in memory.
    static KEPT: RefCell<Vec<(&'static str, JsString)>> = const { RefCell::new(Vec::new()) };
}

/// A text of the program, such as a statement or the name of a column, as JavaScript has it:
/// copied and decoded once in the life of an instance, not once for each request.
fn kept(text: &'static str) -> JsString {
    KEPT.with_borrow_mut(|kept| {
        let found = kept.iter().find(|(known, _)| std::ptr::eq(*known, text));
        if let Some((_, string)) = found {
            return string.clone();
        }
        let string = JsString::from(text);
        kept.push((text, string.clone()));
        string
    })
}

#[wasm_bindgen]
extern "C" {
    /// Cloudflare's `D1Database`, as far as it is used here.
    type D1;

    #[wasm_bindgen(method, structural, catch)]
    fn prepare(this: &D1, sql: &JsString) -> Result<Prepared, JsValue>;

    #[wasm_bindgen(method, structural, catch)]
    fn batch(this: &D1, statements: &Array) -> Result<Promise, JsValue>;

    /// `D1PreparedStatement`.
    type Prepared;

    #[wasm_bindgen(method, structural, catch, variadic)]
    fn bind(this: &Prepared, values: Array) -> Result<JsValue, JsValue>;

    /// `D1Result`. A property is one call out of wasm, a Rust value of the whole would be dozens.
    type Outcome;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn success(this: &Outcome) -> Result<bool, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn results(this: &Outcome) -> Result<Option<Array>, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn meta(this: &Outcome) -> Result<Meta, JsValue>;

    /// `D1Meta`.
    type Meta;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn rows_read(this: &Meta) -> Result<Option<f64>, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn rows_written(this: &Meta) -> Result<Option<f64>, JsValue>;
}

/// Adds what one statement read and wrote, if D1 says it.
fn note_cost(outcome: &Outcome, log: &mut LogEntry) {
    let Ok(meta) = outcome.meta() else { return };
    let rows = |count: Result<Option<f64>, JsValue>| count.ok().flatten().unwrap_or_default() as u64;
    log.rows_read = log.rows_read.saturating_add(rows(meta.rows_read()));
    log.rows_written = log.rows_written.saturating_add(rows(meta.rows_written()));
}

/// A row as D1 gives it: a JavaScript object with a property a column.
pub struct ObjectRow(JsValue);

impl ObjectRow {
    fn value(&self, column: &'static str) -> Option<JsValue> {
        Reflect::get(&self.0, &kept(column)).ok()
    }
}

impl Row for ObjectRow {
    fn text(&self, column: &'static str) -> Option<String> {
        self.value(column)?.as_string()
    }

    fn integer(&self, column: &'static str) -> Option<i64> {
        let number = self.value(column)?.as_f64()?;
        (number.fract() == 0.0).then_some(number as i64)
    }
}

fn to_js(parameter: &Parameter<'_>) -> JsValue {
    match parameter {
        Parameter::Borrowed(text) => JsValue::from_str(text),
        Parameter::Owned(text) => JsValue::from_str(text),
        Parameter::Number(number) => JsValue::from_f64(*number),
    }
}

/// What went wrong, in D1's words. Some failures are no `Error` objects.
fn message(cause: &JsValue) -> String {
    match cause.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => cause.as_string().unwrap_or_else(|| "a failure without words".to_owned()),
    }
}
