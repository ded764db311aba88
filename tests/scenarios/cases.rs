//! Tests of cases from the field: small inputs that were made from bug reports, exercises and questions, each with
//! its correct result. A case runs as a user would run it: `interlock run FILE`, live, simulated or both.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{interlock, library, said};

const LIVE: &str = "--live";
const SIMULATED: &str = "--simulate";

/// Runs a case once for each item of `drives`, which is live or simulated. Checks the exit code, and checks that
/// the output contains `part`.
fn check(file: &str, drives: &[&str], code: i32, part: &str) {
    let path = library().join("cases").join(file).display().to_string();
    for drive in drives {
        let output = said(&[&path, drive], code);
        assert!(output.contains(part), "{drive} {file} does not print {part:?}: {output}");
    }
}

/// Runs a command other than `run` on a case. Returns its output.
fn printed(words: &[&str], file: &str, code: i32) -> String {
    let path = library().join("cases").join(file);
    let output = interlock().args(words).arg(&path).output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words:?} {file}: {out}{err}");
    format!("{out}{err}")
}

/// Declares one test for each case: its name, file, ways of running it, exit code, and a part of the output.
macro_rules! cases {
    ($($name:ident: $file:literal, $drives:expr, $code:literal, $part:literal;)*) => {
        $(#[test]
        fn $name() {
            check($file, &$drives, $code, $part);
        })*
    };
}

// Correct cases: the monitors must not report any violation.
cases! {
    banker_textbook: "banker-textbook.yaml", [LIVE, SIMULATED], 0, "met";
    // This case is only simulated. Its time-outs are so short that a busy machine would exceed them in a live run.
    // That would violate an assumption of the algorithm.
    bully_eight: "bully-eight.yaml", [SIMULATED], 0, "met";
    dead_waiters: "dead-waiters.yaml", [LIVE, SIMULATED], 0, "met";
    stale_session: "stale-session.yaml", [LIVE], 0, "met";
}

// Cases about interventions, and about the duration of waits.
cases! {
    outage_nobody_enters: "outage-nobody-enters.yaml", [LIVE, SIMULATED], 0, "met";
    outage_partition: "outage-partition.yaml", [LIVE, SIMULATED], 0, "met";
    starves_by_aborts: "starves-by-aborts.yaml", [SIMULATED], 0, "met";
}

// Cases about witnesses, and about the protocol of users' programs.
cases! {
    expired_silences: "expired-silences.yaml", [LIVE], 1, "in the critical section of lock 0 at the same time";
    falling_fence: "falling-fence.yaml", [LIVE], 1, "The fencing token of P2 for lock 0 is 4, which is not greater than 5";
    liar_unknownreq: "liar-unknownreq.json", [LIVE], 1, "reports `entered` of lock 0 by request 8, which is not open; open: \
        request 1 for lock 0 (step 2, acquire)";
    liar_neverexit: "liar-neverexit.json", [LIVE], 1, "does not report `exited` of lock 0 by request 1";
    liar_exittwice: "liar-exittwice.json", [LIVE], 1, "reports `exited` of lock 0 by request 1, which is not open";
    liar_expire: "liar-expire.json", [LIVE], 1, "no message has informed it of that request";
    two_locks_in_a_circle: "two-locks-in-a-circle.yaml", [LIVE, SIMULATED], 1, "P1 waits for lock 1, \
        held by P2; P2 waits for lock 0, held by P1";
}

/// Writes a copy of the case `file`, in which `from` is replaced with `to`, to a new folder with the programs of
/// all cases. Returns the folder, and the path of the copy.
fn with_change(file: &str, from: &str, to: &str) -> (TempDir, String) {
    let cases = library().join("cases");
    let folder = TempDir::new().expect("a folder");
    for entry in fs::read_dir(&cases).expect("the cases") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|end| end == "py") {
            fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("copied");
        }
    }
    let text = fs::read_to_string(cases.join(file)).expect(file);
    assert!(text.contains(from), "{file} does not say `{from}`");
    let changed = folder.path().join(file);
    fs::write(&changed, text.replacen(from, to, 1)).expect("written");
    (folder, changed.display().to_string())
}

#[test]
fn each_lie_of_a_program_ends_the_run_with_its_words() {
    for (mode, part) in [
        ("twice", "reports `entered` of lock 0 by request 1 twice"),
        ("norequested", "without `requested`, which comes first"),
        ("exitother", "reports `exited` of lock 0 by request 2, which is not open"),
        ("exitearly", "before its client leaves"),
    ] {
        let (_folder, path) = with_change("liar-neverexit.json", "neverexit", mode);
        let output = said(&[&path], 1);
        assert!(output.contains("P0, `python3 liar.py") && output.contains(part), "{mode}: {output}");
    }
}

#[test]
fn a_program_that_tells_the_truth_is_not_accused() {
    for mode in ["token", "lease"] {
        let (_folder, path) = with_change("liar-neverexit.json", "neverexit", mode);
        assert!(said(&[&path], 0).contains("met"), "{mode}");
    }
}

