//! Reservations: what this service does by its operations.
//!
//! An organiser offers workshops with places; a person asks for some of them. Everything that
//! is not about workshops is elsewhere in the crate, and knows nothing of this module.

pub mod documents;
pub mod operations;
mod quantity;
pub mod rejections;
mod reserve;
#[cfg(feature = "service")]
mod routes;
mod settled;
mod workshop;
pub mod workshops;

pub use quantity::Quantity;
pub use reserve::{ABANDONED, Reserve, UNAVAILABLE, reserved};
pub use settled::{Reservation, Settled};
pub use workshop::{Workshop, WorkshopId};

/// The last migration that the statements need; a later one is the organiser's alone. A native
/// test prepares the statements with it and without it.
pub const LATEST_MIGRATION: &str = "0001_workshops_operations_reservations.sql";
