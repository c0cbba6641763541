//! Reservations: the operations of this service.
//!
//! An organiser offers workshops with places; a person reserves some of them. Everything that is not about
//! workshops is elsewhere in the crate and does not use this module.

pub mod documents;
mod operation_record;
pub mod operations;
mod quantity;
pub mod rejections;
mod reserve;
mod workshop;
pub mod workshops;

use crate::store::NeededSchema;

pub use operation_record::{OperationRecord, Reservation};
pub use quantity::Quantity;
pub use reserve::{ABANDONED, NewIds, Outcome, Reserve};
pub use workshop::{Workshop, WorkshopId};

/// The schema that the statements need.
pub const NEEDED_SCHEMA: NeededSchema = NeededSchema(include_str!("../../migrations/schema.txt"));
