//! An operation type: its typed request, and the SQL that decides and applies it. This is all that an
//! application defines; the rest is the same for every operation type. Nothing here executes SQL.
//!
//! The engine makes one batch of it:
//!
//! 1. `decide`, the application's SELECT of the outcome, which the engine wraps into the INSERT of the
//!    receipt. It writes nothing if the operation has a receipt.
//! 2. The effects, the application's INSERT, UPDATE and DELETE statements, each for one outcome. They
//!    select from `decided`, which the engine defines before them: the receipt, if this send wrote it,
//!    otherwise no row. So every effect runs once, even if it is not idempotent.
//! 3. The SELECT of the receipt, by whichever attempt it was written.

use std::fmt;

use serde::Serialize;

use crate::domain::{Actor, Attempt, Decision, Fields, Hex128, OperationKey};
use crate::store::{self, Batch, Mistake, Name, Parameter, Row, Sql, Statement, Unreadable};
use crate::wire::{Rejection, to_json};

/// An operation type.
///
/// [`payload!`](crate::payload), [`outcomes!`](crate::outcomes), [`new_ids!`](crate::new_ids) and
/// [`operation_sql!`](crate::operation_sql) make its parts; what is inconsistent does not compile.
/// `testing::exactly_once` (with the feature `testing`) checks that an operation type
/// keeps the engine's promise.
///
/// ```
/// use einmal::operation::{Body, OperationSql, OperationType, Undecided};
/// use einmal::wire::{Members, Rejection, rejection::REQUEST_CONTRACT};
///
/// einmal::payload! { pub struct CreateNote { title: String } }
/// einmal::outcomes! { pub enum Outcome { Created: "created" = 201 } }
///
/// impl OperationType for CreateNote {
///     const NAME: &'static str = "create_note";
///     type Outcome = Outcome;
///     type NewIds = ();
///     const SQL: OperationSql = einmal::operation_sql! {
///         CreateNote;
///         decide: "SELECT 'created' AS outcome";
///         effects: [{
///             on: Created, changes: Always, name: "insert_note",
///             sql: "INSERT INTO notes (actor, key, title) SELECT actor, key, :title FROM decided",
///         }];
///     };
///     const UNDECIDED: Undecided = Undecided::Never;
///
///     fn read(body: &[u8]) -> Result<Self, Rejection> {
///         let [title] = Members::of_body(body)?.exactly(["title"]).ok_or(REQUEST_CONTRACT)?;
///         Ok(Self { title: title.text().ok_or(REQUEST_CONTRACT)?.into_owned() })
///     }
///
///     fn body(&self, _outcome: Outcome, _new_ids: &()) -> Body {
///         Body::json(&serde_json::json!({ "title": self.title }))
///     }
/// }
/// ```
///
/// None of it has a default. Without `UNDECIDED`, this does not compile:
///
/// ```compile_fail
/// # einmal::payload! { pub struct CreateNote { title: String } }
/// # einmal::outcomes! { pub enum Outcome { Created: "created" = 201 } }
/// # impl einmal::operation::OperationType for CreateNote {
/// #     const NAME: &'static str = "create_note";
/// #     type Outcome = Outcome;
/// #     type NewIds = ();
/// #     fn read(_: &[u8]) -> Result<Self, einmal::wire::Rejection> { Ok(Self { title: String::new() }) }
/// #     fn body(&self, outcome: Outcome, _: &()) -> einmal::operation::Body {
/// #         einmal::operation::Body::json(&outcome.name())
/// #     }
/// const SQL: einmal::operation::OperationSql = einmal::operation_sql! {
///     CreateNote;
///     decide: "SELECT 'created' AS outcome";
///     effects: [{
///         on: Created, changes: Always, name: "insert_note",
///         sql: "INSERT INTO notes (actor, key, title) SELECT actor, key, :title FROM decided",
///     }];
/// };
/// # }
/// ```
pub trait OperationType: Payload {
    /// The name, which is part of the fingerprint: the same key for another operation type is a conflict.
    const NAME: &'static str;

    /// The outcomes.
    type Outcome: Outcome;

    /// The random ids of the rows that it creates; `()` if it needs none.
    type NewIds: NewIds;

    /// The SQL that decides and applies it.
    const SQL: OperationSql;

    /// Why an operation can be undecided.
    const UNDECIDED: Undecided;

    /// Parses the body of a request, at most [`crate::wire::BODY_BYTES_MAX`] bytes.
    ///
    /// # Errors
    ///
    /// [`MALFORMED_BODY`](crate::wire::rejection::MALFORMED_BODY) exactly when it is not UTF-8 JSON;
    /// [`REQUEST_CONTRACT`](crate::wire::rejection::REQUEST_CONTRACT) for every other body that is
    /// not a request of this type.
    fn read(body: &[u8]) -> Result<Self, Rejection>;

