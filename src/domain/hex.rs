use std::fmt;

/// 128 random bits, written as 32 lower-case hexadecimal digits.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hex128(String);

impl Hex128 {
    /// The digits of `bytes`, which must come from a cryptographic random source.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(lower_hex(&bytes))
    }

    /// The 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Hex128 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Two lower-case digits a byte.
pub(super) fn lower_hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}
