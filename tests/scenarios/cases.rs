//! Cases from the field: small inputs made after bug reports, exercises and questions, each with the right result. A case
//! runs as a user would run it: `interlock run FILE`, live, simulated or both.

use serde_json::Value;
use tempfile::TempDir;

use super::{interlock, library, said};

const LIVE: &str = "--live";
const SIMULATED: &str = "--simulate";

/// Runs a case in each of these ways and compares its exit code and a part of its output.
fn check(file: &str, drives: &[&str], code: i32, part: &str) {
    let path = library().join("cases").join(file).display().to_string();
    for drive in drives {
        let output = said(&[&path, drive], code);
        assert!(output.contains(part), "{drive} {file} does not print {part:?}: {output}");
    }
}

/// Runs another command than `run` on a case and returns what it prints.
fn printed(words: &[&str], file: &str, code: i32) -> String {
    let path = library().join("cases").join(file);
    let output = interlock().args(words).arg(&path).output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words:?} {file}: {out}{err}");
    format!("{out}{err}")
}

/// Declares one test per case: its name, file, drives, exit code and a part of the output.
macro_rules! cases {
    ($($name:ident: $file:literal, $drives:expr, $code:literal, $part:literal;)*) => {
        $(#[test]
        fn $name() {
            check($file, &$drives, $code, $part);
        })*
    };
}

// Correct before the third audit; they stay so.
cases! {
    banker_textbook: "banker-textbook.yaml", [LIVE, SIMULATED], 0, "met";
    bully_eight: "bully-eight.yaml", [LIVE, SIMULATED], 0, "met";
    dead_waiters: "dead-waiters.yaml", [LIVE, SIMULATED], 0, "met";
    stale_session: "stale-session.yaml", [LIVE], 0, "met";
}

// Interventions and patience.

// Witnesses and the protocol of foreign programs.

// Explorer and monitors; elections.
cases! {
    lease_deadlock: "lease-deadlock.yaml", [LIVE, SIMULATED], 0, "met";
    dead_coordinator: "dead-coordinator.yaml", [LIVE, SIMULATED], 0, "met";
}

/// The coordinator died after all knew it, and nobody has called an election since: nothing is violated.
#[test]
fn leader_known() {
    let replayed = printed(&["replay"], "leader-known.schedule", 0);
    assert!(replayed.contains("no rule broken"), "{replayed}");
}

/// Without a failure detector, a caller may take the late announcement of a dead process. Its schedule says the same.
#[test]
fn leader_known_is_said_by_the_explorer_and_by_the_replay_of_its_schedule() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("found.schedule").display().to_string();
    let explore = ["explore", "bully", "--nodes", "3", "--crash", "1", "--property", "leader-known", "--save", &file];
    let output = interlock().args(explore).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && told.contains("violated: leader-known"), "{told}");
    let replayed = printed(&["replay"], &file, 1);
    assert!(
        replayed.contains(
            "P2 is dead, and P1 keeps it as the coordinator of term 1 although it has called an election since"
        ),
        "{replayed}"
    );
}

#[test]
fn blind_put() {
    let told = printed(&["simulate", "--specification"], "blind-put.json", 1);
    assert!(told.contains("1007 were in it, and not 1012: 5 are missing"), "{told}");
    assert!(told.contains("5 were missing when somebody wrote 0 without reading it"), "{told}");
}

#[test]
fn simulate_does_not_end() {
    let told = printed(&["simulate", "--format", "json", "--specification"], "simulate-does-not-end.json", 0);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert!(told["cut"].is_null() && told["entries_in_all"] == 8, "{told}");
}

// Steps and waits of scenarios.
