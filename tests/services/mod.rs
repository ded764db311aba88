//! Tests of services: servers that the programs of a run use over TCP. The server and its client are small programs in
//! Python, with a lock that has a lease. Each fault has a run that it breaks, and a run as similar as possible that it
//! does not break.

mod faults;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

mod stories;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services")
}

/// Returns a scenario in which two nodes use the lock server. `changes` are words that change the server, and `more`
/// contains additional keys.
fn scenario(changes: &[&str], more: &Value) -> Value {
    let server = folder().join("lock_server.py");
    let command = [&["python3", server.to_str().expect("a path"), "{port}", "{dir}"], changes].concat();
    let ready = json!({ "bytes": { "send": "ping\n", "answer": "ok" } });
    let mut scenario = json!({
        "algorithm": "own",
        "services": [{ "name": "lock", "command": command, "ready": ready }],
        "nodes": [{ "command": ["python3", folder().join("lock_node.py")], "count": 2 }],
        "network": { "delay": "1ms" },
        "stop": { "after": "90s", "when": "decided" },
    });
    for (key, value) in more.as_object().expect("keys") {
        scenario[key] = value.clone();
    }
    scenario
}

/// Plays a scenario. Returns the document that the command prints, and everything that it prints as text.
fn played(scenario: &Value) -> (Value, String) {
    let own = TempDir::new().expect("a folder");
    let file = own.path().join("scenario.json");
    fs::write(&file, scenario.to_string()).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_interlock"));
    command.args(["run", "--format", "json"]).arg(&file).stdin(Stdio::null());
    let Output { stdout, stderr, .. } = command.output().expect("the program runs");
    let told = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let line = told.lines().find(|line| line.starts_with('{'));
    (line.and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default(), told)
}

fn outcome(scenario: &Value) -> (Value, String) {
    let (document, told) = played(scenario);
    (document["findings"]["outcome"].clone(), told)
}

/// Clients that request the lock again and again, for 50 ms each. On a busy machine, shorter sections could miss each
/// other.
fn busy() -> Value {
    json!({
        "workload": { "idle": "5ms", "hold": "50ms" },
        "steps": [{ "wait": { "entries": 20 }, "within": "60s" }],
        "expect": [{ "never": "violation" }],
    })
}

#[test]
fn a_correct_lock_violates_nothing_and_a_careless_one_does() {
    let (right, told) = outcome(&scenario(&[], &busy()));
    assert_eq!(right, "met", "{told}");
    let (wrong, told) = outcome(&scenario(&["careless"], &busy()));
    assert_eq!(wrong, "not-met", "{told}");
    assert!(told.contains("by the machine's clock"), "{told}");
}

/// P0 enters for 100 ms with a lease of 300 ms, and its release never arrives. P1 enters when the lease has expired.
/// With `pause`, P0 is paused inside for longer than its lease.
fn release_lost(pause: bool) -> Value {
    let mut steps =
        vec![json!({ "acquire": { "node": 0, "hold": "100ms" } }), json!({ "wait": { "entered": { "node": 0 } } })];
    if pause {
        steps.push(json!({ "pause": { "node": 0, "for": "1s" } }));
    } else {
        // The request of P0 was delivered before it entered, so the next bytes that it sends are its release.
        steps.push(
            json!({ "rule": { "match": { "from": 0, "to": "lock", "message_kind": "DATA" }, "action": "drop" } }),
        );
    }
    steps.extend([
        json!({ "acquire": { "node": 1, "hold": "200ms" } }),
        json!({ "wait": { "entered": { "node": 1 } }, "within": "10s" }),
        json!({ "wait": { "exited": { "node": 1 } }, "within": "10s" }),
        json!({ "wait": { "exited": { "node": 0 } }, "within": "10s" }),
    ]);
    let mut scenario = scenario(&[], &json!({ "steps": steps, "expect": [{ "never": "violation" }] }));
    scenario["nodes"][0]["command"].as_array_mut().expect("a command").push("300".into());
    scenario
}

