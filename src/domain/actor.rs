use std::borrow::Cow;

/// Who asks: a name matching `[a-z][a-z0-9_-]{1,40}`, given by the service's own
/// identity check, never by a body or a network address.
///
/// An operation belongs to its actor: two actors may use the same key and never see
/// each other's receipt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Actor(Cow<'static, str>);

impl Actor {
    /// The one actor of a service that does not ask who is there.
    pub const DEMO: Self = Self(Cow::Borrowed("demo"));

    /// The name, as it stands in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
