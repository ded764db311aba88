//! Tests of an orchestrator that is under load for a long time. Afterwards it must use no more system resources
//! than before.
//!
//! `INTERLOCK_ENDURANCE_SECONDS` is the duration of each test. If this variable is not set, a test takes some seconds.

mod clients;
mod footprint;

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{PATIENCE_MS, Playground};
use footprint::Footprint;

/// Default duration of a test, in seconds.
const USUAL_S: u64 = 10;
/// Maximum size of a run's journal, in MiB. `FOLDER_LIMIT_MIB` is the maximum total size of all journals. Both
/// limits are low, so that a test soon reaches them.
const RUN_LIMIT_MIB: u64 = 2;
const FOLDER_LIMIT_MIB: u64 = 8;

fn length() -> Duration {
    let said = std::env::var("INTERLOCK_ENDURANCE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(said.unwrap_or(USUAL_S))
}

/// Repeats an action for the configured duration. At the end, the orchestrator must use no more resources than
/// after the first third of this duration.
async fn endure(playground: &Playground, turn: impl AsyncFn()) {
    let (begin, length) = (Instant::now(), length());
    let (mut turns, mut before) = (0_u64, None);
    while begin.elapsed() < length || turns < 3 {
        turn().await;
        turns += 1;
        // After a third of the duration, each resource that the orchestrator keeps permanently has been allocated.
        if begin.elapsed() >= length / 3 {
            before.get_or_insert_with(|| (Footprint::of(playground), turns));
        }
    }
    let (before, at) = before.expect("it is taken before the end");
    let after = Footprint::of(playground);
    eprintln!("{turns} turns in {} s; {before} after {at}, {after} after all", begin.elapsed().as_secs());
    assert_eq!(before.grown(&after), [""; 0], "{turns} turns, {at} before the first look");
}

/// The journal of each run becomes full, and the oldest journals are removed.
#[tokio::test(flavor = "multi_thread")]
async fn runs_flat_out_until_their_journals_are_full_leave_what_is_allowed() {
    let folder = TempDir::new().expect("a folder");
    let [run_limit, folder_limit] = [RUN_LIMIT_MIB, FOLDER_LIMIT_MIB].map(|mib| format!("{mib}MiB"));
    let limits = ["--no-demo", "--journal-limit", &run_limit, "--folder-limit", &folder_limit];
    let playground = Playground::open_in(folder.path(), &limits);
    let workload = json!({ "idle": "0", "hold": "0" });
    let specification = json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": workload });
    endure(&playground, async || {
        let run = playground.run(specification.clone()).await;
        let ended = json!({ "until": { "event": { "kind": "ended" } }, "timeout_ms": PATIENCE_MS, "since": 0 });
        while playground.request(Method::POST, &run.path("/wait"), Some(ended.clone())).await.0 == 408 {}
        let summary = run.get("").await;
        assert_eq!(summary["status"], "failed", "{summary}");
        let because = summary["because"].as_str().unwrap_or_default();
        assert!(because.contains("journal"), "{summary}");
    })
    .await;
    let on_disk_mib = footprint::bytes_in(folder.path()) >> 20;
    // The limit of the folder is checked at intervals. Before the next check, up to ten journals may become full.
    assert!(on_disk_mib < FOLDER_LIMIT_MIB + 10 * RUN_LIMIT_MIB, "{on_disk_mib} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_come_and_go_leave_nothing() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0" });
    let specification = json!({ "algorithm": "lamport", "nodes": 3, "workload": workload });
    endure(&playground, async || {
        let run = playground.run(specification.clone()).await;
        run.wait(json!({ "entries": 5 })).await;
        run.post("/stop", json!({})).await;
        assert!(!run.events("entered").await.is_empty());
        let (status, answer) = playground.request(Method::DELETE, &run.path(""), None).await;
        assert_eq!(status, 204, "{answer}");
    })
    .await;
    let left = playground.get("/runs").await;
    assert_eq!(left["items"], json!([]));
}
