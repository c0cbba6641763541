use sha2::{Digest, Sha256};

use super::Hex128;
use super::hex::lower_hex;

/// The authenticated principal: a name matching `[a-z][a-z0-9_-]{1,40}`. Authentication alone
/// determines it, never a body, a network address or an e-mail address.
///
/// The first two characters are those of the credential: `s_` for the session of a browser, `t_` for
/// the token of a program. An operation belongs to its actor: two actors may use the same key and
/// never see each other's receipt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Actor(String);

/// What an actor is authenticated by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Credential {
    /// The signed cookie of a browser.
    Session,
    /// The bearer token of a program.
    Token,
}

impl Credential {
    /// The prefix of the names of its actors.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "s_",
            Self::Token => "t_",
        }
    }
}

impl Actor {
    /// Parses a name; `None` if it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let first_is_letter = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
        let all_are_allowed = text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
        ((2..=41).contains(&text.len()) && first_is_letter && all_are_allowed).then(|| Self(text.to_owned()))
    }

    /// The actor of a new session.
    pub fn new_session(random: &Hex128) -> Self {
        Self(format!("{}{random}", Credential::Session.prefix()))
    }

    /// Whether the actor is one of this credential.
    pub fn is_authenticated_by(&self, credential: Credential) -> bool {
        self.0.starts_with(credential.prefix())
    }

    /// The name, as stored in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The actor id: the actor's public hash, the first 16 hexadecimal digits of the SHA-256 of the name.
    /// It is not secret, grants nothing, and does not change when secrets are rotated.
    pub fn actor_id(&self) -> String {
        let digest = Sha256::digest(&self.0);
        lower_hex(digest.get(..8).unwrap_or_default())
    }
}
