//! 27 mistakes that an author of an operation type can make, and the consequence of each: it does not compile,
//! it cannot be written, `exactly_once` reports it, or it is legal.
//!
//! The operation type is a transfer between two accounts, in the schema of `examples/ledger`. For what does
//! not compile, these tests call the functions that the macros run at compile time; the `compile_fail`
//! doctests of the macros show that they are run.

use einmal::domain::{Actor, Attempt, Hex128, OperationKey};
use einmal::operation::{
    Body, NewIds as _, Operation, OperationSql, OperationType, Payload, Undecided, is_outcome,
};
use einmal::store::{
    ENGINE_NAMES, Mistake, Name, Parameter, Row, assemble, require_all_used, require_decided, require_select,
};
use einmal::testing::{Broken, Database, Law, NOW_MS, exactly_once};
use einmal::wire::rejection::{NOT_FOUND, REQUEST_CONTRACT};
use einmal::wire::{Members, Rejection};
use einmal::{new_ids, operation_sql, outcomes, payload};
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../examples/ledger/migrations/0001_operations_ledger.sql");

const SEED: &str = "INSERT INTO accounts (id, owner, balance) VALUES
    ('mine', 't_somebody', 100), ('theirs', 't_another', 0);";

const BODIES: [&str; 4] = [
    r#"{"from":"mine","to":"theirs","amount":60}"#,
    r#"{"from":"mine","to":"theirs","amount":41}"#,
    r#"{"from":"mine","to":"theirs","amount":101}"#,
    r#"{"from":"mine","to":"nobodys","amount":1}"#,
];

outcomes! {
    enum Outcome { Transferred: "transferred" = 201, Insufficient: "insufficient" = 409 }
}

new_ids! {
    struct NewIds { transfer_id }
}

/// A transfer with the SQL of a mistake, or with another reason to be undecided or another body.
macro_rules! transfer {
    ($name:ident, { $($sql:tt)+ }, $undecided:expr, $body:expr) => {
        payload! {
            struct $name { from: String, to: String, amount: u32 }
        }

        impl OperationType for $name {
            const NAME: &'static str = "transfer";
            type Outcome = Outcome;
            type NewIds = NewIds;
            const SQL: OperationSql = operation_sql! { $name; $($sql)+ };
            const UNDECIDED: Undecided = $undecided;

            fn read(body: &[u8]) -> Result<Self, Rejection> {
                let members = Members::of_body(body)?.exactly(["from", "to", "amount"]);
                let [from, to, amount] = members.ok_or(REQUEST_CONTRACT)?;
                Ok(Self {
                    from: from.text().ok_or(REQUEST_CONTRACT)?.into_owned(),
                    to: to.text().ok_or(REQUEST_CONTRACT)?.into_owned(),
                    amount: amount.integer().ok_or(REQUEST_CONTRACT)? as u32,
                })
            }

            fn body(&self, outcome: Outcome, _new_ids: &NewIds) -> Body {
                let body: fn(Outcome) -> Value = $body;
                Body::json(&body(outcome))
            }
        }
    };
    ($name:ident, { $($sql:tt)+ }) => {
        transfer!(
            $name,
            { $($sql)+ },
            Undecided::Because(NOT_FOUND),
            |outcome| json!({"status": outcome.name()})
        );
    };
}

// The right statements.
const DECIDE: &str = "
    SELECT iif(payer.balance >= :amount, 'transferred', 'insufficient') AS outcome
    FROM accounts AS payer
    JOIN accounts AS payee ON payee.id = :to
    WHERE payer.id = :from";
const DEBIT: &str = "UPDATE accounts SET balance = balance - :amount FROM decided WHERE id = :from";
const CREDIT: &str = "UPDATE accounts SET balance = balance + :amount FROM decided WHERE id = :to";
const RECORD: &str = "INSERT INTO transfers (actor, key, id) SELECT actor, key, :transfer_id FROM decided";

