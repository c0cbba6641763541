use serde::Serialize;

/// An answer of the Worker, before it becomes an HTTP response.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The media type of the body.
    pub content_type: ContentType,
    /// `Idempotent-Replayed`: on every outcome, and on nothing else.
    pub replayed: Option<bool>,
    /// `Retry-After`, in seconds.
    pub retry_after_seconds: Option<u32>,
    /// `Allow`: the methods of the route, if the request has another one.
    pub allow: Option<&'static str>,
    /// `WWW-Authenticate`: required with 401 (RFC 9110, section 15.5.2).
    pub www_authenticate: Option<&'static str>,
    /// `Set-Cookie`: starts, renews or ends a session.
    pub set_cookie: Option<String>,
    /// The body.
    pub body: String,
}

/// The media type of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ContentType {
    /// An outcome, or the result of a query.
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
    /// An answer without optional headers.
    pub fn new(status: u16, content_type: ContentType, body: String) -> Self {
        Self {
            status,
            content_type,
            replayed: None,
            retry_after_seconds: None,
            allow: None,
            www_authenticate: None,
            set_cookie: None,
            body,
        }
    }

    /// 200 with a JSON document: the result of a query, not an outcome.
    pub fn json(document: &impl Serialize) -> Self {
        Self::new(200, ContentType::Json, to_json(document))
    }
}

/// Serialises a document. This cannot fail unless the type has a map whose keys are not strings.
pub fn to_json(document: &impl Serialize) -> String {
    serde_json::to_string(document).unwrap_or_default()
}
