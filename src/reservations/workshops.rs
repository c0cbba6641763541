//! The statements that read the workshops on offer.

use super::{Workshop, WorkshopId};
use crate::statement;
use crate::store::{Batch, Row, Unreadable, integer, text};

/// Reads the workshops that are on offer at `now_ms` and have not ended, the earliest first.
pub fn list(now_ms: u64) -> Batch {
    vec![statement!("list_workshops", include_str!("sql/list_workshops.sql"), now_ms: u64 = &now_ms)]
}

/// Reads the workshop `id`, if it is on offer at `now_ms`.
pub fn one(id: &WorkshopId, now_ms: u64) -> Batch {
    vec![statement!(
        "read_workshop",
        include_str!("sql/read_workshop.sql"),
        now_ms: u64 = &now_ms,
        workshop: WorkshopId = id,
    )]
}

/// Decodes the rows of [`list`] or [`one`].
///
/// # Errors
///
/// [`Unreadable`] if a row was not written by this service.
pub fn read(rows: &[impl Row]) -> Result<Vec<Workshop>, Unreadable> {
    rows.iter().map(to_workshop).collect()
}

fn to_workshop(row: &impl Row) -> Result<Workshop, Unreadable> {
    Ok(Workshop {
        id: text(row, "id")?,
        title: text(row, "title")?,
        venue: row.text("venue"),
        starts_at: row.text("starts_at"),
        ends_at: row.text("ends_at"),
        time_zone: row.text("time_zone"),
        capacity: integer(row, "capacity")?,
        reserved: integer(row, "reserved")?,
        open: integer(row, "open")? != 0,
    })
}
