//! Random keys and bodies: nothing panics, what is accepted round-trips, and the wasm build accepts and
//! rejects the same inputs as the host.
//!
//! The random numbers have a fixed seed, so both builds get the same inputs. Each build hashes its verdicts,
//! and the expected digests are here: a build with another verdict on one input has another digest.

use einmal::domain::{Fields, Fingerprint, FingerprintVersion, OperationKey};
use einmal::operation::OperationType;
use einmal::reservations::Reserve;
use einmal::wire::{operation_key, rejection};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sha2::{Digest, Sha256};

use crate::prelude::test;

const INPUTS: usize = 10_000;

/// Evaluates `INPUTS` values of a strategy; returns how many were accepted, and the digest of the verdicts.
fn evaluate<T: std::fmt::Debug>(
    strategy: impl Strategy<Value = T>,
    evaluate_one: impl Fn(&T) -> String,
) -> (usize, String) {
    let mut runner = TestRunner::deterministic();
    let mut digest = Sha256::new();
    let mut accepted = 0;
    for _ in 0..INPUTS {
        let verdict = evaluate_one(&strategy.new_tree(&mut runner).unwrap().current());
        accepted += usize::from(verdict.starts_with("accepted"));
        digest.update(verdict + "\n");
    }
    let hex: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    (accepted, hex)
}

/// One of these texts. proptest's own `select` draws a `usize`, which has fewer bits in wasm, so the builds
/// would differ.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    (0..texts.len() as u32).prop_map(move |index| texts[index as usize])
}

/// A text with a few bytes of it removed, doubled or replaced.
fn damaged(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let damage = (0..text.len() as u32, 0..3u8, any::<u8>());
    proptest::collection::vec(damage, 0..3).prop_map(move |damages| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, kind, byte) in damages {
            let at = at as usize % bytes.len();
            match kind {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[at]),
                _ => bytes[at] = byte,
            }
        }
        bytes
    })
}

/// An object of members and values that are valid, nearly valid or invalid.
fn object() -> impl Strategy<Value = Vec<u8>> {
    const NAMES: &[&str] =
        &[r#""workshop""#, r#""quantity""#, r#""quantit\u0079""#, r#""actor""#, r#""\ud800""#, "1"];
    const VALUES: &[&str] = &[
        "1",
        "2",
        "0",
        "3",
        "-0",
        "1.0",
        "1e0",
        "true",
        "null",
        r#""1""#,
        r#""workshop-demo""#,
        r#""w""#,
        r#""W1""#,
        r#""w\u0000""#,
        "[]",
        "{}",
        r#"[{"a":1e999}]"#,
    ];
    let member = prop_oneof![
        4 => one_of(&["1", "2", "3", "1.0"]).prop_map(|value| format!(r#""quantity":{value}"#)),
        4 => "[a-z][a-z0-9-]{0,44}".prop_map(|id| format!(r#""workshop":"{id}""#)),
        1 => (one_of(NAMES), one_of(VALUES)).prop_map(|(name, value)| format!("{name}:{value}")),
    ];
    let blank = one_of(&["", " ", "\n\t"]);
    (proptest::collection::vec(member, 0..4), blank).prop_map(|(members, blank)| {
        format!("{blank}{{{blank}{}{blank}}}{blank}", members.join(",")).into_bytes()
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => proptest::collection::vec(any::<u8>(), 0..64),
        3 => damaged(r#"{"workshop":"workshop-demo","quantity":1}"#),
        6 => object(),
    ]
}

fn key() -> impl Strategy<Value = String> {
    let hex = |pattern: &'static str| pattern.prop_map(String::from);
    prop_oneof![
        1 => "\\PC{0,40}",
        2 => hex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        2 => hex("\"?[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"?"),
        3 => damaged("6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17")
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

#[test]
fn both_builds_accept_the_same_bodies_and_what_is_accepted_round_trips() {
    let (accepted, digest) = evaluate(body(), |bytes| match Reserve::read(bytes) {
        Ok(found) => {
            let Reserve { workshop, quantity } = &found;
            let again = format!(r#"{{"quantity":{},"workshop":"{}"}}"#, quantity.places(), workshop.as_str());
            assert_eq!(Reserve::read(again.as_bytes()).as_ref(), Ok(&found));
            format!("accepted {again}")
        }
        Err(rejection::MALFORMED_BODY) => {
            assert!(serde_json::from_slice::<serde_json::Value>(bytes).is_err(), "{bytes:?}");
            "malformed".to_owned()
        }
        Err(rejected) => {
            assert_eq!(rejected.code, rejection::REQUEST_CONTRACT.code);
            rejected.detail.to_owned()
        }
    });
    assert!((INPUTS / 10..INPUTS / 2).contains(&accepted), "{accepted} accepted");
    assert_eq!(digest, "c80008386b8ff66c");
}

#[test]
fn both_builds_accept_the_same_keys_and_what_is_accepted_round_trips() {
    let (accepted, digest) = evaluate(key(), |text| match operation_key(Some(text)) {
        Ok(found) => {
            assert_eq!(OperationKey::parse(&found.text()).as_ref(), Some(&found));
            format!("accepted {}", found.text())
        }
        Err(rejection) => {
            assert_eq!(rejection, rejection::OPERATION_ID);
            "refused".to_owned()
        }
    });
    assert!((INPUTS / 10..INPUTS / 2).contains(&accepted), "{accepted} accepted");
    assert_eq!(digest, "8bd171db57d928de");
}

/// The values are short and have few letters, so that some pairs are equal and many nearly equal, even if
/// the fields were concatenated.
#[test]
fn different_payloads_have_different_fingerprints() {
    let payload = || {
        (one_of(&["a", "ab"]), proptest::collection::vec("[ab]{0,2}", 0..3))
            .prop_map(|(operation, values)| Fields { operation, values })
    };
    let (equal, _) = evaluate((payload(), payload()), |(one, other)| {
        let [a, b] = [one, other].map(|payload| Fingerprint::of(payload, FingerprintVersion::V1));
        assert_eq!(a == b, one == other, "{one:?} {other:?}");
        if a == b { "accepted".to_owned() } else { String::new() }
    });
    assert!(equal > 10, "{equal} pairs were equal");
}
