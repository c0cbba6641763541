//! The answers about the session of a browser.

use serde::Serialize;

use super::answer::Answer;
use super::identity::ended_session_cookie;
use crate::domain::Actor;

/// The answer to `GET /session`: the actor id.
pub fn session(actor: &Actor, set_cookie: Option<String>) -> Answer {
    Answer { set_cookie, ..Answer::json(&Session { actor: Some(actor.actor_id()) }) }
}

/// The answer to `POST /session/end`.
pub fn ended_session() -> Answer {
    Answer { set_cookie: Some(ended_session_cookie()), ..Answer::json(&Session { actor: None }) }
}

#[derive(Serialize)]
struct Session {
    actor: Option<String>,
}