    /// The body of the response for an outcome.
    fn body(&self, outcome: Self::Outcome, new_ids: &Self::NewIds) -> Body;
}

/// The typed values of a request, made by [`payload!`](crate::payload).
pub trait Payload: Sized {
    /// The names by which SQL knows them.
    const NAMES: &'static [Name];

    /// The values, in the order of the names.
    fn parameters(&self) -> Vec<Parameter>;
}

/// Random ids of the rows that an operation creates, made by [`new_ids!`](crate::new_ids).
pub trait NewIds: Sized {
    /// The names by which SQL knows them.
    const NAMES: &'static [Name];

    /// Generates them.
    ///
    /// # Errors
    ///
    /// The first error of `random`.
    fn draw<E>(random: impl FnMut() -> Result<Hex128, E>) -> Result<Self, E>;

    /// The values, in the order of the names.
    fn parameters(&self) -> Vec<Parameter>;
}

impl NewIds for () {
    const NAMES: &'static [Name] = &[];

    fn draw<E>(_random: impl FnMut() -> Result<Hex128, E>) -> Result<Self, E> {
        Ok(())
    }

    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }
}

/// The outcomes of an operation type, made by [`outcomes!`](crate::outcomes).
pub trait Outcome: Copy + fmt::Debug + 'static {
    /// All outcomes.
    const ALL: &'static [Self];

    /// The name that `decide` selects and the receipt stores.
    fn name(self) -> &'static str;

    /// The HTTP status of its response.
    fn status(self) -> u16;
}

/// The body of a response: JSON.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Body(String);

impl Body {
    /// The document as JSON. It should be an object, so that members can be added later.
    pub fn json(document: &impl Serialize) -> Self {
        Self(to_json(document))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why an operation can be undecided after its `decide` was run.
#[derive(Clone, Copy, Debug)]
pub enum Undecided {
    /// It cannot: `decide` always has a row.
    Never,
    /// For this reason alone.
    Because(Rejection),
    /// For one of these reasons. `why_undecided` of [`operation_sql!`](crate::operation_sql) is then run,
    /// in a second call of the database, and selects the code of one of them as `error`. If the reason no
    /// longer holds by then, the first one is returned.
    OneOf(&'static [Rejection]),
}

/// The SQL that decides and applies operations of a type, made by [`operation_sql!`](crate::operation_sql).
#[derive(Clone, Copy, Debug)]
pub struct OperationSql {
    /// Writes the receipt.
    pub decide: Sql,
    /// The effects, in this order.
    pub effects: &'static [Effect],
    /// Selects why an operation is undecided.
    pub why_undecided: Option<Sql>,
}

/// A statement that is run for one outcome.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The name of the outcome.
    pub outcome: &'static str,
    /// Whether it changes a row each time that the outcome is decided.
    pub changes: Changes,
    /// The statement.
    pub sql: Sql,
}

/// Whether an effect changes a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Changes {
    /// At least one row, each time. `testing::exactly_once` checks it.
    Always,
    /// Perhaps none.
    Sometimes,
}

/// One intended action. Its identity is `(actor, key)`.
#[derive(Clone, Debug)]
pub struct Operation<T> {
    actor: Actor,
    key: OperationKey,
    request: T,
    fields: Fields,
}

impl<T: OperationType> Operation<T> {
    /// The operation with this actor, key and payload.
    pub fn new(actor: Actor, key: OperationKey, request: T) -> Self {
        let values = request.parameters().into_iter().map(|parameter| match parameter {
            Parameter::Text(text) => text,
            Parameter::Integer(number) => number.to_string(),
        });
        let fields = Fields { operation: T::NAME, values: values.collect() };
        Self { actor, key, request, fields }
    }

    /// The actor that the operation belongs to.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The idempotency key.
    pub fn key(&self) -> &OperationKey {
        &self.key
    }

    /// Its request.
    pub fn request(&self) -> &T {
        &self.request
    }

    /// Whether another operation has the same payload.
    pub fn has_payload_of(&self, other: &Self) -> bool {
        self.fields == other.fields
    }

