//! Tests of `interlock why`.

use serde_json::json;

use super::{refused, told};
use crate::support::Playground;

/// Checks that `out` contains all texts in `shown`.
fn says(out: &str, shown: &[&str]) {
    let missing: Vec<_> = shown.iter().filter(|part| !out.contains(**part)).collect();
    assert!(missing.is_empty(), "{missing:?} in\n{out}");
}

#[tokio::test]
async fn who_waits_is_told_for_whom_and_what_keeps_them() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run =
        playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 4, "name": "held", "network": network })).await;
    let out = told(&playground, "why held", 0).0;
    says(&out, &["held (", "ricart-agrawala/", ", 4 nodes, running, ", "Verdict: ok\n", "No node waits for a lock or"]);
    says(&out, &["No message is in transit.\n", "No violation was found.\n"]);

    run.acquire(0, json!({})).await;
    run.post("/nodes/2/pause", json!({})).await;
    run.post("/nodes/3/crash", json!({})).await;
    let out = told(&playground, "why latest", 0).0;
    says(
        &out,
        &[
            "Verdict: waiting-for-you: P0 waits, and nothing happens until you deliver one of the 3 held messages, or \
             resume P2.",
            "\nLock 0: nobody is in its critical section, P0 waits for it.\n  P0 has waited for ",
            " s, request 1.\n    P0 waits for a message from P1, P2 and P3; its state: clock 1, ",
            "\n    P2 is paused.\n    P3 is crashed.\n",
            "\nNot running: P2 (paused), P3 (crashed).\n",
            "\nIn transit: 3 messages, 3 held.\n  REQUEST 0.1.1 from P0 to P1 is held.\n",
        ],
    );
    assert!(!out.contains("No node waits") && !out.contains('\u{1b}'), "{out}");

    run.post("/stop", json!({})).await;
    let out = told(&playground, "why latest", 0).0;
    says(&out, &[", stopped, ", "The run is over. The following is its final state.\n", "P0 has waited for "]);
    assert!(refused(&playground, "why hold", 2).contains("there is no run `hold`"));
}

#[tokio::test]
async fn of_several_locks_each_is_told_with_what_is_kept_meanwhile() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "locks": 2 })).await;
    run.enter(0).await;
    run.acquire(1, json!({})).await;
    let out = told(&playground, "why latest", 0).0;
    says(
        &out,
        &[
            "\nLock 0: P0 is in its critical section, P1 waits for it.\n",
            "    P1 waits for a message from P0; its state: clock ",
            "\n    P0 is in the critical section of lock 0.\n",
        ],
    );
    assert!(!out.contains("lock 1 ["), "only of the lock that it waits for: {out}");

    let workload = json!({ "idle": 0, "hold": 10, "between": 300, "locks": "neighbours" });
    let philosophers =
        json!({ "algorithm": "prevention", "variant": "none", "nodes": 2, "locks": 2, "workload": workload });
    let run = playground.run(philosophers).await;
    run.wait_since(&json!(0), json!("violation")).await;
    let out = told(&playground, "why latest", 0).0;
    says(
        &out,
        &[
            "\nLock 1: P1 is in its critical section, P0 waits for it.\n",
            ", and holds lock 0 meanwhile.\n",
            "\nFound: ",
            ", deadlocks: Deadlock: ",
            ": P1 requests lock 0\n",
        ],
    );
}

#[tokio::test]
async fn a_violation_is_told_with_the_events_that_it_names() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run =
        playground.run(json!({ "algorithm": "lamport", "variant": "no-ack", "nodes": 2, "network": network })).await;
    run.enter(0).await;
    run.enter(1).await;
    let violation = run.get("/violations").await["items"][0].clone();
    let out = told(&playground, "why latest", 0).0;
    let sentence = violation["sentence"].as_str().expect("a sentence");
    says(
        &out,
        &[
            &format!("Verdict: violated: {sentence}\n"),
            "\nLock 0: P0 and P1 are in its critical section, nobody waits for it.\n",
            &format!("\n  event {}, mutual-exclusion: {sentence}\n", violation["seq"]),
        ],
    );
    let names = violation["events"].as_array().expect("events");
    assert_eq!(names.len(), 2, "{violation}");
    for (node, seq) in names.iter().enumerate() {
        let line = out.lines().find(|line| line.starts_with(&format!("    event {seq}, at "))).expect("the event");
        assert!(line.ends_with(&format!(" s: P{node} enters the section of lock 0")), "{line}");
    }
}

#[tokio::test]
async fn who_waits_for_a_message_alone_is_told_too() {
    let playground = Playground::open();
    let parameters = json!({ "initiators": "none" });
    let network = json!({ "hold": true });
    let bully =
        json!({ "algorithm": "bully", "nodes": 3, "parameters": parameters, "network": network, "timers": false });
    let run = playground.run(bully).await;
    run.post("/nodes/0/elect", json!({})).await;
    let out = told(&playground, "why latest", 0).0;
    says(
        &out,
        &[
            "Verdict: waiting-for-you: P0 waits for the end of an election",
            "\nP0 waits for a message from P1 and P2; its state: ",
            "\nIn transit: 2 messages, 2 held.\n",
        ],
    );
    assert!(!out.contains("Lock 0") && !out.contains("No node waits"), "{out}");
}

#[tokio::test]
async fn what_is_proposed_and_not_decided_is_told_with_how_far_it_has_come() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let parameters = json!({ "proposers": "none", "retry": "1m" });
    let paxos =
        json!({ "algorithm": "paxos", "nodes": 3, "parameters": parameters, "network": network, "timers": false });
    let run = playground.run(paxos).await;
    run.post("/nodes/0/propose", json!({ "value": "yes" })).await;
    let out = told(&playground, "why latest", 0).0;
    says(
        &out,
        &[
            "Verdict: waiting-for-you: No value has been chosen yet in instance 0",
            "\nInstance 0: `yes` is proposed, and no node has learnt a chosen value; a ballot is promised by ",
            ", a value is accepted by nobody.\n",
        ],
    );
}
