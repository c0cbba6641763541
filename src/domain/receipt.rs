use super::{Fields, Fingerprint, Hex128};

/// One HTTP request for an operation: its id and its clock, which the receipt gets if this attempt
/// decides.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attempt {
    /// Its random id.
    pub id: Hex128,
    /// When the attempt decides, if it does: in milliseconds since 1970-01-01T00:00:00Z.
    pub now_ms: u64,
}

impl Attempt {
    /// The id of one send of the attempt's batch to the database, of which the first is 1.
    ///
    /// After a lost answer, an attempt retries its batch without knowing whether the first send was
    /// committed. Since each send has its own id, the receipt names the send that decided; the effects
    /// of every other send match no receipt and do nothing.
    pub fn send_id(&self, send: u32) -> String {
        format!("{}-{send}", self.id)
    }

    /// Whether this attempt made the send.
    pub fn has_sent(&self, send_id: &str) -> bool {
        send_id.strip_prefix(self.id.as_str()).is_some_and(|send| send.starts_with('-'))
    }
}

/// The stored response of an operation, returned to its first attempt and to every retry, byte for
/// byte. There is no "in progress" state: an operation has a receipt or is undecided.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// The name of the outcome, such as `created`.
    pub outcome: String,
    /// The HTTP status of the response.
    pub http_status: u16,
    /// The body of the response, JSON.
    pub body: String,
    /// The fingerprint of the payload. `None`: the receipt matches any payload.
    pub fingerprint: Option<Fingerprint>,
    /// The send that decided: see [`Attempt::send_id`].
    pub send_id: String,
}

/// How an attempt relates to the receipt of its operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision {
    /// The receipt is the response.
    Decided {
        /// The stored response.
        receipt: Receipt,
        /// Whether another attempt decided it.
        replayed: bool,
    },
    /// The key has a receipt for another payload, which is unchanged.
    Conflict,
}

impl Decision {
    /// Compares an attempt with the receipt of its operation.
    pub fn from_receipt(receipt: Receipt, fields: &Fields, attempt: &Attempt) -> Self {
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
