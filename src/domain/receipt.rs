use super::{Fingerprint, Hex128, Intention};

/// One request for an operation: what it brings along in case it is the one that
/// decides.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attempt {
    /// Random, and written into the receipt. Finding its own id there, a request
    /// knows that it was the one that decided, even if it had to ask twice.
    pub id: Hex128,
    /// Random: the id of what the operation makes, should it make something.
    pub new_id: Hex128,
    /// When the request is decided, in milliseconds since 1970-01-01T00:00:00Z.
    pub now_ms: u64,
}

/// The stored answer of an operation, given to its first request and to every
/// repetition, byte for byte. There is no "in progress": an operation has a receipt or
/// was never decided.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// The HTTP status of the answer.
    pub http_status: u16,
    /// The body of the answer, JSON.
    pub body: String,
    /// What the operation was about. `None`: the receipt answers any intention.
    pub fingerprint: Option<Fingerprint>,
    /// The request that decided.
    pub attempt_id: String,
}

/// What the database said about an operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision {
    /// The operation has this receipt.
    Decided {
        /// The stored answer.
        receipt: Receipt,
        /// Whether an earlier request decided it.
        replayed: bool,
    },
    /// The key has a receipt for another intention, which stays as it is.
    Conflict,
    /// The key has no receipt: there was nothing to decide about.
    Undecided,
}

impl Decision {
    /// Judges a request by the receipt that was found for its operation.
    pub fn by_receipt(receipt: Receipt, intention: &Intention, attempt: &Attempt) -> Self {
        let replayed = receipt.attempt_id != attempt.id.as_str();
        // The receipt of this very attempt is about what it asked for.
        let same = !replayed
            || receipt
                .fingerprint
                .as_ref()
                .is_none_or(|stored| *stored == Fingerprint::of(intention, stored.version));
        if same { Self::Decided { receipt, replayed } } else { Self::Conflict }
    }
}
