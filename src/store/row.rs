/// One row of a result. `None` stands for NULL, for a missing column and for a value of the other type.
pub trait Row {
    /// The text of a column.
    fn text(&self, column: &'static str) -> Option<String>;
    /// The whole number of a column.
    fn integer(&self, column: &'static str) -> Option<i64>;
}

/// A row that cannot be decoded: the column that does not hold what the schema promises.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Unreadable(pub &'static str);

/// The text of a column that is never NULL.
///
/// # Errors
///
/// [`Unreadable`] if it holds no text.
pub fn text(row: &impl Row, column: &'static str) -> Result<String, Unreadable> {
    row.text(column).ok_or(Unreadable(column))
}

/// The whole number of a column that is never NULL.
///
/// # Errors
///
/// [`Unreadable`] if it holds no whole number.
pub fn integer(row: &impl Row, column: &'static str) -> Result<i64, Unreadable> {
    row.integer(column).ok_or(Unreadable(column))
}
