//! The Worker: D1, who asks, limits, the log, and nothing that an operation does.
//!
//! With the routes on it, the only code that knows Workers, and the only code that is async. It fetches the
//! values that the rest works on (time, random bits, the actor, rows), calls, and turns
//! an [`Answer`] into a response. Each request runs at most one batch on D1.
//!
//! A Worker hands each request to [`serve`], with a function that finds its route.

mod bindings;
mod body;
mod call;
mod database;
mod identity;
mod limits;
mod respond;
mod timing;

pub use call::Call;
pub use database::{Database, ObjectRow};
pub use limits::Limit;
pub use timing::now_ms;

use worker::Env;
use worker::web_sys::{Request, Response, console};

use crate::domain::{Actor, Attempt, Decision, Hex128, Source};
use crate::operation::{Kind, Operation};
use crate::store::{self, NeededSchema};
use crate::wire::{self, Answer, Rejection, rejection};

/// Answers one request and logs one line about it. `route` finds out what is asked for; it is
/// called unless the address has asked for too much.
pub async fn serve(
    request: Request,
    env: Env,
    route: impl AsyncFnOnce(&mut Call) -> Result<Answer, Rejection>,
) -> Response {
    let began_ms = now_ms();
    let mut call = Call::new(request, env);
    let answer = match call.within_address_limit().await {
        true => route(&mut call).await,
        false => Err(rejection::RATE_LIMITED),
    };
    let answer = answer.unwrap_or_else(|why| call.reject(why));
    if call.log.outcome.is_empty() {
        "read".clone_into(&mut call.log.outcome);
    }
    call.log.status = answer.status;
    call.log.replayed = answer.replayed;
    call.log.duration_ms = now_ms().saturating_sub(began_ms);
    console::log_1(&call.log.line().into());
    call.respond(&answer)
}

/// One attempt of an operation: it is decided once, and its receipt is the answer.
///
/// # Errors
///
/// The [`Rejection`] that comes first in the order of precedence.
pub async fn operate<K: Kind>(call: &mut Call) -> Result<Answer, Rejection> {
    let database = call.database()?;
    let identity = call.identity()?;
    if !wire::is_json(call.header("content-type").as_deref()) {
        return Err(rejection::CONTENT_TYPE);
    }
    let key = wire::operation_key(call.header("idempotency-key").as_deref());
    if let Ok(key) = &key {
        call.log.note_key(key);
    }
    let body = call.body().await?;
    let actor = call.same_actor(&identity)?;
    let operation = Operation::new(actor, key?, K::read(&body)?);
    let within_limit = Limit::Actor.allows(call, operation.actor().as_str()).await;
    let attempt = attempt()?;
    // Past the limit nothing new is decided. What was decided is still told.
    let batch = match within_limit {
        true => operation.batch(&attempt),
        false => operation.look_up(),
    };
    let rows = database.run(&batch, &mut call.log).await?;
    let decision = call.understood(operation.decision(&rows, &attempt))?;
    if let Decision::Decided { receipt, .. } = &decision {
        call.log.outcome = wire::outcome_word(&receipt.body);
    }
    wire::decision(decision, if within_limit { K::UNDECIDED } else { rejection::RATE_LIMITED })
}

/// `GET /session`: who the browser is to this service, from now on if it was nobody.
///
/// # Errors
///
/// [`rejection::ACTOR_REQUIRED`] for a program's bad token.
pub fn session(call: &mut Call) -> Result<Answer, Rejection> {
    let identity = call.identity()?;
    let (actor, source) = match call.actor(&identity) {
        Ok(known) => known,
        // A program that brings a bad token is told so. It has no use for a session.
        Err(rejection) if call.header("authorization").is_some() => return Err(rejection),
        Err(_) => {
            let [random] = random_ids()?;
            let actor = Actor::new_session(&random);
            call.log.note_actor(&actor);
            (actor, Source::Session)
        }
    };
    let cookie = match source {
        Source::Session => identity.session_cookie(&actor, now_ms()),
        Source::Token => None,
    };
    Ok(wire::session(&actor, cookie))
}

/// `POST /session/end`: the browser is nobody again. Without a session, it stays so.
///
/// # Errors
///
/// [`rejection::ACTOR_CHANGED`] if it is somebody else's by now.
pub fn end_session(call: &mut Call) -> Result<Answer, Rejection> {
    let identity = call.identity()?;
    match call.same_actor(&identity) {
        Err(rejection) if rejection == rejection::ACTOR_CHANGED => return Err(rejection),
        Ok(_) | Err(_) => (),
    }
    call.log.outcome = "ended".to_owned();
    Ok(wire::ended_session())
}

/// `GET /health`: whether operations can be decided here: there is a secret, and the schema of the
/// database is the one that this build needs. The log states what differs.
///
/// # Errors
///
/// [`rejection::NOT_CONFIGURED`] if they cannot.
pub async fn health(call: &mut Call, needed: NeededSchema) -> Result<Answer, Rejection> {
    let database = call.database()?;
    call.identity()?;
    let rows = database.run(&store::read_schema(), &mut call.log).await?;
    let differences = call.understood(needed.differences(&rows))?;
    if differences.is_empty() {
        return Ok(wire::health());
    }
    call.log.cause = Some(format!("the schema differs: {}", differences.join(", ")));
    Err(rejection::NOT_CONFIGURED)
}

/// What this request brings along in case it is the one that decides.
///
/// # Errors
///
/// [`rejection::OUTCOME_UNKNOWN`] without random bits: nothing can be decided, and nothing was.
pub fn attempt() -> Result<Attempt, Rejection> {
    let [id, new_id] = random_ids()?;
    Ok(Attempt { id, new_id, now_ms: now_ms() })
}

fn random_ids<const COUNT: usize>() -> Result<[Hex128; COUNT], Rejection> {
    let mut random = [[0; 16]; COUNT];
    getrandom::fill(random.as_flattened_mut()).map_err(|_| rejection::OUTCOME_UNKNOWN)?;
    Ok(random.map(Hex128::from_random))
}
