//! Turns an [`Answer`] into a response of the platform.

use wasm_bindgen::JsValue;
use worker::web_sys::{Headers, Request, Response, ResponseInit};

use crate::wire::Answer;

/// Headers of every answer. The Worker serves data, never a page: an answer must not be executed, framed,
/// sniffed or cached. `public/_headers` has the headers of the page.
const ALWAYS: [(&str, &str); 5] = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
];

thread_local! {
    /// The headers of [`ALWAYS`], to copy for each answer. Saves four of the five calls out of wasm that
    /// setting them takes, of the time under "Where the time goes" in `docs/performance.md`. Costs 0.1 KB gzip.
    static COMMON: Option<Headers> = common().ok();
}

fn common() -> Result<Headers, JsValue> {
    let headers = Headers::new()?;
    ALWAYS.iter().try_for_each(|(name, value)| headers.set(name, value))?;
    Ok(headers)
}

/// The response to `request`; for HEAD, without the body.
pub fn to_response(request: &Request, answer: &Answer) -> Result<Response, JsValue> {
    let headers = COMMON.with(|common| match common {
        Some(common) => Headers::new_with_headers(common),
        None => self::common(),
    })?;
    headers.set("Content-Type", answer.content_type.header())?;
    if let Some(replayed) = answer.replayed {
        headers.set("Idempotent-Replayed", if replayed { "true" } else { "false" })?;
    }
    if let Some(seconds) = answer.retry_after_seconds {
        headers.set("Retry-After", &seconds.to_string())?;
    }
    if let Some(methods) = answer.allow {
        headers.set("Allow", methods)?;
    }
    if let Some(scheme) = answer.www_authenticate {
        headers.set("WWW-Authenticate", scheme)?;
    }
    if let Some(cookie) = &answer.set_cookie {
        headers.set("Set-Cookie", cookie)?;
    }
    let init = ResponseInit::new();
    init.set_status(answer.status);
    init.set_headers(&headers);
    let body = (request.method() != "HEAD").then_some(answer.body.as_str());
    Response::new_with_opt_str_and_init(body, &init)
}
