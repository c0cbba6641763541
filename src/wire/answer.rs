use serde::Serialize;

/// What the Worker answers, before it becomes an HTTP response.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// What the body is.
    pub content_type: ContentType,
    /// `Idempotent-Replayed`: on every outcome, on nothing else.
    pub replayed: Option<bool>,
    /// `Retry-After`, in seconds.
    pub retry_after_seconds: Option<u32>,
    /// `Allow`: the methods of the route, for a request with another one.
    pub allow: Option<&'static str>,
    /// `WWW-Authenticate`: how to say who asks, for a request that did not (RFC 9110, section
    /// 15.5.2).
    pub authenticate: Option<&'static str>,
    /// `Set-Cookie`: begins, renews or ends a session.
    pub set_cookie: Option<String>,
    /// The body.
    pub body: String,
}

/// The media type of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ContentType {
    /// An outcome, or something that was read.
    Json,
    /// A rejection, RFC 9457.
    Problem,
}

impl ContentType {
    /// The value of the `Content-Type` header.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Problem => "application/problem+json",
        }
    }
}

impl Answer {
    /// A JSON answer that is no outcome: no `Idempotent-Replayed`.
    pub fn json(document: &impl Serialize) -> Self {
        Self {
            status: 200,
            content_type: ContentType::Json,
            replayed: None,
            retry_after_seconds: None,
            allow: None,
            authenticate: None,
            set_cookie: None,
            body: to_json(document),
        }
    }
}

/// Writes a document. That cannot fail for a type without a map whose keys are other than
/// text: it does no I/O.
pub fn to_json(document: &impl Serialize) -> String {
    serde_json::to_string(document).unwrap_or_default()
}
