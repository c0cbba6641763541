//! The Worker: routes, D1, who asks, the log, and nothing else.
//!
//! The only module that knows Workers, and the only one that is async. It fetches the
//! values that the rest works on (time, random bits, the actor, rows), calls, and turns
//! an [`Answer`] into a response. Each request runs at most one batch on D1.

mod body;
mod database;
mod identity;
mod limits;
mod operations;
mod respond;
mod timing;

use worker::web_sys::{Request, Response};
use worker::{Context, Env, console_log, event};

use crate::domain::{Actor, Attempt, Decision, Hex128, Operation, Outcome, Source, WorkshopId};
use crate::store::{self, Bodies, Schema};
use crate::wire::{self, Answer, LogEntry, Rejected, Rejection};
use database::Database;
use identity::Identity;
use limits::Limit;
use timing::now_ms;

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    let began_ms = now_ms();
    let mut log = LogEntry::default();
    let answer = route(&request, &env, &mut log).await.unwrap_or_else(|rejected| {
        log.outcome = rejected.why.code().to_owned();
        rejected.answer()
    });
    log.status = answer.status;
    log.replayed = answer.replayed;
    log.duration_ms = now_ms().saturating_sub(began_ms);
    console_log!("{}", log.line());
    respond::to_response(&request, &answer)
}

async fn route(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let url = request.url();
    let method = request.method();
    let path = wire::path(&url);
    if let Some(address) = header(request, "cf-connecting-ip")
        && !Limit::Address.allows(env, &wire::address_block(&address)).await
    {
        log.route = "any";
        return Err(Rejection::RateLimited.into());
    }
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments.as_slice() {
        ["reserve"] => {
            log.route = "/reserve";
            allow(&method, "POST")?;
            same_site(request, &url)?;
            reserve(request, env, log).await
        }
        ["session"] => {
            log.route = "/session";
            allow(&method, "GET, HEAD")?;
            // It changes something too: it sets a cookie.
            same_site(request, &url)?;
            session(request, env, log)
        }
        ["session", "end"] => {
            log.route = "/session/end";
            allow(&method, "POST")?;
            same_site(request, &url)?;
            end_session(request, env, log)
        }
        ["workshops"] => {
            log.route = "/workshops";
            allow(&method, "GET, HEAD")?;
            workshops(env, log).await
        }
        ["health"] => {
            log.route = "/health";
            allow(&method, "GET, HEAD")?;
            health(env, log).await
        }
        ["operations"] => {
            log.route = "/operations";
            allow(&method, "GET, HEAD")?;
            operations::list(request, env, log).await
        }
        ["workshops", id] => {
            log.route = "/workshops/{id}";
            allow(&method, "GET, HEAD")?;
            workshop(id, env, log).await
        }
        ["operations", key] => {
            log.route = "/operations/{key}";
            allow(&method, "GET, HEAD")?;
            operations::look_up(key, request, env, log).await
        }
        ["operations", key, "abandon"] => {
            log.route = "/operations/{key}/abandon";
            allow(&method, "POST")?;
            same_site(request, &url)?;
            operations::abandon(key, request, env, log).await
        }
        ["operations", key, "cancel"] => {
            log.route = "/operations/{key}/cancel";
            allow(&method, "POST")?;
            same_site(request, &url)?;
            operations::cancel(key, request, env, log).await
        }
        _ => {
            log.route = "other";
            Err(Rejection::NotFound.into())
        }
    }
}

/// Lets the methods pass that `methods` lists, as an `Allow` header does.
fn allow(method: &str, methods: &'static str) -> Result<(), Rejected> {
    match methods.split(", ").any(|allowed| allowed == method) {
        true => Ok(()),
        false => Err(Rejected::method_not_allowed(methods)),
    }
}

fn same_site(request: &Request, url: &str) -> Result<(), Rejection> {
    let (fetch_site, origin) = (header(request, "sec-fetch-site"), header(request, "origin"));
    wire::same_site(fetch_site.as_deref(), origin.as_deref(), url)
}

/// A header of a request. Several lines of one header come joined by a comma.
fn header(request: &Request, name: &str) -> Option<String> {
    request.headers().get(name).ok().flatten()
}

