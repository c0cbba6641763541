//! Authentication by API keys, in place of the engine's sessions and tokens. An API key is a bearer token; the
//! database has its SHA-256 and its actor.

use einmal::domain::Actor;
use einmal::edge::Call;
use einmal::statement;
use einmal::store::text;
use einmal::wire::{Problem, Rejection, rejection};
use sha2::{Digest, Sha256};

const API_KEY_REQUIRED: Rejection = Rejection(&Problem {
    detail: "Expected the header Authorization: Bearer, followed by an API key.",
    ..*rejection::ACTOR_REQUIRED.0
});

/// Authenticates the request by its API key, and sets its actor.
pub async fn authenticate(call: &mut Call) -> Result<(), Rejection> {
    let authorization = call.header("authorization").unwrap_or_default();
    let api_key = authorization.strip_prefix("Bearer ").ok_or(API_KEY_REQUIRED)?;
    let sha256 = base16ct::lower::encode_string(&Sha256::digest(api_key));
    let actor_of = |_| {
        vec![statement!(
            "read_api_key",
            "SELECT actor FROM api_keys WHERE sha256 = :sha256",
            sha256: String = &sha256,
        )]
    };
    let found = call.query(actor_of, |rows| rows.first().map(|row| text(row, "actor")).transpose()).await?;
    let actor = Actor::parse(&found.ok_or(API_KEY_REQUIRED)?).ok_or(rejection::INTERNAL_ERROR)?;
    call.authenticate_as(actor);
    Ok(())
}
