//! Tests of `interlock repairs`: the cost of repairs, as a table for people and as a document for scripts.

use serde_json::Value;

use super::said;

#[test]
fn a_table_has_what_is_measured_beside_the_theory() {
    let (out, err) = said("repairs suzuki-kasami lamport --nodes 20,5", 0);
    let line = |beginning: &str| {
        let found = out.lines().find(|line| line.starts_with(beginning));
        found.unwrap_or_else(|| panic!("no {beginning}: {out}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("                            "), "after the fault without fault in theory,");
    assert_eq!(line(" crash-of-holder"), "crash-of-holder messages 0 0 4 19 = 0", "of Lamport, the first");
    assert_eq!(line(" crash-of-special"), "crash-of-special messages 10 55 1 1 = 3(N−2) + 1");
    assert!(out.ends_with("10 as in theory, 0 otherwise, 0 without a theory, 0 without an entry\n"), "{out}");
    assert!(err.is_empty(), "{err}");
}

#[test]
fn scripts_get_each_cost_with_its_kinds_of_messages() {
    let (out, _) = said("repairs le-lann/two-tokens --nodes 5 --format json", 0);
    let rows: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(rows[0]["measured"]["by_kind"]["PONG"], 8, "once round, and to who waits: {rows}");
    assert_eq!((&rows[0]["measured"]["time"], &rows[0]["verdict"]), (&8.0.into(), &"as-in-theory".into()), "{rows}");
    let (out, _) = said("repairs le-lann/two-tokens --nodes 5 --format csv", 0);
    assert_eq!(out.lines().nth(1), Some("le-lann,two-tokens,none,loss-of-token,5,11,8,7,3,11,8,as-in-theory"));
}

#[test]
fn what_there_is_not_is_told_with_what_there_is() {
    let (_, err) = said("repairs suzuki-kazami", 2);
    assert!(err.contains("did you mean `suzuki-kasami`?") && err.contains("le-lann/two-tokens"), "{err}");
    assert!(said("repairs chang-roberts", 2).1.contains("has no row `chang-roberts`"), "it repairs nothing");
    assert!(said("repairs --nodes 3", 2).1.contains("4..=500"));
}
