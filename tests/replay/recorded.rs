//! Tests of recordings of live runs. If the model plays a recording, it must produce the same events at the same
//! times.

use interlock_algorithm::catalogue::ENTRIES;
use interlock_simulation::schedule::{Schedule, ScheduleDraft};
use interlock_simulation::simulation::Simulation;
use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::random::{self, Dice};
use crate::support::{Playground, Run};

/// Maximum number of manual actions on a run.
const MOST_DONE: u64 = 12;
/// Time of the last action of the script, in ms.
const LAST_AT_MS: u64 = 120;
/// Text of the note that the last action of the script adds.
const LAST: &str = "this is the last that the script says";

/// A live run that has ended: its recording and its events.
pub struct Lived {
    pub schedule: Value,
    pub events: Vec<Value>,
}

/// Plays live run `number`. The run has a script, and random manual actions happen while the script is being
/// executed.
pub async fn live(playground: &Playground, number: u64) -> Lived {
    let entry = &ENTRIES[usize::try_from(number).expect("a small number") % ENTRIES.len()];
    let mut dice = Dice::new(number);
    let specification = random::specification(entry, number, &mut dice);
    let mut document = serde_json::to_value(&specification).expect("JSON");
    let mut script = document["script"].as_array().cloned().unwrap_or_default();
    script.push(json!({ "at": LAST_AT_MS, "do": { "note": LAST } }));
    document["script"] = Value::Array(script);
    let run = playground.run(document).await;
    let nodes = u64::from(specification.nodes);
    for _ in 0..dice.below(MOST_DONE) {
        by_hand(playground, &run, nodes, &mut dice).await;
    }
    wait_for_the_last_word(&run).await;
    run.post("/stop", json!({})).await;
    let events = all_events(&run).await;
    let blamed = events.iter().find(|event| event["kind"] == "misbehaved");
    assert_eq!(blamed, None, "run {number}: its nodes are killed and paused, and say nothing wrong");
    let lived = Lived { schedule: run.get("/schedule").await, events };
    let (status, _) = playground.request(Method::DELETE, &run.path(""), None).await;
    assert_eq!(status.as_u16(), 204);
    lived
}

async fn all_events(run: &Run<'_>) -> Vec<Value> {
    let mut events = Vec::new();
    loop {
        let page = run.get(&format!("/events?since={}&limit=10000", events.len())).await;
        let news = page["items"].as_array().expect("events");
        if news.is_empty() {
            return events;
        }
        events.extend(news.iter().cloned());
    }
}

async fn wait_for_the_last_word(run: &Run<'_>) {
    let mut since = json!(0);
    loop {
        let page = run.get(&format!("/events?kind=noted&since={since}&wait_ms=60000")).await;
        let noted = page["items"].as_array().expect("events");
        if noted.iter().any(|event| event["detail"] == LAST) {
            return;
        }
        assert_ne!(page["next_since"], since, "the script should come to its end");
        since = page["next_since"].clone();
    }
}

/// Executes a random manual action on a run. The action may be impossible. Some of these actions are not available
/// in scripts.
async fn by_hand(playground: &Playground, run: &Run<'_>, nodes: u64, dice: &mut Dice) {
    let node = dice.below(nodes);
    let other = (node + 1 + dice.below(nodes - 1)) % nodes;
    let message = format!("/network/messages/{node}.{other}.{}", 1 + dice.below(6));
    let number = 1 + dice.below(3);
    let post = |path: String, body: Value| (Method::POST, path, Some(body));
    let (method, path, body) = match dice.below(14) {
        0 => (Method::DELETE, format!("/network/partitions/{number}"), None),
        1 => (Method::DELETE, format!("/network/rules/{number}"), None),
        2 => post(
            "/network/partitions".into(),
            json!({ "groups": [[node], [other]], "lost": dice.one_of(&["drop", "hold"]) }),
        ),
        3 => post("/network/rules".into(), json!({ "match": { "from": node }, "action": "hold", "count": 2 })),
        4 => post(format!("{message}/{}", dice.one_of(&["deliver", "hold", "duplicate"])), json!({})),
        5 => post("/network/release".into(), json!({})),
        6 => post("/heal".into(), json!({})),
        7 => post(format!("/nodes/{node}/pause"), json!({})),
        8 => post(format!("/nodes/{node}/resume"), json!({})),
        9 => post(format!("/nodes/{node}/crash"), json!({})),
        10 => post(format!("/nodes/{node}/restart"), json!({ "state": dice.one_of(&["stored", "none"]) })),
        11 => post(format!("/nodes/{node}/acquire"), json!({ "hold": 3, "wait_ms": 0 })),
        12 => post(format!("/nodes/{node}/tell"), json!({ "to": other, "asks": true })),
        _ => return killed_from_outside(run, node).await,
    };
    // If the action is impossible, the API rejects the request, and the request has no effect.
    let _ = playground.request(method, &run.path(&path), body).await;
}

async fn killed_from_outside(run: &Run<'_>, node: u64) {
    let state = run.state().await;
    let pid = state["nodes"][usize::try_from(node).expect("a small number")]["pid"].as_i64();
    if let Some(pid) = pid.and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) {
        // The process may have ended in the meantime, so this error is ignored.
        let _ = kill_process(pid, Signal::KILL);
    }
}

pub fn read(document: &Value) -> Result<Schedule, String> {
    let draft: ScheduleDraft = serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    draft.complete().map_err(|errors| format!("{errors:?}"))
}

/// Plays a schedule in the model, and returns the events.
pub fn played(schedule: &Schedule) -> Result<Vec<Value>, String> {
    let report = Simulation::of_schedule(schedule).replay(schedule).map_err(|refusal| refusal.to_string())?;
    let report = report.map_err(|misplaced| misplaced.to_string())?;
    Ok(report.events.iter().map(|event| serde_json::to_value(event).expect("JSON")).collect())
}

/// Plays the recording in the model. Returns a description of the first event that differs from the live run.
pub fn difference(lived: &Lived) -> Option<String> {
    let told = match read(&lived.schedule).and_then(|schedule| played(&schedule)) {
        Ok(told) => told,
        Err(why) => return Some(format!("it cannot be played: {why}")),
    };
    let place = (0..told.len().max(lived.events.len())).find(|&place| {
        let (Some(live), Some(model)) = (lived.events.get(place), told.get(place)) else { return true };
        comparable(live, model) != comparable(model, live)
    })?;
    let at = |events: &[Value]| events.get(place).map_or("nothing".to_owned(), ToString::to_string);
    Some(format!("event {}:\n  live  {}\n  model {}", place + 1, at(&lived.events), at(&told)))
}

/// Returns `event` without the fields in which the recorded and the replayed run may differ. These fields are
/// process ids, the time at which the run ended, and a view that `other` lacks. If a live node reports several
/// steps at once, only the last of these steps has a view.
fn comparable(event: &Value, other: &Value) -> Value {
    let mut event = event.clone();
    let is_the_end = event["kind"] == "ended" || event["why"] == "ended";
    if let Some(fields) = event.as_object_mut() {
        fields.remove("pid");
        if is_the_end {
            fields.remove("at_us");
        }
        if other.get("view").is_none() {
            fields.remove("view");
        }
    }
    event
}
