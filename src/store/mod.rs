//! SQL as data: a [`Batch`] of statements, and how its rows are read. Nothing here executes it.
//!
//! The Worker runs a batch on D1, the native tests run it on SQLite: the same text, so
//! a rule that is proven on the host is the rule that is deployed.
//!
//! **Invariant:** a batch is one transaction and one call
//! ([D1's documentation](https://developers.cloudflare.com/d1/worker-api/d1-database/#batch)). That
//! an operation is decided once, together with what it does, comes from that alone: there is no
//! lock, no lease and no "in progress" row.
//! **Invariant:** nothing here reads a clock, is async or waits.

mod receipts;
mod row;
mod schema;
mod sql_text;
mod statement;

pub use receipts::{
    ENGINE_NAMES, RUN_EFFECT, WRITE_RECEIPT, engine_values, read_decision, read_receipt, status,
};
pub use row::{Row, Unreadable, integer, text};
pub use schema::{NeededSchema, fingerprint, read_schema};
pub use sql_text::{
    Assembled, Mistake, Name, ParameterType, assemble, count_names, require_all_used, require_decided,
    require_select, uses,
};
pub use statement::{Batch, Parameter, Sql, Statement, ToParameter};
