//! The answers to what decides nothing: workshops, health and sessions.

use serde::Serialize;

use super::answer::Answer;
use super::identity::ended_session_cookie;
use crate::domain::{Actor, Workshop};

/// The answer to `GET /workshops`.
pub fn workshops(workshops: &[Workshop]) -> Answer {
    Answer::json(&List { workshops: workshops.iter().map(WorkshopDocument::of).collect() })
}

/// The answer to `GET /workshops/{id}`.
pub fn workshop(workshop: &Workshop) -> Answer {
    Answer::json(&WorkshopDocument::of(workshop))
}

/// The answer to `GET /health` of a service that can decide.
pub fn health(last_migration: &str) -> Answer {
    Answer::json(&Health { status: "ok", migration: last_migration })
}

/// The answer to `GET /session`: the tag of the actor.
pub fn session(actor: &Actor, set_cookie: Option<String>) -> Answer {
    Answer { set_cookie, ..Answer::json(&Session { actor: Some(actor.tag()) }) }
}

/// The answer to `POST /session/end`.
pub fn ended_session() -> Answer {
    Answer { set_cookie: Some(ended_session_cookie()), ..Answer::json(&Session { actor: None }) }
}

#[derive(Serialize)]
struct Session {
    actor: Option<String>,
}

#[derive(Serialize)]
struct List<'a> {
    workshops: Vec<WorkshopDocument<'a>>,
}

#[derive(Serialize)]
struct WorkshopDocument<'a> {
    id: &'a str,
    title: &'a str,
    place: Option<&'a str>,
    starts_at: Option<&'a str>,
    ends_at: Option<&'a str>,
    time_zone: Option<&'a str>,
    capacity: i64,
    reserved: i64,
    available: i64,
    state: &'static str,
}

impl<'a> WorkshopDocument<'a> {
    fn of(workshop: &'a Workshop) -> Self {
        Self {
            id: &workshop.id,
            title: &workshop.title,
            place: workshop.place.as_deref(),
            starts_at: workshop.starts_at.as_deref(),
            ends_at: workshop.ends_at.as_deref(),
            time_zone: workshop.time_zone.as_deref(),
            capacity: workshop.capacity,
            reserved: workshop.reserved,
            available: workshop.capacity.saturating_sub(workshop.reserved),
            state: if workshop.open { "open" } else { "closed" },
        }
    }
}

#[derive(Serialize)]
struct Health<'a> {
    status: &'a str,
    migration: &'a str,
}
