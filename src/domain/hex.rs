use std::fmt;

/// 128 random bits, written as 32 lower-case hexadecimal digits.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hex128(String);

impl Hex128 {
    /// The digits of `bytes`, which come from a cryptographic random source.
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
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect()
}
