//! The answer to an attempt: the receipt of its operation, or a conflict.

use super::answer::{Answer, ContentType};
use super::{Rejection, rejection};
use crate::domain::Decision;

/// The receipt as it was stored.
///
/// # Errors
///
/// [`rejection::OPERATION_CONFLICT`] if the receipt is for another payload.
pub fn decision(decision: Decision) -> Result<Answer, Rejection> {
    match decision {
        Decision::Decided { receipt, replayed } => Ok(Answer {
            replayed: Some(replayed),
            ..Answer::new(receipt.http_status, ContentType::Json, receipt.body)
        }),
        Decision::Conflict => Err(rejection::OPERATION_CONFLICT),
    }
}
