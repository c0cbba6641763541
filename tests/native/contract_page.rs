//! `docs/contract.md` has the rejections of the code.

use einmal::reservations::rejections::every_rejection;
use einmal::wire::{BODY_BYTES_MAX, BODY_MILLISECONDS_MAX, rejection};

fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/contract.md")).unwrap()
}

#[test]
fn the_page_lists_every_rejection_in_order_of_precedence() {
    let rows: String = every_rejection()
        .iter()
        .map(|rejection| {
            let (status, code, when) = (rejection.status, rejection.code, rejection.when);
            let after =
                if rejection.answer().retry_after_seconds.is_some() { " + `Retry-After`" } else { "" };
            format!("| {status}{after} | [`{code}`](#{code}) | {when} | `{}` |\n", rejection.retry.name())
        })
        .collect();
    let table = format!("| status | `error` | when | `retry` |\n| --- | --- | --- | --- |\n{rows}\n");
    assert!(page().contains(&table), "docs/contract.md must have this table:\n{table}");
}

#[test]
fn the_page_has_a_section_for_every_code_with_its_answer() {
    let page = page();
    let mut sections = Vec::new();
    for rejection in every_rejection() {
        let heading = format!("\n### {}\n", rejection.code);
        let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("no section {heading}"));
        let section = section.split("\n##").next().unwrap();
        let example: serde_json::Value = section
            .lines()
            .find(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str(line).unwrap())
            .unwrap_or_else(|| panic!("no answer in {heading}"));
        let mut answer: serde_json::Value = serde_json::from_str(&rejection.answer().body).unwrap();
        if rejection == rejection::REQUEST_CONTRACT {
            // Its detail depends on the part of the body.
            answer["detail"] = example["detail"].clone();
        }
        assert_eq!(example, answer);
        sections.push(page.find(&heading).unwrap());
    }
    assert!(sections.is_sorted(), "the sections are in order of precedence");
}

#[test]
fn the_page_and_the_answers_state_the_same_bounds() {
    let [bytes, seconds] =
        [format!("{BODY_BYTES_MAX} bytes"), format!("within {} seconds", BODY_MILLISECONDS_MAX / 1_000)];
    assert!(page().contains(&bytes) && page().contains(&seconds));
    assert!(rejection::BODY_TOO_LARGE.answer().body.contains(&bytes));
    assert!(rejection::MALFORMED_BODY.answer().body.contains(&seconds));
    assert!(rejection::BODY_TOO_LARGE.when.contains(&bytes));
    assert!(rejection::MALFORMED_BODY.when.contains(&seconds));
}
