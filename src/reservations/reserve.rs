//! `POST /reserve`: places in a workshop, decided once.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::{Quantity, WorkshopId, rejections};
use crate::domain::Hex128;
use crate::operation::Kind;
use crate::store::{Parameter, Statement};
use crate::wire::{Rejection, json_object, to_json};

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
        let mut json = serde_json::Deserializer::from_str(json_object(body)?);
        let mut expected = MEMBERS;
        let read = Members { expected: &mut expected }.deserialize(&mut json);
        read.map_err(|_| Rejection::request_contract(expected))
    }

    fn values(&self) -> Vec<String> {
        vec![self.workshop.as_str().to_owned(), self.quantity.places().to_string()]
    }

    fn decide<'a>(&'a self, new_id: &'a Hex128) -> Statement<'a> {
        Statement {
            sql: include_str!("sql/decide.sql"),
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
            sql: include_str!("sql/take_places.sql"),
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

const MEMBERS: &str = "Expected exactly the members workshop and quantity, each once.";
const WORKSHOP: &str = "Expected workshop to be a string that matches [a-z][a-z0-9-]{1,40}.";
const QUANTITY: &str = "Expected quantity to be the JSON integer 1 or 2.";

/// Reads the object. `expected` says of what is being read what it must be, for when the
/// reading stops.
struct Members<'a> {
    expected: &'a mut &'static str,
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = Reserve;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Reserve, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Reserve;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Reserve, A::Error> {
        let stop = || A::Error::custom("not the contract");
        let (mut workshop, mut quantity) = (None, None);
        *self.expected = MEMBERS;
        while let Some(member) = object.next_key::<Cow<str>>()? {
            match &*member {
                "workshop" if workshop.is_none() => {
                    *self.expected = WORKSHOP;
                    let id = object.next_value::<Cow<str>>()?;
                    workshop = Some(WorkshopId::parse(&id).ok_or_else(stop)?);
                }
                "quantity" if quantity.is_none() => {
                    *self.expected = QUANTITY;
                    let places = object.next_value::<u64>()?;
                    quantity = Some(Quantity::new(places).ok_or_else(stop)?);
                }
                _ => return Err(stop()),
            }
            *self.expected = MEMBERS;
        }
        Ok(Reserve { workshop: workshop.ok_or_else(stop)?, quantity: quantity.ok_or_else(stop)? })
    }
}
