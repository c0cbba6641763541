//! The line of log that each request leaves. Written here because it is bytes for readers outside, like
//! an answer; `edge` fills it and writes it.

use serde::Serialize;

use super::answer::to_json;
use crate::domain::{Actor, OperationKey};

/// One line of the log: the result of one request. It has no key, no body and nothing else that a
/// client sent.
#[derive(Debug, Default, Serialize)]
pub struct LogEntry {
    /// The route, with placeholders for its parameters.
    pub route: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The name of an outcome, the code of a rejection, or what was done: `cancelled`, `ended` for a
    /// session, `read` for a request that changes nothing.
    pub outcome: String,
    /// Whether the outcome was a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// The first 8 hexadecimal digits of the actor id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The first 8 hexadecimal digits of a hash of the key: enough to find the attempts of one
    /// operation, too few to make one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// From the start of the request to the answer, in milliseconds. The platform's clock advances
    /// only while the Worker waits.
    pub duration_ms: u64,
    /// Calls to D1.
    pub d1_calls: u32,
    /// Rows read, as reported by D1.
    pub rows_read: u64,
    /// Rows written, as reported by D1.
    pub rows_written: u64,
    /// The cause of the last failure, even if a later send succeeded: for one of the database, its own
    /// message. Never returned to a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Whether the service itself is at fault: the line is then logged as an error.
    #[serde(skip)]
    pub is_error: bool,
}

impl LogEntry {
    /// Sets the actor.
    pub fn set_actor(&mut self, actor: &Actor) {
        self.actor = actor.actor_id().get(..8).map(str::to_owned);
    }

    /// Sets the key of the operation.
    pub fn set_key(&mut self, key: &OperationKey) {
        self.key = Some(key.short_hash());
    }

    /// The line, a JSON object.
    pub fn line(&self) -> String {
        to_json(self)
    }
}
