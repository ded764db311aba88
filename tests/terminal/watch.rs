//! Tests of `interlock watch`: it prints the events of a run as they happen, until the run ends.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

use super::{NOBODY, refused, said, told};
use crate::support::{Playground, program};

#[tokio::test]
async fn what_happens_is_told_until_the_run_is_over() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    let mut watching = Command::new(program())
        .args(["watch", "latest", "--playground", playground.url.as_str()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut lines = BufReader::new(watching.stdout.take().expect("its words")).lines();
    let mut next = |part: &str| {
        let found = lines.by_ref().map_while(Result::ok).find(|line| line.contains(part));
        found.unwrap_or_else(|| panic!("it did not tell of {part}"))
    };
    run.enter(1).await;
    next("P1 requests lock 0");
    next("P1 enters the section of lock 0");
    run.post("/nodes/0/crash", json!({})).await;
    next("P0 crashes");
    // The command must continue to watch the run with which it began, even if another run is created later.
    playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    run.release(1).await;
    next("P1 leaves the section of lock 0");
    run.post("/stop", json!({})).await;
    next("the run is over");
    assert_eq!(watching.wait().expect("it ends").code(), Some(0));

    let named = format!("watch {}", run.id);
    let all = told(&playground, &format!("{named} --all"), 0).0;
    assert!(all.contains("sends REQUEST 1.0.1 to P0") && !told(&playground, &named, 0).0.contains("REQUEST"), "{all}");
    let events = told(&playground, &format!("{named} --all --format json"), 0).0;
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(events, run.events("").await);
    let late = told(&playground, &format!("{named} --since {}", events.len() - 1), 0).0;
    assert_eq!(late.lines().count(), 1, "{late}");
}

#[tokio::test]
async fn the_exit_code_says_whether_a_rule_was_broken() {
    let playground = Playground::open();
    let unprotected = json!({ "algorithm": "centralised", "variant": "no-exclusion", "nodes": 2 });
    let run = playground.run(unprotected).await;
    run.enter(0).await;
    run.enter(1).await;
    run.wait_since(&json!(0), json!("violation")).await;
    run.post("/stop", json!({})).await;
    let told = told(&playground, "watch latest", 1).0;
    assert!(told.contains("VIOLATION: P0 and P1 were in the critical section of lock 0 at the same time"), "{told}");
    assert!(refused(&playground, "watch nobody", 2).contains("there is no run `nobody`"));
}

/// Starts a server that behaves like a playground with one run. The run ends right before the second request for
/// its status, so the page of events that was read before this request is empty.
async fn ends_between_the_requests() -> String {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&asked);
    let status = move || async move {
        let is_over = counted.fetch_add(1, Ordering::Relaxed) > 0;
        Json(json!({ "id": NOBODY, "status": if is_over { "ended" } else { "running" } }))
    };
    let events = move |query: axum::extract::RawQuery| async move {
        let is_new = asked.load(Ordering::Relaxed) > 1 && query.0.is_some_and(|query| query.contains("since=0"));
        let ended = json!({ "seq": 1, "at_us": 7, "kind": "ended", "why": "stopped" });
        let items = if is_new { vec![ended] } else { Vec::new() };
        Json(json!({ "items": items, "next_since": u32::from(asked.load(Ordering::Relaxed) > 1) }))
    };
    let run = format!("/api/v1/runs/{NOBODY}");
    let router = Router::new()
        .route(&run, get(status))
        .route(&format!("{run}/events"), get(events))
        .route(&format!("{run}/state"), get(|| async { Json(json!({ "verdict": { "status": "ok" } })) }));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_events_are_printed_even_if_the_run_ends_after_the_page_was_read() {
    let url = ends_between_the_requests().await;
    let printed = spawn_blocking(move || said(&format!("watch {NOBODY} --playground {url}"), 0).0).await;
    assert_eq!(printed.expect("it ends"), "    0.000  the run is over\n");
}
