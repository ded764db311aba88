//! Tests of programs that run an algorithm of their own, and of the declarations that a scenario makes about these
//! programs. Each declaration must be checked during the run.

use std::fs;

use serde_json::{Value, json};

use super::{folder, interlock, output, played, written};

/// Returns the declarations for a program that circulates a token.
fn ring() -> Value {
    json!({ "message_kinds": ["TOKEN"], "background_kinds": ["TOKEN"], "token_kinds": ["TOKEN"] })
}

/// Plays the token ring. In its program, the text `from` is replaced with `to`. The scenario has the declarations
/// `own`, and the additional keys in `more`.
fn played_ring([from, to]: [&str; 2], own: &Value, more: &Value) -> Value {
    let right = fs::read_to_string(folder().join("token_ring.py")).expect("the node");
    assert_eq!(right.matches(from).count(), 1, "what is changed stands there once: {from}");
    let mut scenario = json!({ "algorithm": "own", "own": own, "network": { "delay": "1ms" },
        "steps": [{ "wait": "idle" }], "expect": [{ "never": "violation" }, { "metric": "entries == 15" }] });
    for (key, value) in more.as_object().expect("keys") {
        scenario[key] = value.clone();
    }
    played(written(&right.replace(from, to)).path(), &scenario)
}

const UNCHANGED: [&str; 2] = ["import json", "import json"];

#[test]
fn a_token_that_goes_round_is_background_traffic() {
    let file = folder().join("declared.yaml");
    let (code, told) = output(&mut interlock(&["run", file.to_str().expect("a path")]));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("met "), "{told}");
    let found = played_ring(UNCHANGED, &ring(), &json!({}));
    assert_eq!(found["outcome"], "met", "{found}");
}

/// The scenario does not declare that the token circulates even without requests. The messages with the token
/// therefore count as work, so the run never becomes idle.
#[test]
fn an_undeclared_token_is_work_that_never_ends() {
    for own in [Value::Null, json!({ "message_kinds": ["TOKEN"], "token_kinds": ["TOKEN"] })] {
        let found = played_ring(UNCHANGED, &own, &json!({ "stop": { "after": "2s" } }));
        assert_eq!(found["outcome"], "not-met", "{own}: {found}");
        assert!(found["failure"]["because"].to_string().contains("the run reached its time limit"), "{found}");
    }
}

#[test]
fn a_token_that_is_declared_is_watched() {
    let twice = ["            self.has_token = False\n", ""];
    let found = played_ring(twice, &ring(), &json!({}));
    assert!(found.to_string().contains("sent a token that it did not have"), "{found}");
    let rule = json!({ "match": { "message_kind": "TOKEN" }, "action": "drop", "count": 1 });
    let lost = json!({ "steps": [{ "rule": rule }, { "wait": { "violation": "tokens" } }] });
    let found = played_ring(UNCHANGED, &ring(), &lost);
    assert!(found.to_string().contains("The token was lost in transit"), "{found}");
    let unwatched = json!({ "message_kinds": ["TOKEN"], "background_kinds": ["TOKEN"] });
    let stuck = json!({ "steps": [{ "rule": rule }, { "wait": "stuck" }], "expect": [{ "violation": "stuck" }] });
    let found = played_ring(UNCHANGED, &unwatched, &stuck);
    assert_eq!(found["outcome"], "met", "{found}");
}

/// The step `crash: token` names a process by its role: the process that has the token. After the crash of this
/// process, no process may enter.
#[test]
fn who_has_the_token_can_be_named() {
    let more = json!({ "workload": { "idle": 0, "hold": "200ms" }, "expect": [{ "violation": "stuck" }],
        "steps": [{ "wait": { "entries": 1 } }, { "crash": "token" }, { "wait": "stuck" }] });
    let found = played_ring(UNCHANGED, &ring(), &more);
    assert_eq!(found["outcome"], "met", "{found}");
}

#[test]
fn a_message_that_nobody_declared_ends_the_run_with_words() {
    let found = played_ring(["\"kind\": \"TOKEN\"", "\"kind\": \"TOKENS\""], &ring(), &json!({}));
    assert_eq!(found["outcome"], "not-met", "{found}");
    let because = found["failure"]["because"].as_str().expect("a reason");
    let expected =
        "P0, `python3 node.py`, sends a `TOKENS`, which `own` does not have; possible: TOKEN (step 1, start)";
    assert!(because.contains(expected), "{because}");
}
