//! Statements and their parameters, and the macro that makes one from SQL with named parameters.

use super::sql_text::{Name, ParameterType};
use crate::domain::{Actor, Hex128, OperationKey};

/// Statements that run in this order, in one transaction. The rows of the last one are the result.
pub type Batch = Vec<Statement>;

/// One SQL statement and its parameters, `?1` first.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its name in the log, such as `read_receipt`.
    pub name: &'static str,
    /// Its text, as sent to the database.
    pub sql: &'static str,
    /// The values of its parameters.
    pub parameters: Vec<Parameter>,
}

/// The value of a parameter.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Parameter {
    /// Text.
    Text(String),
    /// A whole number of at most 2^53. D1 binds it as a floating-point one.
    Integer(i64),
}

impl Parameter {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn milliseconds(time_ms: u64) -> Self {
        Self::Integer(i64::try_from(time_ms).unwrap_or(i64::MAX))
    }
}

/// A statement before its values are bound: see [`crate::statement!`].
#[derive(Clone, Copy, Debug)]
pub struct Sql {
    /// The name of the statement in the log.
    pub name: &'static str,
    /// The text, with numbered parameters.
    pub text: &'static str,
    /// For each parameter, in order, the index of its name.
    pub parameters: &'static [u8],
}

impl Sql {
    /// The statement with the values of the names, in the order of the names.
    pub fn with(self, values: &[Parameter]) -> Statement {
        // The compiler has checked that each index is one of the names.
        let parameters = self.parameters.iter().filter_map(|index| values.get(usize::from(*index)).cloned());
        Statement { name: self.name, sql: self.text, parameters: parameters.collect() }
    }
}

/// A type that can be a parameter, and a field of a payload.
pub trait ToParameter {
    /// The type of its values in SQL.
    const TYPE: ParameterType;

    /// Its value. Equal values must give equal parameters, and different values different ones.
    fn to_parameter(&self) -> Parameter;
}

impl ToParameter for str {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        Parameter::Text(self.to_owned())
    }
}

impl ToParameter for String {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        self.as_str().to_parameter()
    }
}

/// Milliseconds: see [`Parameter::milliseconds`].
impl ToParameter for u64 {
    const TYPE: ParameterType = ParameterType::Integer;

    fn to_parameter(&self) -> Parameter {
        Parameter::milliseconds(*self)
    }
}

impl ToParameter for Actor {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        self.as_str().to_parameter()
    }
}

impl ToParameter for OperationKey {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        Parameter::Text(self.text())
    }
}

impl ToParameter for Hex128 {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        self.as_str().to_parameter()
    }
}

macro_rules! integers {
    ($($integer:ty),+) => {
        $(impl ToParameter for $integer {
            const TYPE: ParameterType = ParameterType::Integer;

            fn to_parameter(&self) -> Parameter {
                Parameter::Integer(i64::from(*self))
            }
        })+
    };
}
integers!(i64, u32, u8);

impl<T: ToParameter + ?Sized> ToParameter for &T {
    const TYPE: ParameterType = T::TYPE;

    fn to_parameter(&self) -> Parameter {
        (**self).to_parameter()
    }
}

impl Name {
    /// The name of a parameter whose values are of a type.
    pub const fn of<T: ToParameter + ?Sized>(text: &'static str) -> Self {
        Self { text, of: T::TYPE }
    }
}

/// The SQL text `$template` as an [`Sql`], with its `{slots}` filled and its `:names` numbered.
/// For the macros of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! __sql {
    ($name:expr, $template:expr, $slots:expr, $names:expr) => {{
        const __SQL_NAMES: &[&[$crate::store::Name]] = $names;
        const __ASSEMBLED: $crate::store::Assembled =
            match $crate::store::assemble($template, $slots, __SQL_NAMES) {
                Ok(assembled) => assembled,
                Err(mistake) => panic!("{}", mistake.text()),
            };
        const __TEXT: [u8; __ASSEMBLED.size().0] = __ASSEMBLED.text();
        const __PARAMETERS: [u8; __ASSEMBLED.size().1] = __ASSEMBLED.parameters();
        const __SQL: $crate::store::Sql = $crate::store::Sql {
            name: $name,
            text: match ::core::str::from_utf8(&__TEXT) {
                Ok(text) => text,
                Err(_) => panic!("a statement is UTF-8"),
            },
            parameters: &__PARAMETERS,
        };
        __SQL
    }};
}

/// A [`Statement`]: a name for the log, its SQL, and the parameters that the SQL uses as `:name`, with their
/// types.
///
/// The SQL is a literal or `include_str!` of a file. An unused parameter, an unknown `:name` and a `?` do not
/// compile.
///
/// ```
/// use einmal::statement;
///
/// let one = statement!("read_note", "SELECT title FROM notes WHERE id = :id", id: str = "a5");
/// assert_eq!(one.sql, "SELECT title FROM notes WHERE id = ?1");
/// ```
///
/// ```compile_fail
/// einmal::statement!("read_note", "SELECT title FROM notes WHERE id = :key", id: str = "a5");
/// ```
#[macro_export]
macro_rules! statement {
    ($name:expr, $sql:expr $(, $parameter:ident: $of:ty = $value:expr)* $(,)?) => {{
        const __GIVEN: &[$crate::store::Name] = &[$($crate::store::Name::of::<$of>(stringify!($parameter))),*];
        const __STATEMENT: $crate::store::Sql = $crate::__sql!($name, $sql, &[], &[__GIVEN]);
        const _: () = match $crate::store::require_all_used(__GIVEN, __STATEMENT.parameters) {
            Ok(()) => (),
            Err(mistake) => panic!("{}", mistake.text()),
        };
        __STATEMENT.with(&[$({
            let value: &$of = $value;
            $crate::store::ToParameter::to_parameter(value)
        }),*])
    }};
}
