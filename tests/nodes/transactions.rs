//! Tests of users' programs that acquire several locks with one request, in runs together with nodes of the
//! catalogue. A program must report its aborts. If it does not abort although it must, the run detects this.

use std::fs;

use serde_json::{Value, json};

use super::{check, folder, interlock, output, played, written};

/// Plays a run of four philosophers: two in Python, and two from the catalogue. `changes` are replacements in the
/// Python program. Returns the findings.
fn played_with(changes: &[[&str; 2]], algorithm: &str) -> Value {
    let mut program = fs::read_to_string(folder().join("wait_die.py")).expect("the node");
    for [from, to] in changes {
        assert_eq!(program.matches(from).count(), 1, "what is changed stands there once: {from}");
        program = program.replace(from, to);
    }
    let workload = json!({ "locks": "neighbours", "idle": 0, "hold": "1ms", "between": "1ms", "entries": 15 });
    let nodes = json!([{ "command": ["python3", "node.py"], "count": 2 }, { "count": 2 }]);
    let more = json!({ "algorithm": algorithm, "nodes": nodes, "workload": workload, "steps": [{ "wait": "idle" }],
        "expect": [{ "never": "violation" }, { "metric": "entries >= 120" }] });
    played(written(&program).path(), &more)
}

const DIES: &str = "            self.send(who[1], \"ABORT\", lock=lock, ticket=who[2])\n";

#[test]
fn philosophers_in_python_die_when_they_are_younger() {
    let file = folder().join("wait_die.yaml");
    let (code, told) = output(&mut interlock(&["run", file.to_str().expect("a path")]));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("met "), "{told}");
    let (code, told) = check("wait_die.py", &["--algorithm", "wait-die"]);
    assert_eq!((code, told.matches("ok ").count()), (Some(0), 7), "{told}");
}

/// Runs the opposite scheme, wound-wait: an older process that would have to wait for a younger holder wounds this
/// holder.
#[test]
fn the_same_with_wounds_plays_wound_wait() {
    let wounds = [
        ["if who[:2] > holder[:2]:", "if who[:2] < holder[:2]:"],
        [DIES, "            self.send(holder[1], \"ABORT\", lock=lock, ticket=holder[2])\n"],
        ["cause=\"died\"", "cause=\"wounded\""],
    ];
    let found = played_with(&wounds, "wound-wait");
    assert_eq!(found["outcome"], "met", "{found}");
}

#[test]
fn each_mistake_breaks_the_rule_that_it_is_about() {
    for (from, to, expected) in [
        // With this change, a younger process waits instead of dying, and this causes a cycle of waits.
        (DIES, "            pass\n", "Deadlock: P"),
        ("        if kept.holder is None:\n", "        if True:\n", "neither's exit happened before"),
        // With this change, a process that dies does not release its locks.
        (
            "        for lock, (request, _) in self.held.items():\n",
            "        for lock, (request, _) in []:\n",
            "still has lock",
        ),
    ] {
        let found = played_with(&[[from, to]], "wait-die");
        assert_eq!(found["outcome"], "not-met", "{to}: {found}");
        assert!(found.to_string().contains(expected), "{to}: {found}");
    }
}
