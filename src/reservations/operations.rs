//! The statements that look up, list, abandon and cancel operations. `reserve` decides them.

use super::reserve::ABANDONED;
use super::{OperationRecord, Reservation};
use crate::domain::{Actor, Attempt, OperationKey};
use crate::statement;
use crate::store::{Batch, Row, Statement, Unreadable, integer, status, text};

/// Maximum number of operations in a list.
pub const OPERATIONS_MAX: u8 = 50;

/// Reads the outcome of an operation.
pub fn look_up(actor: &Actor, key: &OperationKey) -> Batch {
    vec![read_operation(actor, key)]
}

/// Reads the newest operations of an actor, at most [`OPERATIONS_MAX`].
pub fn list(actor: &Actor) -> Batch {
    vec![statement!(
        "list_operations",
        include_str!("sql/list_operations.sql"),
        actor: Actor = actor,
        maximum: u8 = &OPERATIONS_MAX,
    )]
}

/// Abandons an operation, if it is undecided. Then reads it.
///
/// This decides the operation, as an attempt does: the first of the two that is committed decides, even if
/// they run at the same time. A later send of the same batch changes nothing and reads the same row.
pub fn abandon(actor: &Actor, key: &OperationKey, attempt: &Attempt, send: u32) -> Batch {
    let send_id = attempt.send_id(send);
    let abandon = statement!(
        "abandon",
        include_str!("sql/abandon.sql"),
        actor: Actor = actor,
        key: OperationKey = key,
        send_id: String = &send_id,
        body: str = ABANDONED,
        now_ms: u64 = &attempt.now_ms,
    );
    vec![abandon, read_operation(actor, key)]
}

/// Cancels the reservation of an operation, if it holds one, which releases the places. Then reads it.
///
/// It does not decide the operation, and does not change its receipt.
pub fn cancel(actor: &Actor, key: &OperationKey, now_ms: u64) -> Batch {
    let cancel = statement!(
        "cancel_reservation",
        include_str!("sql/cancel_reservation.sql"),
        actor: Actor = actor,
        key: OperationKey = key,
        now_ms: u64 = &now_ms,
    );
    vec![cancel, read_operation(actor, key)]
}

fn read_operation(actor: &Actor, key: &OperationKey) -> Statement {
    statement!(
        "read_operation",
        include_str!("sql/read_operation.sql"),
        actor: Actor = actor,
        key: OperationKey = key,
    )
}

/// Decodes the rows of every batch of this module except [`list`].
///
/// # Errors
///
/// [`Unreadable`] if the row was not written by this service.
pub fn read_one(rows: &[impl Row]) -> Result<Option<OperationRecord>, Unreadable> {
    rows.first().map(to_record).transpose()
}

/// Decodes the rows of every batch of this module.
///
/// # Errors
///
/// [`Unreadable`] if a row was not written by this service.
pub fn read(rows: &[impl Row]) -> Result<Vec<OperationRecord>, Unreadable> {
    rows.iter().map(to_record).collect()
}

fn to_record(row: &impl Row) -> Result<OperationRecord, Unreadable> {
    let reservation = match row.text("reservation_id") {
        Some(id) => Some(Reservation {
            id,
            quantity: integer(row, "quantity")?,
            cancelled: integer(row, "cancelled")? != 0,
        }),
        None => None,
    };
    Ok(OperationRecord {
        key: text(row, "key")?,
        outcome: text(row, "outcome")?,
        http_status: status(row)?,
        decided_at: text(row, "decided_at")?,
        workshop: row.text("workshop"),
        reservation,
    })
}
