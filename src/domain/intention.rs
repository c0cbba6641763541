use super::{Quantity, WorkshopId};

/// What a person wants to happen: the typed values of one operation.
///
/// Equal intentions under different keys are different operations; a key that comes
/// back with another intention is a conflict.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Intention {
    /// The workshop to reserve in.
    pub workshop: WorkshopId,
    /// How many places.
    pub quantity: Quantity,
}
