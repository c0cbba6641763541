//! A database in memory, with the migrations applied and batches run as D1 runs them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use einmal::store::{Parameter, Row, Statement};
use rusqlite::types::Value;
use rusqlite::{Connection, Params, params_from_iter};

pub struct Database(Connection);

impl Database {
    pub fn new() -> Self {
        Self::with(&migrations())
    }

    /// A database to which only these migrations were applied.
    pub fn with(migrations: &[PathBuf]) -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("PRAGMA foreign_keys = ON").unwrap();
        for migration in migrations {
            connection.execute_batch(&std::fs::read_to_string(migration).unwrap()).unwrap();
        }
        Self(connection)
    }

    /// Runs a batch in one transaction: all of it, or nothing.
    pub fn run(&mut self, batch: &[Statement]) -> rusqlite::Result<Vec<MapRow>> {
        let transaction = self.0.transaction()?;
        let mut rows = Vec::new();
        for statement in batch {
            let mut prepared = transaction.prepare(statement.sql)?;
            let names: Vec<String> = prepared.column_names().map(String::from).collect();
            let found =
                prepared.query_map(params_from_iter(statement.parameters.iter().map(value)), |row| {
                    let values = (0..names.len()).map(|index| row.get(index));
                    let values = values.collect::<rusqlite::Result<Vec<Value>>>()?;
                    Ok(MapRow(names.iter().cloned().zip(values).collect()))
                })?;
            rows = found.collect::<rusqlite::Result<_>>()?;
        }
        transaction.commit()?;
        Ok(rows)
    }

    /// Another writer: one statement, as somebody at a console might send it.
    pub fn write(&self, sql: &str, parameters: impl Params) -> rusqlite::Result<usize> {
        self.0.execute(sql, parameters)
    }

    /// Several statements of another writer.
    pub fn script(&self, sql: &str) -> rusqlite::Result<()> {
        self.0.execute_batch(sql)
    }

    /// Whether a statement is one for this schema.
    pub fn can_prepare(&self, sql: &str) -> bool {
        self.0.prepare(sql).is_ok()
    }

    /// A whole number that is read.
    pub fn number(&self, sql: &str) -> i64 {
        self.0.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Every row of every table, as text: two equal ones hold the same.
    pub fn dump(&self) -> String {
        ["workshops", "operations", "reservations", "notes"].map(|table| self.dump_table(table)).concat()
    }

    fn dump_table(&self, table: &str) -> String {
        let mut prepared = self.0.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = prepared.column_count();
        let rows = prepared.query_map([], |row| {
            (0..columns).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<Value>>>()
        });
        rows.unwrap().map(|row| format!("{table} {:?}\n", row.unwrap())).collect()
    }
}

/// The files of `migrations/`, in order.
pub fn migrations() -> Vec<PathBuf> {
    migrations_of(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations").into())
}

/// The migrations in a folder, in order.
pub fn migrations_of(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "sql")).collect();
    files.sort();
    files
}

fn value(parameter: &Parameter) -> Value {
    match parameter {
        Parameter::Borrowed(text) => Value::Text((*text).to_owned()),
        Parameter::Owned(text) => Value::Text(text.clone()),
        Parameter::Number(number) => Value::Real(*number),
    }
}

#[derive(Debug)]
pub struct MapRow(BTreeMap<String, Value>);

impl Row for MapRow {
    fn text(&self, column: &'static str) -> Option<String> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    fn integer(&self, column: &'static str) -> Option<i64> {
        match self.0.get(column) {
            Some(Value::Integer(number)) => Some(*number),
            _ => None,
        }
    }
}
