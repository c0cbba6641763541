//! The routes of the service. What they decide is in `einmal::reservations`.

use einmal::domain::{Actor, OperationKey};
use einmal::edge::{self, Call, now_ms};
use einmal::reservations::rejections::UNKNOWN_WORKSHOP;
use einmal::reservations::{
    NEEDED_SCHEMA, OperationRecord, Reserve, WorkshopId, documents, operations, workshops,
};
use einmal::wire::{Answer, Problem, Rejection, rejection};

/// Finds the route of a request.
pub async fn route(call: &mut Call) -> Result<Answer, Rejection> {
    let path = call.path();
    let segments: Vec<&str> = path.split('/').collect();
    // The first segment is the empty one before the first `/`.
    match *segments.get(1..).unwrap_or_default() {
        ["reserve"] => {
            call.allow("/reserve", "POST")?;
            edge::operate::<Reserve>(call).await
        }
        ["session"] => {
            call.allow("/session", "GET, HEAD")?;
            // It sets a cookie, although it is a GET.
            call.reject_cross_site()?;
            edge::session(call)
        }
        ["session", "end"] => {
            call.allow("/session/end", "POST")?;
            edge::end_session(call)
        }
        ["workshops"] => {
            call.allow("/workshops", "GET, HEAD")?;
            list_workshops(call).await
        }
        ["workshops", id] => {
            call.allow("/workshops/{id}", "GET, HEAD")?;
            read_workshop(id, call).await
        }
        ["operations"] => {
            call.allow("/operations", "GET, HEAD")?;
            list_operations(call).await
        }
        ["operations", key] => {
            call.allow("/operations/{key}", "GET, HEAD")?;
            look_up(key, call).await
        }
        ["operations", key, "abandon"] => {
            call.allow("/operations/{key}/abandon", "POST")?;
            abandon(key, call).await
        }
        ["operations", key, "cancel"] => {
            call.allow("/operations/{key}/cancel", "POST")?;
            cancel(key, call).await
        }
        ["health"] => {
            call.allow("/health", "GET, HEAD")?;
            edge::health(call, NEEDED_SCHEMA).await
        }
        _ => {
            call.log.route = "other";
            Err(rejection::NOT_FOUND)
        }
    }
}

/// `GET /workshops`: what is on offer.
async fn list_workshops(call: &mut Call) -> Result<Answer, Rejection> {
    let found = call.query(|_| workshops::list(now_ms()), workshops::read).await?;
    Ok(documents::workshops(&found))
}

/// `GET /workshops/{id}`: one workshop on offer.
async fn read_workshop(id: &str, call: &mut Call) -> Result<Answer, Rejection> {
    call.database()?;
    let id = WorkshopId::parse(id).ok_or(UNKNOWN_WORKSHOP)?;
    let found = call.query(|_| workshops::one(&id, now_ms()), workshops::read).await?;
    let workshop = found.first().ok_or(UNKNOWN_WORKSHOP)?;
    Ok(documents::workshop(workshop))
}

/// `GET /operations`: the newest operations of the actor.
async fn list_operations(call: &mut Call) -> Result<Answer, Rejection> {
    let actor = call.authenticate()?;
    let found = call.query(|_| operations::list(&actor), operations::read).await?;
    Ok(documents::operations(&found))
}

/// `GET /operations/{key}`: what was decided. It changes nothing.
async fn look_up(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (actor, key) = own_operation(key, call)?;
    let found = call.query(|_| operations::look_up(&actor, &key), operations::read_one).await?;
    log_outcome(found.as_ref(), call);
    documents::operation(found.as_ref())
}

/// `POST /operations/{key}/abandon`: abandons an operation, if it is undecided.
async fn abandon(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (actor, key) = own_operation(key, call)?;
    let attempt = edge::new_attempt()?;
    let abandon = |send| operations::abandon(&actor, &key, &attempt, send);
    let look_up = || operations::look_up(&actor, &key);
    let found = call.decide(&actor, abandon, look_up, operations::read_one).await?;
    log_outcome(found.as_ref(), call);
    documents::operation(found.as_ref())
}

/// `POST /operations/{key}/cancel`: releases the places of the reservation.
async fn cancel(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (actor, key) = own_operation(key, call)?;
    let now_ms = now_ms();
    let found = call.query(|_| operations::cancel(&actor, &key, now_ms), operations::read_one).await?;
    call.log.outcome = "cancelled".to_owned();
    documents::cancelled(found.as_ref())
}

/// The actor and the key of the operation in the path. Another actor's operation is not found, like one that
/// does not exist.
fn own_operation(key: &str, call: &mut Call) -> Result<(Actor, OperationKey), Rejection> {
    let key = OperationKey::parse(key);
    if let Some(key) = &key {
        call.log.set_key(key);
    }
    let actor = call.authenticate()?;
    Ok((actor, key.ok_or(KEY_IN_PATH)?))
}

const KEY_IN_PATH: Rejection = Rejection(&Problem {
    detail: "Expected the key in the path to be a UUID version 4 in lower case, without quotes.",
    ..*rejection::OPERATION_ID.0
});

fn log_outcome(found: Option<&OperationRecord>, call: &mut Call) {
    if let Some(record) = found {
        call.log.outcome.clone_from(&record.outcome);
    }
}
