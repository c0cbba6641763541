use sha2::{Digest, Sha256};

use super::hex::lower_hex;

/// Which rule a fingerprint was made by. It is stored beside the fingerprint, and a
/// comparison uses the stored version's rule, so that a later version cannot turn
/// operations that are still being retried into conflicts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FingerprintVersion {
    /// SHA-256 over the name of the operation type and then each value, every one of these
    /// fields preceded by its length in bytes as a 32-bit big-endian number.
    V1,
}

impl FingerprintVersion {
    /// The version that new receipts are written with.
    pub const CURRENT: Self = Self::V1;

    /// The number that stands in the database.
    pub const fn number(self) -> i64 {
        match self {
            Self::V1 => 1,
        }
    }

    /// The version of a stored number; `None` if a newer service wrote it.
    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            1 => Some(Self::V1),
            _ => None,
        }
    }
}

/// What a fingerprint is made of: the name of the operation type, and the payload's values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fields {
    /// The name of the operation type, such as `create_note`.
    pub operation: &'static str,
    /// The values, each in its one spelling, in a fixed order.
    pub values: Vec<String>,
}

/// Recognises the same payload: a SHA-256, never shortened, as 64 lower-case
/// hexadecimal digits.
///
/// It covers typed values, not bytes: member order, white space and escapes of the
/// request do not change it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fingerprint {
    /// The rule it was made by.
    pub version: FingerprintVersion,
    /// The digest.
    pub hex: String,
}

impl Fingerprint {
    /// The fingerprint by the rule of `version`.
    pub fn of(fields: &Fields, version: FingerprintVersion) -> Self {
        let hex = match version {
            FingerprintVersion::V1 => {
                digest([fields.operation].into_iter().chain(fields.values.iter().map(String::as_str)))
            }
        };
        Self { version, hex }
    }
}

/// Each field is preceded by its length, so that no two lists of fields give the
/// same bytes.
fn digest<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for field in fields {
        hash.update((field.len() as u32).to_be_bytes());
        hash.update(field);
    }
    lower_hex(&hash.finalize())
}
