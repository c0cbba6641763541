//! The code that knows Workers: D1, authentication, rate limits, the log. It does not know what an
//! operation does.
//!
//! Together with a Worker's routes, this is the only code that is async. It obtains the values that the rest
//! works on (time, random bits, the actor, rows) and turns an [`Answer`] into a response. A request runs one
//! batch on D1, and a second one only to find out why an operation is undecided.
//!
//! A Worker passes each request to [`serve`], with a function that finds its route.

mod authenticate;
mod bindings;
mod body;
mod call;
mod d1;
mod database;
mod limits;
mod respond;
mod session;
mod timing;

pub use call::Call;
pub use d1::ObjectRow;
pub use database::Database;
pub use limits::Limit;
pub use session::{end_session, session};
pub use timing::now_ms;

use worker::Env;
use worker::web_sys::{Request, Response, console};

use crate::domain::{Attempt, Decision, Hex128};
use crate::operation::{NewIds, Operation, OperationType};
use crate::store::{self, NeededSchema};
use crate::wire::{self, Answer, Rejection, rejection};

/// Answers one request and logs one line about it. `route` finds the route and answers; it is not called
/// if the address is over its limit.
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
    let answer = answer.unwrap_or_else(|rejection| call.reject(rejection));
    if call.log.outcome.is_empty() {
        "read".clone_into(&mut call.log.outcome);
    }
    call.log.status = answer.status;
    call.log.replayed = answer.replayed;
    call.log.duration_ms = now_ms().saturating_sub(began_ms);
    let line = call.log.line().into();
    match call.log.is_error {
        true => console::error_1(&line),
        false => console::log_1(&line),
    }
    call.respond(&answer)
}

/// `POST`: one attempt of an operation. The operation is decided once, and its receipt is the answer.
///
/// Precedence is the order of these checks, which is that of [`rejection::RANKED`]: authentication comes
/// before the body is read.
///
/// # Errors
///
/// The first [`Rejection`] that applies.
pub async fn operate<T: OperationType>(call: &mut Call) -> Result<Answer, Rejection> {
    let actor = call.authenticate()?;
    if !wire::is_json(call.header("content-type").as_deref()) {
        return Err(rejection::CONTENT_TYPE);
    }
    let key = wire::operation_key(call.header("idempotency-key").as_deref())?;
    call.log.set_key(&key);
    let request = T::read(&call.body().await?)?;
    let operation = Operation::new(actor, key, request);
    let attempt = new_attempt()?;
    let new_ids = T::NewIds::draw(random_id)?;
    let decide = |send| operation.batch(&attempt, &new_ids, send);
    let read = |rows: &[ObjectRow]| operation.decision(rows, &attempt);
    let Some(decision) = call.decide(operation.actor(), decide, || operation.look_up(), read).await? else {
        return Err(why_undecided(call, &operation, &attempt, &new_ids).await);
    };
    if let Decision::Decided { receipt, .. } = &decision {
        call.log.outcome.clone_from(&receipt.outcome);
    }
    wire::decision(decision)
}

/// Why an operation is undecided.
async fn why_undecided<T: OperationType>(
    call: &mut Call,
    operation: &Operation<T>,
    attempt: &Attempt,
    new_ids: &T::NewIds,
) -> Rejection {
    let reason = match operation.why_undecided(attempt, new_ids) {
        None => Operation::<T>::undecided(&[] as &[ObjectRow]),
        Some(why) => match call.query(|_| why.clone(), |rows| Ok(Operation::<T>::undecided(rows))).await {
            Ok(reason) => reason,
            Err(rejection) => return rejection,
        },
    };
    reason.unwrap_or_else(|| {
        call.log.is_error = true;
        call.log.cause = Some(format!("decide of {} must select a row, and selected none", T::NAME));
        rejection::INTERNAL_ERROR
    })
}

/// `GET /health`: whether the Worker can decide operations: it has a secret, and the schema of the database
/// is the one that this build needs. The differences are logged.
///
/// # Errors
///
/// [`rejection::NOT_CONFIGURED`] if they cannot.
pub async fn health(call: &mut Call, needed: NeededSchema) -> Result<Answer, Rejection> {
    call.database()?;
    call.secrets()?;
    let differences = call.query(|_| store::read_schema(), |rows| needed.differences(rows)).await?;
    if differences.is_empty() {
        return Ok(wire::health());
    }
    call.log.cause = Some(format!("the schema differs: {}", differences.join(", ")));
    Err(rejection::NOT_CONFIGURED)
}

/// A new attempt: its random id and the time.
///
/// # Errors
///
/// [`rejection::INTERNAL_ERROR`] without random bits: nothing was decided.
pub fn new_attempt() -> Result<Attempt, Rejection> {
    Ok(Attempt { id: random_id()?, now_ms: now_ms() })
}

/// 128 random bits.
///
/// # Errors
///
/// [`rejection::INTERNAL_ERROR`] if the platform provides none.
pub fn random_id() -> Result<Hex128, Rejection> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|_| rejection::INTERNAL_ERROR)?;
    Ok(Hex128::from_random(random))
}
