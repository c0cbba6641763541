//! Einmal: reservations that happen exactly once.
//!
//! A person presses "reserve" twice, or the answer is lost. Each request names its operation by an
//! idempotency key. The first request with that key is decided, together with its effects, in one
//! transaction; every retry with the key gets the stored response, the receipt.
//!
//! In reading order:
//!
//! 1. [`domain`]: what an operation and its receipt are.
//! 2. [`wire`]: bytes to domain and back: requests, receipts, rejections.
//! 3. [`store`]: SQL statements as data; nothing there executes them.
//! 4. [`operation`]: what an application defines for one operation type.
//! 5. [`retry`]: which failures of the database are retried, and when.
//! 6. `edge`: the code that knows Workers, and the only async code. Absent without the feature
//!    `edge`.
//! 7. [`reservations`]: this service's operations: workshops and places. Neither `edge` nor this
//!    module uses the other; the Worker in `worker/` combines them.
//! 8. `testing`: the laws of an operation type. Absent without the feature `testing`.
//!
//! Arrows point one way: `worker -> reservations, edge -> operation -> wire, store -> domain`.
//! Time, randomness, the database and the actor enter as values.

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
