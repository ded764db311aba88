//! Tests of `interlock do`.

use serde_json::json;

use super::{refused, told};
use crate::support::{PATIENCE_MS, Playground};

#[tokio::test]
async fn processes_are_broken_and_mended_by_hand() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 4, "name": "broken" })).await;
    let process = async |node: usize| run.state().await["nodes"][node]["process"].clone();
    let said = |words: &str, shown: &str| {
        let (out, _) = told(&playground, words, 0);
        assert!(out.starts_with(shown) && out.contains(" (event "), "{words}: {out}");
        out
    };

    said("do latest crash 2", "node 2 is crashed");
    assert_eq!(process(2).await, "crashed");
    said("do broken restart 2 --state none", "node 2 is restarted without stored state");
    assert_eq!(process(2).await, "running");
    let out = said(&format!("do {} pause 1 3", run.id), "node 1 is paused");
    assert!(out.lines().count() == 2 && out.contains("\nnode 3 is paused (event "), "{out}");
    assert_eq!([process(1).await, process(3).await], ["paused", "paused"]);
    said("do latest resume 1", "node 1 is resumed");
    said("do latest heal", "all faults are removed");
    assert_eq!([process(1).await, process(3).await], ["running", "running"]);
    let restarted = run.events("restarted").await;
    assert_eq!(restarted[0]["state"], "none", "{restarted:?}");
}

#[tokio::test]
async fn what_the_playground_refuses_is_said_in_its_words() {
    let playground = Playground::open();
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "name": "broken" })).await;
    let out = told(&playground, "do broken crash 1", 0).0;
    assert!(out.starts_with("node 1 is crashed"), "{out}");
    for (words, code, shown) in [
        ("do broken crash 7", 2, "there is no node P7: the run has nodes 0 … 2"),
        ("do broken crash P1", 2, "there is no node `P1`: write a whole number, or one of"),
        ("do broken crash holdr", 2, "did you mean `holder`?"),
        ("do broken crash holder", 3, "no node is the holder now"),
        ("do broken deliver REQUEST", 3, "there is no such message in transit"),
        ("do broken crash 1", 3, "P1 is crashed: it has crashed already"),
        ("do broken acquire 1", 3, "P1 is crashed: restart it first"),
        ("do broken resume 2", 3, "P2 is running: only a paused node can be resumed"),
        ("do broken release 0", 3, "P0 refused: the node is not in the critical section"),
        ("do broken elect 0", 3, "P0 refused: the nodes of `ricart-agrawala` do not have the command `elect`"),
        ("do broken pause 0 --for soon", 2, "/for_ms: `soon` is not a length of time; write a number of ms"),
        ("do broken restart 1 --state some", 2, "did you mean `stored`?; possible: stored, none"),
        ("do broken deliver 0.1.12", 2, "message 0.1.12 is neither held nor in transit"),
        ("do broken drop twelve", 2, "`twelve` is not a message id; write FROM.TO.NUMBER"),
        ("do brocken crash 0", 2, "there is no run `brocken`"),
    ] {
        let err = refused(&playground, words, code);
        assert!(err.starts_with("interlock: ") && err.contains(shown), "{words}: {err}");
    }
    // If an action is impossible, the actions after it are not executed.
    refused(&playground, "do broken pause 1 0", 3);
    assert!(told(&playground, "do broken pause 0", 0).0.starts_with("node 0 is paused"));
    for words in ["do broken", "do broken dance 1", "do broken crash", "do broken acquire 0 --lock one"] {
        refused(&playground, words, 2);
    }
}

#[tokio::test]
async fn locks_are_asked_for_and_given_back() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "locks": 2 })).await;
    let said = |words: &str| told(&playground, words, 0).0;
    let out = said(&format!("do latest acquire 0 --lock 1 --wait {PATIENCE_MS}"));
    assert!(out.starts_with("node 0 is in the critical section of lock 1 (event "), "{out}");
    let out = said("do latest acquire 1 --lock 1");
    assert!(out.starts_with("node 1 has requested lock 1 (request 1) (event "), "{out}");
    assert_eq!(run.state().await["nodes"][0]["holds"], json!([1]));
    let out = said("do latest release 0 --lock 1");
    assert!(out.starts_with("node 0 has left the critical section of lock 1 (event "), "{out}");
    run.wait(json!({ "entered": { "node": 1 } })).await;

    said("do latest pause 2");
    let out = said("do latest acquire 2 --hold 1ms");
    assert!(out.starts_with("node 2 is paused: it executes the command when it is resumed (event "), "{out}");
    let before = run.state().await["seq"].clone();
    said("do latest resume 2");
    run.wait_since(&before, json!({ "exited": { "node": 2 } })).await;
}

