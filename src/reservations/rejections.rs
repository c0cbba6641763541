//! The rejections of this service beyond those of every operation.

use crate::rejections;
use crate::wire::Rejection;
use crate::wire::rejection::{self, FIX_REQUEST};

rejections! {
    /// No such workshop is on offer, and the key has no receipt.
    UNKNOWN_WORKSHOP => 404, "unknown_workshop", FIX_REQUEST,
        "No such workshop is on offer",
        "No workshop with this id is on offer. Nothing was done.";

    /// Nothing was decided about this operation, as far as is known now.
    UNKNOWN_OPERATION => 404, "unknown_operation", FIX_REQUEST,
        "No such operation is known",
        "Nothing was decided about this operation yet. A request for it may still be on its way.";

    /// The operation made no reservation.
    NOTHING_TO_CANCEL => 409, "nothing_to_cancel", FIX_REQUEST,
        "There is nothing to cancel",
        "The operation made no reservation. Nothing was done.";
}

/// Every rejection of the service, in order of precedence: what the database says ranks
/// after what a request says of itself, and not knowing comes last.
pub fn every_rejection() -> Vec<Rejection> {
    let (not_known, known): (Vec<Rejection>, Vec<Rejection>) =
        rejection::RANKED.iter().partition(|rejection| **rejection == rejection::OUTCOME_UNKNOWN);
    known.into_iter().chain(RANKED.iter().copied()).chain(not_known).collect()
}
