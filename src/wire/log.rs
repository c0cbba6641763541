use serde::Serialize;

use super::answer::to_json;
use crate::domain::{Actor, OperationKey};

/// One line of the log: what became of one request. No key, no body and nothing else that
/// a client sent.
#[derive(Debug, Default, Serialize)]
pub struct LogEntry {
    /// The route, with a placeholder for what varies.
    pub route: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// An outcome's word, a rejection's code, or what was done: `cancelled`, `ended` for a
    /// session, `read` for everything that changes nothing.
    pub outcome: String,
    /// Whether the outcome was a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// The first 8 hexadecimal digits of a hash of the actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The first 8 hexadecimal digits of a hash of the key: enough to find the attempts of
    /// one operation, too little to send one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// From the first line of the request to the answer, in milliseconds. The platform's
    /// clock moves only while the Worker waits.
    pub duration_ms: u64,
    /// Calls to D1.
    pub d1_calls: u32,
    /// Rows that D1 read, as it says.
    pub rows_read: u64,
    /// Rows that D1 wrote, as it says.
    pub rows_written: u64,
    /// What went wrong last, in the database's words, also if a later send went well. Never
    /// told to a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Whether the service itself is at fault: the line is then logged as an error.
    #[serde(skip)]
    pub is_error: bool,
}

impl LogEntry {
    /// Notes who asks.
    pub fn note_actor(&mut self, actor: &Actor) {
        self.actor = actor.tag().get(..8).map(str::to_owned);
    }

    /// Notes which operation it is.
    pub fn note_key(&mut self, key: &OperationKey) {
        self.key = Some(key.short_hash());
    }

    /// The line, a JSON object.
    pub fn line(&self) -> String {
        to_json(self)
    }
}
