//! The JSON documents of workshops on offer and of decided operations. Receipts are in `reserve`.

use serde::Serialize;

use super::rejections::{NOTHING_TO_CANCEL, UNKNOWN_OPERATION};
use super::{OperationRecord, Reservation, Workshop};
use crate::wire::{Answer, Rejection};

/// The answer to `GET /workshops`.
pub fn workshops(workshops: &[Workshop]) -> Answer {
    Answer::json(&Workshops { workshops: workshops.iter().map(WorkshopDocument::of).collect() })
}

/// The answer to `GET /workshops/{id}`.
pub fn workshop(workshop: &Workshop) -> Answer {
    Answer::json(&WorkshopDocument::of(workshop))
}

/// The answer to `GET /operations/{key}` and to `POST /operations/{key}/abandon`.
///
/// # Errors
///
/// [`UNKNOWN_OPERATION`] if the operation is undecided.
pub fn operation(found: Option<&OperationRecord>) -> Result<Answer, Rejection> {
    let record = found.ok_or(UNKNOWN_OPERATION)?;
    Ok(Answer::json(&OperationDocument::of(record)))
}

/// The answer to `GET /operations`.
pub fn operations(found: &[OperationRecord]) -> Answer {
    Answer::json(&Operations { operations: found.iter().map(OperationDocument::of).collect() })
}

/// The answer to `POST /operations/{key}/cancel`: the same for the request that cancelled and for every
/// later one.
///
/// # Errors
///
/// [`UNKNOWN_OPERATION`] if the operation is undecided, [`NOTHING_TO_CANCEL`] if it made no reservation.
pub fn cancelled(found: Option<&OperationRecord>) -> Result<Answer, Rejection> {
    match found {
        Some(record) if record.reservation.is_none() => Err(NOTHING_TO_CANCEL),
        found => operation(found),
    }
}

#[derive(Serialize)]
struct Operations<'a> {
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
    fn of(record: &'a OperationRecord) -> Self {
        Self {
            key: &record.key,
            outcome: &record.outcome,
            http_status: record.http_status,
            decided_at: &record.decided_at,
            workshop: record.workshop.as_deref(),
            reservation: record.reservation.as_ref().map(ReservationDocument::of),
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

#[derive(Serialize)]
struct Workshops<'a> {
    workshops: Vec<WorkshopDocument<'a>>,
}

#[derive(Serialize)]
struct WorkshopDocument<'a> {
    id: &'a str,
    title: &'a str,
    venue: Option<&'a str>,
    starts_at: Option<&'a str>,
    ends_at: Option<&'a str>,
    time_zone: Option<&'a str>,
    capacity: i64,
    reserved: i64,
    available: i64,
    state: &'static str,
}

impl<'a> WorkshopDocument<'a> {
    fn of(workshop: &'a Workshop) -> Self {
        Self {
            id: &workshop.id,
            title: &workshop.title,
            venue: workshop.venue.as_deref(),
            starts_at: workshop.starts_at.as_deref(),
            ends_at: workshop.ends_at.as_deref(),
            time_zone: workshop.time_zone.as_deref(),
            capacity: workshop.capacity,
            reserved: workshop.reserved,
            available: workshop.capacity.saturating_sub(workshop.reserved),
            state: if workshop.open { "open" } else { "closed" },
        }
    }
}
