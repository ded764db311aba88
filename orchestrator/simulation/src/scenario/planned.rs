//! The planned actions of a scenario, with the times at which they may happen. The monitors use them: a run with
//! planned actions may still make progress.

use super::Scenario;
use super::role;
use super::step::{Action, Step};
use interlock_model::choice::forms;
use interlock_model::specification::{Planned, Window};

impl Scenario {
    /// Returns the actions of the steps and the nemesis that may enable waiting processes to make progress. The
    /// nemesis draws its faults from this seed.
    pub(super) fn planned(&self, seed: u64) -> Planned {
        let mut planned = Planned::default();
        let mut clock = Clock(Window { from_us: 0, until_us: Some(0) });
        for step in &self.steps {
            clock.begin(step);
            if let Action::Choose { choice, undone_after } = &step.action
                && let Ok(stood_in) = forms::read(&role::stand_in(choice, self.nodes()), None)
            {
                planned.add(&stood_in, !role::names_a_role(choice), clock.0, undone_after.map(|span| span.0));
            }
            clock.end(step);
        }
        planned.nemesis = self.nemesis.as_ref().and_then(|nemesis| nemesis.crashes(seed));
        planned
    }
}

/// The earliest and the latest time at which the current step may happen.
struct Clock(Window);

impl Clock {
    /// Advances to the start of a step. If the step names a role, it happens only when a process has that role, so
    /// its latest time is unknown.
    fn begin(&mut self, step: &Step) {
        let at_us = step.at.unwrap_or_default().0;
        self.0.from_us = self.0.from_us.max(at_us);
        self.0.until_us = self.0.until_us.map(|until_us| until_us.max(at_us));
        if matches!(&step.action, Action::Choose { choice, .. } if role::names_a_role(choice)) {
            self.0.until_us = None;
        }
    }

    /// Advances to the end of a step.
    fn end(&mut self, step: &Step) {
        match &step.action {
            Action::Sleep(span) => {
                self.0.from_us = self.0.from_us.saturating_add(span.0);
                self.0.until_us = self.0.until_us.map(|until_us| until_us.saturating_add(span.0));
            }
            Action::Wait { within, .. } => {
                self.0.until_us =
                    self.0.until_us.zip(*within).map(|(until_us, within)| until_us.saturating_add(within.0));
            }
            Action::Choose { .. } | Action::Mark(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use interlock_model::specification::NemesisCrashes;

    fn scenario(steps: &Value) -> Scenario {
        Scenario::read(json!({ "algorithm": "bully", "nodes": 3, "steps": steps })).expect("a scenario")
    }

    #[test]
    fn an_act_has_the_times_between_which_its_step_is_taken() {
        let steps = json!([
            { "at": "5ms", "crash": { "node": 1, "for": "4ms" } }, { "sleep": "10ms" }, { "elect": 0 },
            { "wait": "idle", "within": "20ms" }, { "restart": 1 }, { "at": "30ms", "suspect": { "node": 0, "whom": 1 } },
            { "crash": "leader" }, { "at": "90ms", "restart": 1 }, { "wait": "idle" }, { "elect": 0 },
        ]);
        let planned = scenario(&steps).planned(0);
        let acts = json!([
            { "kind": "crash", "node": 1, "from_us": 5_000, "until_us": 5_000, "lasts_us": 4_000 },
            { "kind": "elect", "node": 0, "from_us": 15_000, "until_us": 15_000 },
            { "kind": "restart", "node": 1, "from_us": 15_000, "until_us": 35_000 },
            { "kind": "suspect", "node": 0, "from_us": 30_000, "until_us": 35_000 },
            { "kind": "crash", "from_us": 30_000 },
            { "kind": "restart", "node": 1, "from_us": 90_000 },
            { "kind": "elect", "node": 0, "from_us": 90_000 },
        ]);
        assert_eq!(json!(planned), json!({ "acts": acts }));
        assert_eq!(serde_json::from_value::<Planned>(json!(planned)).expect("it is read again"), planned);
    }

    #[test]
    fn a_text_of_groups_is_not_a_role_and_a_described_message_is() {
        for (step, is_known) in [
            (json!({ "partition": { "groups": "0,1|2" } }), true),
            (json!({ "partition": { "groups": "leader|others" } }), false),
            (json!({ "lose": "0.1.1" }), true),
            (json!({ "lose": "COORD to 1" }), false),
        ] {
            let planned = scenario(&json!([step, { "elect": 0 }])).planned(0);
            assert_eq!(planned.acts[0].until_us, is_known.then_some(0), "{step}");
        }
    }

    #[test]
    fn a_nemesis_plans_the_crashes_that_it_draws() {
        let crashes = |kinds: Value, lasts: &str| {
            let nemesis = json!({ "kinds": kinds, "every": "1s", "budget": 5, "for": lasts });
            let document = json!({ "algorithm": "lamport", "nemesis": nemesis });
            Scenario::read(document).expect("a scenario").planned(7).nemesis
        };
        assert_eq!(crashes(json!(["crash"]), "300ms"), Some(NemesisCrashes { count: 5, longest_us: 300_000 }));
        assert_eq!(crashes(json!(["pause"]), "300ms"), None);
        let some = crashes(json!(["crash", "pause", "lose"]), "uniform:100..200").expect("one of five is a crash");
        assert!((1..5).contains(&some.count) && (100_000..200_000).contains(&some.longest_us), "{some:?}");
    }
}
