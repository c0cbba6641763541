//! Einmal: reservations that happen exactly once.
//!
//! Somebody presses "reserve" twice, or never hears the answer. A request names its
//! operation by a key; whatever arrives under that key is decided once, together with
//! what it does, in one transaction, and every repetition gets the first answer again.
//!
//! In reading order:
//!
//! 1. [`domain`]: what an operation and its receipt are.
//! 2. [`wire`]: bytes to domain and back: requests, receipts, rejections.
//! 3. [`store`]: what is asked of the database, as data.
//! 4. [`operation`]: what an application says about one kind of operation.
//! 5. `edge`: the Worker; with the routes on it the only code that knows Workers, and the only
//!    code that is async. Absent without the feature `edge`.
//! 6. [`reservations`]: the service itself: workshops, places, and its routes (with the
//!    feature `service`).
//!
//! Arrows point one way: `reservations -> edge -> operation -> wire, store -> domain`. Time,
//! randomness, the database and the identity of who asks enter as values.
//!
//! Another Worker that depends on this crate without the feature `service` has all of it but the routes:
//! operations of its own that happen once. `examples/notes` is one.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

pub mod domain;
#[cfg(feature = "edge")]
pub mod edge;
pub mod operation;
pub mod reservations;
pub mod retry;
pub mod store;
#[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
pub mod testing;
pub mod wire;
