//! What is asked of the database, as data: a [`Batch`] of statements, nothing run.
//!
//! The Worker runs a batch on D1, the native tests run it on SQLite: the same text, so
//! a rule that is proven on the host is the rule that is deployed.
//!
//! **Invariant:** a batch is one transaction and one call. That an operation is decided
//! once, and that no place is promised twice, comes from that alone: there is no lock,
//! no lease and no "in progress" row.
//! **Invariant:** nothing here reads a clock, is async or waits.

mod failure;
mod health;
mod operations;
mod reserve;
mod workshops;

pub use failure::{Failure, SEND_MILLISECONDS_MAX, SENDS, SENDS_MILLISECONDS_MAX, pause_milliseconds};
pub use health::{LATEST_MIGRATION, Schema, read_schema, schema};
pub use operations::{OPERATIONS_MAX, abandon, cancel, operation, operations, read_operations};
pub use reserve::{Bodies, read_decision, receipt, reserve};
pub use workshops::{read_workshops, workshop, workshops};

/// Statements that run in this order, in one transaction. The rows of the last one are
/// the answer; what the others did, they tell by it.
pub type Batch<'a> = Vec<Statement<'a>>;

/// One SQL statement and its parameters, `?1` first.
#[derive(Clone, Debug)]
pub struct Statement<'a> {
    /// The text of a file in `sql/`.
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

/// One row of an answer. `None` stands for NULL, for a column that is not there and for
/// a value of the other type.
pub trait Row {
    /// The text of a column.
    fn text(&self, column: &str) -> Option<String>;
    /// The whole number of a column.
    fn integer(&self, column: &str) -> Option<i64>;
}

/// The database answered with something that the statements cannot have produced: the
/// column that did not hold what the schema promises.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Unreadable(pub &'static str);

fn text(row: &impl Row, column: &'static str) -> Result<String, Unreadable> {
    row.text(column).ok_or(Unreadable(column))
}

fn integer(row: &impl Row, column: &'static str) -> Result<i64, Unreadable> {
    row.integer(column).ok_or(Unreadable(column))
}

/// The HTTP status of a receipt.
fn status(row: &impl Row) -> Result<u16, Unreadable> {
    u16::try_from(integer(row, "http_status")?).map_err(|_| Unreadable("http_status"))
}

/// Milliseconds as SQLite gets them: exact until the year 287,396.
fn milliseconds(time_ms: u64) -> Parameter<'static> {
    Parameter::Number(time_ms as f64)
}
