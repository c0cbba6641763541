//! Which requests are accepted and which are rejected. The cases are in `tests/cases/`, since the tests of
//! the built Worker send the same ones over HTTP.

use einmal::operation::OperationType;
use einmal::reservations::{Quantity, Reserve};
use einmal::wire::{is_json, operation_key, path, rejection};
use serde_json::Value;

use crate::prelude::test;

/// The cases of one section of a file in `tests/cases/`.
fn cases(file: &str, section: &str) -> Vec<Value> {
    let cases: Value = serde_json::from_str(file).unwrap();
    cases[section].as_array().unwrap().clone()
}

fn keys(section: &str) -> Vec<Value> {
    cases(include_str!("../cases/keys.json"), section)
}

fn bodies(section: &str) -> Vec<Value> {
    cases(include_str!("../cases/bodies.json"), section)
}

/// The bytes of a body: a text, or hexadecimal digits for bytes that are not UTF-8.
fn bytes(case: &Value) -> Vec<u8> {
    match case["hex"].as_str() {
        Some(hex) => {
            let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
            digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
        }
        None => case["body"].as_str().unwrap().as_bytes().to_vec(),
    }
}

#[test]
fn a_key_is_a_lower_case_uuid_version_4_bare_or_quoted() {
    let accepted = keys("accepted");
    let key = accepted[0]["key"].as_str().unwrap();
    for case in &accepted {
        let found = operation_key(case["key"].as_str()).unwrap();
        assert_eq!(found.text(), key, "both forms are the same operation: {case}");
    }
}

#[test]
fn every_other_key_is_rejected() {
    assert_eq!(operation_key(None), Err(rejection::OPERATION_ID), "a missing key");
    for case in keys("refused") {
        assert_eq!(operation_key(case["key"].as_str()), Err(rejection::OPERATION_ID), "{case}");
    }
}

#[test]
fn the_content_type_is_json_with_or_without_parameters() {
    for (expected, content_type) in [
        (true, Some("application/json")),
        (true, Some("application/json; charset=utf-8")),
        (true, Some("application/json;charset=UTF-8")),
        (true, Some("Application/JSON ; x=y")),
        (false, None),
        (false, Some("")),
        (false, Some("text/plain")),
        (false, Some("application/jsonx")),
        (false, Some("application/problem+json")),
        (false, Some("application/x-www-form-urlencoded")),
        (false, Some("text/plain; application/json")),
    ] {
        assert_eq!(is_json(content_type), expected, "{content_type:?}");
    }
}

#[test]
fn a_body_is_an_object_with_a_workshop_and_a_quantity() {
    for case in bodies("accepted") {
        let request = Reserve::read(&bytes(&case)).unwrap();
        assert_eq!(request.workshop.as_str(), "workshop-demo", "{case}");
        assert_eq!(Some(request.quantity), Quantity::new(2), "{case}");
    }
}

#[test]
fn a_body_that_is_not_utf_8_json_is_malformed() {
    for case in bodies("malformed_body") {
        assert_eq!(Reserve::read(&bytes(&case)), Err(rejection::MALFORMED_BODY), "{case}");
    }
}

#[test]
fn json_of_another_form_is_an_invalid_request_and_the_detail_names_the_part() {
    for case in bodies("request_contract") {
        let part = match case["breaks"].as_str().unwrap() {
            "object" => "a JSON object",
            "members" => "exactly the members",
            "workshop" => "workshop to be",
            "quantity" => "quantity to be",
            other => panic!("no such part: {other}"),
        };
        let found = Reserve::read(&bytes(&case)).unwrap_err();
        assert_eq!(found.code, rejection::REQUEST_CONTRACT.code, "{case}");
        assert!(found.detail.starts_with(&format!("Expected {part}")), "{case}: {}", found.detail);
    }
}

#[test]
fn a_path_is_the_part_between_host_and_query() {
    for (url, expected) in [
        ("http://localhost:8787/reserve", "/reserve"),
        ("https://example.org/workshops/ab?x=/y#z", "/workshops/ab"),
        ("https://example.org/", "/"),
        ("https://example.org", "/"),
        ("https://example.org/a%2Fb//c", "/a%2Fb//c"),
        ("https://example.org/?/reserve", "/"),
    ] {
        assert_eq!(path(url), expected, "{url}");
    }
}
