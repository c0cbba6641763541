//! What `POST /reserve` must bring: a key and a body of exactly one form.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{Breach, Rejected, Rejection};
use crate::domain::{Intention, OperationKey, Quantity, WorkshopId};

/// The path of an absolute URL, percent-encoded as it came.
///
/// A URL that the platform has parsed never has an empty path, so the first `/` after
/// the host begins it.
pub fn path(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..));
    let path = path.unwrap_or("/");
    path.split(['?', '#']).next().unwrap_or(path)
}

/// Whether a `Content-Type` says JSON. Parameters such as `charset=utf-8` are allowed.
pub fn is_json(content_type: Option<&str>) -> bool {
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// The key of an `Idempotency-Key` header: bare, or as the quoted string of
/// draft-ietf-httpapi-idempotency-key-header-07. Both spellings name one operation.
///
/// Several header lines arrive joined by a comma and are refused.
///
/// # Errors
///
/// [`Rejection::OperationId`] for a missing header and for every other text.
pub fn operation_key(header: Option<&str>) -> Result<OperationKey, Rejection> {
    let text = header.ok_or(Rejection::OperationId)?;
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    OperationKey::parse(bare).ok_or(Rejection::OperationId)
}

/// The intention of a body: a JSON object with exactly the members `workshop` and
/// `quantity`. Nothing is coerced: `"1"`, `1.0` and `true` are not `1`.
///
/// # Errors
///
/// [`Rejection::MalformedBody`] exactly when the bytes are not UTF-8 JSON,
/// [`Rejection::RequestContract`] for every other JSON, with the [`Breach`] in its detail.
pub fn intention(body: &[u8]) -> Result<Intention, Rejected> {
    let text = std::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    // The syntax first, without looking at what it says: so that 400 means "not JSON"
    // wherever in the text the contract is broken too.
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| Rejection::MalformedBody)?;
    let mut breach = Breach::NotAnObject;
    let mut json = serde_json::Deserializer::from_str(text);
    Members { breach: &mut breach }.deserialize(&mut json).map_err(|_| breach.into())
}

/// Reads the object. `breach` says what is being read, so that it names the place when
/// the reading stops.
struct Members<'a> {
    breach: &'a mut Breach,
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = Intention;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Intention, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Intention;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Intention, A::Error> {
        let stop = || A::Error::custom("not the contract");
        let (mut workshop, mut quantity) = (None, None);
        *self.breach = Breach::Members;
        while let Some(member) = object.next_key::<Cow<str>>()? {
            match &*member {
                "workshop" if workshop.is_none() => {
                    *self.breach = Breach::Workshop;
                    let id = object.next_value::<Cow<str>>()?;
                    workshop = Some(WorkshopId::parse(&id).ok_or_else(stop)?);
                }
                "quantity" if quantity.is_none() => {
                    *self.breach = Breach::Quantity;
                    let places = object.next_value::<u64>()?;
                    quantity = Some(Quantity::new(places).ok_or_else(stop)?);
                }
                _ => return Err(stop()),
            }
            *self.breach = Breach::Members;
        }
        Ok(Intention { workshop: workshop.ok_or_else(stop)?, quantity: quantity.ok_or_else(stop)? })
    }
}
