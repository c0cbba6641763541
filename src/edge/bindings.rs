//! The [bindings](https://developers.cloudflare.com/workers/runtime-apis/bindings/) of wrangler.toml.

use js_sys::{JsString, Reflect};
use wasm_bindgen::JsValue;
use worker::Env;

/// The binding of this name; `None` if there is none.
pub fn binding(env: &Env, name: &str) -> Option<JsValue> {
    Reflect::get(env, &JsString::from(name)).ok().filter(|binding| !binding.is_undefined())
}
