//! What wrangler.toml binds to the Worker.

use js_sys::{JsString, Reflect};
use wasm_bindgen::JsValue;
use worker::Env;

/// The binding of this name, if there is one.
pub fn binding(env: &Env, name: &str) -> Option<JsValue> {
    Reflect::get(env, &JsString::from(name)).ok().filter(|binding| !binding.is_undefined())
}
