//! Authentication by headers, and where a request comes from.

use super::token::{Secret, sign, verify};
use super::{Rejection, rejection};
use crate::domain::{Actor, Source};

/// The name of the session's cookie. `__Host-` makes browsers insist on `Secure`, on `Path=/`
/// and on this host alone.
const COOKIE: &str = "__Host-einmal";

/// How long a session lasts after the last `GET /session`: the longest that browsers keep a cookie.
const SESSION_SECONDS: u64 = 400 * 24 * 60 * 60;

/// An authenticated principal, and how it was authenticated.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Caller {
    /// The principal.
    pub actor: Actor,
    /// By what.
    pub source: Source,
}

/// Why a request is not authenticated. For the log: a client learns only that it is not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unauthenticated {
    /// Neither a session's cookie nor an `Authorization` header.
    Missing,
    /// The cookie is there more than once: one of them was planted.
    SentTwice,
    /// No `Bearer`, or no token of the one accepted form.
    Malformed,
    /// No secret of the service has signed it.
    BadSignature,
    /// A token for another use: a session's as a bearer token, or the other way round.
    WrongAudience,
    /// Its `exp` has passed.
    Expired,
    /// Its `nbf` is to come.
    NotYetValid,
}

impl Unauthenticated {
    /// For the log.
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
/// If there is an `Authorization` header it alone decides.
///
/// # Errors
///
/// The reason.
pub fn authenticate(
    authorization: Option<&str>,
    cookie: Option<&str>,
    secrets: &[Secret],
    now_s: u64,
) -> Result<Caller, Unauthenticated> {
    let (source, token) = match authorization {
        Some(authorization) => (Source::Token, bearer(authorization).ok_or(Unauthenticated::Malformed)?),
        None => (Source::Session, session_of(cookie.ok_or(Unauthenticated::Missing)?)?),
    };
    Ok(Caller { actor: verify(token, source, secrets, now_s)?, source })
}

fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

fn session_of(cookie: &str) -> Result<&str, Unauthenticated> {
    let pairs = cookie.split(';').filter_map(|pair| pair.trim_start().split_once('='));
    let mut ours = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
    let first = ours.next().ok_or(Unauthenticated::Missing)?;
    if ours.next().is_some() { Err(Unauthenticated::SentTwice) } else { Ok(first) }
}

/// The `Set-Cookie` that begins or renews the session of an actor.
pub fn session_cookie(actor: &Actor, secret: &Secret, now_s: u64) -> String {
    let token = sign(actor, Source::Session, now_s.saturating_add(SESSION_SECONDS), secret);
    cookie(&token, SESSION_SECONDS)
}

/// The `Set-Cookie` that ends the session of a browser.
pub fn ended_session_cookie() -> String {
    cookie("", 0)
}

fn cookie(value: &str, max_age_s: u64) -> String {
    format!("{COOKIE}={value}; Path=/; Max-Age={max_age_s}; Secure; HttpOnly; SameSite=Lax")
}

/// Lets a request pass that no page of another site has made. Programs send neither header;
/// a browser sends at least one of them with every request that changes something.
///
/// # Errors
///
/// [`rejection::CROSS_SITE`].
pub fn same_site(fetch_site: Option<&str>, origin: Option<&str>, url: &str) -> Result<(), Rejection> {
    let by_itself = fetch_site.is_none_or(|site| ["same-origin", "none"].contains(&site));
    let from_here =
        origin.is_none_or(|origin| url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/')));
    if by_itself && from_here { Ok(()) } else { Err(rejection::CROSS_SITE) }
}

/// Lets a request pass whose `Einmal-Actor`, if it has one, is the tag of its actor: so that
/// an operation saved by one person is never sent as another's.
///
/// # Errors
///
/// [`rejection::ACTOR_CHANGED`].
pub fn same_actor(tag: Option<&str>, actor: &Actor) -> Result<(), Rejection> {
    match tag {
        Some(tag) if tag != actor.tag() => Err(rejection::ACTOR_CHANGED),
        _ => Ok(()),
    }
}

/// What the limit for an address counts by: an IPv4 address, or the /64 of an IPv6 address,
/// which one household or server has for itself.
pub fn address_block(address: &str) -> String {
    match address.parse::<std::net::Ipv6Addr>() {
        Ok(ipv6) => {
            let [a, b, c, d, ..] = ipv6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Err(_) => address.to_owned(),
    }
}
