use serde::Serialize;

use super::answer::{Answer, ContentType, to_json};

/// Why no receipt was given.
///
/// A rejection stores nothing and uses up no key. In order of precedence: when several
/// apply, the first is the answer. A full or closed workshop is not here: that is an
/// outcome, and it has a receipt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rejection {
    /// The Worker has no such route.
    NotFound,
    /// The route exists, for these other methods.
    MethodNotAllowed {
        /// The methods it takes, as `Allow` lists them.
        allow: &'static str,
    },
    /// The service was deployed without its database or its migrations.
    NotConfigured,
    /// The body is not said to be JSON.
    ContentType,
    /// The body is longer than [`super::BODY_BYTES_MAX`].
    BodyTooLarge,
    /// `Idempotency-Key` is missing or is no operation key.
    OperationId,
    /// The body is not UTF-8 JSON.
    MalformedBody,
    /// The body is JSON, but not what this service takes.
    RequestContract(Breach),
    /// The key has a receipt for other values.
    OperationConflict,
    /// No such workshop is on offer, and the key has no receipt.
    UnknownWorkshop,
    /// The database did not answer: it may or may not have been done.
    OutcomeUnknown,
}

/// What a client may do after a rejection. Never: make a new key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Retry {
    /// Send the same operation again, when you can.
    SameKey,
    /// This attempt did nothing; the key holds whatever it held.
    FixRequest,
}

/// Where a JSON body leaves the contract: the first such place in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Breach {
    /// It is no object.
    NotAnObject,
    /// A member is missing, repeated, or one that is not known.
    Members,
    /// `workshop` is not a workshop's id.
    Workshop,
    /// `quantity` is not 1 or 2 as a JSON integer.
    Quantity,
}

/// One line of the public contract.
struct Line {
    status: u16,
    code: &'static str,
    title: &'static str,
    retry: Retry,
}

impl Rejection {
    /// How long a client should wait before it sends the same operation again.
    pub const RETRY_AFTER_SECONDS: u32 = 2;

    /// The public contract, a line a case.
    const fn line(self) -> Line {
        use Retry::{FixRequest, SameKey};
        let (status, code, retry, title) = match self {
            Self::NotFound => (404, "not_found", FixRequest, "There is nothing here"),
            Self::MethodNotAllowed { .. } => {
                (405, "method_not_allowed", FixRequest, "The route does not take this method")
            }
            Self::NotConfigured => (503, "not_configured", SameKey, "The service is not set up"),
            Self::ContentType => (415, "content_type", FixRequest, "The body is not JSON"),
            Self::BodyTooLarge => (413, "body_too_large", FixRequest, "The body is too large"),
            Self::OperationId => (400, "operation_id", FixRequest, "The operation has no valid key"),
            Self::MalformedBody => (400, "malformed_body", FixRequest, "The body cannot be read"),
            Self::RequestContract(_) => {
                (422, "request_contract", FixRequest, "The body is not what is expected")
            }
            Self::OperationConflict => {
                (409, "operation_conflict", FixRequest, "The key belongs to another intention")
            }
            Self::UnknownWorkshop => (404, "unknown_workshop", FixRequest, "No such workshop is on offer"),
            Self::OutcomeUnknown => (503, "outcome_unknown", SameKey, "The outcome is not known"),
        };
        Line { status, code, title, retry }
    }

    /// What was expected and what to do, for a person who reads the answer.
    const fn detail(self) -> &'static str {
        match self {
            Self::NotFound => "Nothing is served under this path.",
            Self::MethodNotAllowed { .. } => "The header Allow lists the methods of this route.",
            Self::NotConfigured => "The database or its migrations are missing. Nothing was done.",
            Self::ContentType => "Expected Content-Type: application/json.",
            Self::BodyTooLarge => "Expected a body of at most 1024 bytes.",
            Self::OperationId => {
                "Expected exactly one Idempotency-Key: a UUID version 4 in lower case, bare or in double quotes."
            }
            Self::MalformedBody => "Expected one JSON value in UTF-8, and nothing after it.",
            Self::RequestContract(Breach::NotAnObject) => "Expected a JSON object.",
            Self::RequestContract(Breach::Members) => {
                "Expected exactly the members workshop and quantity, each once."
            }
            Self::RequestContract(Breach::Workshop) => {
                "Expected workshop to be a string that matches [a-z][a-z0-9-]{1,40}."
            }
            Self::RequestContract(Breach::Quantity) => "Expected quantity to be the JSON integer 1 or 2.",
            Self::OperationConflict => {
                "This Idempotency-Key has a receipt for other values. The receipt and what it says stay as they were."
            }
            Self::UnknownWorkshop => "No workshop with this id is on offer. Nothing was done.",
            Self::OutcomeUnknown => {
                "The database did not answer: it may or may not have been done. Send the same request with the same key again."
            }
        }
    }

    /// The stable code of the contract, such as `operation_conflict`.
    pub const fn code(self) -> &'static str {
        self.line().code
    }

    /// The HTTP status.
    pub const fn status(self) -> u16 {
        self.line().status
    }

    /// What a client may do.
    pub const fn retry(self) -> Retry {
        self.line().retry
    }

    /// The problem document, RFC 9457, with the members `error` and `retry` added.
    pub fn answer(self) -> Answer {
        let Line { status, code, title, retry } = self.line();
        let document =
            Problem { kind: code, title, status, detail: self.detail(), error: code, retry: retry.word() };
        Answer {
            status,
            content_type: ContentType::Problem,
            replayed: None,
            retry_after_seconds: match self {
                Self::OutcomeUnknown => Some(Self::RETRY_AFTER_SECONDS),
                _ => None,
            },
            allow: match self {
                Self::MethodNotAllowed { allow } => Some(allow),
                _ => None,
            },
            body: to_json(&document),
        }
    }
}

impl Retry {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SameKey => "same_key",
            Self::FixRequest => "fix_request",
        }
    }
}

#[derive(Serialize)]
struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'static str,
    error: &'static str,
    retry: &'static str,
}