/// P0 manages the leases. When P1 requests, P0 must revoke the lease that it has granted to itself.
#[test]
fn a_lease_is_taken_back_by_the_process_that_keeps_it() {
    for (own, code, part) in [
        ("", 0, "met"),
        (r#""own":{"leases":[0]},"#, 0, "met"),
        (r#""own":{"leases":[1]},"#, 1, "says that the leases are kept by P1"),
        (r#""own":{"leases":[]},"#, 1, "says that there are no leases"),
    ] {
        let (_folder, path) = with_change("liar-expire.json", "expire", "lease");
        let text = fs::read_to_string(&path).expect("the case");
        fs::write(&path, text.replacen("\"nodes\"", &format!("{own}\"nodes\""), 1)).expect("written");
        let output = said(&[&path], code);
        assert!(output.contains(part), "{own}: {output}");
    }
}

#[test]
fn the_control_that_reports_no_lease_is_caught_in_the_same_way() {
    let (_folder, path) = with_change("expired-silences.yaml", "ra_expire.py", "ra_greedy.py");
    let output = said(&[&path], 1);
    assert!(output.contains("in the critical section of lock 0 at the same time"), "{output}");
}

#[test]
fn tokens_that_grow_are_not_accused() {
    let (folder, path) = with_change(
        "falling-fence.yaml",
        "expect: [ { never: violation } ]",
        "expect: [ { never: violation }, { never: stuck } ]",
    );
    let program = folder.path().join("falling_fence.py");
    let text = fs::read_to_string(&program).expect("the program");
    fs::write(&program, text.replacen("self.fence -= 1", "self.fence += 1", 1)).expect("written");
    assert!(said(&[&path], 0).contains("met"));
}

// Cases about the explorer, the monitors and elections.
cases! {
    lease_deadlock: "lease-deadlock.yaml", [LIVE, SIMULATED], 0, "met";
    dead_coordinator: "dead-coordinator.yaml", [LIVE, SIMULATED], 0, "met";
    one_way_elections: "one-way-elections.yaml", [SIMULATED], 0, "met";
    healed_elections: "healed-elections.yaml", [SIMULATED], 0, "met";
}

/// The coordinator crashed after all processes had learned that it is the coordinator. No process has called an
/// election since then, so no property is violated.
#[test]
fn leader_known() {
    let replayed = printed(&["replay"], "leader-known.schedule", 0);
    assert!(replayed.contains("no violation"), "{replayed}");
}

/// Without a failure detector, a process that calls an election may accept a late announcement of a crashed
/// process. The explorer must find this violation, and the replay of its schedule must find the same violation.
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
            "P2 has crashed, but P1, which has called an election since, still accepts it as the coordinator of term 1"
        ),
        "{replayed}"
    );
}

#[test]
fn blind_put() {
    let told = printed(&["simulate", "--specification"], "blind-put.json", 1);
    assert!(told.contains("left the value 1007 instead of 1012, so 5 are missing"), "{told}");
    assert!(told.contains("5 were missing when an external writer wrote 0 without first reading it"), "{told}");
}

#[test]
fn simulate_does_not_end() {
    let told = printed(&["simulate", "--format", "json", "--specification"], "simulate-does-not-end.json", 0);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert!(told["cut"].is_null() && told["entries_in_all"] == 8, "{told}");
}

// Cases about the steps and waits of scenarios.
cases! {
    refused_step: "refused-step.yaml", [LIVE, SIMULATED], 1, "step 3: cannot release: P2 refused";
    deliver_then_wait: "deliver-then-wait.yaml", [LIVE, SIMULATED], 0, "met";
    entries_after_acquire: "entries-after-acquire.yaml", [LIVE, SIMULATED], 0, "met";
    slow_behind_a_pause: "slow-behind-a-pause.yaml", [LIVE, SIMULATED], 0, "met";
    slow_behind_a_held_message: "slow-behind-a-held-message.yaml", [LIVE, SIMULATED], 0, "met";
    slow_holder: "slow-holder.yaml", [LIVE, SIMULATED], 0, "met";
    kinds_in_metrics: "kinds-in-metrics.yaml", [LIVE, SIMULATED], 2, "possible: COORD, ELECT, INQUIRE, OK, TERM";
    unknown_sender: "unknown-sender.yaml", [LIVE, SIMULATED], 2, "unknown-sender.yaml:6:5: /steps/1/deliver: there is no node 9: the run has nodes 0 … 2";
    undo_twice: "undo-twice.yaml", [LIVE, SIMULATED], 0, "met";
    wrong_reply: "wrong-reply.yaml", [LIVE], 1, "whose `in_reply_to` is the text \"1\" and not the number 1";
}

#[test]
fn list_for_object() {
    let refused = printed(&["simulate", "--specification"], "list-for-object.json", 2);
    assert!(refused.contains("at /workload/account: a list is not an object"), "{refused}");
}

/// After the sentence about the shrunk scenario, the output must be a JSON document.
#[test]
fn reordered_name() {
    let path = library().join("cases").join("reordered-name.json").display().to_string();
    let shown = said(&[&path, SIMULATED, "--shrink"], 1);
    assert!(shown.contains(r"NOT MET   a\u{202e}b"), "{shown}");
    let lines: Vec<&str> = shown.lines().skip_while(|line| line.trim() != "{").collect();
    let document: Value = serde_json::from_str(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(document["name"], "a\u{202e}b");
}
