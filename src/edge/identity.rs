//! Who asks. Nothing else in the service decides it.

use crate::domain::Actor;

/// The actor of a request: everybody is the one demo actor.
pub fn actor() -> Actor {
    Actor::DEMO
}