    /// Decides the operation once, applies the outcome, and reads the receipt. New operations, replays and
    /// conflicts run the same statements.
    ///
    /// `send` counts the sends of this attempt's batch, from 1. If an earlier send was committed, a later
    /// one changes nothing and reads the same receipt.
    pub fn batch(&self, attempt: &Attempt, new_ids: &T::NewIds, send: u32) -> Batch {
        let values = self.values(attempt, new_ids, send);
        let mut batch = vec![T::SQL.decide.with(&values)];
        batch.extend(T::SQL.effects.iter().map(|effect| effect.sql.with(&values)));
        batch.push(self.read_receipt());
        batch
    }

    /// Reads the receipt; decides nothing.
    pub fn look_up(&self) -> Batch {
        vec![self.read_receipt()]
    }

    /// Decodes the rows of [`Self::batch`] or [`Self::look_up`]. `None`: the operation is undecided.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] if the receipt was not written by this service, or by a newer version of it.
    pub fn decision(&self, rows: &[impl Row], attempt: &Attempt) -> Result<Option<Decision>, Unreadable> {
        store::read_decision(rows, &self.fields, attempt)
    }

    /// The batch that selects why the operation is undecided, if there are several possible reasons.
    pub fn why_undecided(&self, attempt: &Attempt, new_ids: &T::NewIds) -> Option<Batch> {
        let why = T::SQL.why_undecided?;
        Some(vec![why.with(&self.values(attempt, new_ids, 0))])
    }

    /// Decodes the rows of [`Self::why_undecided`]; `None` for [`Undecided::Never`].
    pub fn undecided(rows: &[impl Row]) -> Option<Rejection> {
        match T::UNDECIDED {
            Undecided::Never => None,
            Undecided::Because(rejection) => Some(rejection),
            Undecided::OneOf(rejections) => {
                let code = rows.first().and_then(|row| row.text("error"));
                let named = rejections.iter().find(|rejection| Some(rejection.code) == code.as_deref());
                named.or(rejections.first()).copied()
            }
        }
    }

    fn read_receipt(&self) -> Statement {
        store::read_receipt(&self.actor, &self.key)
    }

    /// The values of the parameters: the engine's, the payload, the new ids.
    fn values(&self, attempt: &Attempt, new_ids: &T::NewIds, send: u32) -> Vec<Parameter> {
        let responses = self.responses(new_ids);
        let engine = store::engine_values(&self.actor, &self.key, &self.fields, attempt, send, responses);
        engine.into_iter().chain(self.request.parameters()).chain(new_ids.parameters()).collect()
    }

    /// The JSON object that the statement which writes the receipt takes: each outcome's status and body.
    fn responses(&self, new_ids: &T::NewIds) -> String {
        let mut responses = String::new();
        for outcome in T::Outcome::ALL {
            let before = if responses.is_empty() { "{" } else { "," };
            let body = to_json(&self.request.body(*outcome, new_ids).as_str());
            let (name, status) = (outcome.name(), outcome.status());
            responses += &format!(r#"{before}"{name}":{{"status":{status},"body":{body}}}"#);
        }
        responses + "}"
    }
}

/// Declares the payload of an operation type: a struct. Each field is part of the fingerprint, and a
/// parameter of the SQL with the field's name.
///
/// A field's type is a [`ToParameter`](crate::store::ToParameter). The order of the fields is part
/// of the fingerprint: never change it.
///
/// ```
/// einmal::payload! { pub struct Transfer { from: String, to: String, amount: u32 } }
/// ```
///
/// A floating-point number is not one, since several texts of it can have one value.
///
/// ```compile_fail
/// einmal::payload! { pub struct Transfer { from: String, to: String, amount: f64 } }
/// ```
#[macro_export]
macro_rules! payload {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $of:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $of),+
        }

        impl $crate::operation::Payload for $name {
            const NAMES: &'static [$crate::store::Name] =
                &[$($crate::store::Name::of::<$of>(stringify!($field))),+];

            fn parameters(&self) -> Vec<$crate::store::Parameter> {
                vec![$($crate::store::ToParameter::to_parameter(&self.$field)),+]
            }
        }
    };
}

/// Declares the random ids of the rows that an operation creates: a struct of [`Hex128`]. Each field is a
/// parameter of the SQL with the field's name.
///
/// ```
/// einmal::new_ids! { pub struct NewIds { transfer_id, receipt_id } }
/// ```
///
/// ```compile_fail
/// einmal::new_ids! { pub struct NewIds { transfer_id: String } }
/// ```
#[macro_export]
macro_rules! new_ids {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $crate::domain::Hex128),+
        }

        impl $crate::operation::NewIds for $name {
            const NAMES: &'static [$crate::store::Name] =
                &[$($crate::store::Name::of::<$crate::domain::Hex128>(stringify!($field))),+];

            fn draw<E>(
                mut random: impl FnMut() -> Result<$crate::domain::Hex128, E>,
            ) -> Result<Self, E> {
                Ok(Self { $($field: random()?),+ })
            }

            fn parameters(&self) -> Vec<$crate::store::Parameter> {
                vec![$($crate::store::ToParameter::to_parameter(&self.$field)),+]
            }
        }
    };
}

