use crate::store::{Parameter, ParameterType, ToParameter};

/// The number of places of one reservation: a whole number within `MIN..=MAX`, checked by the constructor.
///
/// The schema has the same bounds as `reservations_quantity_in_range`; a native test compares the two.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Quantity(u8);

impl Quantity {
    /// Minimum quantity.
    pub const MIN: u8 = 1;
    /// Maximum quantity.
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
