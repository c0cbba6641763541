//! The scripts of `tests/scenarios/`, which `tests/worker` runs against the built Worker as well.

use super::script::check;

#[test]
fn every_scenario_has_its_expected_results() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let mut run = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        println!("{}", file.display());
        check(&std::fs::read_to_string(file).unwrap());
        run += 1;
    }
    assert!(run >= 5, "{run} scenarios were run");
}
