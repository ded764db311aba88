//! Converts the steps of a scenario into the script of a run.

use super::Scenario;
use super::step::Action;
use interlock_model::choice::forms;
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

impl Scenario {
    /// Returns the actions of the steps as the script of a run. The script contains neither the expectations nor the
    /// end of the scenario.
    ///
    /// A script depends only on time. Returns none if an action names a role, is undone after a time, or follows a
    /// wait. Also returns none if there is a nemesis.
    #[must_use]
    pub fn script(&self) -> Option<Vec<Scripted>> {
        let does = |action: &Action| matches!(action, Action::Choose { .. });
        let end = self.steps.iter().rposition(|step| does(&step.action)).map_or(0, |last| last + 1);
        let mut script = Vec::new();
        let mut time = Span(0);
        for step in &self.steps[..end] {
            time = time.max(step.at.unwrap_or_default());
            match &step.action {
                Action::Choose { choice, undone_after: None } => {
                    script.push(Scripted { at: time, choice: forms::read(choice, None).ok()? });
                }
                Action::Sleep(span) => time = Span(time.0.saturating_add(span.0)),
                Action::Mark(_) => {}
                Action::Wait { .. } | Action::Choose { .. } => return None,
            }
        }
        self.nemesis.is_none().then_some(script)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::scenario::Outcome;
    use crate::simulation::Simulation;

    fn scenario(steps: &Value) -> Scenario {
        Scenario::read(json!({ "algorithm": "centralised", "nodes": 3, "steps": steps })).expect("a scenario")
    }

    /// A step of each kind starts at its time, or after the previous step if the previous step ends later.
    #[test]
    fn a_step_is_taken_at_its_time_or_when_the_one_before_it_is_done() {
        let steps = json!([{ "at": "20ms", "acquire": { "node": 1, "hold": "30ms" } }, { "at": "5ms", "pause": 2 },
            { "at": "40ms", "sleep": "10ms" }, { "at": "45ms", "note": "after the sleep" }, { "at": "60ms", "mark": "a" },
            { "at": "70ms", "wait": { "exited": { "node": 1 } }, "within": "1ms" }, { "at": "90ms", "resume": 2 }]);
        let scenario = Arc::new(scenario(&steps));
        let specification = scenario.specification(Some(1), false).expect("a specification");
        let (report, found) = Simulation::of_scenario(specification).carry_out(&scenario).expect("a run");
        assert_eq!((found.outcome, found.steps, found.of), (Outcome::Met, 7, 7), "{found:?}");
        let of = |kinds: &[&str]| {
            let events = report.events.iter().filter(|event| kinds.contains(&event.kind()));
            events.map(|event| event.at_us / 1_000).collect::<Vec<_>>()
        };
        assert_eq!(of(&["requested", "paused", "noted", "resumed"]), [20, 20, 50, 60, 90]);
    }

    #[test]
    fn steps_that_go_by_the_time_are_a_script() {
        let steps = json!([{ "crash": 1 }, { "sleep": "20ms" }, { "at": "10ms", "elect": 2 }, { "mark": "a" },
            { "repeat": 2, "steps": [{ "at": "1s", "pause": 2 }, { "sleep": "5ms" }, { "resume": 2 }] }, { "wait": "idle" },
            { "mark": "b" }, { "sleep": "1s" }]);
        let written = json!({ "algorithm": "bully", "nodes": 3, "steps": steps });
        let script = Scenario::read(written).expect("a scenario").script().expect("a script");
        let expected = json!([{ "at": 0.0, "do": { "crash": { "node": 1 } } }, { "at": 20.0, "do": { "elect": { "node": 2 } } },
            { "at": 1000.0, "do": { "pause": { "node": 2 } } }, { "at": 1005.0, "do": { "resume": { "node": 2 } } },
            { "at": 1005.0, "do": { "pause": { "node": 2 } } }, { "at": 1010.0, "do": { "resume": { "node": 2 } } }]);
        assert_eq!(json!(script), expected);
        assert_eq!(scenario(&json!([{ "wait": "idle" }])).script(), Some(Vec::new()));
    }

    #[test]
    fn what_does_not_go_by_the_time_alone_is_no_script() {
        for steps in [
            json!([{ "wait": "idle" }, { "crash": 1 }]),
            json!([{ "crash": { "node": 1, "for": "1s" } }]),
            json!([{ "crash": "holder" }]),
            json!([{ "partition": { "groups": "0,holder|others" } }]),
        ] {
            assert_eq!(scenario(&steps).script(), None, "{steps}");
        }
        let nemesis = json!({ "kinds": ["crash"], "every": "1s", "budget": 1 });
        let drawn = json!({ "algorithm": "lamport", "nemesis": nemesis, "steps": [{ "crash": 1 }] });
        assert_eq!(Scenario::read(drawn).expect("a scenario").script(), None);
    }
}