#[test]
fn a_lease_that_expires_after_the_exit_violates_nothing_and_one_of_a_paused_holder_does() {
    let (lost, told) = outcome(&release_lost(false));
    assert_eq!(lost, "met", "P0 had left: {told}");
    let (paused, told) = outcome(&release_lost(true));
    assert_eq!(paused, "not-met", "{told}");
    assert!(told.contains("by the machine's clock"), "{told}");
}

/// P0 releases the lock at once when it is told to, and reports this 2 s later. Meanwhile P1 enters, and P0 is paused.
#[test]
fn a_program_that_is_paused_between_its_release_and_the_report_has_left() {
    let steps = json!([
        { "acquire": { "node": 0, "hold": "60s" } },
        { "wait": { "entered": { "node": 0 } }, "within": "10s" },
        { "release": 0 },
        { "acquire": { "node": 1, "hold": "100ms" } },
        { "wait": { "entered": { "node": 1 } }, "within": "10s" },
        { "pause": { "node": 0, "for": "1s" } },
        { "wait": { "exited": { "node": 1 } }, "within": "10s" },
        { "wait": { "exited": { "node": 0 } }, "within": "10s" },
    ]);
    let mut scenario = scenario(&[], &json!({ "steps": steps, "expect": [{ "never": "violation" }] }));
    let command = scenario["nodes"][0]["command"].as_array_mut().expect("a command");
    command.extend(["60000".into(), "2000".into()]);
    let (outcome, told) = outcome(&scenario);
    assert_eq!(outcome, "met", "P0 had left: {told}");
}

/// P0 holds the lock. Then the server crashes and restarts, and P1 requests the lock.
fn restarted(changes: &[&str], state: &str) -> Value {
    let steps = json!([
        { "acquire": { "node": 0, "hold": "2s" } },
        { "wait": { "entered": { "node": 0 } }, "within": "10s" },
        { "crash": "lock" },
        { "restart": { "node": "lock", "state": state } },
        { "wait": { "event": { "kind": "initialized", "node": "lock" } }, "within": "10s" },
        { "acquire": { "node": 1, "hold": "200ms" } },
        { "wait": { "exited": { "node": 1 } }, "within": "20s" },
        { "wait": { "exited": { "node": 0 } }, "within": "20s" },
    ]);
    let mut scenario = scenario(changes, &json!({ "steps": steps, "expect": [{ "never": "violation" }] }));
    scenario["nodes"][0]["command"].as_array_mut().expect("a command").push("10000".into());
    scenario
}

#[test]
fn a_server_that_forgets_the_lock_grants_it_twice() {
    for (changes, state, expected) in
        [(&["durable"][..], "stored", "met"), (&["durable"], "none", "not-met"), (&[], "stored", "not-met")]
    {
        let (outcome, told) = outcome(&restarted(changes, state));
        assert_eq!(outcome, expected, "{changes:?}, {state}: {told}");
    }
}

/// Everything that a partition cuts off arrives when it is healed, as over TCP.
#[test]
fn a_partition_delays_a_connection_and_loses_nothing() {
    let steps = json!([
        { "partition": { "groups": "0,1|lock" } },
        { "acquire": { "node": 0, "hold": "1ms" } },
        { "sleep": "200ms" },
        { "heal": "all" },
        { "wait": { "exited": { "node": 0 } }, "within": "10s" },
    ]);
    let expect = json!([{ "never": "violation" }]);
    let (outcome, told) = outcome(&scenario(&[], &json!({ "steps": steps, "expect": expect })));
    assert_eq!(outcome, "met", "{told}");
}

#[test]
fn a_service_that_is_not_ready_is_named() {
    for (command, ready, part) in [
        (json!(["false"]), json!({ "tcp": "{port}" }), "service `lock`"),
        (json!(["sleep", "60"]), json!({ "tcp": "{port}" }), "service `lock`"),
        (json!(["no-such-program"]), json!({ "tcp": "{port}" }), "no-such-program"),
    ] {
        let mut scenario = scenario(&[], &busy());
        scenario["services"] = json!([{ "name": "lock", "command": command, "ready": ready, "within": "500ms" }]);
        let (_, told) = played(&scenario);
        assert!(told.contains(part), "{command}: {told}");
    }
}
