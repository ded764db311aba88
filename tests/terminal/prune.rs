//! Tests of `interlock prune`: it deletes finished runs, but no active run.

use serde_json::json;

use super::{refused, said, told};
use crate::support::Playground;

#[tokio::test]
async fn runs_that_are_over_are_taken_away_and_others_stay() {
    let playground = Playground::open();
    let nothing = told(&playground, "prune --keep 0", 0).0;
    assert_eq!(nothing, "0 of 0 runs deleted\n");
    let mut runs = Vec::new();
    for name in ["first", "second", "third"] {
        runs.push(playground.run(json!({ "name": name, "algorithm": "lamport", "nodes": 2 })).await);
    }
    for run in &runs[..2] {
        run.post("/stop", json!({})).await;
    }
    let names = async || -> Vec<String> {
        let page = playground.get("/runs").await;
        let items = page["items"].as_array().expect("items").iter();
        items.map(|run| run["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(told(&playground, "prune --older 1d", 0).0, "0 of 3 runs deleted\n");
    let tried = told(&playground, "prune --older 0s --dry-run", 0).0;
    let lines: Vec<&str> = tried.lines().collect();
    assert!(lines[0].contains("second, started ") && lines[0].ends_with(" s ago, would be deleted"), "{tried}");
    assert!(lines[1].contains("first"), "{tried}");
    assert_eq!((lines.len(), lines[2]), (3, "2 of 3 runs would be deleted"));
    assert_eq!(names().await.len(), 3);
    let one = told(&playground, "prune --keep 1", 0).0;
    assert!(one.contains("first, started") && one.ends_with("deleted\n1 of 3 runs deleted\n"), "{one}");
    assert_eq!(told(&playground, "prune --older 0s", 0).0.lines().count(), 2);
    assert_eq!(names().await, ["third"], "it is under way");
}

#[test]
fn which_is_to_be_said_and_with_a_unit() {
    let playground = Playground::open();
    assert!(refused(&playground, "prune", 2).contains("--older <AGE>"));
    assert!(refused(&playground, "prune --older 7", 2).contains("`7` is not an age; write a number with its unit"));
    assert!(said("prune --older 7d --playground http://127.0.0.1:1", 3).1.contains("no playground answers"));
}
