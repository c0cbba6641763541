//! The statements that write and read a receipt, and how its row is decoded.

use super::{Name, Parameter, ParameterType, Row, Statement, Unreadable, integer, text};
use crate::domain::{
    Actor, Attempt, Decision, Fields, Fingerprint, FingerprintVersion, OperationKey, Receipt,
};
use crate::statement;

/// The parameters that the engine binds in every statement of an operation type, besides the payload and the
/// new ids.
pub const ENGINE_NAMES: &[Name] = &[
    Name { text: "actor", of: ParameterType::Text },
    Name { text: "key", of: ParameterType::Text },
    Name { text: "fingerprint_version", of: ParameterType::Integer },
    Name { text: "fingerprint", of: ParameterType::Text },
    Name { text: "send_id", of: ParameterType::Text },
    Name { text: "now_ms", of: ParameterType::Integer },
    Name { text: "responses", of: ParameterType::Text },
];

/// The template of the statement that writes a receipt.
#[doc(hidden)]
pub const WRITE_RECEIPT: &str = include_str!("sql/write_receipt.sql");

/// The template of an effect.
#[doc(hidden)]
pub const RUN_EFFECT: &str = include_str!("sql/run_effect.sql");

/// The values of [`ENGINE_NAMES`] for one send.
pub fn engine_values(
    actor: &Actor,
    key: &OperationKey,
    fields: &Fields,
    attempt: &Attempt,
    send: u32,
    responses: String,
) -> [Parameter; 7] {
    let fingerprint = Fingerprint::of(fields, FingerprintVersion::CURRENT);
    [
        Parameter::Text(actor.as_str().to_owned()),
        Parameter::Text(key.text()),
        Parameter::Integer(fingerprint.version.number()),
        Parameter::Text(fingerprint.hex),
        Parameter::Text(attempt.send_id(send)),
        Parameter::milliseconds(attempt.now_ms),
        Parameter::Text(responses),
    ]
}

/// Reads the receipt of an operation; decides nothing.
pub fn read_receipt(actor: &Actor, key: &OperationKey) -> Statement {
    statement!("read_receipt", include_str!("sql/read_receipt.sql"), actor: Actor = actor, key: OperationKey = key)
}

/// Decodes the row of [`read_receipt`]. `None`: the operation is undecided.
///
/// # Errors
///
/// [`Unreadable`] if the row was not written by this service, or by a newer version of it.
pub fn read_decision(
    rows: &[impl Row],
    fields: &Fields,
    attempt: &Attempt,
) -> Result<Option<Decision>, Unreadable> {
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(Decision::from_receipt(to_receipt(row)?, fields, attempt)))
}

/// The HTTP status of a receipt.
///
/// # Errors
///
/// [`Unreadable`] if the column does not hold one.
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
        outcome: text(row, "outcome")?,
        http_status: status(row)?,
        body: text(row, "body")?,
        fingerprint,
        send_id: text(row, "send_id")?,
    })
}
