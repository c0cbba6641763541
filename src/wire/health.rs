//! The answer to `GET /health`.

use serde::Serialize;

use super::answer::Answer;

/// The answer of a service that can decide operations.
pub fn health() -> Answer {
    Answer::json(&Health { status: "ok" })
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
}
