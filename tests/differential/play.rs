//! Execution of the same document, live and in virtual time.

use interlock_model::specification::{Draft, Specification};
use interlock_simulation::simulation::{Report, Simulation, Watch};
use serde_json::{Value, json};

use crate::support::Playground;

/// Maximum number of steps of a simulation. If a run is endless, the simulation stops there.
const MOST_STEPS: u64 = 5_000;
/// Maximum duration of a live run, in ms. The run is stopped earlier, as soon as the expected events have happened.
const PATIENCE_MS: u64 = 60_000;

/// Result of a simulated run.
pub struct Played {
    pub specification: Specification,
    pub report: Report,
    pub events: Vec<Value>,
}

/// Plays a document in virtual time.
pub fn simulated(document: &Value) -> Played {
    let draft: Draft = serde_json::from_value(document.clone()).expect("a document");
    let specification = draft.complete().unwrap_or_else(|errors| panic!("{document}: {errors:?}"));
    let simulation = Simulation {
        entries: None,
        most_steps: MOST_STEPS,
        watch: Watch::Events,
        ..Simulation::new(specification.clone(), 0)
    };
    let report = simulation.run().expect("a simulation");
    let events = report.events.iter().map(|event| serde_json::to_value(event).expect("JSON")).collect();
    Played { specification, report, events }
}

/// Plays a document with real processes, and returns the events. Stops the run as soon as the expected number of
/// events has happened.
pub async fn live(playground: &Playground, document: &Value, expected: &[Value]) -> Vec<Value> {
    let run = playground.run(document.clone()).await;
    let wanted = expected.iter().filter(|event| happens_before_the_end(event)).count();
    let mut events = Vec::new();
    while events.iter().filter(|event| happens_before_the_end(event)).count() < wanted {
        let since = events.len();
        let page = run.get(&format!("/events?since={since}&limit=10000&wait_ms={PATIENCE_MS}")).await;
        let news = page["items"].as_array().expect("events");
        if news.is_empty() {
            break;
        }
        events.extend(news.iter().cloned());
    }
    run.post("/stop", json!({})).await;
    run.events("").await
}

/// Returns whether the test must wait for an event before it stops the run. The test must not wait for effects of
/// the stop, nor for violations of the real-time monitor, which depend only on the clock.
fn happens_before_the_end(event: &Value) -> bool {
    event["kind"] != "ended" && event["why"] != "ended" && event["violation"]["monitor"] != "real-time"
}
