//! The answers of every service: sessions and health.

use serde::Serialize;

use super::answer::Answer;
use super::identity::ended_session_cookie;
use crate::domain::Actor;

/// The answer to `GET /health` of a service that can decide.
pub fn health() -> Answer {
    Answer::json(&Health { status: "ok" })
}

/// The answer to `GET /session`: the tag of the actor.
pub fn session(actor: &Actor, set_cookie: Option<String>) -> Answer {
    Answer { set_cookie, ..Answer::json(&Session { actor: Some(actor.tag()) }) }
}

/// The answer to `POST /session/end`.
pub fn ended_session() -> Answer {
    Answer { set_cookie: Some(ended_session_cookie()), ..Answer::json(&Session { actor: None }) }
}

#[derive(Serialize)]
struct Session {
    actor: Option<String>,
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
}
