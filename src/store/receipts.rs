use super::{Batch, Parameter, Row, Statement, Unreadable, integer, text};
use crate::domain::{
    Actor, Attempt, Decision, Fingerprint, FingerprintVersion, Intention, OperationKey, Receipt,
};
use crate::store::text::sql;

/// What every operation has, whatever it does: the frame of its batch. It needs a table
/// `operations` with the columns that its statements name and the primary key
/// `(actor, key)`.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Who asks.
    pub actor: &'a Actor,
    /// The name that the actor gave the operation.
    pub key: &'a OperationKey,
    /// What is to happen.
    pub intention: &'a Intention,
}

impl<'a> Frame<'a> {
    /// Decides the operation, does what was decided, and reads the receipt: for every
    /// outcome, new or repeated, these statements.
    ///
    /// Each statement gets the frame's parameters before its own:
    ///
    /// - `decide`: ?1 actor, ?2 key, ?3 fingerprint's version, ?4 fingerprint, ?5 attempt's
    ///   id, ?6 now in ms. It writes the receipt, unless the operation has one.
    /// - `effects`: ?1 actor, ?2 key, ?3 attempt's id. Each happens if the receipt is of this
    ///   very attempt, and once.
    ///
    /// So sending the same batch twice changes nothing the second time and answers the same.
    pub fn decide_once(
        self,
        attempt: &'a Attempt,
        decide: Statement<'a>,
        effects: Vec<Statement<'a>>,
    ) -> Batch<'a> {
        let fingerprint = Fingerprint::of(self.intention, FingerprintVersion::CURRENT);
        let attempt_id = || Parameter::Borrowed(attempt.id.as_str());
        let mut batch = vec![Statement {
            sql: decide.sql,
            parameters: self
                .name()
                .into_iter()
                .chain([
                    Parameter::Number(fingerprint.version.number() as f64),
                    Parameter::Owned(fingerprint.hex),
                    attempt_id(),
                    Parameter::milliseconds(attempt.now_ms),
                ])
                .chain(decide.parameters)
                .collect(),
        }];
        batch.extend(effects.into_iter().map(|Statement { sql, parameters }| {
            let frame = self.name().into_iter().chain([attempt_id()]);
            Statement { sql, parameters: frame.chain(parameters).collect() }
        }));
        batch.push(self.read_receipt());
        batch
    }

    /// Reads the receipt of the operation and decides nothing.
    pub fn look_up(self) -> Batch<'a> {
        vec![self.read_receipt()]
    }

    fn read_receipt(self) -> Statement<'a> {
        Statement { sql: sql!("sql/read_receipt.sql"), parameters: self.name().into() }
    }

    /// What the operation is known by.
    fn name(self) -> [Parameter<'a>; 2] {
        [Parameter::Borrowed(self.actor.as_str()), Parameter::Owned(self.key.text())]
    }
}

/// Reads the answer of [`Frame::decide_once`] or [`Frame::look_up`].
///
/// # Errors
///
/// [`Unreadable`] if the receipt is none of this service, or one of a newer version:
/// what was decided is not known here.
pub fn read_decision(
    rows: &[impl Row],
    intention: &Intention,
    attempt: &Attempt,
) -> Result<Decision, Unreadable> {
    match rows.first() {
        Some(row) => Ok(Decision::by_receipt(to_receipt(row)?, intention, attempt)),
        None => Ok(Decision::Undecided),
    }
}

/// The HTTP status of a receipt.
///
/// # Errors
///
/// [`Unreadable`] if it is none.
pub fn status(row: &impl Row) -> Result<u16, Unreadable> {
    u16::try_from(integer(row, "http_status")?).map_err(|_| Unreadable("http_status"))
}

fn to_receipt(row: &impl Row) -> Result<Receipt, Unreadable> {
    let fingerprint = match row.integer("fingerprint_version") {
        Some(number) => Some(Fingerprint {
            version: FingerprintVersion::from_number(number).ok_or(Unreadable("fingerprint_version"))?,
            hex: text(row, "fingerprint")?,
        }),
        None => None,
    };
    Ok(Receipt {
        http_status: status(row)?,
        body: text(row, "body")?,
        fingerprint,
        attempt_id: text(row, "attempt")?,
    })
}
