//! Tests of `interlock matrix`: the effects of faults on algorithms, as a table for people and as a document for
//! scripts.

use serde_json::Value;
use tempfile::TempDir;

use super::said;

#[test]
fn a_table_says_what_came_of_each_cell() {
    let words = "matrix ricart-agrawala --channel raw,reliable --fault loss,crash-of-holder,wrong-suspicion";
    let (out, err) = said(words, 0);
    assert!(out.lines().any(|line| line == "ricart-agrawala"), "{out}");
    let row = |name: &str| -> Vec<&str> {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {out}"));
        line[name.len()..].split_whitespace().collect()
    };
    assert_eq!(row("over raw"), ["loss", "holder", "wrong"]);
    assert_eq!(row(" lamport-clock"), ["stuck", "stuck", "live"]);
    assert_eq!(row(" remove-dead +told"), ["stuck", "live", "TWO"]);
    let reliable = out.split("over reliable").nth(1).expect("the other channel");
    assert!(reliable.lines().any(|line| line.starts_with(" lamport-clock") && line.contains("live   stuck")));
    assert!(out.contains("mutual exclusion violated; worst of 8 runs") && err.is_empty(), "{out}{err}");
}

/// This table has the longest names and all columns, and it must not be wider than 120 columns.
#[test]
fn a_table_has_120_columns() {
    let (out, _) = said("matrix dijkstra-ring", 0);
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    assert!(out.lines().next().is_some_and(|line| line.ends_with("corr.")), "{out}");
}

#[test]
fn an_example_is_a_scenario_that_is_met() {
    let (out, _) = said("matrix ricart-agrawala/remove-dead --fault wrong-suspicion --example", 0);
    let scenario: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(scenario["expect"][0]["violation"], "mutual-exclusion", "{scenario}");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("two.json");
    std::fs::write(&file, &out).expect("it is written");
    let (told, _) = said(&format!("run {} --simulate", file.display()), 0);
    assert!(told.starts_with("met"), "{told}");
}

#[test]
fn what_there_is_not_is_told_with_what_there_is() {
    assert!(said("matrix lamprot", 2).1.contains("lamport/any-later-message"));
    assert!(said("matrix lamport --fault thunder", 2).1.contains("crash-of-holder"));
    assert!(said("matrix lamport --channel tcp", 2).1.contains("reliable"));
}
