//! Why no receipt was given: RFC 9457 problem documents.

use std::ops::Deref;

use serde::Serialize;

use super::answer::{Answer, ContentType, to_json};

/// Why no receipt was given.
///
/// A rejection stores nothing and uses up no key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rejection(pub &'static Problem);

/// What there is to say about a rejection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Problem {
    /// When it is given, in words.
    pub when: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The stable code of the contract, such as `operation_conflict`.
    pub code: &'static str,
    /// What a client may do.
    pub retry: Retry,
    /// What it is, for people.
    pub title: &'static str,
    /// What was expected, in words. What came is the client's own, and not repeated.
    pub detail: &'static str,
}

impl Deref for Rejection {
    type Target = Problem;

    fn deref(&self) -> &Problem {
        self.0
    }
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

/// See [`Retry::FixRequest`].
pub const FIX_REQUEST: Retry = Retry::FixRequest;
/// See [`Retry::SameKey`].
pub const SAME_KEY: Retry = Retry::SameKey { after_seconds: None };

const fn same_key_after(seconds: u32) -> Retry {
    Retry::SameKey { after_seconds: Some(seconds) }
}

/// Declares rejections from their lines, and `RANKED`, the list of them: of which the answers
/// are made, and against which the contract page and the tests are checked.
///
/// Each line has a doc comment, which states when it is given; then the status, the code, what a
/// client may do, the title and the detail.
///
/// ```
/// use einmal::wire::rejection::FIX_REQUEST;
///
/// einmal::rejections! {
///     /// No account has the id in `to`.
///     UNKNOWN_PAYEE => 404, "unknown_payee", FIX_REQUEST, "The payee is not known", "Nothing was done.";
/// }
/// assert_eq!(RANKED, [UNKNOWN_PAYEE]);
/// ```
///
/// ```compile_fail
/// use einmal::wire::rejection::FIX_REQUEST;
///
/// einmal::rejections! {
///     UNKNOWN_PAYEE => 404, "unknown_payee", FIX_REQUEST, "The payee is not known", "Nothing was done.";
/// }
/// ```
#[macro_export]
macro_rules! rejections {
    ($($(#[doc = $doc:literal])+ $name:ident => $status:literal, $code:literal, $retry:expr, $title:literal, $detail:literal;)+) => {
        $(
            $(#[doc = $doc])+
            pub const $name: $crate::wire::Rejection = $crate::wire::Rejection(&$crate::wire::Problem {
                // A doc comment's text begins with a space.
                when: concat!($($doc),+).trim_ascii(),
                status: $status,
                code: $code,
                retry: $retry,
                title: $title,
                detail: $detail,
            });
        )+

        /// All of them, in order of precedence: when several apply, the first is the answer.
        pub const RANKED: &[$crate::wire::Rejection] = &[$($name),+];
    };
}
crate::rejections! {
    /// The Worker has no such route.
    NOT_FOUND => 404, "not_found", FIX_REQUEST,
        "There is nothing here",
        "The service has no such path.";

    /// The route exists, but not for this method.
    METHOD_NOT_ALLOWED => 405, "method_not_allowed", FIX_REQUEST,
        "The method is not allowed here",
        "The header Allow lists the methods of this path.";

    /// A page of another site has made the request.
    CROSS_SITE => 403, "cross_site", FIX_REQUEST,
        "The request comes from another site",
        "Expected a request that no page of another site has made.";

    /// The database, its migrations or the secret are missing; nothing was done.
    NOT_CONFIGURED => 503, "not_configured", SAME_KEY,
        "The service is not set up",
        "The database, its migrations or the secret are missing. Nothing was done.";

    /// The request does not say who asks, or not validly.
    ACTOR_REQUIRED => 401, "actor_required", SAME_KEY,
        "It is not known who asks",
        "Expected the cookie that GET /session sets, or a bearer token of this service.";

    /// `Einmal-Actor` is not the request's actor.
    ACTOR_CHANGED => 403, "actor_changed", SAME_KEY,
        "Somebody else asks now",
        "Einmal-Actor names another actor than the one who asks. Send the operation as the actor that it belongs to.";

    /// The body is not said to be JSON.
    CONTENT_TYPE => 415, "content_type", FIX_REQUEST,
        "The body is not said to be JSON",
        "Expected the header Content-Type: application/json.";

    /// The key is missing or malformed.
    OPERATION_ID => 400, "operation_id", FIX_REQUEST,
        "The operation has no valid key",
        "Expected exactly one header Idempotency-Key: a UUID version 4 in lower case, bare or in double quotes.";

    /// The body has more than 1024 bytes, also without a length.
    BODY_TOO_LARGE => 413, "body_too_large", FIX_REQUEST,
        "The body is too large",
        "Expected a body of at most 1024 bytes.";

    /// The body is not UTF-8 JSON, or did not come to its end within 10 seconds.
    MALFORMED_BODY => 400, "malformed_body", FIX_REQUEST,
        "The body is not JSON",
        "Expected one JSON value in UTF-8 and nothing else, whole within 10 seconds.";

    /// The body is JSON, but not this contract.
    REQUEST_CONTRACT => 422, "request_contract", FIX_REQUEST,
        "The body is not what is expected",
        "Expected another JSON value.";

    /// The key has a receipt for other values, which stays as it was.
    OPERATION_CONFLICT => 409, "operation_conflict", FIX_REQUEST,
        "The key belongs to another intention",
        "This key has a receipt for other values. The receipt, and what it says, stay as they were.";

    /// Too many requests: of new operations by one actor, or of any kind from one address.
    RATE_LIMITED => 429, "rate_limited", same_key_after(60),
        "Too many requests",
        "At most 60 new operations a minute for each actor, and 600 requests a minute for each address. Nothing was done.";

    /// The service itself is at fault; nothing was done.
    INTERNAL_ERROR => 500, "internal_error", SAME_KEY,
        "Internal error",
        "The service itself is at fault, and its log has the reason. Nothing was done.";

    /// The database did not answer: it may or may not have been done.
    OUTCOME_UNKNOWN => 503, "outcome_unknown", same_key_after(2),
        "The outcome is not known",
        "The database did not answer: it may or may not have been done. Send the same request with the same key again.";
}

impl Rejection {
    /// The answer: a problem document of RFC 9457 with two members more, `error` and `retry`.
    pub fn answer(self) -> Answer {
        let Problem { status, code, retry, title, detail, .. } = *self.0;
        let document = Document {
            kind: &format!("/contract#{code}"),
            title,
            status,
            detail,
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
            allow: None,
            authenticate: (status == 401).then_some("Bearer"),
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
struct Document<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    error: &'a str,
    retry: &'a str,
}
