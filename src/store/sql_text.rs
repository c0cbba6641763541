//! Makes the text of a statement at compile time: removes comments, fills slots, and writes each `:name`
//! as the numbered parameter that D1 takes. It does not parse SQL.
//!
//! [D1 binds parameters by position or number, not by name](https://developers.cloudflare.com/d1/worker-api/prepared-statements/).
//! Numbers written by hand are easily wrong, and a wrong one transfers money without an error. So statements
//! name their parameters, and an unknown name, a `?`, a second statement or an unfilled slot does not
//! compile.
//!
//! D1 binds every number as a floating-point one. So each integer parameter is written
//! `CAST(?n AS INTEGER)`: `json_object('n', :n)` is `1` and not `1.0`.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "run by the compiler, where a panic is a compile error"
)]

/// Maximum bytes of a statement's text. Compile-time code needs a bound; the longest text is about 2,000.
const TEXT_BYTES_MAX: usize = 8_192;

/// Maximum parameters of a statement: D1's limit is 100.
const PARAMETERS_MAX: usize = 99;

/// The name of a parameter, and the type of its values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Name {
    /// `title` for `:title`: lower-case letters, digits and `_`, with a letter first.
    pub text: &'static str,
    /// The type of its values.
    pub of: ParameterType,
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ParameterType {
    /// Text.
    Text,
    /// A whole number of at most 2^53.
    Integer,
}

/// Why a text is not a valid statement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mistake {
    /// `:name` is not one of the names.
    UnknownName,
    /// No statement uses a name.
    UnusedName,
    /// `?` or `?1`.
    PositionalParameter,
    /// A `;`.
    SecondStatement,
    /// A `/*`: only comments up to the end of a line are allowed.
    BlockComment,
    /// A quote or a slot is not closed.
    Unclosed,
    /// `{slot}` is not one of the slots.
    UnknownSlot,
    /// An operation type's `decide` does not begin with SELECT or WITH.
    DecideIsNoSelect,
    /// An effect does not name `decided`.
    EffectWithoutDecided,
    /// More than the maximum of bytes or parameters.
    TooLong,
}

impl Mistake {
    /// What was expected, and what was found.
    pub const fn text(self) -> &'static str {
        match self {
            Self::UnknownName => {
                "expected every :name in the SQL to be a parameter of the statement, found another"
            }
            Self::UnusedName => {
                "expected every parameter to be used in the SQL as :name, found an unused one"
            }
            Self::PositionalParameter => "expected every parameter in the SQL to be a :name, found a ?",
            Self::SecondStatement => "expected one SQL statement, found a semicolon",
            Self::BlockComment => "expected comments in the SQL to begin with --, found a /*",
            Self::Unclosed => {
                "expected every quote and {slot} in the SQL to be closed, found one that is not"
            }
            Self::UnknownSlot => {
                "expected every {slot} in the SQL to be a slot of the statement, found another"
            }
            Self::DecideIsNoSelect => "expected decide to be a SELECT: the engine writes the receipt",
            Self::EffectWithoutDecided => {
                "expected the effect to select from `decided`: without it, it would run for every attempt"
            }
            Self::TooLong => "expected at most 8192 bytes of SQL and 99 parameters, found more",
        }
    }
}

/// A statement's text, and the names of its parameters `?1`, `?2`, ….
#[derive(Clone, Copy, Debug)]
pub struct Assembled {
    text: [u8; TEXT_BYTES_MAX],
    length: usize,
    parameters: [u8; PARAMETERS_MAX],
    count: usize,
}

impl Assembled {
    /// The number of bytes, and the number of parameters.
    pub const fn size(&self) -> (usize, usize) {
        (self.length, self.count)
    }

    /// The text.
    pub const fn text<const LENGTH: usize>(&self) -> [u8; LENGTH] {
        let mut text = [0; LENGTH];
        let (used, _) = self.text.split_at(LENGTH);
        text.copy_from_slice(used);
        text
    }

    /// For each parameter, in order, the index of its name, counted through all groups of names.
    pub const fn parameters<const COUNT: usize>(&self) -> [u8; COUNT] {
        let mut parameters = [0; COUNT];
        let (used, _) = self.parameters.split_at(COUNT);
        parameters.copy_from_slice(used);
        parameters
    }

    const EMPTY: Self =
        Self { text: [0; TEXT_BYTES_MAX], length: 0, parameters: [0; PARAMETERS_MAX], count: 0 };

