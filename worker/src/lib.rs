//! The deployed Worker: `fetch`, and the routes of the service.

// No panic on the request path: a panic resets the instance and the other requests in it.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod routes;

use std::convert::Infallible;

use einmal::edge;
use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response, Infallible> {
    Ok(edge::serve(request, env, routes::route).await)
}
