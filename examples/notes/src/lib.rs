//! Notes that are saved once: a Worker of one's own on Einmal's engine.

mod create_note;

use std::convert::Infallible;

use create_note::CreateNote;
use einmal::edge::{self, Call};
use einmal::store::{Parameter, Statement, text};
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
            if call.method() != "POST" {
                return list_notes(call).await;
            }
            call.same_site()?;
            edge::operate::<CreateNote>(call).await
        }
        "/session" => {
            call.allow("/session", "GET, HEAD")?;
            call.same_site()?;
            edge::session(call)
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

/// `GET /notes`: the newest fifty of the actor.
async fn list_notes(call: &mut Call) -> Result<Answer, Rejection> {
    let database = call.database()?;
    let actor = call.who_asks()?;
    let batch = [Statement {
        sql: "SELECT id, title
            FROM notes
            JOIN operations USING (actor, key)
            WHERE actor = ?1
            ORDER BY decided_at_ms DESC, id
            LIMIT 50",
        parameters: vec![Parameter::Borrowed(actor.as_str())],
    }];
    let rows = database.run(&batch, &mut call.log).await?;
    let note = |row| Ok(Note { id: text(row, "id")?, title: text(row, "title")? });
    let notes = call.understood(rows.iter().map(note).collect())?;
    Ok(Answer::json(&Notes { notes }))
}
