//! Einmal: reservations that happen exactly once.
//!
//! Somebody presses "reserve" twice, or never hears the answer. A request names its
//! operation by a key; whatever arrives under that key is decided once, together with
//! what it does, in one transaction, and every repetition gets the first answer again.
//!
//! In reading order:
//!
//! 1. [`domain`]: what an operation, a workshop, a reservation is.
//! 2. [`wire`]: bytes to domain and back: requests, outcomes, rejections.
//! 3. [`store`]: what is asked of the database, as data.
//! 4. `edge`: the Worker itself; the only module that knows Workers, and the only
//!    one that is async. Absent without the feature `edge`.
//!
//! Arrows point one way: `edge -> wire, store -> domain`. Time, randomness, the
//! database and the identity of who asks enter as values.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

pub mod domain;
pub mod store;
pub mod wire;

#[cfg(feature = "edge")]
mod edge;
