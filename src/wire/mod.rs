//! Bytes to domain and back: what a request must be, and what the answers are.
//!
//! The only module that knows serde. It does no I/O; a request is a few header
//! values and a slice of bytes, an answer is an [`Answer`].

mod answer;
mod identity;
mod log;
mod operations;
mod reads;
mod rejection;
mod request;
mod reserve;
mod token;

pub use answer::{Answer, ContentType};
pub use identity::{actor, address_block, same_actor, same_site, session_cookie};
pub use log::LogEntry;
pub use operations::{cancelled, operation, operations};
pub use reads::{ended_session, health, session, workshop, workshops};
pub use rejection::{Breach, Rejected, Rejection, Retry};
pub use request::{intention, is_json, operation_key, path};
pub use reserve::{decision, outcome_body, outcome_word};
pub use token::{Secret, sign, verify};

/// The most bytes that a request's body may have: both members at their longest are
/// 76 bytes, written with an escape for every character 316, so there is room for
/// white space and none for anything else.
pub const BODY_BYTES_MAX: usize = 1024;

/// How long a body may take to come, in milliseconds: on the slowest connection that
/// still works, a body of this size is one packet.
pub const BODY_MILLISECONDS_MAX: u64 = 10_000;
