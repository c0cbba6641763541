use crate::store::{Parameter, ParameterType, ToParameter};

/// The id of a workshop: a text matching `[a-z][a-z0-9-]{1,40}`.
///
/// The schema states the same form as `workshops_id_form`; a native test keeps
/// the two equal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WorkshopId(String);

impl WorkshopId {
    /// The fewest and the most characters.
    pub const LENGTH: std::ops::RangeInclusive<usize> = 2..=41;

    /// Reads an id; `None` for a text of another form.
    pub fn parse(text: &str) -> Option<Self> {
        let starts_well = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
        let goes_on_well =
            text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        (Self::LENGTH.contains(&text.len()) && starts_well && goes_on_well).then(|| Self(text.to_owned()))
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

/// A workshop on offer, as everybody may see it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Workshop {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it happens, in words.
    pub venue: Option<String>,
    /// When it starts, RFC 3339 in UTC.
    pub starts_at: Option<String>,
    /// When it ends, RFC 3339 in UTC.
    pub ends_at: Option<String>,
    /// The IANA name of the zone in which people read its times.
    pub time_zone: Option<String>,
    /// How many places there are.
    pub capacity: i64,
    /// How many of them are reserved.
    pub reserved: i64,
    /// Whether it still takes reservations, if places are left.
    pub open: bool,
}
