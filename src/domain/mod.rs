//! Operations and receipts, for every operation type: what identifies an operation, and what is
//! stored about it.
//!
//! Pure: no I/O, no clock, no serde, no SQL.
//!
//! The fields of [`Actor`], [`OperationKey`] and [`Hex128`] are private, and their constructors make only
//! the documented form: every value is valid. The other types are plain data and check nothing.

mod actor;
mod fingerprint;
mod hex;
mod key;
mod receipt;

pub use actor::{Actor, Credential};
pub use fingerprint::{Fields, Fingerprint, FingerprintVersion};
pub use hex::Hex128;
pub use key::OperationKey;
pub use receipt::{Attempt, Decision, Receipt};
