//! The Worker: routes, D1, who asks, and nothing else.
//!
//! The only module that knows Workers, and the only one that is async. It fetches the
//! values that the rest works on (time, random bits, the actor, rows), calls, and turns
//! an [`Answer`] into a response. Each request makes at most one call to D1.

mod body;
mod database;
mod identity;
mod respond;

use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

use crate::domain::{Attempt, Hex128, Operation, Outcome, WorkshopId};
use crate::store::{self, Bodies, Schema};
use crate::wire::{self, Answer, Rejection};
use database::Database;

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    let answer = route(&request, &env).await.unwrap_or_else(Rejection::answer);
    respond::to_response(&request, &answer)
}

async fn route(request: &Request, env: &Env) -> Result<Answer, Rejection> {
    let url = request.url();
    let method = request.method();
    let path = wire::path(&url);
    match path {
        "/reserve" => {
            allow(&method, "POST")?;
            reserve(request, env).await
        }
        "/workshops" => {
            allow(&method, "GET, HEAD")?;
            workshops(env).await
        }
        "/health" => {
            allow(&method, "GET, HEAD")?;
            health(env).await
        }
        _ => {
            let id = path.strip_prefix("/workshops/").ok_or(Rejection::NotFound)?;
            allow(&method, "GET, HEAD")?;
            workshop(id, env).await
        }
    }
}

/// Lets the methods pass that `methods` lists as an `Allow` header does.
fn allow(method: &str, methods: &'static str) -> Result<(), Rejection> {
    match methods.split(", ").any(|allowed| allowed == method) {
        true => Ok(()),
        false => Err(Rejection::MethodNotAllowed { allow: methods }),
    }
}

/// `POST /reserve`: one operation, decided once.
async fn reserve(request: &Request, env: &Env) -> Result<Answer, Rejection> {
    let database = Database::of(env)?;
    let header = |name| request.headers().get(name).ok().flatten();
    if !wire::is_json(header("content-type").as_deref()) {
        return Err(Rejection::ContentType);
    }
    let body = body::read(request).await?;
    let operation = Operation {
        actor: identity::actor(),
        key: wire::operation_key(header("idempotency-key").as_deref())?,
        intention: wire::intention(&body)?,
    };
    let attempt = attempt()?;
    let reserved = wire::outcome_body(&Outcome::Reserved {
        reservation_id: attempt.reservation_id.clone(),
        quantity: operation.intention.quantity,
    });
    let unavailable = wire::outcome_body(&Outcome::Unavailable);
    let bodies = Bodies { reserved: &reserved, unavailable: &unavailable };
    let rows = database.run(&store::reserve(&operation, &attempt, bodies)).await?;
    let decision = store::read_decision(&rows, &operation, &attempt).map_err(database::unreadable)?;
    wire::decision(decision)
}

/// `GET /workshops`: what is on offer.
async fn workshops(env: &Env) -> Result<Answer, Rejection> {
    let rows = Database::of(env)?.run(&store::workshops(now_ms())).await?;
    let workshops = store::read_workshops(&rows).map_err(database::unreadable)?;
    Ok(wire::workshops(&workshops))
}

/// `GET /workshops/{id}`: one workshop on offer.
async fn workshop(id: &str, env: &Env) -> Result<Answer, Rejection> {
    let database = Database::of(env)?;
    let id = WorkshopId::parse(id).ok_or(Rejection::UnknownWorkshop)?;
    let rows = database.run(&store::workshop(&id, now_ms())).await?;
    let workshops = store::read_workshops(&rows).map_err(database::unreadable)?;
    workshops.first().map(wire::workshop).ok_or(Rejection::UnknownWorkshop)
}

/// `GET /health`: whether operations can be decided here.
async fn health(env: &Env) -> Result<Answer, Rejection> {
    let rows = Database::of(env)?.run(&store::schema()).await?;
    match store::read_schema(&rows) {
        Schema::Ready(last_migration) => Ok(wire::health(&last_migration)),
        Schema::Behind => Err(Rejection::NotConfigured),
    }
}

/// What this request brings along in case it is the one that decides.
fn attempt() -> Result<Attempt, Rejection> {
    let mut random = [[0; 16]; 2];
    // Without random bits nothing can be decided, and nothing was.
    getrandom::fill(random.as_flattened_mut()).map_err(|_| Rejection::OutcomeUnknown)?;
    let [id, reservation_id] = random.map(Hex128::from_random);
    Ok(Attempt { id, reservation_id, now_ms: now_ms() })
}

fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}
