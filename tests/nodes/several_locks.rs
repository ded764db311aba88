//! Tests of a program that executes an algorithm for one lock several times, once for each of several locks. Each
//! message names its lock.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{broken_at, folder, interlock, output, played, written};

/// Returns a folder with two programs. `node.py` is a copy of `several_locks.py` in which `from` is replaced by `to`.
/// `ricart_agrawala.py`, which it imports, is unchanged.
fn changed(from: &str, to: &str) -> TempDir {
    let right = fs::read_to_string(folder().join("several_locks.py")).expect("the node");
    assert_eq!(right.matches(from).count(), 1, "what is changed stands there once: {from}");
    let changed = written(&right.replace(from, to));
    fs::copy(folder().join("ricart_agrawala.py"), changed.path().join("ricart_agrawala.py")).expect("copied");
    changed
}

/// Plays a run with two locks. Two nodes run the program in `program`, and two are nodes of the catalogue. Returns
/// the findings.
fn played_mixed(program: &TempDir) -> Value {
    let nodes = json!([{ "command": ["python3", "node.py"], "count": 2 }, { "count": 2 }]);
    let workload = json!({ "locks": "one", "idle": 0, "hold": "2ms", "entries": 20 });
    let more = json!({ "locks": 2, "nodes": nodes, "workload": workload, "steps": [{ "wait": "idle" }],
        "expect": [{ "never": "violation" }, { "metric": "entries == 80" }] });
    played(program.path(), &more)
}

#[test]
fn two_locks_are_two_instances_for_programs_among_ours_too() {
    let file = folder().join("several_locks.yaml");
    let (code, told) = output(&mut interlock(&["run", file.to_str().expect("a path")]));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("met "), "{told}");
}

#[test]
fn who_replies_at_once_for_one_lock_breaks_that_one() {
    // The faulty program must still advance its clock. Otherwise, the reply of the faulty program would count as
    // the reply to an older request.
    let eager = "    def message(self, sender, kind, body):\n        if self.lock == 1 and kind == \"REQUEST\":\n            \
                 self.clock = max(self.clock, body[\"clock\"]) + 1\n            self.reply([sender])\n        else:\n            \
                 super().message(sender, kind, body)\n\n";
    let before = "    def send(self, to, kind, body):\n";
    let program = changed(before, &format!("{eager}{before}"));
    let found = played_mixed(&program);
    assert_eq!(found["outcome"], "not-met", "{found}");
    let told = found.to_string();
    assert!(broken_at(1, &told) && !broken_at(0, &told), "{told}");
}

#[test]
fn a_message_of_no_lock_is_told_with_its_kind() {
    for (from, to, expected) in [
        ("\"lock\": self.lock, ", "", "sends a REQUEST without its `lock`; there are locks 0 to 1 (step"),
        (
            "\"lock\": self.lock, ",
            "\"lock\": 2, ",
            "sends a REQUEST of lock 2, which does not exist; there are locks 0 to 1",
        ),
    ] {
        let found = played_mixed(&changed(from, to));
        let because = found["failure"]["because"].as_str().expect("a reason");
        assert!(because.contains(expected), "{to}: {because}");
    }
}
