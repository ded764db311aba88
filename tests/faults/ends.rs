//! Tests of all kinds of ends of the orchestrator: in every case, no process is left, and no journal has a gap.

use std::path::Path;
use std::time::Instant;

use rustix::process::Signal;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Playground, pids, time_until_gone};

/// Number of kills of the orchestrator.
const KILLS: u32 = 100;

/// Kills the orchestrator under load, with some nodes paused. Returns the number of events in its journal.
async fn kill_under_load(directory: &Path, round: u32) -> u64 {
    let mut playground = Playground::open_in(directory, &["--no-demo"]);
    let run = playground
        .run(json!({
            "algorithm": "ricart-agrawala", "nodes": 5,
            "workload": { "idle": "0", "hold": "0", "nodes": [0, 1, 2, 3, 4] },
        }))
        .await;
    run.wait(json!({ "exited": { "node": round % 5 } })).await;
    let nodes = pids(&run.state().await);
    for node in 0..round % 3 {
        run.post(&format!("/nodes/{node}/pause"), json!({})).await;
    }
    assert_eq!(nodes.len(), 5);
    playground.end(Signal::KILL);
    time_until_gone(&nodes);
    events_without_a_gap(directory)
}

/// Returns the number of events in the only journal of a folder, and removes the journal. Panics if the sequence
/// numbers have a gap.
fn events_without_a_gap(directory: &Path) -> u64 {
    use interlock_orchestrator::journal::{Folder, Index, Reader, delete};
    let folder = Folder::read_only(directory).expect("it is there");
    let past = Index::open(&folder).runs(|_| false, &|_| None);
    assert_eq!((past.runs.len(), past.unreadable.len()), (1, 0), "{:?}", past.unreadable);
    let id = past.runs[0].header.id;
    let reader = Reader::open(directory, id).expect("the journal can be opened");
    let mut last = 0;
    for event in reader.events_after(0) {
        let event = event.expect("the event can be read");
        assert_eq!(event.seq, last + 1, "no event is missing");
        last = event.seq;
    }
    drop(reader);
    delete(directory, id).expect("the journal is removed");
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn no_process_outlives_a_killed_orchestrator_and_its_journal_has_no_gap() {
    let directory = TempDir::new().expect("a folder");
    for round in 0..KILLS {
        let events = kill_under_load(directory.path(), round).await;
        assert!(events > 20, "round {round}: only {events} events were kept");
    }
}

/// Starts so many nodes, of which one is paused, and ends the orchestrator with a signal. All nodes must end.
async fn come_and_go(count: usize, signal: Signal) {
    let directory = TempDir::new().expect("a folder");
    let mut playground = Playground::open_in(directory.path(), &["--no-demo"]);
    let begun = Instant::now();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": count })).await;
    println!("{count} nodes were ready after {:?}", begun.elapsed());
    let nodes = pids(&run.state().await);
    assert_eq!(nodes.len(), count);
    run.post("/nodes/7/pause", json!({})).await;
    let start = Instant::now();
    assert!(playground.end(signal).success());
    time_until_gone(&nodes);
    println!("{count} nodes were gone after {:?}", start.elapsed());
    assert!(events_without_a_gap(directory.path()) >= count as u64 + 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_nodes_come_and_go_with_ctrl_c() {
    for signal in [Signal::INT, Signal::TERM] {
        come_and_go(100, signal).await;
    }
}

/// `just nightly` runs this test.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a thousand processes slow all other tests down"]
async fn a_thousand_nodes_come_and_go() {
    come_and_go(1_000, Signal::INT).await;
}

/// The events of a finished run can still be read, but the run uses no resources of the operating system.
#[tokio::test(flavor = "multi_thread")]
async fn runs_that_have_ended_keep_no_descriptor() {
    let directory = TempDir::new().expect("a folder");
    let playground = Playground::open_in(directory.path(), &["--no-demo"]);
    let descriptors = || {
        let open = std::fs::read_dir(format!("/proc/{}/fd", playground.pid())).expect("its descriptors");
        let names = open.filter_map(|one| std::fs::read_link(one.ok()?.path()).ok());
        // Sockets do not count, because the HTTP client and server may keep a connection open for the next request,
        // or close it, at any time.
        names.filter(|name| !name.to_string_lossy().starts_with("socket:")).count()
    };
    let run_once = async || {
        let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
        run.post("/stop", json!({})).await;
    };
    run_once().await;
    let before = descriptors();
    for _ in 0..10 {
        run_once().await;
    }
    assert!(descriptors() <= before + 2, "{before} before ten more runs, {} after", descriptors());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_an_earlier_orchestrator_can_be_read() {
    let directory = TempDir::new().expect("a folder");
    let (id, entries);
    {
        let mut playground = Playground::open_in(directory.path(), &["--no-demo"]);
        let workload = json!({ "idle": "0", "hold": "0", "entries": 20 });
        let run =
            playground.run(json!({ "algorithm": "lamport", "nodes": 3, "name": "first", "workload": workload })).await;
        run.wait(json!("idle")).await;
        entries = run.metrics().await["entries"].clone();
        id = run.id.clone();
        assert!(playground.end(Signal::TERM).success());
    }
    let playground = Playground::open_in(directory.path(), &["--no-demo"]);
    let runs = playground.get("/runs").await;
    assert_eq!((&runs["items"][0]["id"], &runs["items"][0]["status"]), (&json!(id), &json!("stopped")), "{runs}");
    let state = playground.get(&format!("/runs/{id}/state")).await;
    assert_eq!(
        (&state["nodes"][0]["process"], &state["locks"][0]["entries"]),
        (&json!("stopped"), &json!(60)),
        "{state}"
    );
    assert_eq!(playground.get(&format!("/runs/{id}/metrics")).await["entries"], entries);
    let events = playground.get(&format!("/runs/{id}/events?kind=ended")).await;
    assert_eq!(events["items"][0]["why"], "shutdown", "{events}");
    playground.refused(reqwest::Method::POST, &format!("/runs/{id}/nodes/0/acquire"), Some(json!({})), 409).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_journal_stops_the_run_visibly_with_the_reason() {
    let directory = TempDir::new().expect("a folder");
    let mut playground = Playground::open_in(directory.path(), &["--no-demo", "--journal-limit", "1MiB"]);
    let workload = json!({ "idle": "0", "hold": "0" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": workload })).await;
    let nodes = pids(&run.state().await);
    time_until_gone(&nodes);
    let summary = run.get("").await;
    assert_eq!(summary["status"], "failed", "{summary}");
    let full = "of at most 1.0 MiB (`--journal-limit`)";
    assert!(summary["because"].as_str().is_some_and(|reason| reason.contains(full)), "{summary}");
    assert!(!run.events("sent").await.is_empty(), "what was written can be read");

    // The verdict can be computed again from the journal alone.
    let id = run.id.clone();
    assert!(playground.end(Signal::TERM).success());
    let playground = Playground::open_in(directory.path(), &["--no-demo"]);
    let state = playground.get(&format!("/runs/{id}/state")).await;
    let verdict = &state["verdict"];
    assert_eq!(verdict["status"], "failed", "{verdict}");
    assert!(verdict["because"]["sentence"].as_str().is_some_and(|reason| reason.contains(full)), "{verdict}");
    assert!(
        state["nodes"].as_array().is_some_and(|nodes| nodes.iter().all(|node| node["process"] == "stopped")),
        "{state}"
    );
}

#[test]
fn a_folder_that_cannot_be_had_is_told_and_nothing_is_started() {
    let directory = TempDir::new().expect("a folder");
    let file = directory.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let output = std::process::Command::new(crate::support::program())
        .args(["serve", "--port", "0", "--no-demo", "--data-dir"])
        .arg(&file)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("data folder") && told.contains("file"), "{told}");
}
