//! The routes about a browser's session.

use super::{Call, now_ms, random_id};
use crate::domain::{Actor, Source};
use crate::wire::{self, Answer, Caller, Rejection, rejection};

/// `GET /session`: the actor of the request; begins a session if it has none.
///
/// # Errors
///
/// [`rejection::ACTOR_REQUIRED`] for an invalid bearer token: a program has no use for a session.
pub fn session(call: &mut Call) -> Result<Answer, Rejection> {
    let secrets = call.secrets()?;
    let Caller { actor, source } = match call.caller(&secrets) {
        Ok(known) => known,
        Err(rejection) if call.header("authorization").is_some() => return Err(rejection),
        Err(_) => {
            let actor = Actor::new_session(&random_id()?);
            call.log.cause = None;
            call.log.note_actor(&actor);
            Caller { actor, source: Source::Session }
        }
    };
    let cookie = match source {
        Source::Session => secrets.session_cookie(&actor, now_ms()),
        Source::Token => None,
    };
    Ok(wire::session(&actor, cookie))
}

/// `POST /session/end`: ends the session of the browser, if it has one.
///
/// # Errors
///
/// [`rejection::ACTOR_CHANGED`] if the session is another actor's by now.
pub fn end_session(call: &mut Call) -> Result<Answer, Rejection> {
    match call.authenticate() {
        Err(rejection) if rejection != rejection::ACTOR_REQUIRED => return Err(rejection),
        Ok(_) | Err(_) => (),
    }
    call.log.outcome = "ended".to_owned();
    Ok(wire::ended_session())
}