/// Declares the outcomes of an operation type: an enum whose variants have a name and a status.
///
/// A name has lower-case letters and `_`, a status is from 200 to 599; anything else does not compile.
///
/// ```
/// einmal::outcomes! {
///     /// The outcomes of a transfer.
///     pub enum Outcome { Transferred: "transferred" = 201, Insufficient: "insufficient" = 409 }
/// }
/// ```
///
/// ```compile_fail
/// einmal::outcomes! { pub enum Outcome { Transferred: "transferred" = 999 } }
/// ```
#[macro_export]
macro_rules! outcomes {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident: $text:literal = $status:literal),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        $visibility enum $name {
            $($(#[$variant_attribute])* $variant),+
        }

        impl $name {
            /// The name that `decide` selects and the receipt stores.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl $crate::operation::Outcome for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn name(self) -> &'static str {
                self.name()
            }

            fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }
        }

        $(const _: () = assert!(
            $crate::operation::is_outcome($text, $status),
            "expected an outcome whose name has a-z and _ only, and whose status is from 200 to 599"
        );)+
    };
}

/// Whether an outcome can have this name and this status.
#[doc(hidden)]
pub const fn is_outcome(name: &str, status: u16) -> bool {
    let mut rest = name.as_bytes();
    while let [b'a'..=b'z' | b'_', after @ ..] = rest {
        rest = after;
    }
    rest.is_empty() && !name.is_empty() && 200 <= status && status <= 599
}

