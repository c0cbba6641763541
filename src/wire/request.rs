//! What every attempt must bring: a key, and a body that is a JSON object.

use serde::de::IgnoredAny;

use super::{Rejection, rejection};
use crate::domain::OperationKey;

/// The path of an absolute URL, percent-encoded as it came.
///
/// A URL that the platform has parsed never has an empty path, so the first `/` after
/// the host begins it.
pub fn path(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..));
    let path = path.unwrap_or("/");
    path.split(['?', '#']).next().unwrap_or(path)
}

/// Whether a `Content-Type` says JSON. Parameters such as `charset=utf-8` are allowed.
pub fn is_json(content_type: Option<&str>) -> bool {
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// The key of an `Idempotency-Key` header: bare, or as the quoted string of
/// draft-ietf-httpapi-idempotency-key-header-07. Both spellings name one operation.
///
/// Several header lines arrive joined by a comma and are refused.
///
/// # Errors
///
/// [`rejection::OPERATION_ID`] for a missing header and for every other text.
pub fn operation_key(header: Option<&str>) -> Result<OperationKey, Rejection> {
    let text = header.ok_or(rejection::OPERATION_ID)?;
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    OperationKey::parse(bare).ok_or(rejection::OPERATION_ID)
}

/// The text of a body that is a JSON object. The syntax is judged first, without looking at
/// what it says: so that 400 means "not JSON" wherever in the text the contract is broken too.
///
/// # Errors
///
/// [`rejection::MALFORMED_BODY`] exactly when the bytes are not UTF-8 JSON,
/// [`rejection::REQUEST_CONTRACT`] if they are JSON of another kind.
pub fn json_object(body: &[u8]) -> Result<&str, Rejection> {
    let text = std::str::from_utf8(body).map_err(|_| rejection::MALFORMED_BODY)?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| rejection::MALFORMED_BODY)?;
    match text.trim_ascii_start().starts_with('{') {
        true => Ok(text),
        false => Err(Rejection::request_contract("Expected a JSON object.")),
    }
}
