//! Runs a batch on D1, in one call.

use js_sys::{Array, JsString, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::worker_sys::types::{D1Database, D1Result};
use worker::{Env, console_error};

use crate::store::{Parameter, Row, Statement, Unreadable};
use crate::wire::Rejection;

/// The name of the D1 binding in wrangler.toml.
const BINDING: &str = "DB";

/// The service's database.
pub struct Database(D1Database);

impl Database {
    /// The bound database.
    ///
    /// # Errors
    ///
    /// [`Rejection::NotConfigured`] without a binding.
    pub fn of(env: &Env) -> Result<Self, Rejection> {
        let database = env.d1(BINDING).map_err(|_| Rejection::NotConfigured)?;
        Ok(Self(JsValue::from(database).unchecked_into()))
    }

    /// Runs a batch in one transaction and gives the rows of its last statement.
    ///
    /// # Errors
    ///
    /// [`Rejection::NotConfigured`] if a table or a column is missing, so that nothing
    /// can have been done; [`Rejection::OutcomeUnknown`] for every other failure.
    pub async fn run(&self, batch: &[Statement<'_>]) -> Result<Vec<ObjectRow>, Rejection> {
        self.results(batch).await.map_err(|cause| {
            let message = message(&cause);
            console_error!("D1: {}", message);
            match message.contains("no such table") || message.contains("no such column") {
                true => Rejection::NotConfigured,
                false => Rejection::OutcomeUnknown,
            }
        })
    }

    async fn results(&self, batch: &[Statement<'_>]) -> Result<Vec<ObjectRow>, JsValue> {
        let statements = Array::new();
        for Statement { sql, parameters } in batch {
            let values = parameters.iter().map(to_js).collect::<Array>();
            statements.push(self.0.prepare(sql)?.bind(values)?.as_ref());
        }
        let results: Array = JsFuture::from(self.0.batch(statements)?).await?.dyn_into()?;
        let results: Vec<D1Result> = results.iter().map(JsCast::unchecked_into).collect();
        let all_succeeded = results.iter().all(|result| matches!(result.success(), Ok(true)));
        match results.last() {
            Some(last) if results.len() == batch.len() && all_succeeded => {
                Ok(last.results()?.unwrap_or_default().iter().map(ObjectRow).collect())
            }
            _ => Err(JsValue::from_str("a batch was answered with fewer successes than statements")),
        }
    }
}

/// The rejection for an answer that the statements cannot have given.
pub fn unreadable(Unreadable(column): Unreadable) -> Rejection {
    console_error!("D1: column {} does not hold what the schema promises", column);
    Rejection::OutcomeUnknown
}

/// A row as D1 gives it: a JavaScript object with a property a column.
pub struct ObjectRow(JsValue);

impl ObjectRow {
    fn value(&self, column: &str) -> Option<JsValue> {
        Reflect::get(&self.0, &JsString::from(column)).ok()
    }
}

impl Row for ObjectRow {
    fn text(&self, column: &str) -> Option<String> {
        self.value(column)?.as_string()
    }

    fn integer(&self, column: &str) -> Option<i64> {
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
        None => cause.as_string().unwrap_or_default(),
    }
}
