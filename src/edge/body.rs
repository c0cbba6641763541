//! Reads a request's body up to the bytes allowed, and no further.

use js_sys::{JsString, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::{ReadableStreamDefaultReader, Request};

use crate::wire::{BODY_BYTES_MAX, Rejection};

/// The bytes of the body, which may come in pieces and without a length.
///
/// # Errors
///
/// [`Rejection::BodyTooLarge`] as soon as one byte too many has come;
/// [`Rejection::MalformedBody`] when the body breaks off.
pub async fn read(request: &Request) -> Result<Vec<u8>, Rejection> {
    let mut body = Vec::new();
    let Some(stream) = request.body() else {
        return Ok(body);
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    while let Some(piece) = next_piece(&reader).await.map_err(|_| Rejection::MalformedBody)? {
        let left = BODY_BYTES_MAX.saturating_sub(body.len());
        if piece.length() as usize > left {
            // The rest is not wanted; that it cannot be called off changes nothing here.
            drop(reader.cancel());
            return Err(Rejection::BodyTooLarge);
        }
        body.extend(piece.to_vec());
    }
    Ok(body)
}

/// The next piece of the stream, or `None` at its end.
async fn next_piece(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let result = JsFuture::from(reader.read()).await?;
    let member = |name: &str| Reflect::get(&result, &JsString::from(name));
    Ok(match member("done")?.is_truthy() {
        true => None,
        false => Some(member("value")?.dyn_into()?),
    })
}
