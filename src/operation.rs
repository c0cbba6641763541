//! One kind of operation: all that an application says about it. The rest is the same for
//! every kind.

use crate::domain::{Actor, Attempt, Decision, Hex128, Intention, OperationKey};
use crate::store::{Batch, Frame, Row, Statement, Unreadable, read_decision};
use crate::wire::{Rejection, rejection};

/// What somebody may ask for: the typed values of a request, and what becomes of them.
pub trait Kind: Sized {
    /// Its name. The same key for another kind is a conflict.
    const NAME: &'static str;

    /// Why an operation has no receipt after [`Self::decide`] was run. A statement that
    /// always decides leaves it as it is.
    const UNDECIDED: Rejection = rejection::OUTCOME_UNKNOWN;

    /// Reads the body of a request, at most [`crate::wire::BODY_BYTES_MAX`] bytes.
    ///
    /// # Errors
    ///
    /// [`rejection::MALFORMED_BODY`] exactly when it is not UTF-8 JSON;
    /// [`rejection::REQUEST_CONTRACT`] for every other body that is not of this kind.
    fn read(body: &[u8]) -> Result<Self, Rejection>;

    /// The values that tell two requests apart, each written in one way only.
    fn values(&self) -> Vec<String>;

    /// The statement that writes the receipt: status and body of the answer, for good. Its
    /// own parameters come after those of [`Frame::decide_once`]. `new_id` is for what the
    /// operation makes.
    fn decide<'a>(&'a self, new_id: &'a Hex128) -> Statement<'a>;

    /// The statements that do what was decided, likewise.
    fn effects<'a>(&'a self, new_id: &'a Hex128) -> Vec<Statement<'a>>;
}

/// One intended action. Its identity is `(actor, key)`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Operation<K> {
    actor: Actor,
    key: OperationKey,
    asked: K,
    intention: Intention,
}

impl<K: Kind> Operation<K> {
    /// The operation of this name, and what it is to do.
    pub fn new(actor: Actor, key: OperationKey, asked: K) -> Self {
        let intention = Intention { kind: K::NAME, values: asked.values() };
        Self { actor, key, asked, intention }
    }

    /// Who asks.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The name the actor gave the operation.
    pub fn key(&self) -> &OperationKey {
        &self.key
    }

    /// Decides the operation once, does what was decided, and reads the receipt.
    pub fn batch<'a>(&'a self, attempt: &'a Attempt) -> Batch<'a> {
        let Attempt { new_id, .. } = attempt;
        self.frame().decide_once(attempt, self.asked.decide(new_id), self.asked.effects(new_id))
    }

    /// Reads the receipt and decides nothing.
    pub fn look_up(&self) -> Batch<'_> {
        self.frame().look_up()
    }

    /// Reads the answer of [`Self::batch`] or [`Self::look_up`].
    ///
    /// # Errors
    ///
    /// [`Unreadable`], see [`read_decision`].
    pub fn decision(&self, rows: &[impl Row], attempt: &Attempt) -> Result<Decision, Unreadable> {
        read_decision(rows, &self.intention, attempt)
    }

    fn frame(&self) -> Frame<'_> {
        Frame { actor: &self.actor, key: &self.key, intention: &self.intention }
    }
}
