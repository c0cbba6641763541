use crate::store::{Parameter, ParameterType, ToParameter};

/// How many places one reservation takes: a whole number within `MIN..=MAX`.
///
/// Holding one proves that the bound was checked. The schema states the same bound
/// as `reservations_quantity_in_range`; a native test keeps the two equal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Quantity(u8);

impl Quantity {
    /// The fewest places.
    pub const MIN: u8 = 1;
    /// The most places.
    pub const MAX: u8 = 2;

    /// A quantity of `places`; `None` outside `MIN..=MAX`.
    pub fn new(places: u64) -> Option<Self> {
        let places = u8::try_from(places).ok()?;
        (Self::MIN..=Self::MAX).contains(&places).then_some(Self(places))
    }

    /// The number of places.
    pub const fn places(self) -> u8 {
        self.0
    }
}

impl ToParameter for Quantity {
    const TYPE: ParameterType = ParameterType::Integer;

    fn to_parameter(&self) -> Parameter {
        Parameter::Integer(self.0.into())
    }
}
