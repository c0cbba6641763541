//! Authentication by headers, the CSRF check, and the address that a rate limit counts by.

use super::token::{Secret, sign, verify};
use super::{Rejection, rejection};
use crate::domain::{Actor, Credential};

/// The name of the session cookie. With `__Host-`, browsers require `Secure` and `Path=/`, and send the
/// cookie to this host alone.
const COOKIE: &str = "__Host-einmal";

/// How long a session lasts after the last `GET /session`: the maximum that browsers keep a cookie.
const SESSION_SECONDS: u64 = 400 * 24 * 60 * 60;

/// An authenticated principal, and its credential.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Caller {
    /// The principal.
    pub actor: Actor,
    /// What it was authenticated by.
    pub credential: Credential,
}

/// Why a request is not authenticated. The log has the reason; the client gets a 401 without it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unauthenticated {
    /// Neither a session cookie nor an `Authorization` header.
    Missing,
    /// The cookie is present more than once: one of them was planted.
    SentTwice,
    /// Not a `Bearer` credential, or not a token of the one accepted form.
    Malformed,
    /// Not signed with a secret of the service.
    BadSignature,
    /// A token for another use: a session token as a bearer token, or the other way round.
    WrongAudience,
    /// Its `exp` has passed.
    Expired,
    /// Its `nbf` is in the future.
    NotYetValid,
}

impl Unauthenticated {
    /// The reason, as logged.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Missing => "unauthenticated: no session and no token",
            Self::SentTwice => "unauthenticated: the session's cookie was sent twice",
            Self::Malformed => "unauthenticated: malformed token",
            Self::BadSignature => "unauthenticated: bad signature",
            Self::WrongAudience => "unauthenticated: wrong audience",
            Self::Expired => "unauthenticated: expired",
            Self::NotYetValid => "unauthenticated: not valid yet",
        }
    }
}

/// Authenticates a request by its `Authorization` and `Cookie` headers.
///
/// If there is an `Authorization` header, the cookie is ignored.
///
/// # Errors
///
/// Why the request is not authenticated.
pub fn authenticate(
    authorization: Option<&str>,
    cookie: Option<&str>,
    secrets: &[Secret],
    now_s: u64,
) -> Result<Caller, Unauthenticated> {
    let (credential, token) = match authorization {
        Some(authorization) => {
            (Credential::Token, bearer_token(authorization).ok_or(Unauthenticated::Malformed)?)
        }
        None => (Credential::Session, session_token(cookie.ok_or(Unauthenticated::Missing)?)?),
    };
    Ok(Caller { actor: verify(token, credential, secrets, now_s)?, credential })
}

fn bearer_token(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

fn session_token(cookie: &str) -> Result<&str, Unauthenticated> {
    let pairs = cookie.split(';').filter_map(|pair| pair.trim_start().split_once('='));
    let mut ours = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
    let first = ours.next().ok_or(Unauthenticated::Missing)?;
    if ours.next().is_some() { Err(Unauthenticated::SentTwice) } else { Ok(first) }
}

/// The `Set-Cookie` that starts or renews the session of an actor.
pub fn session_cookie(actor: &Actor, secret: &Secret, now_s: u64) -> String {
    let token = sign(actor, Credential::Session, now_s.saturating_add(SESSION_SECONDS), secret);
    cookie(&token, SESSION_SECONDS)
}

/// The `Set-Cookie` that ends the session of a browser.
pub fn ended_session_cookie() -> String {
    cookie("", 0)
}

fn cookie(value: &str, max_age_s: u64) -> String {
    format!("{COOKIE}={value}; Path=/; Max-Age={max_age_s}; Secure; HttpOnly; SameSite=Lax")
}

/// Rejects cross-site requests (CSRF check). Programs send neither header; a browser sends at least
/// one of them with every request that changes something.
///
/// # Errors
///
/// [`rejection::CROSS_SITE`].
pub fn reject_cross_site(fetch_site: Option<&str>, origin: Option<&str>, url: &str) -> Result<(), Rejection> {
    let is_same_site = fetch_site.is_none_or(|site| ["same-origin", "none"].contains(&site));
    let is_same_origin =
        origin.is_none_or(|origin| url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/')));
    if is_same_site && is_same_origin { Ok(()) } else { Err(rejection::CROSS_SITE) }
}

/// Rejects a request whose `Einmal-Actor`, if present, is not the id of its actor: an operation that
/// one person saved is never carried out as another's.
///
/// # Errors
///
/// [`rejection::ACTOR_CHANGED`].
pub fn check_actor_id(expected: Option<&str>, actor: &Actor) -> Result<(), Rejection> {
    match expected {
        Some(expected) if expected != actor.actor_id() => Err(rejection::ACTOR_CHANGED),
        _ => Ok(()),
    }
}

/// The key that the limit for an address counts by: an IPv4 address, or the /64 prefix of an IPv6
/// address, which one household or server has to itself.
pub fn address_block(address: &str) -> String {
    match address.parse::<std::net::Ipv6Addr>() {
        Ok(ipv6) => {
            let [a, b, c, d, ..] = ipv6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Err(_) => address.to_owned(),
    }
}
