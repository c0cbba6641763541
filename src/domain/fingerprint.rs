use sha2::{Digest, Sha256};

use super::hex::lower_hex;

/// The rule that a fingerprint was computed by. It is stored with the fingerprint, and a
/// comparison uses the stored version's rule, so that a new version does not turn operations that
/// are still being retried into conflicts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FingerprintVersion {
    /// SHA-256 over the name of the operation type and then each value. Each of these fields is
    /// preceded by its length in bytes as a 32-bit big-endian number.
    V1,
}

impl FingerprintVersion {
    /// The version that new receipts are written with.
    pub const CURRENT: Self = Self::V1;

    /// The number stored in the database.
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

/// The input of a fingerprint: the name of the operation type, and the values of the payload.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fields {
    /// The name of the operation type, such as `create_note`.
    pub operation: &'static str,
    /// The values, each in its canonical form, in a fixed order.
    pub values: Vec<String>,
}

/// The hash of a payload: a SHA-256, never truncated, as 64 lower-case hexadecimal digits.
///
/// It covers typed values, not bytes: the order of members, white space and escapes in the request
/// do not change it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fingerprint {
    /// The rule it was computed by.
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

/// Each field is preceded by its length, so that different lists of fields are different bytes.
fn digest<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for field in fields {
        hash.update((field.len() as u32).to_be_bytes());
        hash.update(field);
    }
    lower_hex(&hash.finalize())
}
