//! The text of a statement, from its file: what stands above it there is for people, and is
//! neither deployed nor sent to the database.

/// The statement in a file beside the one that asks, such as `sql!("sql/read_receipt.sql")`.
///
/// The file begins with lines of comment; from the first other line on it is the statement.
macro_rules! sql {
    ($path:literal) => {{
        const FILE: &str = include_str!($path);
        const STATEMENT: [u8; $crate::store::text::length(FILE)] = $crate::store::text::statement(FILE);
        const TEXT: &str = match str::from_utf8(&STATEMENT) {
            Ok(text) => text,
            Err(_) => FILE,
        };
        TEXT
    }};
}

pub(crate) use sql;

/// How many bytes the statement in a file has.
pub const fn length(file: &str) -> usize {
    file.len().saturating_sub(comment(file.as_bytes()))
}

/// The statement in a file.
pub const fn statement<const LENGTH: usize>(file: &str) -> [u8; LENGTH] {
    let mut statement = [0; LENGTH];
    let (_, rest) = file.as_bytes().split_at(comment(file.as_bytes()));
    statement.copy_from_slice(rest);
    statement
}

/// How many bytes the lines of comment at the beginning of a file have.
const fn comment(file: &[u8]) -> usize {
    let mut rest = file;
    while let [b'-', b'-', ..] = rest {
        while let [byte, after @ ..] = rest {
            rest = after;
            if *byte == b'\n' {
                break;
            }
        }
    }
    file.len().saturating_sub(rest.len())
}
