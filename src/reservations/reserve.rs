//! `POST /reserve`: reserves places in a workshop, once for each operation.

use serde::Serialize;

use super::{Quantity, WorkshopId, rejections};
use crate::domain::Hex128;
use crate::operation::{Body, OperationSql, OperationType, Undecided};
use crate::wire::rejection::REQUEST_CONTRACT;
use crate::wire::{Members, Problem, Rejection};
use crate::{new_ids, operation_sql, outcomes, payload};

payload! {
    /// The payload of `POST /reserve`.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Reserve {
        /// The workshop to reserve in.
        pub workshop: WorkshopId,
        /// The number of places.
        pub quantity: Quantity,
    }
}

outcomes! {
    /// The outcomes of `POST /reserve`. Each is final for its key.
    pub enum Outcome {
        /// The places are reserved.
        Reserved: "reserved" = 201,
        /// There were not enough places, or the workshop was no longer open, or the actor would hold
        /// more than one actor may. Nothing was reserved.
        Unavailable: "unavailable" = 409,
    }
}

new_ids! {
    /// The random ids of the rows that are created.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct NewIds {
        /// The reservation.
        pub reservation_id,
    }
}

impl OperationType for Reserve {
    const NAME: &'static str = "reserve";
    type Outcome = Outcome;
    type NewIds = NewIds;

    const SQL: OperationSql = operation_sql! {
        Reserve;
        columns: ["workshop"];
        decide: include_str!("sql/decide.sql");
        effects: [
            { on: Reserved, changes: Always, name: "take_places", sql: include_str!("sql/take_places.sql") },
        ];
    };

    const UNDECIDED: Undecided = Undecided::Because(rejections::UNKNOWN_WORKSHOP);

    /// A JSON object with exactly the members `workshop` and `quantity`. Nothing is coerced:
    /// `"1"`, `1.0` and `true` are not `1`.
    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::of_body(body)?.exactly(["workshop", "quantity"]);
        let [workshop, quantity] = members.ok_or(MEMBERS)?;
        let workshop = workshop.text().and_then(|id| WorkshopId::parse(&id));
        let quantity = quantity.integer().and_then(Quantity::new);
        Ok(Self { workshop: workshop.ok_or(WORKSHOP)?, quantity: quantity.ok_or(QUANTITY)? })
    }

    fn body(&self, outcome: Outcome, new_ids: &NewIds) -> Body {
        match outcome {
            Outcome::Reserved => reserved(&new_ids.reservation_id, self.quantity),
            Outcome::Unavailable => Body::json(&Status { status: outcome.name() }),
        }
    }
}

/// The body of the receipt of an abandoned operation: nothing was reserved, and nothing will be.
pub const ABANDONED: &str = r#"{"status":"abandoned"}"#;

fn reserved(reservation_id: &Hex128, quantity: Quantity) -> Body {
    Body::json(&Reserved {
        status: Outcome::Reserved.name(),
        reservation_id: reservation_id.as_str(),
        quantity: quantity.places(),
    })
}

#[derive(Serialize)]
struct Status {
    status: &'static str,
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
