use super::{Batch, Row, Statement};

/// The last migration that this Worker's statements need. A native test keeps it equal
/// to the last file in `migrations/`.
pub const LATEST_MIGRATION: &str = "0001_workshops_operations_reservations.sql";

/// Whether the database has what the statements need.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Schema {
    /// It has; the last migration that was applied, which may be a later one.
    Ready(String),
    /// A migration is missing.
    Behind,
}

/// Asks for the last migration that was applied.
pub fn schema() -> Batch<'static> {
    vec![Statement { sql: include_str!("sql/read_last_migration.sql"), parameters: Vec::new() }]
}

/// Reads the answer of [`schema`]. Migrations are numbered, so their names are in order.
pub fn read_schema(rows: &[impl Row]) -> Schema {
    match rows.first().and_then(|row| row.text("name")) {
        Some(name) if name.as_str() >= LATEST_MIGRATION => Schema::Ready(name),
        _ => Schema::Behind,
    }
}
