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
//! 3. [`store`]: SQL as data; nothing there executes it.
//! 4. [`operation`]: what an application defines for one operation type.
//! 5. [`retry`]: when a batch that failed is sent again.
//! 6. `edge`: the code that knows Workers, and the only async code. Absent without the feature
//!    `edge`.
//! 7. [`reservations`]: this service's operations: workshops and places. Beside `edge`, which
//!    knows nothing of it; the Worker in `worker/` brings the two together.
//! 8. `testing`: the laws of an operation type. Absent without the feature `testing`.
//!
//! Arrows point one way: `worker -> reservations, edge -> operation -> wire, store -> domain`.
//! Time, randomness, the database and the identity of the caller enter as values.

// No panic on the request path: a panic resets the instance and the other requests in it.
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
