//! What is asked of the database about operations that were sent: look up, list, give up, cancel.

use super::reserve::ABANDONED;
use super::{Reservation, Settled};
use crate::domain::{Actor, Attempt, OperationKey};
use crate::store::text::sql;
use crate::store::{Batch, Parameter, Row, Statement, Unreadable, integer, status, text};

/// The most operations that a list has.
pub const OPERATIONS_MAX: u8 = 50;

/// Reads what was decided about an operation.
pub fn look_up<'a>(actor: &'a Actor, key: &OperationKey) -> Batch<'a> {
    vec![read_operation(actor, key)]
}

/// Reads the newest operations of an actor, at most [`OPERATIONS_MAX`].
pub fn list(actor: &Actor) -> Batch<'_> {
    vec![Statement {
        sql: sql!("sql/list_operations.sql"),
        parameters: vec![Parameter::Borrowed(actor.as_str()), Parameter::Number(OPERATIONS_MAX.into())],
    }]
}

/// Gives an operation up: if nothing was decided about it, it is decided that nothing will
/// be. Then reads it.
///
/// Like a request for it, and at the same time as one, it decides once: whichever comes
/// first. Sending the same batch twice changes nothing the second time and answers the same.
pub fn abandon<'a>(actor: &'a Actor, key: &OperationKey, attempt: &'a Attempt) -> Batch<'a> {
    vec![
        Statement {
            sql: sql!("sql/abandon.sql"),
            parameters: vec![
                Parameter::Borrowed(actor.as_str()),
                Parameter::Owned(key.text()),
                Parameter::Borrowed(attempt.id.as_str()),
                Parameter::Borrowed(ABANDONED),
                Parameter::milliseconds(attempt.now_ms),
            ],
        },
        read_operation(actor, key),
    ]
}

/// Gives the places of an operation back, if it holds any. Then reads it.
///
/// It decides nothing about the operation, whose receipt stays as it is.
pub fn cancel<'a>(actor: &'a Actor, key: &OperationKey, now_ms: u64) -> Batch<'a> {
    vec![
        Statement {
            sql: sql!("sql/cancel_reservation.sql"),
            parameters: vec![
                Parameter::Borrowed(actor.as_str()),
                Parameter::Owned(key.text()),
                Parameter::milliseconds(now_ms),
            ],
        },
        read_operation(actor, key),
    ]
}

fn read_operation<'a>(actor: &'a Actor, key: &OperationKey) -> Statement<'a> {
    Statement {
        sql: sql!("sql/read_operation.sql"),
        parameters: vec![Parameter::Borrowed(actor.as_str()), Parameter::Owned(key.text())],
    }
}

/// Reads the answer of every batch of this module.
///
/// # Errors
///
/// [`Unreadable`] if a row is none of this service.
pub fn read(rows: &[impl Row]) -> Result<Vec<Settled>, Unreadable> {
    rows.iter().map(to_settled).collect()
}

fn to_settled(row: &impl Row) -> Result<Settled, Unreadable> {
    let reservation = match row.text("reservation_id") {
        Some(id) => Some(Reservation {
            id,
            quantity: integer(row, "quantity")?,
            cancelled: integer(row, "cancelled")? != 0,
        }),
        None => None,
    };
    Ok(Settled {
        key: text(row, "key")?,
        http_status: status(row)?,
        body: text(row, "body")?,
        decided_at: text(row, "decided_at")?,
        workshop: row.text("workshop"),
        reservation,
    })
}