#[tokio::test]
async fn what_a_lock_protects_is_written_by_hand() {
    let playground = Playground::open();
    let workload = json!({ "nodes": [], "account": { "balance": 10 } });
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 2, "workload": workload })).await;
    run.enter(1).await;
    let out = told(&playground, "do latest put account 15 --node holder --read 10 --fence 1", 0).0;
    assert!(out.starts_with("account is now 15 (event "), "{out}");
    assert_eq!(run.state().await["account"]["balance"], 15);
    let out = told(&playground, "do latest put account -3 --version 1", 0).0;
    assert!(out.starts_with("account is now -3 (event "), "{out}");
    let err = refused(&playground, "do latest put account 1 --version 1", 3);
    assert!(err.contains("cannot write 1 to account: ") && err.contains("version 1 is outdated"), "{err}");
    let err = refused(&playground, "do latest put acount 1", 2);
    assert!(err.contains("acount"), "{err}");
}

/// The playground determines which node has a role at the time of the action. The answer of the playground must
/// name this node.
#[tokio::test]
async fn a_node_is_named_by_what_it_is() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    run.enter(2).await;
    let said = |words: &str| told(&playground, words, 0).0;
    assert!(said("do latest release holder").starts_with("node 2 has left the critical section of lock 0 (event "));
    run.enter(1).await;
    assert!(said("do latest pause holder").starts_with("node 1 is paused (event "));
    assert!(said("do latest crash holder").starts_with("node 1 is crashed (event "));
    assert!(said("do latest restart 1").starts_with("node 1 is restarted with its stored state"));
}

#[tokio::test]
async fn messages_are_handed_over_held_copied_and_lost() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": network })).await;
    run.acquire(0, json!({})).await;
    let said = |words: &str| told(&playground, words, 0).0;
    let out = said("do latest duplicate 0.1.1");
    assert!(out.starts_with("message 0.1.1 is duplicated: 0.1.1.1 is held (event "), "{out}");
    let out = said("do latest drop 0.1.1.1");
    assert!(out.starts_with("message 0.1.1.1 is lost (event "), "{out}");
    let out = said("do latest deliver 0.1.1 0.2.1");
    assert!(out.starts_with("message 0.1.1 is delivered (event ") && out.lines().count() == 2, "{out}");
    run.wait_since(&json!(0), json!({ "event": { "kind": "held", "from": 1, "to": 0 } })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "held", "from": 2, "to": 0 } })).await;
    let out = said("do latest drop REPLY");
    assert!(out.contains(".0.1 is lost (event "), "the message that it was is named: {out}");
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "message": "0.2.1" } })).await;
    let err = refused(&playground, "do latest hold 0.2.1", 2);
    assert!(err.contains("message 0.2.1 is neither held nor in transit"), "{err}");

    let slow = json!({ "delay": "const:60m" });
    let slow = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": slow })).await;
    slow.acquire(0, json!({})).await;
    assert!(said("do latest hold 0.1.1").starts_with("message 0.1.1 is held (event "));
    assert!(refused(&playground, "do latest hold 0.1.1", 3).contains("message 0.1.1 is held already"));
}

#[tokio::test]
async fn elections_are_called_and_values_proposed() {
    let playground = Playground::open();
    let parameters = json!({ "initiators": "none", "answer": "2s", "coordinator": "6s" });
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3, "parameters": parameters })).await;
    let out = told(&playground, "do latest elect 0", 0).0;
    assert!(out.starts_with("node 0 calls an election (event "), "{out}");
    run.wait_since(&json!(0), json!({ "elected": { "leader": 2 } })).await;

    let run = playground.run(json!({ "algorithm": "paxos", "nodes": 3, "parameters": { "proposers": "none" } })).await;
    let out = told(&playground, "do latest propose 0 yes", 0).0;
    assert!(out.starts_with("node 0 proposes yes in instance 0 (event "), "{out}");
    run.wait_since(&json!(0), json!({ "decided": { "instance": 0 } })).await;
}

#[tokio::test]
async fn states_are_overwritten_where_an_algorithm_stabilises() {
    let playground = Playground::open();
    playground.run(json!({ "algorithm": "dijkstra-ring", "nodes": 3 })).await;
    let out = told(&playground, "do latest corrupt 1 7", 0).0;
    assert!(out.starts_with("node 1 is now in state 7 (event "), "{out}");
    assert!(refused(&playground, "do latest corrupt 1 36", 3).contains("there is no state 36"));
}
