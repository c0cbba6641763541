//! The statements and the schema on SQLite: the same SQL text that the Worker runs on D1.
//!
//! They do not show D1 itself, nor the Worker: see `tests/worker`.

mod contract_page;
mod engine;
mod migrations;
mod mistakes;
mod model;
mod reserve;
mod scenarios;
mod schema;
mod script;
mod workshops;
