//! `POST /notes`: creates a note with a title, once for each operation.

use einmal::operation::{Body, OperationSql, OperationType, Undecided};
use einmal::wire::{Members, Problem, Rejection, rejection};
use einmal::{new_ids, operation_sql, outcomes, payload};
use serde::Serialize;
use unicode_normalization::is_nfc;

/// Maximum characters of a title; the schema has the same bound.
const TITLE_CHARACTERS_MAX: usize = 200;

const TITLE: Rejection = Rejection(&Problem {
    detail: "Expected exactly the member title: a string of 1 to 200 characters in Unicode NFC, without control characters.",
    ..*rejection::REQUEST_CONTRACT.0
});

payload! {
    pub struct CreateNote {
        title: String,
    }
}

outcomes! {
    pub enum Outcome {
        Created: "created" = 201,
    }
}

new_ids! {
    pub struct NewIds {
        note_id,
    }
}

impl OperationType for CreateNote {
    const NAME: &'static str = "create_note";
    type Outcome = Outcome;
    type NewIds = NewIds;

    const SQL: OperationSql = operation_sql! {
        CreateNote;
        decide: "SELECT 'created' AS outcome";
        effects: [
            {
                on: Created, changes: Always, name: "insert_note",
                sql: "INSERT INTO notes (actor, key, id, title)
                    SELECT actor, key, :note_id, :title
                    FROM decided",
            },
        ];
    };

    const UNDECIDED: Undecided = Undecided::Never;

    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let [title] = Members::of_body(body)?.exactly(["title"]).ok_or(TITLE)?;
        let title = title.text().ok_or(TITLE)?;
        let is_title = (1..=TITLE_CHARACTERS_MAX).contains(&title.chars().count())
            && is_nfc(&title)
            && !title.chars().any(char::is_control);
        if is_title { Ok(Self { title: title.into_owned() }) } else { Err(TITLE) }
    }

    fn body(&self, outcome: Outcome, new_ids: &NewIds) -> Body {
        match outcome {
            Outcome::Created => Body::json(&Note { id: new_ids.note_id.as_str(), title: &self.title }),
        }
    }
}

#[derive(Serialize)]
struct Note<'a> {
    id: &'a str,
    title: &'a str,
}

#[cfg(test)]
mod tests {
    use super::CreateNote;
    use einmal::testing::exactly_once;

    #[test]
    fn a_note_is_created_exactly_once() {
        let schema = include_str!("../migrations/0001_operations_notes.sql");
        let bodies = [r#"{"title":"Buy milk"}"#, r#"{"title":"Buy bread"}"#];
        exactly_once::<CreateNote>(schema, "", &bodies).unwrap();
    }
}
