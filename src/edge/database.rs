//! Runs a batch on D1 and retries transient failures. It does not know what the batch does.
//!
//! [D1 does not retry writes](https://developers.cloudflare.com/d1/best-practices/retry-queries/), and after a
//! lost answer it is unknown whether the batch was committed. So each send has its own id.

use worker::Env;
use worker::wasm_bindgen::JsCast;

use super::bindings::binding;
use super::d1::{Cost, D1, ObjectRow};
use super::timing::{now_ms, pause, within};
use crate::retry::{Failure, SEND_MS_MAX, SENDS_MAX, SENDS_MS_MAX, pause_ms};
use crate::store::Batch;
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

    /// Runs a batch in one transaction and returns the rows of its last statement. Logs the rows that it
    /// read and wrote, and the cause of a failure.
    ///
    /// A transient failure is retried: `batch` makes the batch of each send, counted from 1. An earlier
    /// send may have been committed with its answer lost, or may still be on its way: see
    /// [`Attempt::send_id`](crate::domain::Attempt::send_id).
    ///
    /// # Errors
    ///
    /// [`rejection::NOT_CONFIGURED`] if a table or a column is missing, and
    /// [`rejection::INTERNAL_ERROR`] if the database refuses a statement as wrong: nothing was
    /// done. [`rejection::OUTCOME_UNKNOWN`] for every other failure, and for these two after an earlier
    /// send without an answer.
    pub async fn run(
        &self,
        batch: &dyn Fn(u32) -> Batch,
        log: &mut LogEntry,
    ) -> Result<Vec<ObjectRow>, Rejection> {
        let deadline_ms = now_ms().saturating_add(SENDS_MS_MAX);
        for send in 1..=SENDS_MAX {
            let left_ms = deadline_ms.saturating_sub(now_ms());
            if left_ms == 0 {
                break;
            }
            let batch = batch(send);
            let mut cost = Cost::default();
            log.d1_calls = log.d1_calls.saturating_add(1);
            let answer = within(left_ms.min(SEND_MS_MAX), self.0.run(&batch, &mut cost)).await;
            log.rows_read = log.rows_read.saturating_add(cost.rows_read);
            log.rows_written = log.rows_written.saturating_add(cost.rows_written);
            let (failure, cause) = match answer {
                Some(Ok(rows)) => return Ok(rows),
                Some(Err(cause)) => (Failure::of(&cause), cause),
                None => (Failure::Transient, "no answer in time".to_owned()),
            };
            // This send did nothing, but an earlier one without an answer may have been committed.
            let refused = |rejection| if send == 1 { rejection } else { rejection::OUTCOME_UNKNOWN };
            log.cause = Some(cause);
            match failure {
                Failure::SchemaMissing => return Err(refused(rejection::NOT_CONFIGURED)),
                Failure::StatementRefused => {
                    let names: Vec<&str> = batch.iter().map(|statement| statement.name).collect();
                    log.cause = log
                        .cause
                        .take()
                        .map(|cause| format!("{cause} (one of the statements {})", names.join(", ")));
                    log.is_error = true;
                    return Err(refused(rejection::INTERNAL_ERROR));
                }
                Failure::Permanent => break,
                Failure::Transient if send < SENDS_MAX => {
                    pause(pause_ms(send, js_sys::Math::random())).await;
                }
                Failure::Transient => break,
            }
        }
        Err(rejection::OUTCOME_UNKNOWN)
    }
}
