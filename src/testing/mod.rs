//! Tests of an operation type on SQLite, on the host; with the feature `testing`. They do not show D1 itself.
//!
//! [`exactly_once`] checks the laws of the engine's promise for one operation type.
//! [`Database`] runs batches as D1 does.

mod database;
mod laws;

pub use database::{Database, MapRow};
pub use laws::{ACTOR, Broken, Law, NOW_MS, exactly_once};
