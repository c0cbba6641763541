//! Tokens of actors: compact JWTs (RFC 7519) signed with HMAC-SHA-256.
//!
//! One form is issued and one form is accepted. A header with another algorithm, or with anything
//! beyond `alg` and `typ`, is rejected before the signature is verified.

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;

use super::answer::to_json;
use super::{Members, Unauthenticated, Value};
use crate::domain::{Actor, Credential};

/// Maximum bytes of a token. Those of this service have at most 211; longer ones are rejected before
/// they are decoded.
const TOKEN_BYTES_MAX: usize = 512;

/// A secret for signing tokens.
pub struct Secret(Vec<u8>);

impl Secret {
    /// Minimum bytes: as many as the digest has (RFC 7518, section 3.2).
    pub const BYTES_MIN: usize = 32;

    /// A secret of these bytes; `None` if it is too short.
    pub fn new(text: &str) -> Option<Self> {
        (text.len() >= Self::BYTES_MIN).then(|| Self(text.as_bytes().to_vec()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// `aud`: the use of a token. A session token is not accepted as a bearer token, nor the other way
/// round.
const fn audience(credential: Credential) -> &'static str {
    match credential {
        Credential::Session => "einmal-session",
        Credential::Token => "einmal-token",
    }
}

#[derive(Serialize)]
struct NewClaims<'a> {
    sub: &'a str,
    aud: &'a str,
    exp: u64,
}

/// A token for an actor, valid until `expires_s`, in seconds since 1970-01-01T00:00:00Z.
pub fn sign(actor: &Actor, credential: Credential, expires_s: u64, secret: &Secret) -> String {
    let claims = NewClaims { sub: actor.as_str(), aud: audience(credential), exp: expires_s };
    let encode = |json: &str| Base64UrlUnpadded::encode_string(json.as_bytes());
    let signed = format!("{}.{}", encode(r#"{"alg":"HS256","typ":"JWT"}"#), encode(&to_json(&claims)));
    let signature = mac(signed.as_bytes(), secret)
        .map(|mac| Base64UrlUnpadded::encode_string(&mac.finalize().into_bytes()))
        .unwrap_or_default();
    format!("{signed}.{signature}")
}

/// Verifies a token: its signature, its audience and its times. Returns the actor.
///
/// # Errors
///
/// Why it is not accepted. No claim is read before the signature is verified.
pub fn verify(
    token: &str,
    credential: Credential,
    secrets: &[Secret],
    now_s: u64,
) -> Result<Actor, Unauthenticated> {
    let (signed, claims, signature) = parts(token).ok_or(Unauthenticated::Malformed)?;
    // In constant time for each secret.
    let is_signed_with =
        |secret| mac(signed.as_bytes(), secret).is_some_and(|mac| mac.verify_slice(&signature).is_ok());
    if !secrets.iter().any(is_signed_with) {
        return Err(Unauthenticated::BadSignature);
    }
    let Claims { sub, aud, nbf, exp } = claims_of(claims).ok_or(Unauthenticated::Malformed)?;
    if aud != audience(credential) {
        return Err(Unauthenticated::WrongAudience);
    }
    if now_s < nbf {
        return Err(Unauthenticated::NotYetValid);
    }
    if exp <= now_s {
        return Err(Unauthenticated::Expired);
    }
    let actor = Actor::parse(&sub).filter(|actor| actor.is_authenticated_by(credential));
    actor.ok_or(Unauthenticated::WrongAudience)
}

/// The signed text, the claims in it, and the decoded signature, of a token of the one accepted form.
fn parts(token: &str) -> Option<(&str, &str, Vec<u8>)> {
    if token.len() > TOKEN_BYTES_MAX {
        return None;
    }
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let header = decode_text(header)?;
    let mut header = Members::of(&header)?;
    let is = |member: Option<Value>, text| member.and_then(Value::text).is_some_and(|found| found == text);
    let (alg, typ) = (header.take("alg"), header.take("typ"));
    if !is(alg, "HS256") || (typ.is_some() && !is(typ, "JWT")) || !header.is_empty() {
        return None;
    }
    Some((signed, claims, decode(signature)?))
}

/// The claims of a verified token.
struct Claims {
    sub: String,
    aud: String,
    nbf: u64,
    exp: u64,
}

fn claims_of(claims: &str) -> Option<Claims> {
    let claims = decode_text(claims)?;
    let mut claims = Members::of(&claims)?;
    Some(Claims {
        sub: claims.take("sub")?.text()?.into_owned(),
        aud: claims.take("aud").and_then(Value::text).unwrap_or_default().into_owned(),
        nbf: claims.take("nbf").map_or(Some(0), Value::integer)?,
        exp: claims.take("exp")?.integer()?,
    })
}

fn decode(part: &str) -> Option<Vec<u8>> {
    Base64UrlUnpadded::decode_vec(part).ok()
}

fn decode_text(part: &str) -> Option<String> {
    String::from_utf8(decode(part)?).ok()
}

/// Always `Some`: HMAC accepts a key of any length.
fn mac(message: &[u8], secret: &Secret) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret.0).ok()?;
    mac.update(message);
    Some(mac)
}
