//! Tests of `interlock ps`.

use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::told;
use crate::support::Playground;

#[tokio::test]
async fn the_runs_are_listed_the_newest_first() {
    let playground = Playground::open();
    let (out, _) = told(&playground, "ps", 0);
    assert_eq!(out, format!("The playground at {}/ has no runs.\n", playground.url));
    assert_eq!(told(&playground, "ps --format json", 0).0, "[]\n");

    let first = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "name": "the first" })).await;
    first.enter(1).await;
    first.post("/stop", json!({})).await;
    let network = json!({ "hold": true });
    let second =
        playground.run(json!({ "algorithm": "lamport", "variant": "no-ack", "nodes": 2, "network": network })).await;
    second.enter(0).await;
    second.enter(1).await;
    assert_eq!(second.verdict().await, "violated");

    let (out, _) = told(&playground, "ps", 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    for (line, shown) in [
        (0, ["id", "algorithm", "verdict", "entries", "begun"]),
        (1, [&*second.id, "lamport/no-ack", "running", "violated", " ago"]),
        (2, [&*first.id, "the first", "ricart-agrawala/", "stopped", " ago"]),
    ] {
        assert!(shown.iter().all(|part| lines[line].contains(part)), "{shown:?}: {out}");
    }

    let listed: Value = serde_json::from_str(&told(&playground, "ps --format json", 0).0).expect("JSON");
    let facts = |run: &Value| ["id", "nodes", "status", "verdict", "entries"].map(|field| run[field].clone());
    assert_eq!(facts(&listed[0]), [json!(second.id), json!(2), json!("running"), json!("violated"), json!(2)]);
    assert_eq!(facts(&listed[1]), [json!(first.id), json!(3), json!("stopped"), json!("ok"), json!(1)]);
}

#[tokio::test]
async fn a_run_that_cannot_be_read_hides_no_other() {
    let mut playground = Playground::open();
    let run = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "name": "whole" });
    playground.run(run).await;
    let broken = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "name": "broken" })).await.id;
    assert!(playground.end(Signal::TERM).success());
    let journal = playground.directory.join(format!("{broken}.sqlite"));
    let journal = Connection::open(journal).expect("a journal");
    journal.execute("UPDATE block SET bytes = bytes + 1", []).expect("blocks can be damaged");
    drop(journal);

    let playground = playground.open_again();
    let (out, err) = told(&playground, "ps", 0);
    assert!(out.lines().count() == 3 && out.contains("whole") && out.contains(" –  "), "{out}");
    assert!(err.starts_with(&format!("interlock: {broken}: journal ")), "{err}");
    let listed: Value = serde_json::from_str(&told(&playground, "ps --format json", 0).0).expect("JSON");
    assert_eq!([&listed[0]["verdict"], &listed[1]["verdict"]], [&Value::Null, &json!("ok")]);
}
