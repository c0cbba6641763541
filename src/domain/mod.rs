//! What an operation and its receipt are, whatever the operation does.
//!
//! Pure: no I/O, no clock, no serde, no SQL. Each type is made in one place, which
//! checks it; holding one proves that it was checked.

mod actor;
mod fingerprint;
mod hex;
mod key;
mod receipt;

pub use actor::{Actor, Source};
pub use fingerprint::{Fields, Fingerprint, FingerprintVersion};
pub use hex::Hex128;
pub use key::OperationKey;
pub use receipt::{Attempt, Decision, Receipt};
