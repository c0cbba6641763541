//! `POST /notes`: a note with a title, created once for each operation.

use einmal::domain::Hex128;
use einmal::operation::Kind;
use einmal::store::{Parameter, Statement};
use einmal::wire::{Members, Problem, Rejection, rejection, to_json};
use serde::Serialize;
use unicode_normalization::is_nfc;

/// The most characters of a title.
const TITLE_CHARACTERS_MAX: usize = 200;

const TITLE: Rejection = Rejection(&Problem {
    detail: "Expected exactly the member title: a string of 1 to 200 characters in Unicode NFC, without control characters.",
    ..*rejection::REQUEST_CONTRACT.0
});

/// What is asked for: the typed values of one request.
pub struct CreateNote {
    title: String,
}

#[derive(Serialize)]
struct Note<'a> {
    id: &'a str,
    title: &'a str,
}

impl Kind for CreateNote {
    const NAME: &'static str = "create_note";

    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let [title] = Members::of_body(body)?.exactly(["title"]).ok_or(TITLE)?;
        let title = title.text().ok_or(TITLE)?;
        let is_title = (1..=TITLE_CHARACTERS_MAX).contains(&title.chars().count())
            && is_nfc(&title)
            && !title.chars().any(char::is_control);
        if is_title { Ok(Self { title: title.into_owned() }) } else { Err(TITLE) }
    }

    fn values(&self) -> Vec<String> {
        vec![self.title.clone()]
    }

    /// Every well-formed request creates its note, so that nothing is left to be decided but
    /// whether this operation has its receipt already.
    fn decide<'a>(&'a self, new_id: &'a Hex128) -> Statement<'a> {
        let answer = to_json(&Note { id: new_id.as_str(), title: &self.title });
        Statement {
            sql: "INSERT INTO operations (
                    actor, key, fingerprint_version, fingerprint, attempt, decided_at_ms, http_status, body
                )
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 201, ?7)
                ON CONFLICT (actor, key) DO NOTHING",
            parameters: vec![Parameter::Owned(answer)],
        }
    }

    /// If this very attempt decided, and only once, should the batch be sent again.
    fn effects<'a>(&'a self, new_id: &'a Hex128) -> Vec<Statement<'a>> {
        vec![Statement {
            sql: "INSERT INTO notes (actor, key, id, title)
                SELECT actor, key, ?4, ?5
                FROM operations
                WHERE actor = ?1 AND key = ?2 AND attempt = ?3
                ON CONFLICT (actor, key) DO NOTHING",
            parameters: vec![Parameter::Borrowed(new_id.as_str()), Parameter::Borrowed(&self.title)],
        }]
    }
}
