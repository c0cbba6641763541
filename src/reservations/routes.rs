//! The routes of the service.

use std::convert::Infallible;

use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

use super::rejections::UNKNOWN_WORKSHOP;
use super::{NEEDED_SCHEMA, Reserve, Settled, WorkshopId, documents, operations, workshops};
use crate::domain::{Actor, OperationKey};
use crate::edge::{self, Call, Database, Limit, now_ms};
use crate::wire::{self, Answer, Problem, Rejection, rejection};

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response, Infallible> {
    Ok(edge::serve(request, env, route).await)
}

async fn route(call: &mut Call) -> Result<Answer, Rejection> {
    let path = call.path();
    let segments: Vec<&str> = path.split('/').collect();
    // The first one is what stands before the first `/`: nothing.
    match *segments.get(1..).unwrap_or_default() {
        ["reserve"] => {
            call.allow("/reserve", "POST")?;
            call.same_site()?;
            edge::operate::<Reserve>(call).await
        }
        ["session"] => {
            call.allow("/session", "GET, HEAD")?;
            // It changes something too: it sets a cookie.
            call.same_site()?;
            edge::session(call)
        }
        ["session", "end"] => {
            call.allow("/session/end", "POST")?;
            call.same_site()?;
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
            call.same_site()?;
            abandon(key, call).await
        }
        ["operations", key, "cancel"] => {
            call.allow("/operations/{key}/cancel", "POST")?;
            call.same_site()?;
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
    let batch = workshops::list(now_ms());
    let rows = call.database()?.run(&batch, &mut call.log).await?;
    let found = call.understood(workshops::read(&rows))?;
    Ok(documents::workshops(&found))
}

/// `GET /workshops/{id}`: one workshop on offer.
async fn read_workshop(id: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let database = call.database()?;
    let id = WorkshopId::parse(id).ok_or(UNKNOWN_WORKSHOP)?;
    let batch = workshops::one(&id, now_ms());
    let rows = database.run(&batch, &mut call.log).await?;
    let found = call.understood(workshops::read(&rows))?;
    let workshop = found.first().ok_or(UNKNOWN_WORKSHOP)?;
    Ok(documents::workshop(workshop))
}

/// `GET /operations`: the newest of the actor.
async fn list_operations(call: &mut Call) -> Result<Answer, Rejection> {
    let database = call.database()?;
    let actor = call.who_asks()?;
    let rows = database.run(&operations::list(&actor), &mut call.log).await?;
    let found = call.understood(operations::read(&rows))?;
    Ok(documents::operations(&found))
}

/// `GET /operations/{key}`: what was decided. It executes nothing.
async fn look_up(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (database, actor, key) = whose(key, call)?;
    let batch = operations::look_up(&actor, &key);
    let rows = database.run(&batch, &mut call.log).await?;
    let found = call.understood(operations::read(&rows))?;
    note(&found, call);
    documents::operation(found.first())
}

/// `POST /operations/{key}/abandon`: settles an operation that may still be open.
async fn abandon(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (database, actor, key) = whose(key, call)?;
    let within_limit = Limit::Actor.allows(call, actor.as_str()).await;
    let attempt = edge::attempt()?;
    // Past the limit nothing new is decided. What was decided is still told.
    let batch = match within_limit {
        true => operations::abandon(&actor, &key, &attempt),
        false => operations::look_up(&actor, &key),
    };
    let rows = database.run(&batch, &mut call.log).await?;
    let found = call.understood(operations::read(&rows))?;
    if !within_limit && found.is_empty() {
        return Err(rejection::RATE_LIMITED);
    }
    note(&found, call);
    documents::operation(found.first())
}

/// `POST /operations/{key}/cancel`: gives the places back.
async fn cancel(key: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let (database, actor, key) = whose(key, call)?;
    let batch = operations::cancel(&actor, &key, now_ms());
    let rows = database.run(&batch, &mut call.log).await?;
    let found = call.understood(operations::read(&rows))?;
    call.log.outcome = "cancelled".to_owned();
    documents::cancelled(found.first())
}

/// The operation that the path names, of the actor who asks: somebody else's is as unknown
/// as one that never was.
fn whose(key: &str, call: &mut Call) -> Result<(Database, Actor, OperationKey), Rejection> {
    let database = call.database()?;
    let key = OperationKey::parse(key);
    if let Some(key) = &key {
        call.log.note_key(key);
    }
    let actor = call.who_asks()?;
    Ok((database, actor, key.ok_or(KEY_IN_PATH)?))
}

const KEY_IN_PATH: Rejection = Rejection(&Problem {
    detail: "Expected the key in the path to be a UUID version 4 in lower case, bare.",
    ..*rejection::OPERATION_ID.0
});

/// Notes what was found about one operation.
fn note(found: &[Settled], call: &mut Call) {
    if let Some(settled) = found.first() {
        call.log.outcome = wire::outcome_word(&settled.body);
    }
}
