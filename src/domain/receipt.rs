use super::{Fields, Fingerprint, Hex128};

/// One HTTP request for an operation: what it brings along in case it is the one that decides.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attempt {
    /// Random.
    pub id: Hex128,
    /// When the request is decided, in milliseconds since 1970-01-01T00:00:00Z.
    pub now_ms: u64,
}

impl Attempt {
    /// The id of one send of the attempt's batch to the database, of which the first is 1.
    ///
    /// An attempt whose batch was sent and not answered sends it again, and cannot know whether the
    /// first send was committed. With an id for each send, the receipt names the send that decided;
    /// the effects of every other send find no receipt of theirs, and do nothing.
    pub fn send_id(&self, send: u32) -> String {
        format!("{}-{send}", self.id)
    }

    /// Whether a send was one of this attempt.
    pub fn has_sent(&self, send_id: &str) -> bool {
        send_id.strip_prefix(self.id.as_str()).is_some_and(|send| send.starts_with('-'))
    }
}

/// The stored response of an operation, returned to its first request and to every
/// repetition, byte for byte. There is no "in progress": an operation has a receipt or
/// was never decided.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// The name of the outcome, such as `created`.
    pub outcome: String,
    /// The HTTP status of the response.
    pub http_status: u16,
    /// The body of the response, JSON.
    pub body: String,
    /// The payload that it is about. `None`: the receipt answers any payload.
    pub fingerprint: Option<Fingerprint>,
    /// The send that decided: see [`Attempt::send_id`].
    pub send_id: String,
}

/// What an operation's receipt is to an attempt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision {
    /// The operation has this receipt.
    Decided {
        /// The stored response.
        receipt: Receipt,
        /// Whether an earlier attempt decided it.
        replayed: bool,
    },
    /// The key has a receipt for another payload, which stays as it is.
    Conflict,
}

impl Decision {
    /// Compares an attempt with the receipt that was found for its operation.
    pub fn by_receipt(receipt: Receipt, fields: &Fields, attempt: &Attempt) -> Self {
        let replayed = !attempt.has_sent(&receipt.send_id);
        // A receipt that this attempt wrote has this attempt's payload.
        let same = !replayed
            || receipt
                .fingerprint
                .as_ref()
                .is_none_or(|stored| *stored == Fingerprint::of(fields, stored.version));
        if same { Self::Decided { receipt, replayed } } else { Self::Conflict }
    }
}
