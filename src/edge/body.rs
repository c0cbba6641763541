//! Reads a request's body, up to a maximum of bytes and of time. It does not look at the content.

use js_sys::{JsString, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::{ReadableStreamDefaultReader, Request};

use super::timing::within;
use crate::wire::{BODY_BYTES_MAX, BODY_MILLISECONDS_MAX, Rejection, rejection};

/// Maximum bytes and time for discarding the rest of a body without a length that is too large. If the
/// Worker answered while the client is still sending, the connection would be reset and the client would
/// not receive the answer.
const DISCARDED_BYTES_MAX: usize = 65_536;
const DISCARDING_MILLISECONDS_MAX: u64 = 1_000;

/// The bytes of the body, which may arrive in chunks and without a length.
///
/// # Errors
///
/// [`rejection::BODY_TOO_LARGE`] if the body, or its `Content-Length`, exceeds the maximum;
/// [`rejection::MALFORMED_BODY`] if the body is cut off or takes too long.
pub async fn read(request: &Request, content_length: Option<&str>) -> Result<Vec<u8>, Rejection> {
    let declared_bytes = content_length.and_then(|length| length.parse::<usize>().ok());
    let read = async {
        match declared_bytes {
            Some(bytes) if bytes > BODY_BYTES_MAX => Err(rejection::BODY_TOO_LARGE),
            // HTTP delivers at most the declared bytes, so the body is read at once.
            Some(_) => read_whole(request).await.map_err(|_| rejection::MALFORMED_BODY),
            None => read_chunks(request).await,
        }
    };
    within(BODY_MILLISECONDS_MAX, read).await.unwrap_or(Err(rejection::MALFORMED_BODY))
}

async fn read_whole(request: &Request) -> Result<Vec<u8>, JsValue> {
    let bytes = JsFuture::from(request.array_buffer()?).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

async fn read_chunks(request: &Request) -> Result<Vec<u8>, Rejection> {
    let mut body = Vec::new();
    let Some(stream) = request.body() else {
        return Ok(body);
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    while let Some(chunk) = next_chunk(&reader).await.map_err(|_| rejection::MALFORMED_BODY)? {
        let left = BODY_BYTES_MAX.saturating_sub(body.len());
        if chunk.length() as usize > left {
            within(DISCARDING_MILLISECONDS_MAX, discard(&reader)).await;
            return Err(rejection::BODY_TOO_LARGE);
        }
        body.extend(chunk.to_vec());
    }
    Ok(body)
}

async fn discard(reader: &ReadableStreamDefaultReader) {
    let mut left = DISCARDED_BYTES_MAX;
    while let Ok(Some(chunk)) = next_chunk(reader).await {
        let Some(still_left) = left.checked_sub(chunk.length() as usize) else { return };
        left = still_left;
    }
}

/// The next chunk of the stream, or `None` at its end.
async fn next_chunk(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let result = JsFuture::from(reader.read()).await?;
    let member = |name: &str| Reflect::get(&result, &JsString::from(name));
    Ok(match member("done")?.is_truthy() {
        true => None,
        false => Some(member("value")?.dyn_into()?),
    })
}
