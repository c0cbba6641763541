//! Bytes to domain and back: what every request must be, and what the answers are.
//!
//! It does no I/O; a request is a few header values and a slice of bytes, an answer is an
//! [`Answer`].

mod answer;
mod identity;
mod json;
mod log;
mod receipt;
pub mod rejection;
mod request;
mod session;
mod token;

pub use answer::{Answer, ContentType, to_json};
pub use identity::{
    Caller, Unauthenticated, address_block, authenticate, same_actor, same_site, session_cookie,
};
pub use json::{Members, Value};
pub use log::LogEntry;
pub use receipt::decision;
pub use rejection::{Problem, Rejection, Retry};
pub use request::{is_json, operation_key, path};
pub use session::{ended_session, health, session};
pub use token::{Secret, sign, verify};

/// The most bytes that a request's body may have: a few values, and nothing that would have
/// to be streamed.
pub const BODY_BYTES_MAX: usize = 1024;

/// How long a body may take to come, in milliseconds: on the slowest connection that
/// still works, a body of this size is one packet.
pub const BODY_MILLISECONDS_MAX: u64 = 10_000;
