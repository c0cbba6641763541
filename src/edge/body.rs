//! Reads a request's body: up to the bytes and for the time allowed.

use js_sys::{JsString, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::{ReadableStreamDefaultReader, Request};

use super::timing::within;
use crate::wire::{BODY_BYTES_MAX, BODY_MILLISECONDS_MAX, Rejection, rejection};

/// Of a body without a length, what comes after the last allowed byte is thrown away, up to so much and so long,
/// before the request is refused. A connection that is closed while the client still sends
/// is reset, and then the client never hears why.
const DISCARDED_BYTES_MAX: usize = 65_536;
const DISCARDING_MILLISECONDS_MAX: u64 = 1_000;

/// The bytes of the body, which may come in pieces and without a length.
///
/// # Errors
///
/// [`rejection::BODY_TOO_LARGE`] when one byte too many is announced or has come;
/// [`rejection::MALFORMED_BODY`] when the body breaks off or takes too long.
pub async fn read(request: &Request, content_length: Option<&str>) -> Result<Vec<u8>, Rejection> {
    let announced = content_length.and_then(|length| length.parse::<usize>().ok());
    let read = async {
        match announced {
            Some(bytes) if bytes > BODY_BYTES_MAX => Err(rejection::BODY_TOO_LARGE),
            // No more than is announced can come, by HTTP: it is read in one piece.
            Some(_) => read_whole(request).await.map_err(|_| rejection::MALFORMED_BODY),
            None => read_pieces(request).await,
        }
    };
    within(BODY_MILLISECONDS_MAX, read).await.unwrap_or(Err(rejection::MALFORMED_BODY))
}

async fn read_whole(request: &Request) -> Result<Vec<u8>, JsValue> {
    let bytes = JsFuture::from(request.array_buffer()?).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

async fn read_pieces(request: &Request) -> Result<Vec<u8>, Rejection> {
    let mut body = Vec::new();
    let Some(stream) = request.body() else {
        return Ok(body);
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    while let Some(piece) = next_piece(&reader).await.map_err(|_| rejection::MALFORMED_BODY)? {
        let left = BODY_BYTES_MAX.saturating_sub(body.len());
        if piece.length() as usize > left {
            within(DISCARDING_MILLISECONDS_MAX, discard(&reader)).await;
            return Err(rejection::BODY_TOO_LARGE);
        }
        body.extend(piece.to_vec());
    }
    Ok(body)
}

async fn discard(reader: &ReadableStreamDefaultReader) {
    let mut left = DISCARDED_BYTES_MAX;
    while let Ok(Some(piece)) = next_piece(reader).await {
        let Some(still_left) = left.checked_sub(piece.length() as usize) else { return };
        left = still_left;
    }
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
