//! Notes that are created once: a Worker built on Einmal's engine.

mod create_note;

use std::convert::Infallible;

use create_note::CreateNote;
use einmal::domain::Actor;
use einmal::edge::{self, Call};
use einmal::statement;
use einmal::store::{NeededSchema, Row, Unreadable, text};
use einmal::wire::{Answer, Rejection, rejection};
use serde::Serialize;
use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response, Infallible> {
    Ok(edge::serve(request, env, route).await)
}

async fn route(call: &mut Call) -> Result<Answer, Rejection> {
    match call.path().as_str() {
        "/notes" => {
            call.allow("/notes", "GET, HEAD, POST")?;
            match call.method().as_str() {
                "POST" => edge::operate::<CreateNote>(call).await,
                _ => list_notes(call).await,
            }
        }
        "/session" => {
            call.allow("/session", "GET, HEAD")?;
            // It sets a cookie, although it is a GET.
            call.reject_cross_site()?;
            edge::session(call)
        }
        "/health" => {
            call.allow("/health", "GET, HEAD")?;
            edge::health(call, NeededSchema(include_str!("../migrations/schema.txt"))).await
        }
        _ => Err(rejection::NOT_FOUND),
    }
}

#[derive(Serialize)]
struct Notes {
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct Note {
    id: String,
    title: String,
}

/// `GET /notes`: the fifty newest notes of the actor.
async fn list_notes(call: &mut Call) -> Result<Answer, Rejection> {
    let actor = call.authenticate()?;
    let newest = |_| {
        vec![statement!(
            "list_notes",
            "SELECT id, title
            FROM notes
            JOIN operations USING (actor, key)
            WHERE actor = :actor
            ORDER BY decided_at_ms DESC, id
            LIMIT 50",
            actor: Actor = &actor,
        )]
    };
    let notes = call.query(newest, |rows| rows.iter().map(to_note).collect()).await?;
    Ok(Answer::json(&Notes { notes }))
}

fn to_note(row: &impl Row) -> Result<Note, Unreadable> {
    Ok(Note { id: text(row, "id")?, title: text(row, "title")? })
}
