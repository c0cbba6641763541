//! `POST /reserve`: places in a workshop, decided once.

use serde::Serialize;

use super::{Quantity, WorkshopId, rejections};
use crate::domain::Hex128;
use crate::operation::Kind;
use crate::store::text::sql;
use crate::store::{Parameter, Statement};
use crate::wire::rejection::REQUEST_CONTRACT;
use crate::wire::{Members, Problem, Rejection, to_json};

/// What a person asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reserve {
    /// The workshop to reserve in.
    pub workshop: WorkshopId,
    /// How many places.
    pub quantity: Quantity,
}

impl Kind for Reserve {
    const NAME: &'static str = "reserve";
    const UNDECIDED: Rejection = rejections::UNKNOWN_WORKSHOP;

    /// A JSON object with exactly the members `workshop` and `quantity`. Nothing is coerced:
    /// `"1"`, `1.0` and `true` are not `1`.
    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::of_body(body)?.exactly(["workshop", "quantity"]);
        let [workshop, quantity] = members.ok_or(MEMBERS)?;
        let workshop = workshop.text().and_then(|id| WorkshopId::parse(&id));
        let quantity = quantity.integer().and_then(Quantity::new);
        Ok(Self { workshop: workshop.ok_or(WORKSHOP)?, quantity: quantity.ok_or(QUANTITY)? })
    }

    fn values(&self) -> Vec<String> {
        vec![self.workshop.as_str().to_owned(), self.quantity.places().to_string()]
    }

    fn decide<'a>(&'a self, new_id: &'a Hex128) -> Statement<'a> {
        Statement {
            sql: sql!("sql/decide.sql"),
            parameters: vec![
                Parameter::Owned(reserved(new_id, self.quantity)),
                Parameter::Borrowed(UNAVAILABLE),
                Parameter::Borrowed(self.workshop.as_str()),
                Parameter::Number(self.quantity.places().into()),
            ],
        }
    }

    fn effects<'a>(&'a self, new_id: &'a Hex128) -> Vec<Statement<'a>> {
        vec![Statement {
            sql: sql!("sql/take_places.sql"),
            parameters: vec![
                Parameter::Borrowed(new_id.as_str()),
                Parameter::Number(self.quantity.places().into()),
            ],
        }]
    }
}

/// The outcome if there were not enough places, or the workshop was no longer open: nothing
/// was reserved. Final for its key.
pub const UNAVAILABLE: &str = r#"{"status":"unavailable"}"#;

/// The outcome of an operation that was given up before anything else was decided: nothing
/// was reserved, and nothing will be.
pub const ABANDONED: &str = r#"{"status":"abandoned"}"#;

/// The outcome if the places are reserved.
pub fn reserved(reservation_id: &Hex128, quantity: Quantity) -> String {
    to_json(&Reserved {
        status: "reserved",
        reservation_id: reservation_id.as_str(),
        quantity: quantity.places(),
    })
}

#[derive(Serialize)]
struct Reserved<'a> {
    status: &'a str,
    reservation_id: &'a str,
    quantity: u8,
}

const MEMBERS: Rejection = Rejection(&Problem {
    detail: "Expected exactly the members workshop and quantity, each once.",
    ..*REQUEST_CONTRACT.0
});
const WORKSHOP: Rejection = Rejection(&Problem {
    detail: "Expected workshop to be a string that matches [a-z][a-z0-9-]{1,40}.",
    ..*REQUEST_CONTRACT.0
});
const QUANTITY: Rejection =
    Rejection(&Problem { detail: "Expected quantity to be the JSON integer 1 or 2.", ..*REQUEST_CONTRACT.0 });
