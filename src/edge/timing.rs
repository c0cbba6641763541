//! The clock, and waiting by it.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use worker::Delay;

/// Now, in milliseconds since 1970-01-01T00:00:00Z. The platform's clock moves only while
/// the Worker waits.
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Waits.
pub async fn pause(milliseconds: u64) {
    Delay::from(Duration::from_millis(milliseconds)).await;
}

/// What a future gives if it is done in time. Otherwise nobody waits for it any more; what
/// it has begun may still happen.
pub async fn within<T>(milliseconds: u64, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), pin!(pause(milliseconds))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
