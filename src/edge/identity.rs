//! Who asks. Nothing else in the service decides it.

use worker::Env;

use super::bindings::binding;
use crate::domain::{Actor, Source};
use crate::wire::{self, LogEntry, Rejection, Secret, rejection};

/// The secret that tokens are signed with, and the one before it while it is rotated.
const SECRET: &str = "SESSION_SECRET";
const PREVIOUS_SECRET: &str = "SESSION_SECRET_PREVIOUS";

/// What the identity of a request is checked with.
pub struct Identity(Vec<Secret>);

impl Identity {
    /// The service's secrets, the one that signs first.
    ///
    /// # Errors
    ///
    /// [`rejection::NOT_CONFIGURED`] without a secret: there is no default that lets people in.
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

    /// The actor of a request, and how the actor is known.
    ///
    /// # Errors
    ///
    /// [`rejection::ACTOR_REQUIRED`] if nothing valid says who it is.
    pub fn actor(
        &self,
        authorization: Option<&str>,
        cookie: Option<&str>,
        now_ms: u64,
    ) -> Result<(Actor, Source), Rejection> {
        wire::actor(authorization, cookie, &self.0, now_ms / 1_000).ok_or(rejection::ACTOR_REQUIRED)
    }

    /// The `Set-Cookie` that begins or renews an actor's session.
    pub fn session_cookie(&self, actor: &Actor, now_ms: u64) -> Option<String> {
        self.0.first().map(|secret| wire::session_cookie(actor, secret, now_ms / 1_000))
    }
}
