//! Tests an operation type on SQLite, on the host: with the feature `testing`.
//!
//! [`exactly_once`] is the promise of the engine as laws, checked for one operation type.
//! [`Database`] runs batches as D1 runs them.

mod database;
mod laws;

pub use database::{Database, MapRow};
pub use laws::{ACTOR, Broken, Law, NOW_MS, exactly_once};
