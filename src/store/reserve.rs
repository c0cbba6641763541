use super::{Batch, Parameter, Row, Statement, Unreadable, milliseconds, status, text};
use crate::domain::{Attempt, Decision, Fingerprint, FingerprintVersion, Operation, Receipt};

/// The two bodies of which the deciding statement stores one.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// The body if the places are reserved.
    pub reserved: &'a str,
    /// The body if they are not.
    pub unavailable: &'a str,
}

/// Decides an operation, does what was decided, and reads the receipt: for every
/// outcome, new or repeated, these three statements.
///
/// Sending the same batch twice changes nothing the second time and answers the same.
pub fn reserve<'a>(operation: &'a Operation, attempt: &'a Attempt, bodies: Bodies<'a>) -> Batch<'a> {
    let Operation { actor, key, intention } = operation;
    let fingerprint = Fingerprint::of(intention, FingerprintVersion::CURRENT);
    let actor = || Parameter::Borrowed(actor.as_str());
    let key = || Parameter::Owned(key.text());
    let attempt_id = || Parameter::Borrowed(attempt.id.as_str());
    let quantity = || Parameter::Number(intention.quantity.places().into());
    vec![
        Statement {
            sql: include_str!("sql/decide.sql"),
            parameters: vec![
                actor(),
                key(),
                Parameter::Number(fingerprint.version.number() as f64),
                Parameter::Owned(fingerprint.hex),
                attempt_id(),
                Parameter::Borrowed(bodies.reserved),
                Parameter::Borrowed(bodies.unavailable),
                milliseconds(attempt.now_ms),
                Parameter::Borrowed(intention.workshop.as_str()),
                quantity(),
            ],
        },
        Statement {
            sql: include_str!("sql/take_places.sql"),
            parameters: vec![
                actor(),
                key(),
                attempt_id(),
                Parameter::Borrowed(attempt.reservation_id.as_str()),
                quantity(),
            ],
        },
        read_receipt(operation),
    ]
}

/// Reads the receipt of an operation and decides nothing.
pub fn receipt(operation: &Operation) -> Batch<'_> {
    vec![read_receipt(operation)]
}

fn read_receipt(Operation { actor, key, .. }: &Operation) -> Statement<'_> {
    Statement {
        sql: include_str!("sql/read_receipt.sql"),
        parameters: vec![Parameter::Borrowed(actor.as_str()), Parameter::Owned(key.text())],
    }
}

/// Reads the answer of [`reserve`] or [`receipt`].
///
/// # Errors
///
/// [`Unreadable`] if the receipt is none of this service, or one of a newer version:
/// what was decided is not known here.
pub fn read_decision(
    rows: &[impl Row],
    operation: &Operation,
    attempt: &Attempt,
) -> Result<Decision, Unreadable> {
    match rows.first() {
        Some(row) => Ok(Decision::by_receipt(to_receipt(row)?, &operation.intention, attempt)),
        None => Ok(Decision::UnknownWorkshop),
    }
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
