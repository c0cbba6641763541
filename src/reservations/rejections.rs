//! The rejections of this service, besides those of every operation type in `wire::rejection`.

use crate::rejections;
use crate::wire::Rejection;
use crate::wire::rejection::{self, FIX_REQUEST};

rejections! {
    /// No workshop with this id is on offer, and the key has no receipt.
    UNKNOWN_WORKSHOP => 404, "unknown_workshop", FIX_REQUEST,
        "Workshop not found",
        "No workshop with this id is on offer. Nothing was done.";

    /// The actor has no decided operation with this key.
    UNKNOWN_OPERATION => 404, "unknown_operation", FIX_REQUEST,
        "Operation not found",
        "No operation with this key was decided yet. A request for it may still be on its way.";

    /// The operation made no reservation.
    NOTHING_TO_CANCEL => 409, "nothing_to_cancel", FIX_REQUEST,
        "Nothing to cancel",
        "The operation made no reservation. Nothing was done.";
}

/// Every rejection of the service, in order of precedence: those that depend on the database rank after
/// those that depend on the request alone, and `outcome_unknown` is last.
pub fn every_rejection() -> Vec<Rejection> {
    let (unknown, definite): (Vec<Rejection>, Vec<Rejection>) =
        rejection::RANKED.iter().partition(|rejection| **rejection == rejection::OUTCOME_UNKNOWN);
    definite.into_iter().chain(RANKED.iter().copied()).chain(unknown).collect()
}
