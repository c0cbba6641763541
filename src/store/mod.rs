//! What is asked of the database, as data: a [`Batch`] of statements, nothing run.
//!
//! The Worker runs a batch on D1, the native tests run it on SQLite: the same text, so
//! a rule that is proven on the host is the rule that is deployed.
//!
//! **Invariant:** a batch is one transaction and one call. That an operation is decided
//! once, together with what it does, comes from that alone: there is no lock, no lease
//! and no "in progress" row.
//! **Invariant:** nothing here reads a clock, is async or waits.

mod failure;
mod receipts;
mod schema;
pub(crate) mod text;

pub use failure::{Failure, SEND_MILLISECONDS_MAX, SENDS, SENDS_MILLISECONDS_MAX, pause_milliseconds};
pub use receipts::{Frame, read_decision, status};
pub use schema::{NeededSchema, fingerprint, read_schema};

/// Statements that run in this order, in one transaction. The rows of the last one are
/// the answer; what the others did, they tell by it.
pub type Batch<'a> = Vec<Statement<'a>>;

/// One SQL statement and its parameters, `?1` first.
#[derive(Clone, Debug)]
pub struct Statement<'a> {
    /// The text of a file in a folder `sql/`.
    pub sql: &'static str,
    /// The values of its parameters.
    pub parameters: Vec<Parameter<'a>>,
}

/// The value of a parameter.
///
/// A number is always bound as a floating-point one, since that is what D1 does with
/// every number. Statements must not care: they compare numbers or store them in
/// INTEGER columns, and never turn a parameter into text.
#[derive(Clone, Debug)]
pub enum Parameter<'a> {
    /// A text that outlives the batch.
    Borrowed(&'a str),
    /// A text made for the batch.
    Owned(String),
    /// A number of at most 2^53.
    Number(f64),
}

impl Parameter<'_> {
    /// Milliseconds as SQLite gets them: exact until the year 287,396.
    pub fn milliseconds(time_ms: u64) -> Self {
        Self::Number(time_ms as f64)
    }
}

/// One row of an answer. `None` stands for NULL, for a column that is not there and for
/// a value of the other type.
pub trait Row {
    /// The text of a column.
    fn text(&self, column: &'static str) -> Option<String>;
    /// The whole number of a column.
    fn integer(&self, column: &'static str) -> Option<i64>;
}

/// The database answered with something that the statements cannot have produced: the
/// column that did not hold what the schema promises.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Unreadable(pub &'static str);

/// The text of a column that always has one.
///
/// # Errors
///
/// [`Unreadable`] if it has none.
pub fn text(row: &impl Row, column: &'static str) -> Result<String, Unreadable> {
    row.text(column).ok_or(Unreadable(column))
}

/// The whole number of a column that always has one.
///
/// # Errors
///
/// [`Unreadable`] if it has none.
pub fn integer(row: &impl Row, column: &'static str) -> Result<i64, Unreadable> {
    row.integer(column).ok_or(Unreadable(column))
}
