//! The life of an operation after it was sent: look it up, list, give it up, cancel.

use worker::Env;
use worker::web_sys::Request;

use super::database::Database;
use super::identity::Identity;
use super::limits::Limit;
use super::timing::now_ms;
use super::{attempt, header};
use crate::domain::{Actor, OperationKey, Outcome, Settled};
use crate::store;
use crate::wire::{self, Answer, LogEntry, Rejected, Rejection};

/// `GET /operations/{key}`: what was decided. It executes nothing.
pub async fn look_up(
    key: &str,
    request: &Request,
    env: &Env,
    log: &mut LogEntry,
) -> Result<Answer, Rejected> {
    let (database, actor, key) = whose(key, request, env, log)?;
    let found = database.run(&store::operation(&actor, &key), log, store::read_operations).await?;
    note(&found, log);
    Ok(wire::operation(found.first())?)
}

/// `GET /operations`: the newest of the actor.
pub async fn list(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let database = Database::of(env, log)?;
    let actor = actor(request, env, log)?;
    let found = database.run(&store::operations(&actor), log, store::read_operations).await?;
    log.outcome = "read".to_owned();
    Ok(wire::operations(&found))
}

/// `POST /operations/{key}/abandon`: settles an operation that may still be open.
pub async fn abandon(
    key: &str,
    request: &Request,
    env: &Env,
    log: &mut LogEntry,
) -> Result<Answer, Rejected> {
    let (database, actor, key) = whose(key, request, env, log)?;
    let within_limit = Limit::Actor.allows(env, actor.as_str()).await;
    let attempt = attempt()?;
    let body = wire::outcome_body(&Outcome::Abandoned);
    // Past the limit nothing new is decided. What was decided is still told.
    let batch = match within_limit {
        true => store::abandon(&actor, &key, &attempt, &body),
        false => store::operation(&actor, &key),
    };
    let found = database.run(&batch, log, store::read_operations).await?;
    if !within_limit && found.is_empty() {
        return Err(Rejection::RateLimited.into());
    }
    note(&found, log);
    Ok(wire::operation(found.first())?)
}

/// `POST /operations/{key}/cancel`: gives the places back.
pub async fn cancel(key: &str, request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let (database, actor, key) = whose(key, request, env, log)?;
    let batch = store::cancel(&actor, &key, now_ms());
    let found = database.run(&batch, log, store::read_operations).await?;
    log.outcome = "cancelled".to_owned();
    Ok(wire::cancelled(found.first())?)
}

/// The operation that the path names, of the actor who asks: somebody else's is as unknown
/// as one that never was.
fn whose(
    key: &str,
    request: &Request,
    env: &Env,
    log: &mut LogEntry,
) -> Result<(Database, Actor, OperationKey), Rejection> {
    let database = Database::of(env, log)?;
    let key = OperationKey::parse(key).ok_or(Rejection::OperationId);
    if let Ok(key) = &key {
        log.note_key(key);
    }
    Ok((database, actor(request, env, log)?, key?))
}

fn actor(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Actor, Rejection> {
    let (actor, _) = Identity::of(env, log)?.actor(request, now_ms(), log)?;
    wire::same_actor(header(request, "einmal-actor").as_deref(), &actor)?;
    Ok(actor)
}

/// Notes what was found about one operation.
fn note(found: &[Settled], log: &mut LogEntry) {
    if let Some(settled) = found.first() {
        log.outcome = wire::outcome_word(&settled.body).to_owned();
    }
}
