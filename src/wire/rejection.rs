use serde::Serialize;

use super::answer::{Answer, ContentType, to_json};

/// Declares [`Rejection`] from its lines: the one list of which the answers are made, and
/// against which the contract page and the tests are checked.
macro_rules! rejections {
    ($($(#[doc = $doc:literal])+ $name:ident => $status:literal, $code:literal, $retry:expr, $title:literal, $detail:literal;)+) => {
        /// Why no receipt was given.
        ///
        /// A rejection stores nothing and uses up no key. In order of precedence: when
        /// several apply, the first is the answer. A full or closed workshop is not here:
        /// that is an outcome, and it has a receipt.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Rejection {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Rejection {
            /// All of them, in order of precedence.
            pub const RANKED: &[Self] = &[$(Self::$name),+];

            const fn line(self) -> Line {
                match self {
                    $(Self::$name => Line {
                        when: concat!($($doc),+),
                        status: $status,
                        code: $code,
                        retry: $retry,
                        title: $title,
                        detail: $detail,
                    },)+
                }
            }
        }
    };
}

const FIX_REQUEST: Retry = Retry::FixRequest;
const SAME_KEY: Retry = Retry::SameKey { after_seconds: None };
const fn same_key_after(seconds: u32) -> Retry {
    Retry::SameKey { after_seconds: Some(seconds) }
}

rejections! {
    /// The Worker has no such route.
    NotFound => 404, "not_found", FIX_REQUEST,
        "There is nothing here",
        "The service has no such path.";

    /// The route exists, but not for this method.
    MethodNotAllowed => 405, "method_not_allowed", FIX_REQUEST,
        "The method is not allowed here",
        "The header Allow lists the methods of this path.";

    /// A page of another site has made the request.
    CrossSite => 403, "cross_site", FIX_REQUEST,
        "The request comes from another site",
        "Expected a request that no page of another site has made.";

    /// The database, its migrations or the secret are missing; nothing was done.
    NotConfigured => 503, "not_configured", SAME_KEY,
        "The service is not set up",
        "The database, its migrations or the secret are missing. Nothing was done.";

    /// The body is not said to be JSON.
    ContentType => 415, "content_type", FIX_REQUEST,
        "The body is not said to be JSON",
        "Expected the header Content-Type: application/json.";

    /// The body has more than 1024 bytes, also without a length.
    BodyTooLarge => 413, "body_too_large", FIX_REQUEST,
        "The body is too large",
        "Expected a body of at most 1024 bytes.";

    /// The request does not say who asks, or not validly.
    ActorRequired => 401, "actor_required", SAME_KEY,
        "It is not known who asks",
        "Expected the cookie that GET /session sets, or a bearer token of this service.";

    /// `Einmal-Actor` is not the request's actor.
    ActorChanged => 403, "actor_changed", SAME_KEY,
        "Somebody else asks now",
        "Einmal-Actor names another actor than the one who asks. Send the operation as the actor that it belongs to.";

    /// The key is missing or malformed.
    OperationId => 400, "operation_id", FIX_REQUEST,
        "The operation has no valid key",
        "Expected exactly one header Idempotency-Key: a UUID version 4 in lower case, bare or in double quotes.";

    /// The body is not UTF-8 JSON, or did not come to its end within 10 seconds.
    MalformedBody => 400, "malformed_body", FIX_REQUEST,
        "The body is not JSON",
        "Expected one JSON value in UTF-8 and nothing else, whole within 10 seconds.";

    /// The body is JSON, but not this contract.
    RequestContract => 422, "request_contract", FIX_REQUEST,
        "The body is not what is expected",
        "Expected an object of workshop and quantity.";

    /// The key has a receipt for other values, which stays as it was.
    OperationConflict => 409, "operation_conflict", FIX_REQUEST,
        "The key belongs to another intention",
        "This key has a receipt for other values. The receipt, and what it says, stay as they were.";

    /// Too many requests: of new operations by one actor, or of any kind from one address.
    RateLimited => 429, "rate_limited", same_key_after(60),
        "Too many requests",
        "At most 60 new operations a minute for each actor, and 600 requests a minute for each address. Nothing was done.";

    /// No such workshop is on offer, and the key has no receipt.
    UnknownWorkshop => 404, "unknown_workshop", FIX_REQUEST,
        "No such workshop is on offer",
        "No workshop with this id is on offer. Nothing was done.";

    /// Nothing was decided about this operation, as far as is known now.
    UnknownOperation => 404, "unknown_operation", FIX_REQUEST,
        "No such operation is known",
        "Nothing was decided about this operation yet. A request for it may still be on its way.";

    /// The operation made no reservation.
    NothingToCancel => 409, "nothing_to_cancel", FIX_REQUEST,
        "There is nothing to cancel",
        "The operation made no reservation. Nothing was done.";

    /// The database did not answer: it may or may not have been done.
    OutcomeUnknown => 503, "outcome_unknown", same_key_after(2),
        "The outcome is not known",
        "The database did not answer: it may or may not have been done. Send the same request with the same key again.";
}

/// What a client may do after a rejection. Never: make a new key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Retry {
    /// Send the same operation again, when you can.
    SameKey {
        /// `Retry-After`: how long to wait before.
        after_seconds: Option<u32>,
    },
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

/// One request's rejection: why, and what can be said beyond that.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rejected {
    /// Why.
    pub why: Rejection,
    /// What was expected, in words. What came is the client's own, and not repeated.
    pub detail: &'static str,
    /// For [`Rejection::MethodNotAllowed`]: the methods of the route, as `Allow` lists them.
    pub allow: Option<&'static str>,
}

