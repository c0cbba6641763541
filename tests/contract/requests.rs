use einmal::domain::Quantity;
use einmal::wire::{Breach, Rejection, intention, is_json, operation_key, path};

use crate::prelude::test;

const KEY: &str = "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17";

#[test]
fn a_key_is_a_lower_case_uuid_version_4_bare_or_quoted() {
    let bare = operation_key(Some(KEY)).unwrap();
    let quoted = operation_key(Some(&format!("\"{KEY}\""))).unwrap();
    assert_eq!(bare, quoted, "both spellings are the same operation");
    assert_eq!(bare.text(), KEY);
}

#[test]
fn every_other_key_is_refused() {
    assert_eq!(operation_key(None), Err(Rejection::OperationId), "a missing key");
    for (what, key) in [
        ("empty", ""),
        ("two quotes", "\"\""),
        ("one quote", "\""),
        ("only an opening quote", "\"6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17"),
        ("only a closing quote", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17\""),
        ("twice quoted", "\"\"6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17\"\""),
        ("a parameter", "\"6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17\";a=1"),
        ("upper case", "6F1C0A9E-3B52-4C7D-9A41-0D9F6F2B8E17"),
        ("one letter in upper case", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8E17"),
        ("version 1", "6f1c0a9e-3b52-1c7d-9a41-0d9f6f2b8e17"),
        ("version 7", "6f1c0a9e-3b52-7c7d-9a41-0d9f6f2b8e17"),
        ("the NCS variant", "6f1c0a9e-3b52-4c7d-1a41-0d9f6f2b8e17"),
        ("the Microsoft variant", "6f1c0a9e-3b52-4c7d-da41-0d9f6f2b8e17"),
        ("the future variant", "6f1c0a9e-3b52-4c7d-fa41-0d9f6f2b8e17"),
        ("nil", "00000000-0000-0000-0000-000000000000"),
        ("max", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ("braces", "{6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17}"),
        ("a urn", "urn:uuid:6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17"),
        ("without hyphens", "6f1c0a9e3b524c7d9a410d9f6f2b8e17"),
        ("a space inside", "6f1c0a9e-3b52-4c7d-9a41 0d9f6f2b8e17"),
        ("a space before", " 6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17"),
        ("a space in the quotes", "\" 6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17\""),
        ("one digit less", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e1"),
        ("one digit more", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e170"),
        ("no hexadecimal digit", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8eg7"),
        ("full-width digits", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e１７"),
        ("two header lines", "6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17, 6f1c0a9e-3b52-4c7d-9a41-0d9f6f2b8e17"),
    ] {
        assert_eq!(operation_key(Some(key)), Err(Rejection::OperationId), "{what}");
    }
}

#[test]
fn json_is_said_with_or_without_parameters() {
    for (said, content_type) in [
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
        assert_eq!(is_json(content_type), said, "{content_type:?}");
    }
}

#[test]
fn a_body_is_an_object_of_a_workshop_and_a_quantity() {
    for body in [
        r#"{"workshop":"workshop-demo","quantity":2}"#,
        r#"{"quantity":2,"workshop":"workshop-demo"}"#,
        " {\n\t\"workshop\" : \"workshop-demo\" ,\r\n \"quantity\" : 2 } \n",
        r#"{"\u0077orkshop":"workshop\u002ddemo","quantity":2}"#,
    ] {
        let intention = intention(body.as_bytes()).unwrap();
        assert_eq!(intention.workshop.as_str(), "workshop-demo", "{body}");
        assert_eq!(Some(intention.quantity), Quantity::new(2), "{body}");
    }
}

#[test]
fn what_is_not_utf_8_json_is_malformed() {
    for body in [
        b"".as_slice(),
        b" ",
        b"{",
        b"nul",
        br#"{"workshop":"workshop-demo","quantity":1"#,
        br#"{"quantity":"1","#,
        br#"{"workshop":"workshop-demo","quantity":1}}"#,
        br#"{"workshop":"workshop-demo","quantity":1} x"#,
        br#"{"workshop":"workshop-demo","quantity":1}{"workshop":"workshop-demo","quantity":1}"#,
        br#"{"workshop":"workshop-demo","quantity":01}"#,
        br#"{"workshop":"workshop-demo","quantity":+1}"#,
        br#"{"workshop":"workshop-demo","quantity":1.}"#,
        br#"{"workshop":"workshop-demo","quantity":NaN}"#,
        br#"{'workshop':'workshop-demo','quantity':1}"#,
        br#"{"workshop":"workshop-demo","quantity":1,}"#,
        b"{\"workshop\":\"workshop\ndemo\",\"quantity\":1}",
        b"{\"workshop\":\"workshop\xffdemo\",\"quantity\":1}",
        b"\xef\xbb\xbf{\"workshop\":\"workshop-demo\",\"quantity\":1}",
        b"{\"workshop\":\"workshop-demo\",\"quantity\":1}\0",
    ] {
        let found = intention(body);
        assert_eq!(found, Err(Rejection::MalformedBody), "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn json_of_another_form_breaks_the_contract_and_says_where() {
    let long = format!(r#"{{"workshop":"{}","quantity":1}}"#, "a".repeat(42));
    let nested = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
    for (breach, body) in [
        (Breach::NotAnObject, r#"["workshop-demo",1]"#),
        (Breach::NotAnObject, "null"),
        (Breach::NotAnObject, "1"),
        (Breach::NotAnObject, r#""workshop-demo""#),
        (Breach::NotAnObject, &nested),
        (Breach::Members, "{}"),
        (Breach::Members, r#"{"workshop":"workshop-demo"}"#),
        (Breach::Members, r#"{"quantity":1}"#),
        (Breach::Members, r#"{"workshop":"workshop-demo","quantity":1,"actor":"somebody"}"#),
        (Breach::Members, r#"{"actor":"somebody","workshop":"workshop-demo","quantity":1}"#),
        (Breach::Members, r#"{"workshop":"workshop-demo","quantity":1,"quantity":1}"#),
        (Breach::Members, r#"{"workshop":"workshop-demo","quantity":1,"quantit\u0079":1}"#),
        (Breach::Members, r#"{"workshop":"workshop-demo","workshop":"workshop-demo","quantity":1}"#),
        (Breach::Members, r#"{"workshop":"workshop-demo","quantity":1,"\ud800":1}"#),
        (Breach::Members, r#"{"Workshop":"workshop-demo","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"w","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"Workshop","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"1workshop","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"work_shop","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"workshop\n","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"workshop\u0000","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"w\ud800","quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":"wörkshop","quantity":1}"#),
        (Breach::Workshop, &long),
        (Breach::Workshop, r#"{"workshop":null,"quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":1,"quantity":1}"#),
        (Breach::Workshop, r#"{"workshop":["workshop-demo"],"quantity":1}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":"1"}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":true}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":null}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":[1]}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":{"n":1}}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":1.0}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":1e0}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":1.5}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":0}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":-0}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":-1}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":3}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":257}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":1e999}"#),
        (Breach::Quantity, r#"{"workshop":"workshop-demo","quantity":18446744073709551617}"#),
    ] {
        assert_eq!(intention(body.as_bytes()), Err(Rejection::RequestContract(breach)), "{body}");
    }
}

#[test]
fn a_path_is_what_stands_between_host_and_query() {
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
