//! The answers about operations that were decided.

use serde::Serialize;

use super::answer::Answer;
use super::{Rejection, outcome_word};
use crate::domain::{Reservation, Settled};

/// The answer to `GET /operations/{key}` and to `POST /operations/{key}/abandon`.
///
/// # Errors
///
/// [`Rejection::UnknownOperation`] if nothing was decided.
pub fn operation(found: Option<&Settled>) -> Result<Answer, Rejection> {
    let settled = found.ok_or(Rejection::UnknownOperation)?;
    Ok(Answer::json(&OperationDocument::of(settled)))
}

/// The answer to `GET /operations`.
pub fn operations(found: &[Settled]) -> Answer {
    Answer::json(&List { operations: found.iter().map(OperationDocument::of).collect() })
}

/// The answer to `POST /operations/{key}/cancel`: the same for the request that cancelled and
/// for every later one.
///
/// # Errors
///
/// [`Rejection::UnknownOperation`] if nothing was decided, [`Rejection::NothingToCancel`] if
/// what was decided is no reservation.
pub fn cancelled(found: Option<&Settled>) -> Result<Answer, Rejection> {
    match found {
        Some(settled) if settled.reservation.is_none() => Err(Rejection::NothingToCancel),
        found => operation(found),
    }
}

#[derive(Serialize)]
struct List<'a> {
    operations: Vec<OperationDocument<'a>>,
}

#[derive(Serialize)]
struct OperationDocument<'a> {
    key: &'a str,
    outcome: &'a str,
    http_status: u16,
    decided_at: &'a str,
    workshop: Option<&'a str>,
    reservation: Option<ReservationDocument<'a>>,
}

impl<'a> OperationDocument<'a> {
    fn of(settled: &'a Settled) -> Self {
        Self {
            key: &settled.key,
            outcome: outcome_word(&settled.body),
            http_status: settled.http_status,
            decided_at: &settled.decided_at,
            workshop: settled.workshop.as_deref(),
            reservation: settled.reservation.as_ref().map(ReservationDocument::of),
        }
    }
}

#[derive(Serialize)]
struct ReservationDocument<'a> {
    id: &'a str,
    quantity: i64,
    state: &'static str,
}

impl<'a> ReservationDocument<'a> {
    fn of(reservation: &'a Reservation) -> Self {
        let state = if reservation.cancelled { "cancelled" } else { "held" };
        Self { id: &reservation.id, quantity: reservation.quantity, state }
    }
}
