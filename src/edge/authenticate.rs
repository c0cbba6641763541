//! The secrets of the service's own sessions and tokens; [`Call::authenticate`](super::Call::authenticate)
//! maps a request to an [`Actor`] with them. A Worker with its own authentication uses
//! [`Call::authenticate_as`](super::Call::authenticate_as) instead.

use worker::Env;

use super::bindings::binding;
use crate::domain::Actor;
use crate::wire::{self, LogEntry, Rejection, Secret, rejection};

/// The secret that tokens are signed with, and its predecessor during a rotation.
const SECRET: &str = "SESSION_SECRET";
const PREVIOUS_SECRET: &str = "SESSION_SECRET_PREVIOUS";

/// The secrets that tokens are verified with. The first one also signs.
pub struct Secrets(Vec<Secret>);

impl Secrets {
    /// The service's secrets.
    ///
    /// # Errors
    ///
    /// [`rejection::NOT_CONFIGURED`] without a secret: there is no default.
    pub fn of(env: &Env, log: &mut LogEntry) -> Result<Self, Rejection> {
        let secret = |name| Secret::new(&binding(env, name)?.as_string()?);
        let Some(current) = secret(SECRET) else {
            log.cause = Some(format!(
                "{SECRET} is missing or has fewer than {} bytes; run: npx wrangler secret put {SECRET}",
                Secret::BYTES_MIN
            ));
            return Err(rejection::NOT_CONFIGURED);
        };
        Ok(Self([current].into_iter().chain(secret(PREVIOUS_SECRET)).collect()))
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Secret] {
        &self.0
    }

    /// The `Set-Cookie` that starts or renews an actor's session.
    pub fn session_cookie(&self, actor: &Actor, now_ms: u64) -> Option<String> {
        self.0.first().map(|secret| wire::session_cookie(actor, secret, now_ms / 1_000))
    }
}
