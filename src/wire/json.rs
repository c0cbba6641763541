//! JSON as requests bring it: flat objects whose members are taken exactly as they came.
//!
//! Nothing is coerced and nothing is dropped: a member that comes twice is there twice, and
//! `1.0` is no integer.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::rejection::{self, Problem, Rejection};

const NO_OBJECT: Rejection =
    Rejection(&Problem { detail: "Expected a JSON object.", ..*rejection::REQUEST_CONTRACT.0 });

/// The members of a JSON object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Members<'a> {
    read: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Whether that is all of them.
    whole: bool,
}

/// The value of a member.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// A number without sign, fraction and exponent.
    Integer(u64),
    /// Anything else.
    Other,
}

impl<'a> Members<'a> {
    /// The members of a request's body.
    ///
    /// The syntax is judged first, without looking at what it says: so that 400 means "not
    /// JSON" wherever in the text the contract is broken too.
    ///
    /// # Errors
    ///
    /// [`rejection::MALFORMED_BODY`] exactly when the bytes are not UTF-8 JSON,
    /// [`rejection::REQUEST_CONTRACT`] if they are JSON, but no object.
    pub fn of_body(body: &'a [u8]) -> Result<Self, Rejection> {
        let text = std::str::from_utf8(body).map_err(|_| rejection::MALFORMED_BODY)?;
        serde_json::from_str::<IgnoredAny>(text).map_err(|_| rejection::MALFORMED_BODY)?;
        Self::of_json(text).ok_or(NO_OBJECT)
    }

    /// The members of an object whose every value can be had; `None` for any other text.
    pub fn of(text: &'a str) -> Option<Self> {
        Self::of_json(text).filter(|members| members.whole)
    }

    /// The members of an object, as far as they can be read. A value that is JSON and can still
    /// not be had (a lone surrogate, a number beyond all numbers) is [`Value::Other`], and so is
    /// every one after it.
    fn of_json(text: &'a str) -> Option<Self> {
        if !text.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut read = Vec::new();
        let mut json = serde_json::Deserializer::from_str(text);
        let whole = Reader(Some(&mut read)).deserialize(&mut json).is_ok() && json.end().is_ok();
        Some(Self { read, whole })
    }

    /// The values of exactly these members, each once, in any order.
    pub fn exactly<const COUNT: usize>(mut self, names: [&str; COUNT]) -> Option<[Value<'a>; COUNT]> {
        let values = names.map(|name| self.take(name));
        let complete = self.is_empty() && values.iter().all(Option::is_some);
        complete.then(|| values.map(|value| value.unwrap_or(Value::Other)))
    }

    /// Whether every member was taken out.
    pub fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// Takes a member out; `None` if there is none of this name. Of two, neither is believed.
    pub fn take(&mut self, name: &str) -> Option<Value<'a>> {
        let mut named = self.read.iter().enumerate().filter(|(_, (member, _))| member == name);
        let Some((at, _)) = named.next() else {
            return (!self.whole).then_some(Value::Other);
        };
        let twice = named.next().is_some();
        let (_, value) = self.read.swap_remove(at);
        Some(if twice { Value::Other } else { value })
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

    /// The number that an integer is.
    pub fn integer(self) -> Option<u64> {
        match self {
            Self::Integer(number) => Some(number),
            Self::Text(_) | Self::Other => None,
        }
    }
}

/// Reads one value; if it is the object whose members are wanted, also these, into a list,
/// where they stay if the reading stops.
///
/// It takes whatever comes, so that nothing of serde is needed that words a mismatch.
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
            // The empty name is none that anybody takes, so that a name that cannot be had is one
            // member too many.
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
