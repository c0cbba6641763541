//! The [D1 binding](https://developers.cloudflare.com/d1/worker-api/d1-database/), as far as it is used here:
//! one call of `batch()`, and its rows. It does not retry.

use std::cell::RefCell;

use js_sys::{Array, JsString, Promise, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;

use crate::store::{Parameter, Row, Statement};

#[wasm_bindgen]
extern "C" {
    /// Cloudflare's `D1Database`.
    pub type D1;

    #[wasm_bindgen(method, structural, catch)]
    fn prepare(this: &D1, sql: &JsString) -> Result<Prepared, JsValue>;

    #[wasm_bindgen(method, structural, catch)]
    fn batch(this: &D1, statements: &Array) -> Result<Promise, JsValue>;

    /// `D1PreparedStatement`.
    type Prepared;

    #[wasm_bindgen(method, structural, catch, variadic)]
    fn bind(this: &Prepared, values: Array) -> Result<JsValue, JsValue>;

    /// `D1Result`. A property is one call out of wasm; converting the whole to a Rust value is dozens.
    type StatementResult;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn success(this: &StatementResult) -> Result<bool, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn results(this: &StatementResult) -> Result<Option<Array>, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn meta(this: &StatementResult) -> Result<Meta, JsValue>;

    /// `D1Meta`.
    type Meta;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn rows_read(this: &Meta) -> Result<Option<f64>, JsValue>;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn rows_written(this: &Meta) -> Result<Option<f64>, JsValue>;
}

/// Rows read and written by a batch, as reported by D1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub rows_read: u64,
    pub rows_written: u64,
}

impl D1 {
    /// Sends a batch: one call, one transaction. Returns the rows of its last statement.
    ///
    /// # Errors
    ///
    /// D1's message; see `retry::Failure::of`.
    pub async fn run(&self, batch: &[Statement], cost: &mut Cost) -> Result<Vec<ObjectRow>, String> {
        self.send(batch, cost).await.map_err(|cause| message(&cause))
    }

    async fn send(&self, batch: &[Statement], cost: &mut Cost) -> Result<Vec<ObjectRow>, JsValue> {
        let statements = Array::new();
        for Statement { sql, parameters, .. } in batch {
            let values = parameters.iter().map(to_js).collect::<Array>();
            statements.push(&self.prepare(&interned(sql))?.bind(values)?);
        }
        let results: Array = JsFuture::from(self.batch(&statements)?).await?.dyn_into()?;
        let results: Vec<StatementResult> = results.iter().map(JsCast::unchecked_into).collect();
        for result in &results {
            add_cost(result, cost);
        }
        let all_succeeded = results.iter().all(|result| matches!(result.success(), Ok(true)));
        match results.last() {
            Some(last) if results.len() == batch.len() && all_succeeded => {
                Ok(last.results()?.unwrap_or_default().iter().map(ObjectRow).collect())
            }
            _ => Err(JsValue::from_str("a batch was answered with fewer successes than it has statements")),
        }
    }
}

fn add_cost(result: &StatementResult, cost: &mut Cost) {
    let Ok(meta) = result.meta() else { return };
    let rows = |count: Result<Option<f64>, JsValue>| count.ok().flatten().unwrap_or_default() as u64;
    cost.rows_read = cost.rows_read.saturating_add(rows(meta.rows_read()));
    cost.rows_written = cost.rows_written.saturating_add(rows(meta.rows_written()));
}

/// A row as D1 returns it: a JavaScript object with a property for each column.
pub struct ObjectRow(JsValue);

impl ObjectRow {
    fn value(&self, column: &'static str) -> Option<JsValue> {
        Reflect::get(&self.0, &interned(column)).ok()
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

fn to_js(parameter: &Parameter) -> JsValue {
    match parameter {
        Parameter::Text(text) => JsValue::from_str(text),
        Parameter::Integer(number) => JsValue::from_f64(*number as f64),
    }
}

/// The message of a failure. Some failures are not `Error` objects.
fn message(cause: &JsValue) -> String {
    match cause.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => cause.as_string().unwrap_or_else(|| "a failure without a message".to_owned()),
    }
}

thread_local! {
    /// The JavaScript strings made so far, found by the address of the Rust text.
    static INTERNED: RefCell<Vec<(&'static str, JsString)>> = const { RefCell::new(Vec::new()) };
}

/// The JavaScript string of a constant text: of a statement or the name of a column.
///
/// It is copied and decoded once in the life of an instance instead of once for each request: about 2 KB of
/// SQL for an operation. One of the cuts under "Where the time goes" in `docs/performance.md`. Costs 0.1 KB
/// gzip.
fn interned(text: &'static str) -> JsString {
    INTERNED.with_borrow_mut(|interned| {
        let found = interned.iter().find(|(known, _)| std::ptr::eq(*known, text));
        if let Some((_, string)) = found {
            return string.clone();
        }
        let string = JsString::from(text);
        interned.push((text, string.clone()));
        string
    })
}