/// One line of the public contract.
struct Line {
    when: &'static str,
    status: u16,
    code: &'static str,
    retry: Retry,
    title: &'static str,
    detail: &'static str,
}

impl Rejection {
    /// When it is given, in words.
    pub const fn when(self) -> &'static str {
        // A doc comment's text begins with a space.
        self.line().when.trim_ascii()
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

    /// The answer: a problem document of RFC 9457 with two members more, `error` and `retry`.
    pub fn answer(self) -> Answer {
        Rejected::from(self).answer()
    }
}

impl From<Rejection> for Rejected {
    fn from(why: Rejection) -> Self {
        Self { why, detail: why.line().detail, allow: None }
    }
}

impl From<Breach> for Rejected {
    fn from(breach: Breach) -> Self {
        Self { detail: breach.detail(), ..Rejection::RequestContract.into() }
    }
}

impl Breach {
    const fn detail(self) -> &'static str {
        match self {
            Self::NotAnObject => "Expected a JSON object.",
            Self::Members => "Expected exactly the members workshop and quantity, each once.",
            Self::Workshop => "Expected workshop to be a string that matches [a-z][a-z0-9-]{1,40}.",
            Self::Quantity => "Expected quantity to be the JSON integer 1 or 2.",
        }
    }
}

impl Rejected {
    /// A method that the route does not take; `allow` lists those that it takes.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Rejection::MethodNotAllowed.into() }
    }

    /// The answer, see [`Rejection::answer`].
    pub fn answer(self) -> Answer {
        let Line { status, code, retry, title, .. } = self.why.line();
        let document = Problem {
            kind: &format!("/contract#{code}"),
            title,
            status,
            detail: self.detail,
            error: code,
            retry: retry.word(),
        };
        Answer {
            status,
            content_type: ContentType::Problem,
            replayed: None,
            retry_after_seconds: match retry {
                Retry::SameKey { after_seconds } => after_seconds,
                Retry::FixRequest => None,
            },
            allow: self.allow,
            set_cookie: None,
            body: to_json(&document),
        }
    }
}

impl Retry {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SameKey { .. } => "same_key",
            Self::FixRequest => "fix_request",
        }
    }
}

/// RFC 9457, section 3. `type` is a reference relative to the service, whose contract page
/// has a section for each code.
#[derive(Serialize)]
struct Problem<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    error: &'a str,
    retry: &'a str,
}
