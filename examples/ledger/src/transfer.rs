//! `POST /transfers`: transfers an amount from one account to another, once for each operation.

use einmal::operation::{Body, OperationSql, OperationType, Undecided};
use einmal::wire::rejection::{FIX_REQUEST, REQUEST_CONTRACT};
use einmal::wire::{Members, Problem, Rejection, Value};
use einmal::{new_ids, operation_sql, outcomes, payload, rejections};
use serde::Serialize;

use super::account_id::AccountId;

/// Maximum cents of one transfer.
const AMOUNT_MAX: u32 = 100_000_000;

const TRANSFER: Rejection = Rejection(&Problem {
    detail: "Expected exactly the members from and to, the ids of two accounts, and amount, an integer from 1 to 100000000.",
    ..*REQUEST_CONTRACT.0
});

rejections! {
    /// No account of the actor has the id in `from`, and the key has no receipt.
    UNKNOWN_PAYER => 404, "unknown_payer", FIX_REQUEST,
        "Payer account not found",
        "Expected the member from to be the id of an account of your own. Nothing was done.";

    /// No account has the id in `to`, and the key has no receipt.
    UNKNOWN_PAYEE => 404, "unknown_payee", FIX_REQUEST,
        "Payee account not found",
        "Expected the member to to be the id of an account. Nothing was done.";
}

payload! {
    pub struct Transfer {
        from: AccountId,
        to: AccountId,
        amount: u32,
    }
}

outcomes! {
    pub enum Outcome {
        Transferred: "transferred" = 201,
        Insufficient: "insufficient" = 409,
    }
}

new_ids! {
    pub struct NewIds {
        transfer_id,
        debit_id,
        credit_id,
    }
}

impl OperationType for Transfer {
    const NAME: &'static str = "transfer";
    type Outcome = Outcome;
    type NewIds = NewIds;

    const SQL: OperationSql = operation_sql! {
        Transfer;
        members: "members";
        decide: include_str!("sql/decide.sql");
        why_undecided: include_str!("sql/why_undecided.sql");
        effects: [
            {
                on: Transferred, changes: Always, name: "debit",
                sql: "UPDATE accounts SET balance = balance - :amount FROM decided WHERE id = :from",
            },
            {
                on: Transferred, changes: Always, name: "credit",
                sql: "UPDATE accounts SET balance = balance + :amount FROM decided WHERE id = :to",
            },
            {
                on: Transferred, changes: Always, name: "insert_transfer",
                sql: "INSERT INTO transfers (actor, key, id)
                    SELECT actor, key, :transfer_id
                    FROM decided",
            },
            {
                on: Transferred, changes: Always, name: "insert_entries",
                sql: "INSERT INTO entries (id, transfer, account, amount)
                    SELECT :debit_id, :transfer_id, :from, -:amount FROM decided
                    UNION ALL
                    SELECT :credit_id, :transfer_id, :to, :amount FROM decided",
            },
        ];
    };

    const UNDECIDED: Undecided = Undecided::OneOf(RANKED);

    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::of_body(body)?.exactly(["from", "to", "amount"]);
        let [from, to, amount] = members.ok_or(TRANSFER)?;
        let account = |id: Value| AccountId::parse(&id.text()?);
        let from = account(from).ok_or(TRANSFER)?;
        let to = account(to).ok_or(TRANSFER)?;
        let amount = amount.integer().and_then(|amount| u32::try_from(amount).ok()).ok_or(TRANSFER)?;
        let is_transfer = from != to && (1..=AMOUNT_MAX).contains(&amount);
        if is_transfer { Ok(Self { from, to, amount }) } else { Err(TRANSFER) }
    }

    fn body(&self, outcome: Outcome, new_ids: &NewIds) -> Body {
        match outcome {
            Outcome::Transferred => Body::json(&Transferred {
                status: outcome.name(),
                transfer_id: new_ids.transfer_id.as_str(),
                amount: self.amount,
            }),
            Outcome::Insufficient => Body::json(&Insufficient { status: outcome.name() }),
        }
    }
}

/// The database adds `balance` to both bodies: see `members` in decide.sql.
#[derive(Serialize)]
struct Transferred<'a> {
    status: &'a str,
    transfer_id: &'a str,
    amount: u32,
}

#[derive(Serialize)]
struct Insufficient {
    status: &'static str,
}

#[cfg(test)]
mod tests {
    use super::Transfer;
    use einmal::testing::exactly_once;

    #[test]
    fn a_transfer_happens_exactly_once() {
        let schema = include_str!("../migrations/0001_operations_ledger.sql");
        // `t_somebody` is the actor of `einmal::testing`.
        let seed = "INSERT INTO accounts (id, owner, balance) VALUES
            ('mine', 't_somebody', 100), ('theirs', 't_another', 0);";
        let bodies = [
            r#"{"from":"mine","to":"theirs","amount":60}"#,
            r#"{"from":"mine","to":"theirs","amount":10}"#,
            r#"{"from":"theirs","to":"mine","amount":1}"#,
            r#"{"from":"mine","to":"nobodys","amount":1}"#,
        ];
        exactly_once::<Transfer>(schema, seed, &bodies).unwrap();
    }
}
