//! The optional monitors that a scenario names. A condition about the violations of such a monitor asks for it, so the
//! document need not name it twice.

use super::condition::Until;
use super::expectation::Expected;
use super::step::Action;
use super::{Expectation, Scenario, Step};
use interlock_model::specification::{OptionalMonitor, Specification};

impl Scenario {
    /// Adds the optional monitors that the conditions of the scenario name to its run.
    pub(super) fn ask_for_monitors(&self, run: &mut Specification) {
        let of_step = |step: &Step| if let Action::Wait { until, .. } = &step.action { named(until) } else { vec![] };
        let of_expectation = |expectation: &Expectation| match &expectation.expected {
            Expected::Never(until) | Expected::Eventually(until) => named(until),
            Expected::Metric(_) => Vec::new(),
        };
        let steps = self.steps.iter().flat_map(of_step);
        let expectations = self.expectations.iter().flat_map(of_expectation);
        for monitor in steps.chain(expectations).chain(self.stop.when.iter().flat_map(named)) {
            if run.is_applicable(monitor) && !run.monitors.contains(&monitor) {
                run.monitors.push(monitor);
            }
        }
    }
}

/// Returns the optional monitors that a condition names.
fn named(until: &Until) -> Vec<OptionalMonitor> {
    match until {
        Until::Violation { monitor: Some(name) } => OptionalMonitor::named(name).into_iter().collect(),
        Until::Any(inner) | Until::All(inner) => inner.iter().flat_map(named).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::super::Outcome;
    use super::*;
    use crate::simulation::Simulation;
    use interlock_model::field_error::FieldError;

    /// Carvalho–Roucairol's algorithm with these fields. It violates the order of timestamps again and again.
    fn document(fields: &Value) -> Value {
        let mut document = json!({
            "algorithm": "carvalho-roucairol", "nodes": 5, "seed": 1, "network": { "delay": "uniform:0..9" },
            "workload": { "idle": "exp:5", "hold": "1" }, "stop": { "after": "2s" },
        });
        fields.as_object().into_iter().flatten().for_each(|(name, value)| document[name] = value.clone());
        document
    }

    fn monitors(fields: &Value) -> Result<Vec<OptionalMonitor>, Vec<FieldError>> {
        Ok(Scenario::read(document(fields))?.specification(None, false)?.monitors)
    }

    #[test]
    fn a_condition_asks_for_the_monitors_that_it_names() {
        use OptionalMonitor::{RealTimeOrder, TimestampOrder};
        let by_time = json!({ "violation": "real-time-order" });
        for (fields, expected) in [
            (json!({}), vec![]),
            (json!({ "expect": [{ "never": { "violation": "timestamp-order" } }] }), vec![TimestampOrder]),
            (json!({ "steps": [{ "wait": { "any": ["stuck", by_time] } }] }), vec![RealTimeOrder]),
            (json!({ "stop": { "when": by_time } }), vec![RealTimeOrder]),
            (json!({ "monitors": "real-time-order", "expect": [{ "never": by_time }] }), vec![RealTimeOrder]),
            (
                json!({ "monitors": ["timestamp-order"], "stop": { "when": by_time } }),
                vec![TimestampOrder, RealTimeOrder],
            ),
            (json!({ "expect": [{ "never": "violation" }] }), vec![]),
        ] {
            assert_eq!(monitors(&fields), Ok(expected), "{fields}");
        }
    }

    #[test]
    fn a_monitor_that_is_not_applicable_is_refused() {
        let never = json!([{ "never": { "violation": "timestamp-order" } }]);
        for (fields, pointer) in [
            (json!({ "algorithm": "le-lann", "expect": never }), "/expect/0/never/violation"),
            (json!({ "algorithm": "le-lann", "monitors": "timestamp-order" }), "/monitors/0"),
            (
                json!({ "algorithm": "ricart-agrawala", "variant": "modulo", "expect": never }),
                "/expect/0/never/violation",
            ),
        ] {
            let errors = monitors(&fields).expect_err("refused");
            assert_eq!(errors.iter().map(|error| &*error.pointer).collect::<Vec<_>>(), [pointer], "{errors:?}");
            assert!(errors[0].detail.contains("no timestamps"), "{errors:?}");
        }
    }

    #[test]
    fn a_condition_on_a_run_without_its_monitor_is_refused() {
        let run = Scenario::read(document(&json!({}))).expect("a scenario").specification(None, false).expect("a run");
        let until = Until::read(json!({ "violation": "real-time-order" })).expect("a condition");
        let errors = until.errors_if_awaited("/until", &run);
        assert!(errors[0].detail.contains("`monitors: real-time-order`"), "{errors:?}");
        let asked = Specification { monitors: vec![OptionalMonitor::RealTimeOrder], ..run };
        assert_eq!(until.errors_if_awaited("/until", &asked), []);
    }

    #[test]
    fn the_order_of_timestamps_is_judged_only_where_a_scenario_names_it() {
        let outcome = |fields: &Value| {
            let scenario = Arc::new(Scenario::read(document(fields)).expect("a scenario"));
            let specification = scenario.specification(None, false).expect("a run");
            Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs").1.outcome
        };
        let never = json!([{ "never": { "violation": "timestamp-order" } }]);
        assert_eq!(outcome(&json!({})), Outcome::Met);
        assert_eq!(outcome(&json!({ "expect": never })), Outcome::NotMet);
        assert_eq!(outcome(&json!({ "algorithm": "ricart-agrawala", "expect": never })), Outcome::Met);
    }
}
