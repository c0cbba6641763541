//! SQLite in place of D1.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use rusqlite::{Connection, Params, Result, params_from_iter};

use crate::store::{Parameter, Row, Statement};

/// A database in memory that runs batches as D1 does: each is one transaction, and numbers are bound as
/// floating-point ones.
pub struct Database(Connection);

impl Database {
    /// A database with a schema: the concatenated text of the migrations.
    ///
    /// # Errors
    ///
    /// SQLite's, if the schema is invalid.
    pub fn new(schema: &str) -> Result<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
        connection.execute_batch(schema)?;
        Ok(Self(connection))
    }

    /// Runs a batch in one transaction. Returns the rows of its last statement.
    ///
    /// # Errors
    ///
    /// SQLite's; nothing was done.
    pub fn run(&mut self, batch: &[Statement]) -> Result<Vec<MapRow>> {
        Ok(self.run_counting(batch)?.0)
    }

    /// Like [`Self::run`], and also returns the number of rows that each statement inserted, updated and deleted.
    ///
    /// # Errors
    ///
    /// SQLite's; nothing was done.
    pub fn run_counting(&mut self, batch: &[Statement]) -> Result<(Vec<MapRow>, Vec<u64>)> {
        let transaction = self.0.transaction()?;
        let (mut rows, mut changes) = (Vec::new(), Vec::new());
        for statement in batch {
            let before = transaction.total_changes();
            let mut prepared = transaction.prepare(statement.sql)?;
            let names: Vec<String> = prepared.column_names().map(String::from).collect();
            let parameters = params_from_iter(statement.parameters.iter().map(value));
            let found = prepared.query_map(parameters, |row| {
                let values = (0..names.len()).map(|index| row.get(index));
                let values = values.collect::<Result<Vec<Value>>>()?;
                Ok(MapRow(names.iter().cloned().zip(values).collect()))
            })?;
            rows = found.collect::<Result<_>>()?;
            changes.push(transaction.total_changes().saturating_sub(before));
        }
        transaction.commit()?;
        Ok((rows, changes))
    }

    /// Runs one statement of another writer, such as a person at a console.
    ///
    /// # Errors
    ///
    /// SQLite's.
    pub fn write(&self, sql: &str, parameters: impl Params) -> Result<usize> {
        self.0.execute(sql, parameters)
    }

    /// Runs several statements of another writer.
    ///
    /// # Errors
    ///
    /// SQLite's.
    pub fn script(&self, sql: &str) -> Result<()> {
        self.0.execute_batch(sql)
    }

    /// Checks a statement against the schema.
    ///
    /// # Errors
    ///
    /// SQLite's, if the statement is invalid.
    pub fn prepare(&self, sql: &str) -> Result<()> {
        self.0.prepare(sql).map(drop)
    }

    /// Reads a whole number.
    ///
    /// # Errors
    ///
    /// SQLite's.
    pub fn number(&self, sql: &str) -> Result<i64> {
        self.0.query_row(sql, [], |row| row.get(0))
    }

    /// Every row of every table, as text: equal texts mean equal data.
    ///
    /// # Errors
    ///
    /// SQLite's.
    pub fn dump(&self) -> Result<String> {
        let tables =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut tables = self.0.prepare(tables)?;
        let names = tables.query_map([], |row| row.get::<_, String>(0))?;
        names.map(|name| self.dump_table(&name?)).collect()
    }

    fn dump_table(&self, table: &str) -> Result<String> {
        let mut prepared = self.0.prepare(&format!("SELECT * FROM {table}"))?;
        let columns = prepared.column_count();
        let rows = prepared.query_map([], |row| {
            (0..columns).map(|column| row.get(column)).collect::<Result<Vec<Value>>>()
        })?;
        rows.map(|row| Ok(format!("{table} {:?}\n", row?))).collect()
    }
}

fn value(parameter: &Parameter) -> Value {
    match parameter {
        Parameter::Text(text) => Value::Text(text.clone()),
        Parameter::Integer(number) => Value::Real(*number as f64),
    }
}

/// A row of a [`Database`].
#[derive(Clone, Debug)]
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