/// Makes the [`OperationSql`] of an operation type.
///
/// - `columns`: optional; additional columns of the application's table `operations`, which `decide`
///   selects with `outcome`.
/// - `members`: optional; the name of a JSON object (or NULL) that `decide` also selects. Its members are
///   added to the response's body: for what only the database has, such as a balance.
/// - `decide`: one SELECT of `outcome`. No row: the operation is undecided.
/// - `why_undecided`: for [`Undecided::OneOf`], one SELECT of a rejection's code as `error`.
/// - `effects`: for an outcome, one INSERT, UPDATE or DELETE that selects from `decided`, and
///   whether it [`Changes`] a row.
///
/// Every statement may use the engine's parameters ([`ENGINE_NAMES`](crate::store::ENGINE_NAMES)), each
/// field of the payload and each new id, as `:name`. These do not compile: an unknown name, a payload
/// field or new id that no statement uses, a `?`, two statements in one, a `decide` that is not a SELECT,
/// an effect that does not select from `decided`.
///
/// ```
/// # einmal::payload! { pub struct CreateNote { title: String } }
/// # einmal::outcomes! { pub enum Outcome { Created: "created" = 201 } }
/// # impl einmal::operation::OperationType for CreateNote {
/// #     const NAME: &'static str = "create_note";
/// #     type Outcome = Outcome;
/// #     type NewIds = ();
/// #     const UNDECIDED: einmal::operation::Undecided = einmal::operation::Undecided::Never;
/// #     fn read(_: &[u8]) -> Result<Self, einmal::wire::Rejection> { Ok(Self { title: String::new() }) }
/// #     fn body(&self, outcome: Outcome, _: &()) -> einmal::operation::Body {
/// #         einmal::operation::Body::json(&outcome.name())
/// #     }
/// const SQL: einmal::operation::OperationSql = einmal::operation_sql! {
///     CreateNote;
///     decide: "SELECT 'created' AS outcome";
///     effects: [{
///         on: Created, changes: Always, name: "insert_note",
///         sql: "INSERT INTO notes (actor, key, title) SELECT actor, key, :title FROM decided",
///     }];
/// };
/// # }
/// ```
///
/// Without `decided`, the effect would run for every attempt:
///
/// ```compile_fail
/// # einmal::payload! { pub struct CreateNote { title: String } }
/// # einmal::outcomes! { pub enum Outcome { Created: "created" = 201 } }
/// # impl einmal::operation::OperationType for CreateNote {
/// #     const NAME: &'static str = "create_note";
/// #     type Outcome = Outcome;
/// #     type NewIds = ();
/// #     const UNDECIDED: einmal::operation::Undecided = einmal::operation::Undecided::Never;
/// #     fn read(_: &[u8]) -> Result<Self, einmal::wire::Rejection> { Ok(Self { title: String::new() }) }
/// #     fn body(&self, outcome: Outcome, _: &()) -> einmal::operation::Body {
/// #         einmal::operation::Body::json(&outcome.name())
/// #     }
/// const SQL: einmal::operation::OperationSql = einmal::operation_sql! {
///     CreateNote;
///     decide: "SELECT 'created' AS outcome";
///     effects: [{
///         on: Created, changes: Always, name: "insert_note",
///         sql: "INSERT INTO notes (actor, key, title) VALUES (:actor, :key, :title)",
///     }];
/// };
/// # }
/// ```
#[macro_export]
macro_rules! operation_sql {
    (
        $operation:ty;
        $(columns: [$($column:literal),+ $(,)?];)?
        $(members: $members:literal;)?
        decide: $decide:expr;
        $(why_undecided: $why_undecided:expr;)?
        effects: [$({
            on: $outcome:ident, changes: $changes:ident, name: $name:literal, sql: $effect:expr $(,)?
        }),* $(,)?] $(;)?
    ) => {{
        // The macro's arguments can refer to these items, so their names must not collide with the author's.
        type __Outcome = <$operation as $crate::operation::OperationType>::Outcome;

        const __NAMES: &[&[$crate::store::Name]] = &[
            $crate::store::ENGINE_NAMES,
            <$operation as $crate::operation::Payload>::NAMES,
            <<$operation as $crate::operation::OperationType>::NewIds as $crate::operation::NewIds>::NAMES,
        ];
        const __DECIDE: $crate::store::Sql = $crate::__sql!(
            "decide",
            $crate::store::WRITE_RECEIPT,
            &[
                ("decide", $decide),
                ("columns", concat!("" $($(, ", ", $column)+)?)),
                ("body", $crate::__body_sql!($($members)?)),
            ],
            __NAMES
        );
        const __EFFECTS: &[$crate::operation::Effect] = &[$({
            const __OUTCOME: &str = __Outcome::$outcome.name();
            $crate::operation::Effect {
                outcome: __OUTCOME,
                changes: $crate::operation::Changes::$changes,
                sql: $crate::__sql!(
                    $name,
                    $crate::store::RUN_EFFECT,
                    &[("effect", $effect), ("outcome", __OUTCOME)],
                    __NAMES
                ),
            }
        }),*];
        const __WHY_UNDECIDED: &[$crate::store::Sql] =
            &[$($crate::__sql!("why_undecided", $why_undecided, &[], __NAMES))?];
        // A separate constant: an associated one would only be evaluated where it is used.
        const __CHECKED: $crate::operation::OperationSql = $crate::operation::checked(
            __DECIDE,
            __EFFECTS,
            __WHY_UNDECIDED.first(),
            $decide,
            &[$($effect),*],
            __NAMES,
        );
        __CHECKED
    }};
}

/// An operation type's SQL; a compile error if it is inconsistent.
#[doc(hidden)]
pub const fn checked(
    decide: Sql,
    effects: &'static [Effect],
    why_undecided: Option<&Sql>,
    decide_text: &str,
    effect_texts: &[&str],
    names: &[&[Name]],
) -> OperationSql {
    require(store::require_select(decide_text));
    let mut texts = effect_texts;
    while let [text, rest @ ..] = texts {
        require(store::require_decided(text));
        texts = rest;
    }
    let mut index = store::ENGINE_NAMES.len();
    while index < store::count_names(names) {
        let mut used = store::uses(decide.parameters, index);
        if let Some(why) = why_undecided {
            used = used || store::uses(why.parameters, index);
        }
        let mut rest = effects;
        while let [effect, after @ ..] = rest {
            used = used || store::uses(effect.sql.parameters, index);
            rest = after;
        }
        require(if used { Ok(()) } else { Err(Mistake::UnusedName) });
        index = index.saturating_add(1);
    }
    OperationSql { decide, effects, why_undecided: why_undecided.copied() }
}

#[expect(clippy::panic, reason = "run by the compiler, where a panic is a compile error")]
const fn require(checked: Result<(), Mistake>) {
    match checked {
        Ok(()) => (),
        Err(mistake) => panic!("{}", mistake.text()),
    }
}

/// The SQL of a response's body, for [`operation_sql!`](crate::operation_sql).
#[doc(hidden)]
#[macro_export]
macro_rules! __body_sql {
    () => {
        ":responses ->> ('$.' || outcome || '.body')"
    };
    ($members:literal) => {
        concat!("json_patch(:responses ->> ('$.' || outcome || '.body'), COALESCE(", $members, ", '{}'))")
    };
}
