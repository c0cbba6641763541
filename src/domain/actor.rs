use sha2::{Digest, Sha256};

use super::Hex128;
use super::hex::lower_hex;

/// Who asks: a name matching `[a-z][a-z0-9_-]{1,40}`, given by the service's own identity
/// check, never by a body, a network address or an e-mail.
///
/// The first two characters say how the actor is known: `s_` by the session of a browser,
/// `t_` by the token of a program. An operation belongs to its actor: two actors may use the
/// same key and never see each other's receipt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Actor(String);

/// How an actor is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Source {
    /// The signed cookie of a browser.
    Session,
    /// The bearer token of a program.
    Token,
}

impl Source {
    /// What the names of its actors begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "s_",
            Self::Token => "t_",
        }
    }
}

impl Actor {
    /// Reads a name; `None` for a text of another form.
    pub fn parse(text: &str) -> Option<Self> {
        let starts_well = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
        let goes_on_well = text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
        ((2..=41).contains(&text.len()) && starts_well && goes_on_well).then(|| Self(text.to_owned()))
    }

    /// The actor of a new session.
    pub fn new_session(random: &Hex128) -> Self {
        Self(format!("{}{random}", Source::Session.prefix()))
    }

    /// Whether the actor is known by `source`.
    pub fn is_known_by(&self, source: Source) -> bool {
        self.0.starts_with(source.prefix())
    }

    /// The name, as it stands in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a client may know the actor by: 16 hexadecimal digits of the SHA-256 of the name.
    /// It is no secret, gives no permission, and stays the same when secrets are rotated.
    pub fn tag(&self) -> String {
        let digest = Sha256::digest(&self.0);
        lower_hex(digest.get(..8).unwrap_or_default())
    }
}
