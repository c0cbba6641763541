use std::borrow::Cow;

use super::answer::{Answer, ContentType};
use super::{Members, Rejection, rejection};
use crate::domain::Decision;

/// The answer to an attempt: the receipt as it was stored, or a rejection; `undecided` if
/// there is no receipt.
///
/// # Errors
///
/// [`rejection::OPERATION_CONFLICT`] and `undecided`.
pub fn decision(decision: Decision, undecided: Rejection) -> Result<Answer, Rejection> {
    match decision {
        Decision::Decided { receipt, replayed } => Ok(Answer {
            status: receipt.http_status,
            content_type: ContentType::Json,
            replayed: Some(replayed),
            retry_after_seconds: None,
            allow: None,
            authenticate: None,
            set_cookie: None,
            body: receipt.body,
        }),
        Decision::Conflict => Err(rejection::OPERATION_CONFLICT),
        Decision::Undecided => Err(undecided),
    }
}

/// The word for an outcome in its stored body, such as `unavailable`: its member `status`. Of
/// a body without one it is only known that it was decided.
pub fn outcome_word(body: &str) -> String {
    let status = Members::of(body).and_then(|mut members| members.take("status")?.text());
    status.map_or_else(|| "decided".to_owned(), Cow::into_owned)
}
