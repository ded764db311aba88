//! Events from a file: the user selects the file in the page, which then shows the events like a run.

use std::fmt::Write;
use std::path::Path;

use fantoccini::Locator;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page::Page;
use crate::support::Playground;

/// Returns an event of a made-up run.
fn event(seq: u64, kind: &str, more: &Value) -> Value {
    let mut event = json!({ "seq": seq, "at_us": seq * 1_000, "kind": kind });
    event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    event
}

/// Returns the events of a simulation of `nodes` nodes. The nodes enter one after another, `entries` times in total.
/// At the last entry, two nodes are in the critical section together.
pub fn simulated(nodes: u64, entries: u64) -> String {
    let specification = json!({
        "version": 1, "name": "simulated", "algorithm": "lamport", "variant": "acknowledged", "parameters": {},
        "nodes": nodes, "seed": 1, "channel": "raw", "links": [], "workload": null, "timers": true,
        "network": { "delay": "const:1", "fifo": true, "loss": 0.0, "duplicate": 0.0, "hold": false },
        "slow_after_ms": 2_000,
    });
    let mut events = vec![event(1, "created", &json!({ "specification": specification }))];
    let mut tell = |kind: &str, entry: u64| {
        let seq = events.len() as u64 + 1;
        let step =
            json!({ "node": entry % nodes, "incarnation": 1, "step": seq, "lock": 0, "request": entry / nodes + 1 });
        events.push(event(seq, kind, &step));
        seq
    };
    for entry in 0..entries {
        tell("requested", entry);
        tell("entered", entry);
        tell("exited", entry);
    }
    let both = [tell("entered", 0), tell("entered", 1)];
    let arguments = json!({ "lock": 0, "first": 0, "second": 1 });
    let violation =
        json!({ "monitor": "mutual-exclusion", "code": "concurrent-sections", "arguments": arguments, "events": both });
    let seq = both[1] + 1;
    events.push(event(seq, "violated", &json!({ "violation": violation })));
    events.push(event(seq + 1, "ended", &json!({ "why": "stopped" })));
    events.iter().fold(String::new(), |mut text, event| {
        let _ = writeln!(text, "{event}");
        text
    })
}

pub async fn choose(page: &Page, file: &Path) {
    let field = page.browser.client.find(Locator::Css("#load-file")).await.expect("the field of the file");
    field.send_keys(file.to_str().expect("a path")).await.expect("a file is chosen");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_loaded_and_its_violation_shown() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    std::fs::write(&file, simulated(3, 4)).expect("a file");
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('M').await;
    page.reads("#load-events", "Load events").await;
    choose(&page, &file).await;

    page.reads("#connection[data-state=ended]", "LOADED").await;
    page.reads("#all-runs", "simulated").await;
    page.sees("#lock-state[data-holders='0,1'][data-verdict=violated]").await;
    page.reads("#verdict[data-status=violated]", "P0 and P1").await;
    page.reads("#violations [data-violation]", "P0 and P1").await;
    page.reads("#events [data-kind=violated]", "VIOLATED").await;
    page.until("document.querySelectorAll('il-node').length === 3").await;
    for gone in ["#stop", "#heal", "il-node [data-action]", "#tab-messages", "#tab-faults"] {
        page.misses(gone).await;
    }
    page.pictures("loaded").await;

    page.click("#events [data-kind=violated]").await;
    page.reads("#event-detail", "concurrent-sections").await;
    page.script("document.querySelector('#events').scrollTop = 0").await;
    page.click("#events [data-seq='3']").await;
    page.click("#state-after").await;
    page.sees("#lock-state[data-holders='0']").await;
    page.click("#cursor-live").await;
    page.sees("#lock-state[data-holders='0,1']").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_file_is_said_and_it_can_be_mended() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    let good = simulated(3, 4);
    std::fs::write(&file, good.replace("\"seq\":4,", "\"seq\":5,")).expect("a file");
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    choose(&page, &file).await;
    page.reads(".toast", "line 4: /seq: event 5 is in the place of event 4").await;
    page.until("!document.querySelector('#load-events').disabled").await;
    std::fs::write(&file, good).expect("a file");
    choose(&page, &file).await;
    page.reads("#connection[data-state=ended]", "LOADED").await;
    page.close_forgiving(|complaint| complaint.contains("422")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_nodes_some_are_drawn_and_twelve_thousand_events_scroll() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    std::fs::write(&file, simulated(1_000, 4_000)).expect("a file");
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    choose(&page, &file).await;
    page.reads("#connection[data-state=ended]", "LOADED").await;
    page.reads("il-picture .beyond", "200 of 1000").await;
    assert_eq!(page.count("il-nodes .grid il-node").await, 200);
    // Not all nodes are drawn, but the process in the critical section is among the drawn nodes.
    page.sees("il-nodes [data-node='1'][data-phase=in-section]").await;
    // A small node shows its phase by its outline alone.
    page.sees(".nodes [data-at='1'][data-phase=in-section]").await;
    page.reads("il-log output", "12005 of 12005").await;
    page.pictures("loaded-1000").await;
    page.script("document.querySelector('#events').scrollTop = 0").await;
    page.sees("#events [data-seq='1']").await;
    page.script("const is = document.querySelector('#events'); is.scrollTop = is.scrollHeight / 2").await;
    let near = "Math.abs(document.querySelector('#events [data-seq]').dataset.seq - 6000) < 300";
    page.until(near).await;
    let rows = page.count("#events [data-seq]").await;
    assert!(rows < 100, "{rows} rows exist, and few are in view");
    page.close().await;
}
