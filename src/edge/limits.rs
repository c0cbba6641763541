//! Rate limits of actors and addresses, by Workers'
//! [rate-limit bindings](https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/).
//!
//! The bindings count approximately, and in each location separately. They protect the database; they are
//! not a rule about what an operation may do.
//!
//! They are called through `Reflect`: with `worker::RateLimiter`, which converts its argument and its result
//! by serde-wasm-bindgen and has errors of the crate `worker`, the build is 90.7 KB gzip instead of 75.2.

use std::cell::RefCell;

use js_sys::{JsString, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::console;
use worker::worker_sys::types::RateLimiter;

use super::Call;
use super::bindings::binding;

/// A limit in wrangler.toml.
#[derive(Clone, Copy)]
pub enum Limit {
    /// New operations of one actor.
    Actor,
    /// Requests of any kind from one address.
    Address,
}

impl Limit {
    const fn binding(self) -> &'static str {
        match self {
            Self::Actor => "ACTOR_LIMIT",
            Self::Address => "ADDRESS_LIMIT",
        }
    }

    /// Counts one more for `key` and returns whether that is within the limit. Without the binding, or
    /// if it fails, there is no limit.
    pub async fn allows(self, call: &Call, key: &str) -> bool {
        match self.count(call, key).await {
            Ok(is_within) => is_within,
            Err(_) => {
                warn_once(self.binding());
                true
            }
        }
    }

    async fn count(self, call: &Call, key: &str) -> Result<bool, JsValue> {
        let limiter: RateLimiter =
            binding(&call.env, self.binding()).ok_or(JsValue::UNDEFINED)?.unchecked_into();
        let options = Object::new();
        Reflect::set(&options, &JsString::from("key"), &JsString::from(key))?;
        let outcome = JsFuture::from(limiter.limit(options)?).await?;
        Ok(Reflect::get(&outcome, &JsString::from("success"))?.is_truthy())
    }
}

/// Warns once for each binding and instance of the Worker: enough to be seen, too little to fill the log.
fn warn_once(binding: &'static str) {
    thread_local! {
        static WARNED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    }
    let is_new = WARNED.with_borrow_mut(|warned| {
        let is_new = !warned.contains(&binding);
        if is_new {
            warned.push(binding);
        }
        is_new
    });
    if is_new {
        console::warn_1(&format!("{binding} does not limit: is it bound in wrangler.toml?").into());
    }
}
