//! SQL statements as data: a [`Batch`], and how its rows are decoded. Nothing here executes them, reads a
//! clock, is async or waits.
//!
//! The Worker runs a batch on D1, the native tests run it on SQLite. The text is the same, so the tests
//! cover the SQL that is deployed.
//!
//! The race: two attempts of one operation at the same time, or an attempt whose first send is still on its
//! way. What excludes it: D1 runs a batch as one transaction
//! ([documentation](https://developers.cloudflare.com/d1/worker-api/d1-database/#batch)), and the primary
//! key of `operations` admits one receipt. That alone decides an operation once, together with its effects:
//! there is no lock, no lease and no "in progress" row.

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
