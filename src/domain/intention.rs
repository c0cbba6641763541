/// What somebody wants to happen, as far as it tells two requests apart: the kind of
/// operation and its values.
///
/// Equal intentions under different keys are different operations; a key that comes
/// back with another intention is a conflict.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Intention {
    /// The name of the kind, such as `create_note`.
    pub kind: &'static str,
    /// The typed values, each written in one way only, in a fixed order.
    pub values: Vec<String>,
}
