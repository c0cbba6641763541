//! A ledger whose transfers happen once: a Worker built on Einmal's engine.

mod account_id;
mod api_key;
mod transfer;

use std::convert::Infallible;

use account_id::AccountId;
use einmal::domain::Actor;
use einmal::edge::{self, Call};
use einmal::statement;
use einmal::store::{NeededSchema, Row, Unreadable, integer, text};
use einmal::wire::{Answer, Problem, Rejection, rejection};
use serde::Serialize;
use transfer::Transfer;
use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

const UNKNOWN_ACCOUNT: Rejection = Rejection(&Problem {
    code: "unknown_account",
    title: "Account not found",
    detail: "Expected the id of an account of your own.",
    ..*rejection::NOT_FOUND.0
});

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response, Infallible> {
    Ok(edge::serve(request, env, route).await)
}

async fn route(call: &mut Call) -> Result<Answer, Rejection> {
    let path = call.path();
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments[..] {
        ["transfers"] => {
            call.allow("/transfers", "POST")?;
            api_key::authenticate(call).await?;
            edge::operate::<Transfer>(call).await
        }
        ["accounts", id] => {
            call.allow("/accounts/{id}", "GET, HEAD")?;
            api_key::authenticate(call).await?;
            read_account(id, call).await
        }
        ["health"] => {
            call.allow("/health", "GET, HEAD")?;
            edge::health(call, NeededSchema(include_str!("../migrations/schema.txt"))).await
        }
        _ => Err(rejection::NOT_FOUND),
    }
}

#[derive(Serialize)]
struct Account {
    id: String,
    balance: i64,
}

/// `GET /accounts/{id}`: an account of the actor.
async fn read_account(id: &str, call: &mut Call) -> Result<Answer, Rejection> {
    let actor = call.authenticate()?;
    let id = AccountId::parse(id).ok_or(UNKNOWN_ACCOUNT)?;
    let account = |_| {
        vec![statement!(
            "read_account",
            "SELECT id, balance FROM accounts WHERE id = :id AND owner = :actor",
            id: AccountId = &id,
            actor: Actor = &actor,
        )]
    };
    let found = call.query(account, |rows| rows.first().map(to_account).transpose()).await?;
    Ok(Answer::json(&found.ok_or(UNKNOWN_ACCOUNT)?))
}

fn to_account(row: &impl Row) -> Result<Account, Unreadable> {
    Ok(Account { id: text(row, "id")?, balance: integer(row, "balance")? })
}