    const fn push(mut self, byte: u8) -> Result<Self, Mistake> {
        if self.length == TEXT_BYTES_MAX {
            return Err(Mistake::TooLong);
        }
        self.text[self.length] = byte;
        self.length += 1;
        Ok(self)
    }

    const fn push_all(mut self, bytes: &[u8]) -> Result<Self, Mistake> {
        let mut at = 0;
        while at < bytes.len() {
            self = match self.push(bytes[at]) {
                Ok(pushed) => pushed,
                mistake => return mistake,
            };
            at += 1;
        }
        Ok(self)
    }

    /// Appends a parameter by number, which it gets at its first use.
    const fn push_parameter(mut self, index: usize, of: ParameterType) -> Result<Self, Mistake> {
        let mut number = 0;
        while number < self.count && self.parameters[number] as usize != index {
            number += 1;
        }
        if number == PARAMETERS_MAX {
            return Err(Mistake::TooLong);
        }
        if number == self.count {
            self.parameters[number] = index as u8;
            self.count += 1;
        }
        let number = number as u8 + 1;
        let digits = [b'0' + number / 10, b'0' + number % 10];
        let (before, after): (&[u8], &[u8]) = match of {
            ParameterType::Text => (b"?", b""),
            ParameterType::Integer => (b"CAST(?", b" AS INTEGER)"),
        };
        let (_, digits) = digits.split_at(if number < 10 { 1 } else { 0 });
        match self.push_all(before) {
            Ok(text) => match text.push_all(digits) {
                Ok(text) => text.push_all(after),
                mistake => mistake,
            },
            mistake => mistake,
        }
    }
}

/// Makes a statement from a template.
///
/// `slots` are pairs: a slot's name, and the SQL that fills `{name}` or the text that fills `{'name'}`.
/// `names` come in groups, because compile-time code cannot concatenate the engine's and an application's.
///
/// # Errors
///
/// The first [`Mistake`] in it.
pub const fn assemble(
    template: &str,
    slots: &[(&str, &str)],
    names: &[&[Name]],
) -> Result<Assembled, Mistake> {
    match append(Assembled::EMPTY, template.as_bytes(), slots, names) {
        Ok(mut assembled) => {
            while assembled.length > 0 && assembled.text[assembled.length - 1].is_ascii_whitespace() {
                assembled.length -= 1;
            }
            Ok(assembled)
        }
        mistake => mistake,
    }
}

const fn append(
    mut out: Assembled,
    sql: &[u8],
    slots: &[(&str, &str)],
    names: &[&[Name]],
) -> Result<Assembled, Mistake> {
    let mut at = 0;
    while at < sql.len() {
        let byte = sql[at];
        let appended = match byte {
            b'-' if at + 1 < sql.len() && sql[at + 1] == b'-' => {
                // A comment on a line of its own is removed with its line.
                while at < sql.len() && sql[at] != b'\n' {
                    at += 1;
                }
                let fills_line = out.length == 0 || out.text[out.length - 1] == b'\n';
                if fills_line && at < sql.len() {
                    at += 1;
                }
                Ok(out)
            }
            b'\'' | b'"' => {
                let Some(length) = until(sql, at + 1, byte) else { return Err(Mistake::Unclosed) };
                let quoted = part(sql, at, length + 2);
                at += length + 2;
                out.push_all(quoted)
            }
            b'{' => {
                let Some(length) = until(sql, at + 1, b'}') else { return Err(Mistake::Unclosed) };
                let (name, is_text) = unquoted(part(sql, at + 1, length));
                at += length + 2;
                let mut slot = 0;
                while slot < slots.len() && !equal(slots[slot].0.as_bytes(), name) {
                    slot += 1;
                }
                if slot == slots.len() {
                    return Err(Mistake::UnknownSlot);
                }
                let filling = slots[slot].1.as_bytes();
                if is_text {
                    match out.push(b'\'') {
                        Ok(out) => match out.push_all(filling) {
                            Ok(out) => out.push(b'\''),
                            mistake => mistake,
                        },
                        mistake => mistake,
                    }
                } else {
                    append(out, filling, &[], names)
                }
            }
            b':' => {
                let length = word_length(sql, at + 1);
                let name = part(sql, at + 1, length);
                at += length + 1;
                match index_of(name, names) {
                    Some((index, of)) => out.push_parameter(index, of),
                    None => Err(Mistake::UnknownName),
                }
            }
            b'/' if at + 1 < sql.len() && sql[at + 1] == b'*' => Err(Mistake::BlockComment),
            b'?' => Err(Mistake::PositionalParameter),
            b';' => Err(Mistake::SecondStatement),
            _ => {
                at += 1;
                out.push(byte)
            }
        };
        out = match appended {
            Ok(out) => out,
            mistake => return mistake,
        };
    }
    Ok(out)
}

