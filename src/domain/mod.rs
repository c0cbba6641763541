//! What an operation, a workshop and a reservation are.
//!
//! Pure: no I/O, no clock, no serde, no SQL. Each type is made in one place, which
//! checks it; holding one proves that it was checked.

mod actor;
mod fingerprint;
mod hex;
mod intention;
mod key;
mod operation;
mod quantity;
mod settled;
mod workshop;

pub use actor::{Actor, Source};
pub use fingerprint::{Fingerprint, FingerprintVersion};
pub use hex::Hex128;
pub use intention::Intention;
pub use key::OperationKey;
pub use operation::{Attempt, Decision, Operation, Outcome, Receipt};
pub use quantity::Quantity;
pub use settled::{Reservation, Settled};
pub use workshop::{Workshop, WorkshopId};
