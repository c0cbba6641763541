//! Bytes to domain and back: headers, bodies and tokens of requests; receipts, problem documents and
//! the line of log of answers.
//!
//! No I/O, and nothing of the platform: a request is a few header values and a slice of bytes, an
//! answer is an [`Answer`].

mod answer;
mod health;
mod identity;
mod json;
mod log;
mod receipt;
pub mod rejection;
mod request;
mod session;
mod token;

pub use answer::{Answer, ContentType, to_json};
pub use health::health;
pub use identity::{
    Caller, Unauthenticated, address_block, authenticate, check_actor_id, reject_cross_site, session_cookie,
};
pub use json::{Members, Value};
pub use log::LogEntry;
pub use receipt::decision;
pub use rejection::{Problem, Rejection, Retry};
pub use request::{is_json, operation_key, path};
pub use session::{ended_session, session};
pub use token::{Secret, sign, verify};

/// Maximum bytes of a request's body: a few values, so that it need not be streamed.
pub const BODY_BYTES_MAX: usize = 1024;

/// Maximum time to receive a body, in milliseconds. A body of this size is one packet, even on the
/// slowest connection that works.
pub const BODY_MILLISECONDS_MAX: u64 = 10_000;
