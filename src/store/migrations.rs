use super::{Batch, Row, Statement};
use crate::store::text::sql;

/// Asks for the last migration that was applied, as wrangler keeps it.
pub fn last_migration() -> Batch<'static> {
    vec![Statement { sql: sql!("sql/read_last_migration.sql"), parameters: Vec::new() }]
}

/// Reads the answer of [`last_migration`]: its file's name, if that is `needed` or a later one.
/// Migrations are numbered, so their names are in order.
pub fn read_last_migration(rows: &[impl Row], needed: &str) -> Option<String> {
    rows.first().and_then(|row| row.text("name")).filter(|name| name.as_str() >= needed)
}