/// `GET /session`: who the browser is to this service, from now on if it was nobody.
fn session(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let identity = Identity::of(env, log)?;
    let now_ms = now_ms();
    let (actor, source) = match identity.actor(request, now_ms, log) {
        Ok(known) => known,
        // A program that brings a bad token is told so. It has no use for a session.
        Err(rejection) if header(request, "authorization").is_some() => return Err(rejection.into()),
        Err(_) => {
            let [random] = random_ids()?;
            (Actor::new_session(&random), Source::Session)
        }
    };
    log.note_actor(&actor);
    log.outcome = "read".to_owned();
    let cookie = match source {
        Source::Session => identity.session_cookie(&actor, now_ms),
        Source::Token => None,
    };
    Ok(wire::session(&actor, cookie))
}

/// `POST /session/end`: the browser is nobody again. Without a session, it stays so.
fn end_session(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    if let Ok((actor, _)) = Identity::of(env, log)?.actor(request, now_ms(), log) {
        wire::same_actor(header(request, "einmal-actor").as_deref(), &actor)?;
    }
    log.outcome = "ended".to_owned();
    Ok(wire::ended_session())
}

/// `POST /reserve`: one operation, decided once.
async fn reserve(request: &Request, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let database = Database::of(env, log)?;
    let identity = Identity::of(env, log)?;
    if !wire::is_json(header(request, "content-type").as_deref()) {
        return Err(Rejection::ContentType.into());
    }
    let key = wire::operation_key(header(request, "idempotency-key").as_deref());
    if let Ok(key) = &key {
        log.note_key(key);
    }
    let body = body::read(request, header(request, "content-length").as_deref()).await?;
    let (actor, _) = identity.actor(request, now_ms(), log)?;
    wire::same_actor(header(request, "einmal-actor").as_deref(), &actor)?;
    let operation = Operation { actor, key: key?, intention: wire::intention(&body)? };
    let within_limit = Limit::Actor.allows(env, operation.actor.as_str()).await;
    let attempt = attempt()?;
    let reserved = wire::outcome_body(&Outcome::Reserved {
        reservation_id: attempt.reservation_id.clone(),
        quantity: operation.intention.quantity,
    });
    let unavailable = wire::outcome_body(&Outcome::Unavailable);
    let bodies = Bodies { reserved: &reserved, unavailable: &unavailable };
    // Past the limit nothing new is decided. What was decided is still told.
    let batch = match within_limit {
        true => store::reserve(&operation, &attempt, bodies),
        false => store::receipt(&operation),
    };
    let decision = database.run(&batch, log, |rows| store::read_decision(rows, &operation, &attempt)).await?;
    if !within_limit && decision == Decision::UnknownWorkshop {
        return Err(Rejection::RateLimited.into());
    }
    if let Decision::Decided { receipt, .. } = &decision {
        log.outcome = wire::outcome_word(&receipt.body).to_owned();
    }
    Ok(wire::decision(decision)?)
}

/// `GET /workshops`: what is on offer.
async fn workshops(env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let batch = store::workshops(now_ms());
    let workshops = Database::of(env, log)?.run(&batch, log, store::read_workshops).await?;
    log.outcome = "read".to_owned();
    Ok(wire::workshops(&workshops))
}

/// `GET /workshops/{id}`: one workshop on offer.
async fn workshop(id: &str, env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let database = Database::of(env, log)?;
    let id = WorkshopId::parse(id).ok_or(Rejection::UnknownWorkshop)?;
    let batch = store::workshop(&id, now_ms());
    let workshops = database.run(&batch, log, store::read_workshops).await?;
    let workshop = workshops.first().ok_or(Rejection::UnknownWorkshop)?;
    log.outcome = "read".to_owned();
    Ok(wire::workshop(workshop))
}

/// `GET /health`: whether operations can be decided here.
async fn health(env: &Env, log: &mut LogEntry) -> Result<Answer, Rejected> {
    let schema =
        Database::of(env, log)?.run(&store::schema(), log, |rows| Ok(store::read_schema(rows))).await?;
    match schema {
        Schema::Ready(last_migration) => {
            log.outcome = "read".to_owned();
            Ok(wire::health(&last_migration))
        }
        Schema::Behind => Err(Rejection::NotConfigured.into()),
    }
}

/// What this request brings along in case it is the one that decides.
fn attempt() -> Result<Attempt, Rejection> {
    let [id, reservation_id] = random_ids()?;
    Ok(Attempt { id, reservation_id, now_ms: now_ms() })
}

/// Random ids, as many as are asked for. Without random bits nothing can be decided, and
/// nothing was.
fn random_ids<const COUNT: usize>() -> Result<[Hex128; COUNT], Rejection> {
    let mut random = [[0; 16]; COUNT];
    getrandom::fill(random.as_flattened_mut()).map_err(|_| Rejection::OutcomeUnknown)?;
    Ok(random.map(Hex128::from_random))
}
