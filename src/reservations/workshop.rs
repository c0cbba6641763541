use crate::store::{Parameter, ParameterType, ToParameter};

/// The id of a workshop: a text matching `[a-z][a-z0-9-]{1,40}`, checked by the constructor.
///
/// The schema has the same form as `workshops_id_form`; a native test compares the two.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WorkshopId(String);

impl WorkshopId {
    /// Minimum and maximum number of characters.
    pub const LENGTH: std::ops::RangeInclusive<usize> = 2..=41;

    /// Parses an id; `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let first_is_letter = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
        let all_are_allowed =
            text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        (Self::LENGTH.contains(&text.len()) && first_is_letter && all_are_allowed)
            .then(|| Self(text.to_owned()))
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ToParameter for WorkshopId {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        self.as_str().to_parameter()
    }
}

/// The public view of a workshop on offer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Workshop {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it takes place, as text for people.
    pub venue: Option<String>,
    /// When it starts, RFC 3339 in UTC.
    pub starts_at: Option<String>,
    /// When it ends, RFC 3339 in UTC.
    pub ends_at: Option<String>,
    /// The IANA name of the time zone to display its times in.
    pub time_zone: Option<String>,
    /// The number of places.
    pub capacity: i64,
    /// The number of reserved places.
    pub reserved: i64,
    /// Whether it still takes reservations, as far as places are left.
    pub open: bool,
}
