use serde::{Deserialize, Serialize};

use super::Rejection;
use super::answer::{Answer, ContentType, to_json};
use crate::domain::{Decision, Outcome};

/// The body of an outcome: the bytes that are stored in the receipt.
pub fn outcome_body(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Reserved { reservation_id, quantity } => to_json(&OutcomeDocument {
            status: "reserved",
            reservation_id: Some(reservation_id.as_str()),
            quantity: Some(quantity.places()),
        }),
        Outcome::Unavailable => without_reservation("unavailable"),
        Outcome::Abandoned => without_reservation("abandoned"),
    }
}

fn without_reservation(status: &str) -> String {
    to_json(&OutcomeDocument { status, reservation_id: None, quantity: None })
}

/// The word for an outcome in its stored body, such as `reserved`.
pub fn outcome_word(body: &str) -> &str {
    serde_json::from_str(body).map_or("unreadable", |OutcomeStatus { status }| status)
}

/// The answer to `POST /reserve`: the receipt as it was stored, or a rejection.
///
/// # Errors
///
/// [`Rejection::OperationConflict`] and [`Rejection::UnknownWorkshop`].
pub fn decision(decision: Decision) -> Result<Answer, Rejection> {
    match decision {
        Decision::Decided { receipt, replayed } => Ok(Answer {
            status: receipt.http_status,
            content_type: ContentType::Json,
            replayed: Some(replayed),
            retry_after_seconds: None,
            allow: None,
            set_cookie: None,
            body: receipt.body,
        }),
        Decision::Conflict => Err(Rejection::OperationConflict),
        Decision::UnknownWorkshop => Err(Rejection::UnknownWorkshop),
    }
}

#[derive(Serialize)]
struct OutcomeDocument<'a> {
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reservation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<u8>,
}

/// The one member that every outcome has.
#[derive(Deserialize)]
struct OutcomeStatus<'a> {
    status: &'a str,
}
