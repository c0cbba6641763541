use super::answer::{Answer, ContentType};
use super::{Rejection, rejection};
use crate::domain::Decision;

/// The answer to an attempt: the receipt as it was stored, or a rejection.
///
/// # Errors
///
/// [`rejection::OPERATION_CONFLICT`].
pub fn decision(decision: Decision) -> Result<Answer, Rejection> {
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
    }
}