transfer!(Transfer, {
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "credit", sql: CREDIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

const NAMES: &[&[Name]] = &[ENGINE_NAMES, Transfer::NAMES, NewIds::NAMES];

/// The mistake for which a statement does not compile.
fn mistake_in(sql: &str) -> Mistake {
    assemble(sql, &[], NAMES).unwrap_err()
}

/// Asserts that an operation type breaks a law, with this text in the report.
#[track_caller]
fn assert_breaks<T: OperationType>(law: Law, part: &str) {
    let Broken { law: found, found: text, .. } = exactly_once::<T>(SCHEMA, SEED, &BODIES).unwrap_err();
    assert_eq!(found, law, "{text}");
    assert!(text.contains(part), "{text}");
}

const FOREIGN_KEY: &str = "FOREIGN KEY constraint failed";
const OVERDRAWN: &str = "accounts_are_not_overdrawn";

#[test]
fn without_a_mistake_every_law_holds() {
    exactly_once::<Transfer>(SCHEMA, SEED, &BODIES).unwrap();
}

#[test]
fn mistake_01_no_on_conflict_cannot_be_written_since_the_engine_writes_the_receipt() {
    let insert = "INSERT INTO operations (actor, key) SELECT :actor, :key";
    assert_eq!(require_select(insert), Err(Mistake::DecideIsNoSelect));
    assert!(Transfer::SQL.decide.text.ends_with("ON CONFLICT (actor, key) DO NOTHING"));
}

/// One request, whose sends reach the database in this order.
fn balances_after(sends: &[u32]) -> [i64; 2] {
    let mut database = Database::new(SCHEMA).unwrap();
    database.script(SEED).unwrap();
    let operation = operation(BODIES[0]);
    let attempt = Attempt { id: Hex128::from_random([1; 16]), now_ms: NOW_MS };
    for send in sends {
        database.run(&operation.batch(&attempt, &new_ids(), *send)).unwrap();
    }
    ["mine", "theirs"]
        .map(|id| database.number(&format!("SELECT balance FROM accounts WHERE id = '{id}'")).unwrap())
}

fn new_ids() -> NewIds {
    NewIds::draw(|| Ok::<_, ()>(Hex128::from_random([2; 16]))).unwrap()
}

fn operation(body: &str) -> Operation<Transfer> {
    let key = OperationKey::parse("00000000-0000-4000-8000-000000000000").unwrap();
    Operation::new(Actor::parse("t_somebody").unwrap(), key, Transfer::read(body.as_bytes()).unwrap())
}

#[test]
fn mistake_02_two_updates_are_legal_and_each_runs_once_whichever_answers_are_lost() {
    for (lost, sends) in [
        ("after", [1, 2].as_slice()),
        ("after,after", &[1, 2, 3]),
        ("before,after", &[2, 3]),
        ("after,before", &[1, 3]),
        ("late", &[2, 1]),
        ("late,late", &[3, 2, 1]),
    ] {
        assert_eq!(balances_after(sends), [40, 60], "{lost}");
    }
}

#[test]
fn mistake_03_updates_without_a_guard_do_not_compile() {
    let debit = "UPDATE accounts SET balance = balance - :amount WHERE id = :from";
    assert_eq!(require_decided(debit), Err(Mistake::EffectWithoutDecided));
    assert_eq!(mistake_in("UPDATE accounts SET balance = 0 /* decided */"), Mistake::BlockComment);
    for disguised in [
        "UPDATE accounts SET balance = balance - :amount WHERE id = :from -- decided",
        "UPDATE accounts SET balance = balance - :amount WHERE id = :from AND 'decided' <> ''",
        "UPDATE accounts SET balance = balance - :amount, decided_at_ms = 0 WHERE id = :from",
    ] {
        assert_eq!(require_decided(disguised), Err(Mistake::EffectWithoutDecided), "{disguised}");
    }
}

transfer!(GuardIsNone, {
    decide: DECIDE;
    effects: [
        {
            on: Transferred, changes: Always, name: "debit",
            sql: "UPDATE accounts SET balance = balance - :amount
                WHERE id = :from AND (SELECT COUNT(*) FROM decided) >= 0",
        },
        { on: Transferred, changes: Always, name: "credit", sql: CREDIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_03_a_guard_that_names_decided_and_selects_nothing_from_it_is_reported() {
    let small = [r#"{"from":"mine","to":"theirs","amount":1}"#, BODIES[2]];
    let broken = exactly_once::<GuardIsNone>(SCHEMA, SEED, &small).unwrap_err();
    assert_eq!(broken.law, Law::SentAgain, "{broken}");
}

#[test]
fn mistake_04_an_insert_without_a_guard_does_not_compile() {
    let insert = "INSERT INTO transfers (actor, key, id) VALUES (:actor, :key, :transfer_id)
        ON CONFLICT (actor, key) DO NOTHING";
    assert_eq!(require_decided(insert), Err(Mistake::EffectWithoutDecided));
}

transfer!(WrongOrder, {
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
        {
            on: Transferred, changes: Always, name: "debit",
            sql: "UPDATE accounts SET balance = balance - :amount FROM decided
                WHERE id = :from AND NOT EXISTS (SELECT 1 FROM transfers WHERE actor = :actor AND key = :key)",
        },
    ];
});

#[test]
fn mistake_05_an_effect_that_an_earlier_one_prevents_is_reported() {
    assert_breaks::<WrongOrder>(Law::EveryEffect, "the effect debit changed no row");
}

transfer!(NoRefusal, {
    decide: "SELECT 'transferred' AS outcome FROM accounts AS payer
        JOIN accounts AS payee ON payee.id = :to WHERE payer.id = :from";
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_06_a_refusal_that_only_a_constraint_makes_is_reported() {
    assert_breaks::<NoRefusal>(Law::BatchRuns, OVERDRAWN);
}

transfer!(WrongOutcome, {
    decide: DECIDE;
    effects: [
        { on: Insufficient, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_07_an_effect_without_its_outcome_cannot_be_written_and_with_the_wrong_one_is_reported() {
    for effect in Transfer::SQL.effects {
        assert!(effect.sql.text.contains("AND outcome = 'transferred'"), "{}", effect.sql.text);
    }
    assert_breaks::<WrongOutcome>(Law::BatchRuns, OVERDRAWN);
}

#[test]
fn mistake_08_no_where_true_cannot_be_written_since_the_engine_writes_the_insert() {
    // DECIDE ends with a join, and the laws hold for it.
    assert!(Transfer::SQL.decide.text.contains("WHERE true\nON CONFLICT"));
}

transfer!(Misspelled, {
    decide: DECIDE;
    effects: [
        {
            on: Transferred, changes: Always, name: "debit",
            sql: "UPDATE accounts SET balanze = balance - :amount FROM decided WHERE id = :from",
        },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_09_a_misspelled_column_is_reported() {
    assert_breaks::<Misspelled>(Law::BatchRuns, "no such column: balanze");
}

#[test]
fn mistake_10_a_parameter_without_a_value_does_not_compile() {
    assert_eq!(mistake_in("SELECT :amount, :currency"), Mistake::UnknownName);
}

#[test]
fn mistake_11_a_value_without_a_parameter_does_not_compile() {
    let names = &[Name::of::<str>("from"), Name::of::<str>("to")];
    let parameters: [u8; 1] = assemble("SELECT :from", &[], &[names]).unwrap().parameters();
    assert_eq!(require_all_used(names, &parameters), Err(Mistake::UnusedName));
}

transfer!(Swapped, {
    decide: DECIDE;
    effects: [
        {
            on: Transferred, changes: Always, name: "debit",
            sql: "UPDATE accounts SET balance = balance - :amount FROM decided WHERE id = :to",
        },
        {
            on: Transferred, changes: Always, name: "credit",
            sql: "UPDATE accounts SET balance = balance + :amount FROM decided WHERE id = :from",
        },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_12_values_in_the_wrong_order_cannot_be_written_and_wrong_names_meet_the_constraint() {
    let debit = &operation(BODIES[0]).batch(&attempt(), &new_ids(), 1)[1];
    let at =
        |text: &str| debit.parameters.iter().position(|value| *value == Parameter::Text(text.to_owned()));
    let number = at("mine").unwrap() + 1;
    assert!(debit.sql.ends_with(&format!("WHERE id = ?{number}")), "{}", debit.sql);
    assert_eq!(at("theirs"), None);
    // Only the author knows which of the two accounts is debited. Here the payee has nothing.
    assert_breaks::<Swapped>(Law::BatchRuns, OVERDRAWN);
}

fn attempt() -> Attempt {
    Attempt { id: Hex128::from_random([1; 16]), now_ms: NOW_MS }
}

#[test]
fn mistake_13_a_value_that_is_not_compared_cannot_be_written_since_every_field_is() {
    for other in [
        r#"{"from":"mine","to":"theirs","amount":61}"#,
        r#"{"from":"mine","to":"others","amount":60}"#,
        r#"{"from":"theirs","to":"theirs","amount":60}"#,
    ] {
        assert!(!operation(BODIES[0]).has_payload_of(&operation(other)), "{other}");
    }
}

#[test]
fn mistake_14_an_effect_without_any_guard_does_not_compile() {
    let gift = "UPDATE accounts SET balance = balance + :amount";
    assert_eq!(require_decided(gift), Err(Mistake::EffectWithoutDecided));
}

#[test]
fn mistake_15_insert_or_replace_of_the_receipt_does_not_compile() {
    for replace in ["INSERT OR REPLACE INTO operations SELECT 1", "REPLACE INTO operations SELECT 1"] {
        assert_eq!(require_select(replace), Err(Mistake::DecideIsNoSelect), "{replace}");
    }
}

transfer!(ActorIsKey, {
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        {
            on: Transferred, changes: Always, name: "record",
            sql: "INSERT INTO transfers (actor, key, id) SELECT key, actor, :transfer_id FROM decided",
        },
    ];
});

#[test]
fn mistake_16_actor_and_key_swapped_cannot_be_written_in_a_receipt_and_is_reported_in_an_effect() {
    let mut database = Database::new(SCHEMA).unwrap();
    database.script(SEED).unwrap();
    database.run(&operation(BODIES[0]).batch(&attempt(), &new_ids(), 1)).unwrap();
    let right = "SELECT COUNT(*) FROM operations WHERE actor = 't_somebody' AND key LIKE '00000000-%'";
    assert_eq!(database.number(right), Ok(1));
    assert_breaks::<ActorIsKey>(Law::BatchRuns, FOREIGN_KEY);
}

#[test]
fn mistake_17_attempt_and_fingerprint_swapped_cannot_be_written_since_the_engine_binds_them() {
    let mut database = Database::new(SCHEMA).unwrap();
    database.script(SEED).unwrap();
    let rows = database.run(&operation(BODIES[0]).batch(&attempt(), &new_ids(), 1)).unwrap();
    assert_eq!(rows[0].text("send_id"), Some(attempt().send_id(1)));
    assert_eq!(rows[0].text("fingerprint").map(|hex| hex.len()), Some(64));
}

transfer!(AmountBySql, {
    members: "json_object('amount', :amount)";
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_18_a_number_in_a_body_that_sql_makes_is_legal_and_a_whole_one() {
    exactly_once::<AmountBySql>(SCHEMA, SEED, &BODIES).unwrap();
    let mut database = Database::new(SCHEMA).unwrap();
    database.script(SEED).unwrap();
    let request = AmountBySql::read(BODIES[0].as_bytes()).unwrap();
    let named = operation(BODIES[0]);
    let operation = Operation::new(named.actor().clone(), named.key().clone(), request);
    let rows = database.run(&operation.batch(&attempt(), &new_ids(), 1)).unwrap();
    assert_eq!(rows[0].text("body").as_deref(), Some(r#"{"status":"transferred","amount":60}"#));
}

#[test]
fn mistake_19_an_invalid_status_does_not_compile() {
    assert!(!is_outcome("transferred", 999));
    assert!(!is_outcome("transferred", 199));
    assert!(is_outcome("transferred", 201));
}

transfer!(NoObject, {
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
}, Undecided::Because(NOT_FOUND), |outcome| json!(outcome.name()));

#[test]
fn mistake_20_a_body_that_is_not_json_cannot_be_written_and_one_that_is_not_an_object_is_reported() {
    assert_breaks::<NoObject>(Law::ResponseIsValid, "not a JSON object");
}

#[test]
fn mistake_21_a_parameter_by_number_does_not_compile() {
    assert_eq!(mistake_in("SELECT ?12"), Mistake::PositionalParameter);
    assert_eq!(mistake_in("SELECT ?"), Mistake::PositionalParameter);
}

transfer!(NoEffect, {
    decide: "SELECT iif(balance >= :amount, 'transferred', 'insufficient') AS outcome
        FROM accounts WHERE id = :from AND :to <> 'nobodys' AND :transfer_id <> ''";
    effects: [];
});

#[test]
fn mistake_22_no_effect_is_legal() {
    exactly_once::<NoEffect>(SCHEMA, SEED, &BODIES).unwrap();
}

#[test]
fn mistake_23_two_statements_in_one_do_not_compile() {
    assert_eq!(mistake_in("SELECT :amount; DELETE FROM accounts"), Mistake::SecondStatement);
}

#[test]
fn mistake_24_the_number_that_a_parameter_has_in_another_statement_does_not_compile() {
    assert_eq!(mistake_in("SELECT 1 FROM operations WHERE send_id = ?5"), Mistake::PositionalParameter);
    assert_eq!(mistake_in("SELECT 1 FROM operations WHERE send_id = :attempt"), Mistake::UnknownName);
}

transfer!(NoPayee, {
    decide: "SELECT iif(balance >= :amount, 'transferred', 'insufficient') AS outcome
        FROM accounts WHERE id = :from";
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
        {
            on: Transferred, changes: Always, name: "entry",
            sql: "INSERT INTO entries (id, transfer, account, amount)
                SELECT :transfer_id, :transfer_id, :to, :amount FROM decided",
        },
    ];
});

transfer!(NoPayeeNorForeignKey, {
    decide: "SELECT iif(balance >= :amount, 'transferred', 'insufficient') AS outcome
        FROM accounts WHERE id = :from";
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "credit", sql: CREDIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_25_an_account_that_decide_does_not_check_is_reported() {
    assert_breaks::<NoPayee>(Law::BatchRuns, FOREIGN_KEY);
    assert_breaks::<NoPayeeNorForeignKey>(Law::EveryEffect, "the effect credit changed no row");
}

transfer!(NeverUndecided, {
    decide: DECIDE;
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
}, Undecided::Never, |outcome| json!({"status": outcome.name()}));

#[test]
fn mistake_26_a_forgotten_reason_does_not_compile_and_a_wrong_one_is_reported() {
    // UNDECIDED has no default: see the doctest of OperationType.
    assert_breaks::<NeverUndecided>(Law::Undecided, "never undecided");
}

transfer!(OneTooMany, {
    decide: "SELECT iif(payer.balance + 1 >= :amount, 'transferred', 'insufficient') AS outcome
        FROM accounts AS payer JOIN accounts AS payee ON payee.id = :to WHERE payer.id = :from";
    effects: [
        { on: Transferred, changes: Always, name: "debit", sql: DEBIT },
        { on: Transferred, changes: Always, name: "record", sql: RECORD },
    ];
});

#[test]
fn mistake_27_a_rule_that_differs_from_the_schema_is_reported() {
    assert_breaks::<OneTooMany>(Law::BatchRuns, OVERDRAWN);
}
