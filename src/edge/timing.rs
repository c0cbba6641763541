//! The clock and timers.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use worker::Delay;

/// Now, in milliseconds since 1970-01-01T00:00:00Z. The platform's clock
/// [advances only while the Worker waits](https://developers.cloudflare.com/workers/runtime-apis/performance/).
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Waits for this long.
pub async fn pause(milliseconds: u64) {
    Delay::from(Duration::from_millis(milliseconds)).await;
}

/// The result of a future, or `None` after this long. The future is then dropped; what it started may still
/// happen.
pub async fn within<T>(milliseconds: u64, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), pin!(pause(milliseconds))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