/// The number of names in all groups.
pub const fn count_names(groups: &[&[Name]]) -> usize {
    let mut count = 0;
    let mut group = 0;
    while group < groups.len() {
        count += groups[group].len();
        group += 1;
    }
    count
}

/// Whether a statement, whose [`Assembled::parameters`] these are, uses the name of this index.
pub const fn uses(parameters: &[u8], index: usize) -> bool {
    let mut at = 0;
    while at < parameters.len() {
        if parameters[at] as usize == index {
            return true;
        }
        at += 1;
    }
    false
}

/// Requires every parameter of a statement to be used in it.
pub const fn require_all_used(names: &[Name], parameters: &[u8]) -> Result<(), Mistake> {
    if names.len() == parameters.len() { Ok(()) } else { Err(Mistake::UnusedName) }
}

/// Requires an operation type's `decide` to be a SELECT.
pub const fn require_select(sql: &str) -> Result<(), Mistake> {
    match assemble_words(sql) {
        Ok(words) => {
            let first = part(&words.text, 0, word_length_any_case(&words.text, 0));
            if first.eq_ignore_ascii_case(b"SELECT") || first.eq_ignore_ascii_case(b"WITH") {
                Ok(())
            } else {
                Err(Mistake::DecideIsNoSelect)
            }
        }
        Err(mistake) => Err(mistake),
    }
}

/// Requires an effect to name `decided`, outside comments and quotes.
pub const fn require_decided(sql: &str) -> Result<(), Mistake> {
    match assemble_words(sql) {
        Ok(words) => {
            let mut at = 0;
            while at < words.length {
                let length = word_length_any_case(&words.text, at);
                if part(&words.text, at, length).eq_ignore_ascii_case(b"decided") {
                    return Ok(());
                }
                at += if length == 0 { 1 } else { length };
            }
            Err(Mistake::EffectWithoutDecided)
        }
        Err(mistake) => Err(mistake),
    }
}

/// The SQL without comments, quoted texts and leading white space. Parameters are unchanged.
const fn assemble_words(sql: &str) -> Result<Assembled, Mistake> {
    let sql = sql.as_bytes();
    let mut out = Assembled::EMPTY;
    let mut at = 0;
    while at < sql.len() {
        let byte = sql[at];
        if byte == b'-' && at + 1 < sql.len() && sql[at + 1] == b'-' {
            while at < sql.len() && sql[at] != b'\n' {
                at += 1;
            }
        } else if byte == b'\'' || byte == b'"' {
            match until(sql, at + 1, byte) {
                Some(length) => at += length + 2,
                None => return Err(Mistake::Unclosed),
            }
        } else {
            at += 1;
            if out.length > 0 || !byte.is_ascii_whitespace() {
                out = match out.push(byte) {
                    Ok(out) => out,
                    mistake => return mistake,
                };
            }
        }
    }
    Ok(out)
}

/// The number of bytes from `from` to the next `end`.
const fn until(sql: &[u8], from: usize, end: u8) -> Option<usize> {
    let mut at = from;
    while at < sql.len() {
        if sql[at] == end {
            return Some(at - from);
        }
        at += 1;
    }
    None
}

const fn word_length(sql: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < sql.len() && matches!(sql[at], b'a'..=b'z' | b'0'..=b'9' | b'_') {
        at += 1;
    }
    at - from
}

const fn word_length_any_case(sql: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < sql.len() && matches!(sql[at], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':') {
        at += 1;
    }
    at - from
}

/// The name of a slot, and whether it is quoted, which makes its filling an SQL text.
const fn unquoted(slot: &[u8]) -> (&[u8], bool) {
    match slot {
        [b'\'', name @ .., b'\''] => (name, true),
        name => (name, false),
    }
}

const fn part(bytes: &[u8], from: usize, length: usize) -> &[u8] {
    bytes.split_at(from).1.split_at(length).0
}

const fn index_of(name: &[u8], groups: &[&[Name]]) -> Option<(usize, ParameterType)> {
    let mut index = 0;
    let mut group = 0;
    while group < groups.len() {
        let mut at = 0;
        while at < groups[group].len() {
            let Name { text, of } = groups[group][at];
            if equal(text.as_bytes(), name) {
                return Some((index, of));
            }
            index += 1;
            at += 1;
        }
        group += 1;
    }
    None
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
