//! Reads the JSON of requests and tokens: flat objects, strictly.
//!
//! Nothing is coerced and nothing is dropped: a repeated member is an error, and `1.0` is not an
//! integer.
//!
//! serde's derive would be shorter, but links messages about wrong types, and the formatting of floats for
//! them, which no client receives: the build would be 85.2 KB gzip instead of 75.2. With `serde_json::Value`
//! it would be 87.1.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::rejection::{self, Problem, Rejection};

const NOT_AN_OBJECT: Rejection =
    Rejection(&Problem { detail: "Expected a JSON object.", ..*rejection::REQUEST_CONTRACT.0 });

/// The members of a JSON object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Members<'a> {
    read: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Whether all of them could be read.
    complete: bool,
}

/// The value of a member.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// A number without sign, fraction or exponent.
    Integer(u64),
    /// Anything else.
    Other,
}

impl<'a> Members<'a> {
    /// Parses the body of a request.
    ///
    /// The syntax of the whole body is checked first, so that 400 means "not JSON" even for a body that
    /// also has the wrong members.
    ///
    /// # Errors
    ///
    /// [`rejection::MALFORMED_BODY`] exactly when the bytes are not UTF-8 JSON,
    /// [`rejection::REQUEST_CONTRACT`] if they are JSON, but not an object.
    pub fn of_body(body: &'a [u8]) -> Result<Self, Rejection> {
        let text = std::str::from_utf8(body).map_err(|_| rejection::MALFORMED_BODY)?;
        serde_json::from_str::<IgnoredAny>(text).map_err(|_| rejection::MALFORMED_BODY)?;
        Self::of_json(text).ok_or(NOT_AN_OBJECT)
    }

    /// Parses an object whose values can all be read; `None` for any other text.
    pub fn of(text: &'a str) -> Option<Self> {
        Self::of_json(text).filter(|members| members.complete)
    }

    /// Parses an object up to the first value that is valid JSON but cannot be represented (a lone
    /// surrogate, a number that is too large). That value is [`Value::Other`], and so is every one
    /// after it.
    fn of_json(text: &'a str) -> Option<Self> {
        if !text.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut read = Vec::new();
        let mut json = serde_json::Deserializer::from_str(text);
        let complete = Reader(Some(&mut read)).deserialize(&mut json).is_ok() && json.end().is_ok();
        Some(Self { read, complete })
    }

    /// The values of exactly these members, each present once, in any order.
    pub fn exactly<const COUNT: usize>(mut self, names: [&str; COUNT]) -> Option<[Value<'a>; COUNT]> {
        let values = names.map(|name| self.take(name));
        let are_exactly_these = self.is_empty() && values.iter().all(Option::is_some);
        are_exactly_these.then(|| values.map(|value| value.unwrap_or(Value::Other)))
    }

    /// Whether every member was taken.
    pub fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// Takes a member; `None` if there is no such member. A repeated one is [`Value::Other`].
    pub fn take(&mut self, name: &str) -> Option<Value<'a>> {
        let mut named = self.read.iter().enumerate().filter(|(_, (member, _))| member == name);
        let Some((at, _)) = named.next() else {
            return (!self.complete).then_some(Value::Other);
        };
        let is_repeated = named.next().is_some();
        let (_, value) = self.read.swap_remove(at);
        Some(if is_repeated { Value::Other } else { value })
    }
}

impl<'a> Value<'a> {
    /// The text of a string.
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Integer(_) | Self::Other => None,
        }
    }

    /// The number of an integer.
    pub fn integer(self) -> Option<u64> {
        match self {
            Self::Integer(number) => Some(number),
            Self::Text(_) | Self::Other => None,
        }
    }
}

/// Reads one value. With a list, it also reads the members of an object into it; if reading fails, the
/// members before the failure remain in the list.
///
/// It accepts a value of every type, so that serde's messages about a wrong type are not linked.
struct Reader<'list, 'a>(Option<&'list mut Vec<(Cow<'a, str>, Value<'a>)>>);

impl<'a> DeserializeSeed<'a> for Reader<'_, 'a> {
    type Value = Value<'a>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Value<'a>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Reader<'_, 'a> {
    type Value = Value<'a>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value<'a>, E> {
        Ok(Value::Integer(number))
    }

    fn visit_i64<E>(self, _number: i64) -> Result<Value<'a>, E> {
        Ok(Value::Other)
    }

    fn visit_f64<E>(self, _number: f64) -> Result<Value<'a>, E> {
        Ok(Value::Other)
    }

    fn visit_bool<E>(self, _truth: bool) -> Result<Value<'a>, E> {
        Ok(Value::Other)
    }

    fn visit_unit<E>(self) -> Result<Value<'a>, E> {
        Ok(Value::Other)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut array: A) -> Result<Value<'a>, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut object: A) -> Result<Value<'a>, A::Error> {
        let Some(members) = self.0 else {
            while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Value::Other);
        };
        loop {
            // No request has a member with an empty name, so a name that cannot be read counts as an
            // unexpected member.
            members.push((Cow::Borrowed(""), Value::Other));
            let Some(name) = object.next_key_seed(Reader(None))? else { break };
            let Some((member, read)) = members.last_mut() else { break };
            *member = name.text().unwrap_or_default();
            *read = object.next_value_seed(Reader(None))?;
        }
        members.pop();
        Ok(Value::Other)
    }
}
