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
