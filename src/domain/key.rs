use sha2::{Digest, Sha256};
use uuid::{Uuid, Variant, Version, fmt::Hyphenated};

use super::hex::lower_hex;

/// The idempotency key: the name of one operation within its actor. A UUID version 4 of the RFC 9562
/// variant, in lower case with hyphens.
///
/// The client generates it once, when the person first submits, and sends it with every attempt. It
/// is not secret and grants nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OperationKey(Uuid);

impl OperationKey {
    /// Parses a key in its canonical form; `None` for every other text, even for another spelling of
    /// the same UUID.
    pub fn parse(text: &str) -> Option<Self> {
        let uuid = Uuid::try_parse(text).ok()?;
        let canonical = uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text;
        let random = uuid.get_version() == Some(Version::Random);
        (canonical && random && uuid.get_variant() == Variant::RFC4122).then_some(Self(uuid))
    }

    /// The 36 characters.
    pub fn text(&self) -> String {
        let mut buffer = [0; Hyphenated::LENGTH];
        self.0.hyphenated().encode_lower(&mut buffer).to_owned()
    }

    /// The first 8 hexadecimal digits of the SHA-256 of [`Self::text`], for a log.
    pub fn short_hash(&self) -> String {
        let digest = Sha256::digest(self.text());
        lower_hex(digest.get(..4).unwrap_or_default())
    }
}
