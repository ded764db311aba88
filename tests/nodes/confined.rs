//! Tests of the permissions of a user's program outside the node protocol. The program has no such permissions
//! unless options grant them.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{PATIENCE, folder, interlock, output};
use crate::support::{children, leave_out};

/// Plays a run of the program `curious.py`. `more` contains additional arguments of the command. Returns the acts
/// of the program, each with its result.
fn found(more: &[&str]) -> Value {
    let here = TempDir::new().expect("a folder");
    fs::copy(folder().join("curious.py"), here.path().join("curious.py")).expect("copied");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let this = std::process::id().to_string();
    let scenario = json!({
        "algorithm": "own",
        "nodes": [{ "command": ["python3", "curious.py", port, this, "300"], "count": 1 }],
        "workload": { "idle": "const:3600000" },
        "steps": [{ "wait": { "event": { "kind": "initialized" } }, "within": "60s" }],
        "expect": [{ "metric": "entries == 1" }],
    });
    fs::write(here.path().join("curious.json"), scenario.to_string()).expect("written");
    let kept = here.path().join("kept");
    let words = [&["run", "curious.json", "--artifacts", "kept"], more].concat();
    let (code, told) = output(interlock(&words).current_dir(here.path()).env("OF_THE_PARENT", "a secret"));
    view_in(&kept).unwrap_or_else(|| panic!("{code:?}: {told}"))
}

/// Returns the latest view of the node, from the files that a run has kept.
fn view_in(kept: &Path) -> Option<Value> {
    let run = fs::read_dir(kept).ok()?.next()?.ok()?.path();
    let events = fs::read_to_string(run.join("events.ndjson")).ok()?;
    let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.filter_map(|event| event.pointer("/view/variables").cloned()).next_back()
}

fn asserted(found: &Value, expected: &[(&str, &str)]) {
    for (what, how) in expected {
        assert_eq!(found[what], *how, "{what}: {found}");
    }
}

#[test]
fn a_program_writes_into_its_own_folder_and_reaches_nobody() {
    let found = found(&[]);
    let own = [("home", "yes"), ("temporary", "yes"), ("memory", "yes")];
    asserted(&found, &own);
    asserted(&found, &[("secret", "no"), ("descriptors", "no")]);
    let (_, told) = output(&mut interlock(&["doctor"]));
    if !told.contains("ok        confinement") {
        return leave_out("confinement", "Linux 6.12 with seccomp and namespaces");
    }
    // The working directory of the program is on a read-only mount, so the program cannot write beside itself.
    asserted(&found, &[("beside", "OSError")]);
    asserted(&found, &["connect", "signal", "environment"].map(|what| (what, "PermissionError")));
}

#[test]
fn a_program_that_is_let_does_what_its_user_may() {
    let found = found(&["--unconfined"]);
    asserted(&found, &["home", "beside", "connect", "signal", "environment", "memory"].map(|what| (what, "yes")));
}

#[test]
fn memory_that_a_program_may_not_have_it_does_not_get() {
    asserted(&found(&["--node-memory", "200MiB"]), &[("memory", "MemoryError"), ("home", "yes")]);
}

/// Returns the line that begins with `beginning` in the file `/proc/PID/FILE` of a process.
fn line(pid: u32, file: &str, beginning: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
    text.lines()
        .find(|line| line.starts_with(beginning))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The test needs root, because only root can read the privileges of the nodes.
#[test]
fn nodes_of_ours_have_given_up_all_privileges_that_they_have_or_might_get() {
    let here = TempDir::new().expect("a folder");
    let scenario = json!({
        "algorithm": "lamport",
        "nodes": 2,
        "workload": { "idle": "const:3600000" },
        "steps": [{ "wait": { "entries": 1 }, "within": "60s" }],
    });
    let file = here.path().join("waits.json");
    fs::write(&file, scenario.to_string()).expect("written");
    let words = ["run", file.to_str().expect("a path"), "--node-memory", "64MiB"];
    let mut run = interlock(&words).stdout(Stdio::null()).spawn().expect("started");
    let deadline = Instant::now() + PATIENCE;
    // A node confines itself only after its initialization has arrived, so the test waits.
    let is_confined = |node: &u32| {
        line(*node, "limits", "Max data size").is_some_and(|limits| limits.contains("67108864 67108864 bytes"))
            && line(*node, "status", "NoNewPrivs:").is_some_and(|status| status == "NoNewPrivs: 1")
            && line(*node, "status", "CapPrm:").is_some_and(|status| status == "CapPrm: 0000000000000000")
    };
    while children(run.id()).iter().filter(|node| is_confined(node)).count() < 2 {
        assert!(Instant::now() < deadline, "two nodes that are confined are expected");
        std::thread::yield_now();
    }
    run.kill().expect("killed");
    run.wait().expect("over");
}
