//! Rejections: RFC 9457 problem documents. An outcome is never one, even a refusal.

use std::ops::Deref;

use serde::Serialize;

use super::answer::{Answer, ContentType, to_json};

/// An answer that decided nothing and stored nothing, and does not consume the key. The one exception is
/// [`OUTCOME_UNKNOWN`]: the operation may or may not have been carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rejection(pub &'static Problem);

/// The parts of a rejection's problem document, and when it is returned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Problem {
    /// When it is returned: its row in the contract's table.
    pub when: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The stable code of the contract, such as `operation_conflict`.
    pub code: &'static str,
    /// What a client may do.
    pub retry: Retry,
    /// The name of the problem, for people.
    pub title: &'static str,
    /// What was expected, for people. What was received is the client's own, and not repeated.
    pub detail: &'static str,
}

impl Deref for Rejection {
    type Target = Problem;

    fn deref(&self) -> &Problem {
        self.0
    }
}

/// What a client may do after a rejection. It is never to make a new key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Retry {
    /// Retry the same operation with the same key.
    SameKey {
        /// `Retry-After`: how long to wait first.
        after_seconds: Option<u32>,
    },
    /// Correct the request. This attempt did nothing, and the key's receipt, if it has one, is unchanged.
    FixRequest,
}

/// See [`Retry::FixRequest`].
pub const FIX_REQUEST: Retry = Retry::FixRequest;
/// See [`Retry::SameKey`].
pub const SAME_KEY: Retry = Retry::SameKey { after_seconds: None };

const fn same_key_after(seconds: u32) -> Retry {
    Retry::SameKey { after_seconds: Some(seconds) }
}

/// Declares rejections, and `RANKED`, the list of them in order of precedence. The contract page and the
/// tests are checked against that list.
///
/// Each entry has a doc comment, which states when the rejection is returned; then the status, the
/// code, what a client may do, the title and the detail.
///
/// ```
/// use einmal::wire::rejection::FIX_REQUEST;
///
/// einmal::rejections! {
///     /// No account has the id in `to`.
///     UNKNOWN_PAYEE => 404, "unknown_payee", FIX_REQUEST, "Payee not found", "Nothing was done.";
/// }
/// assert_eq!(RANKED, [UNKNOWN_PAYEE]);
/// ```
///
/// ```compile_fail
/// use einmal::wire::rejection::FIX_REQUEST;
///
/// einmal::rejections! {
///     UNKNOWN_PAYEE => 404, "unknown_payee", FIX_REQUEST, "Payee not found", "Nothing was done.";
/// }
/// ```
#[macro_export]
macro_rules! rejections {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident => $status:literal, $code:literal, $retry:expr, $title:literal, $detail:literal;
    )+) => {
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

        /// All rejections in order of precedence: if several apply, the first is the answer.
        pub const RANKED: &[$crate::wire::Rejection] = &[$($name),+];
    };
}
crate::rejections! {
    /// The Worker has no such route.
    NOT_FOUND => 404, "not_found", FIX_REQUEST,
        "Not found",
        "The service has no such path.";

    /// The route exists, but not for this method.
    METHOD_NOT_ALLOWED => 405, "method_not_allowed", FIX_REQUEST,
        "Method not allowed",
        "The Allow header lists the methods of this path.";

    /// A page of another site made the request.
    CROSS_SITE => 403, "cross_site", FIX_REQUEST,
        "Cross-site request rejected",
        "Expected Sec-Fetch-Site to be same-origin, none or absent, and Origin to be this service's or absent.";

    /// The database, its migrations or the secret are missing; nothing was done.
    NOT_CONFIGURED => 503, "not_configured", SAME_KEY,
        "Service not configured",
        "The database, its migrations or the secret are missing. Nothing was done.";

    /// The request has no valid session and no valid token.
    ACTOR_REQUIRED => 401, "actor_required", SAME_KEY,
        "Authentication required",
        "Expected the session cookie that GET /session sets, or a bearer token of this service.";

    /// `Einmal-Actor` is not the id of the request's actor.
    ACTOR_CHANGED => 403, "actor_changed", SAME_KEY,
        "The actor has changed",
        "Einmal-Actor is not the id of the authenticated actor. Send the operation as the actor that it belongs to.";

    /// `Content-Type` is not `application/json`.
    CONTENT_TYPE => 415, "content_type", FIX_REQUEST,
        "Content-Type must be application/json",
        "Expected the header Content-Type: application/json.";

    /// The key is missing or malformed.
    OPERATION_ID => 400, "operation_id", FIX_REQUEST,
        "Missing or malformed idempotency key",
        "Expected exactly one Idempotency-Key header: a UUID version 4 in lower case, bare or in double quotes.";

    /// The body has more than 1024 bytes, even without a `Content-Length`.
    BODY_TOO_LARGE => 413, "body_too_large", FIX_REQUEST,
        "Body too large",
        "Expected a body of at most 1024 bytes.";

    /// The body is not UTF-8 JSON, or was not received completely within 10 seconds.
    MALFORMED_BODY => 400, "malformed_body", FIX_REQUEST,
        "Body is not valid JSON",
        "Expected one JSON value in UTF-8 and nothing else, received completely within 10 seconds.";

    /// The body is JSON, but not a valid request.
    REQUEST_CONTRACT => 422, "request_contract", FIX_REQUEST,
        "Invalid request body",
        "Expected another JSON value.";

    /// The key has a receipt for another payload, which is unchanged.
    OPERATION_CONFLICT => 409, "operation_conflict", FIX_REQUEST,
        "Idempotency key reused with another payload",
        "The key has a receipt for another payload, which is unchanged.";

    /// Too many new operations by one actor, or too many requests of any kind from one address.
    RATE_LIMITED => 429, "rate_limited", same_key_after(60),
        "Too many requests",
        "Too many new operations by this actor, or too many requests from this address. Nothing was done.";

    /// The service itself is at fault; nothing was done.
    INTERNAL_ERROR => 500, "internal_error", SAME_KEY,
        "Internal error",
        "The service itself is at fault; its log has the cause. Nothing was done.";

    /// The database did not answer: the operation may or may not have been carried out.
    OUTCOME_UNKNOWN => 503, "outcome_unknown", same_key_after(2),
        "Outcome unknown",
        "The database did not answer: the operation may or may not have been carried out. Send the same request with the same key again.";
}

impl Rejection {
    /// The answer: a problem document of RFC 9457 with the additional members `error` and `retry`.
    pub fn answer(self) -> Answer {
        let Problem { status, code, retry, title, detail, .. } = *self.0;
        let document = Document {
            kind: &format!("/contract#{code}"),
            title,
            status,
            detail,
            error: code,
            retry: retry.name(),
        };
        Answer {
            retry_after_seconds: match retry {
                Retry::SameKey { after_seconds } => after_seconds,
                Retry::FixRequest => None,
            },
            www_authenticate: (status == 401).then_some("Bearer"),
            ..Answer::new(status, ContentType::Problem, to_json(&document))
        }
    }
}

impl Retry {
    /// The value of `retry` in the problem document.
    pub const fn name(self) -> &'static str {
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
