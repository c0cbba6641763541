//! The routes for the session of a browser.

use super::{Call, now_ms, random_id};
use crate::domain::{Actor, Credential};
use crate::wire::{self, Answer, Caller, Rejection, rejection};

/// `GET /session`: the actor id; starts a session if the request has none.
///
/// # Errors
///
/// [`rejection::ACTOR_REQUIRED`] for an invalid bearer token: a program needs no session.
pub fn session(call: &mut Call) -> Result<Answer, Rejection> {
    let secrets = call.secrets()?;
    let Caller { actor, credential } = match call.caller(&secrets) {
        Ok(caller) => caller,
        Err(rejection) if call.header("authorization").is_some() => return Err(rejection),
        Err(_) => {
            let actor = Actor::new_session(&random_id()?);
            call.log.cause = None;
            call.log.set_actor(&actor);
            Caller { actor, credential: Credential::Session }
        }
    };
    let cookie = match credential {
        Credential::Session => secrets.session_cookie(&actor, now_ms()),
        Credential::Token => None,
    };
    Ok(wire::session(&actor, cookie))
}

/// `POST /session/end`: ends the session of the browser, if it has one.
///
/// # Errors
///
/// [`rejection::ACTOR_CHANGED`] if the session now belongs to another actor.
pub fn end_session(call: &mut Call) -> Result<Answer, Rejection> {
    match call.authenticate() {
        Err(rejection) if rejection != rejection::ACTOR_REQUIRED => return Err(rejection),
        Ok(_) | Err(_) => (),
    }
    call.log.outcome = "ended".to_owned();
    Ok(wire::ended_session())
}
