//! Tests that scenarios, their schema, the guide and the page all know every verdict.

use std::sync::Arc;

use interlock_algorithm::{NodeId, Outcome};
use interlock_observation::state::{State, Status};
use serde_json::json;

use super::{Scenario, Until, schema};
use crate::simulation::Simulation;

/// Returns the content of a file of the repository.
fn file(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_verdict_is_documented_has_words_on_the_page_and_can_be_waited_for() {
    let (guide, page) = (file("docs/reference/verdicts.md"), file("web/strings/waiting.js"));
    let schema = schema().to_string();
    for status in Status::ALL {
        let name = status.name();
        assert_eq!((serde_json::to_value(status).expect("a word"), Status::named(name)), (json!(name), Some(status)));
        assert!(guide.contains(&format!("| `{name}` |")), "{name} is not in the guide");
        assert!(schema.contains(&format!("\"{name}\"")), "{name} is not in the schema");
        let words = |key: &str| page.lines().filter(|line| line.trim_start().starts_with(key)).count();
        assert!(words(&format!("\"{name}\": ")) + words(&format!("{name}: ")) >= 2, "{name} has no words");
        assert_eq!(Until::read(json!({ "verdict": name })), Ok(Until::Verdict(status)));
        assert!(Until::read(json!(name)).is_ok(), "{name} is not a condition");
    }
}

#[test]
fn a_run_that_needs_a_hand_can_be_waited_for() {
    let document = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1,
        "steps": [{ "acquire": 0 }, { "at": "50ms", "acquire": 1 }], "stop": { "after": "100ms" } });
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let specification = scenario.specification(None, false).expect("a run");
    let mut state = State::new(&specification);
    let (report, _) = Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs");
    let waits = Until::read(json!("waiting-for-you")).expect("a condition");
    let (mut asked, mut met) = (false, false);
    for event in &report.events {
        state.apply(event);
        asked |= matches!(event.outcome(), Some((at, Outcome::Requested { .. })) if at.node == NodeId(1));
        met = waits.met_in(&state, 0, 0);
        assert!(asked || !met, "nobody waits for P0 yet: {event:?}");
        assert!(!waits.met_in(&state, 0, 1), "an input is under way");
        if met {
            break;
        }
    }
    assert!(met, "P1 waits until somebody has P0 leave");
}
