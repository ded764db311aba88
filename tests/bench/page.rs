//! Benchmark of the page in a browser. It measures the time of a frame while ten nodes run at full speed, and the
//! time to load a long run.

use serde_json::{Value, json};

use crate::browser::{Browser, Notes};
use crate::quantile;
use crate::support::{Playground, Run};

/// Duration of a measurement of frames, in ms.
const MEASURED_MS: u64 = 8_000;
/// Number of entries of each of ten nodes. The run then has about 100,000 events.
const ENTRIES: u32 = 232;
/// Media type of events, with one event in each line.
const NDJSON: &str = "application/x-ndjson";
/// A page that draws nothing.
const NOTHING: &str = "about:blank";

/// Measures everything. If no browser is installed, measures nothing.
pub async fn measure() {
    let playground = Playground::open();
    let load = json!({ "idle": "0", "hold": "0" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 10, "workload": load })).await;
    let Some(page) = open(&run).await else { return println!("the page: not measured, for want of a browser") };
    let large = json!({ "width": 1920, "height": 1080, "deviceScaleFactor": 1, "mobile": false });
    page.develop("Emulation.setDeviceMetricsOverride", large).await;
    for (what, key) in [("stage and why", ""), ("cards and log", "k"), ("diagram", "t")] {
        press(&page, key).await;
        println!("frame of {what}, beside ten nodes flat out: {}", told(&frames(&page, MEASURED_MS).await));
    }
    page.client.goto(NOTHING).await.expect("nothing opens");
    println!("frame of an empty page beside them: {}", told(&frames(&page, MEASURED_MS).await));
    run.post("/stop", json!({})).await;
    let load = json!({ "idle": "0", "hold": "0", "entries": ENTRIES });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 10, "workload": load })).await;
    run.wait_since(&json!(0), json!({ "entries": 10 * ENTRIES })).await;
    run.post("/stop", json!({})).await;
    let loaded = loaded(&playground, &run).await;
    page.client.goto(&format!("{}/#run={loaded}", playground.url)).await.expect("the page opens");
    let events = run.get("/events?limit=1").await["latest"].as_u64().expect("a number");
    let [taken_ms, heap_bytes] = all_known(&page, events).await;
    println!("a run of {events} events: there after {taken_ms} ms; heap {} MiB", heap_bytes >> 20);
    page.close().await;
}

/// Returns quantiles of `sorted_us` as text, in ms.
fn told(sorted_us: &[u64]) -> String {
    let at = |share: usize| quantile(sorted_us, share).as_millis();
    format!("p50 {} ms, p95 {} ms, p99 {} ms of {}", at(500), at(950), at(990), sorted_us.len())
}

/// Opens the live page of a run; none if there is no browser.
pub async fn open(run: &Run<'_>) -> Option<Browser> {
    let page = Browser::open(Notes::Console).await?;
    page.client.goto(&format!("{}/#run={}", run.playground.url, run.id)).await.expect("the page opens");
    page.client
        .execute_async(
            "const [done] = arguments;
             const look = () => document.querySelector('#connection[data-state=live]') ? done() : setTimeout(look, 10);
             look();",
            Vec::new(),
        )
        .await
        .expect("it is live");
    Some(page)
}

/// Measures frames for `length_ms` milliseconds. Returns the durations of the frames in µs, sorted.
pub async fn frames(page: &Browser, length_ms: u64) -> Vec<u64> {
    let script = "const [length_ms, done] = arguments;
         const begin_ms = performance.now(), frames = [];
         let last_ms = begin_ms;
         const frame = (now_ms) => {
           frames.push(Math.round((now_ms - last_ms) * 1000));
           last_ms = now_ms;
           if (now_ms - begin_ms < length_ms) requestAnimationFrame(frame); else done(frames.slice(1));
         };
         requestAnimationFrame(frame);";
    let frames = page.client.execute_async(script, vec![json!(length_ms)]).await.expect("frames");
    let mut frames: Vec<u64> = frames.as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    frames.sort_unstable();
    frames
}

async fn press(page: &Browser, key: &str) {
    let script = "if (arguments[0]) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))";
    page.client.execute(script, vec![json!(key)]).await.expect("a key");
}

/// Imports the events of the run as a new run, and returns the id of the new run.
async fn loaded(playground: &Playground, run: &Run<'_>) -> String {
    let client = reqwest::Client::new();
    let events = client.get(playground.api(&run.path("/events"))).header("Accept", NDJSON);
    let events = events.send().await.expect("an answer").text().await.expect("the events");
    let import = client.post(playground.api("/runs/import")).header("Content-Type", NDJSON).body(events);
    let answer = import.send().await.expect("an answer");
    let answer: Value = answer.json().await.expect("a document");
    answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Waits until the page has all `events` events. Returns the time until then, in ms, and the size of the page's
/// heap at that time, in bytes.
async fn all_known(page: &Browser, events: u64) -> [u64; 2] {
    let script = "const [events, done] = arguments;
         const look = () => {
           const said = document.querySelector('il-log output')?.textContent ?? '';
           if (said.replaceAll(/\\D/g, '') !== `${events}${events}`) return setTimeout(look, 5);
           done([Math.round(performance.now()), performance.memory.usedJSHeapSize]);
         };
         look();";
    let known = page.client.execute_async(script, vec![json!(events)]).await.expect("all of it");
    serde_json::from_value(known).expect("two figures")
}
