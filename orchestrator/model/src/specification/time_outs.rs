//! Time-outs of algorithms, compared with the delays of a run: default values, and warnings about time-outs that
//! are too short.

use interlock_algorithm::catalogue::{self, OWN};
use interlock_algorithm::{Bound, Configuration, ParameterValue, Refusal, Risk, Ticks, TimeOut, span};
use serde::{Deserialize, Serialize};

use super::delays::Delays;
use super::{Scripted, Specification};
use crate::event::{Change, Warning};

/// Code of the warning.
pub const DELAY_BEYOND_TIME_OUT: &str = "delay-beyond-time-out";
/// Factor between the time that messages need and the default of the time-out that waits for them.
const MARGIN: u64 = 2;

/// A time-out of a run, and the bound that its value must exceed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Limit {
    parameter: String,
    value: Ticks,
    bound: Bound,
    risk: Risk,
}

/// The time-outs on which a run relies, and the delays of its messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeOuts {
    limits: Vec<Limit>,
    delays: Delays,
}

impl TimeOuts {
    /// Returns the time-outs of a run that executes the actions in `beside` in addition to the actions of its
    /// specification.
    #[must_use]
    pub fn of(specification: &Specification, beside: &[Scripted]) -> Self {
        let configuration = specification.configuration();
        // A completed specification has all parameters. A loaded specification may lack some of them.
        let limit = |time_out: &TimeOut<'_>| {
            let value = ticks(&configuration, time_out.parameter)?;
            let inner = time_out.within.map_or(Some(0), |within| ticks(&configuration, within.parameter))?;
            let bound = time_out.bound(configuration.nodes, inner);
            Some(Limit { parameter: time_out.parameter.to_owned(), value, bound, risk: time_out.risk })
        };
        let limits = specification.time_outs_assumed().iter().filter_map(limit).collect();
        Self { limits, delays: Delays::of(specification, beside) }
    }

    /// Updates the delays after `change`, a change to the network during the run.
    pub fn change(&mut self, change: &Change) {
        if !self.limits.is_empty() {
            self.delays.change(change);
        }
    }

    /// Returns a warning for each time-out that can expire before the messages for which it waits have arrived.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.limits.iter().filter_map(|limit| limit.warning(self.delays)).collect()
    }
}

impl Limit {
    fn warning(&self, delays: Delays) -> Option<Warning> {
        let Self { parameter, value, bound, risk } = self;
        let (longest, needed) = (delays.longest(), bound.needed(delays.longest()));
        (needed >= *value).then(|| Warning {
            code: DELAY_BEYOND_TIME_OUT.to_owned(),
            parameter: parameter.clone(),
            value_ms: ms(*value),
            needed_ms: ms(needed),
            longest_delay_ms: ms(longest),
            bounded: delays.is_bounded(),
            messages: bound.chain,
            risk: *risk,
            sentence: self.sentence(delays, needed),
        })
    }

    fn sentence(&self, delays: Delays, needed: Ticks) -> String {
        let Self { parameter, value, bound, risk } = self;
        let (value, needed, longest) = (ms(*value), ms(needed), ms(delays.longest()));
        let at_most =
            if delays.is_bounded() { "each can take up to" } else { "all but one in a thousand can take up to" };
        let lost = match risk {
            Risk::Safety => "properties may be violated, although the algorithm is correct",
            Risk::Progress => "the algorithm may make no progress",
        };
        format!(
            "`{parameter}` is {value} ms and should be longer than {needed} ms, since {} messages must arrive within \
             it, one after the other, and {at_most} {longest} ms: {lost}.",
            bound.chain
        )
    }
}

impl Specification {
    /// Returns the warnings about the run before it starts, as [`TimeOuts::warnings`] does.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        TimeOuts::of(self, &[]).warnings()
    }

    /// Completes the parameters with the values in force. If the draft does not set a time-out, the time-out gets
    /// the algorithm's default. If this default is too short for the delays, the time-out is twice the time that
    /// the messages need.
    ///
    /// # Errors
    /// If the configuration is invalid, the error names the parameter and the reason.
    pub(super) fn complete_parameters(&mut self, beside: &[Scripted]) -> Result<(), Refusal> {
        if self.algorithm == OWN.name {
            return self.complete_declared_parameters();
        }
        let given = self.parameters.clone();
        let mut in_force = catalogue::parameters_in_force(&self.configuration())?;
        let delay = Delays::of(self, beside).longest();
        let assumes = catalogue::assumptions(&self.algorithm, &self.variant);
        let time_outs = assumes.map_or(&[][..], |assumes| assumes.time_outs);
        for time_out in time_outs.iter().filter(|time_out| !given.contains_key(time_out.parameter)) {
            let configuration = Configuration { parameters: &in_force, ..self.configuration() };
            let inner = time_out.within.and_then(|within| ticks(&configuration, within.parameter)).unwrap_or(0);
            let usual = ticks(&configuration, time_out.parameter).unwrap_or(0);
            let value = long_enough(usual, time_out.bound(self.nodes, inner), delay);
            if value > usual {
                self.parameters.insert(time_out.parameter.to_owned(), ParameterValue::time(value));
            }
            // If another parameter of the draft sets a lower maximum for this time-out, the longer value is
            // invalid. Then the time-out keeps its default, and a warning reports that the default is too short.
            match catalogue::parameters_in_force(&self.configuration()) {
                Ok(longer) => in_force = longer,
                Err(_) => _ = self.parameters.remove(time_out.parameter),
            }
        }
        self.parameters = in_force;
        Ok(())
    }
}

/// Returns the larger of the usual time-out and the time that messages with this `delay` need, including a margin.
fn long_enough(usual: Ticks, bound: Bound, delay: Ticks) -> Ticks {
    let value = usual.max(bound.chain.saturating_mul(delay).saturating_mul(MARGIN));
    let needed = bound.needed(delay);
    let value = if value > needed { value } else { needed.saturating_mul(MARGIN) };
    value.min(span::LONGEST)
}

fn ticks(configuration: &Configuration<'_>, parameter: &str) -> Option<Ticks> {
    configuration.time_parameter(parameter, 0..=Ticks::MAX).ok().flatten()
}

#[expect(clippy::cast_precision_loss, reason = "times in a run have far fewer than 53 bits")]
fn ms(ticks: Ticks) -> f64 {
    ticks as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::specification::Draft;

    fn run(algorithm: &str, delay: &str, parameters: &Value) -> Specification {
        let document =
            json!({ "algorithm": algorithm, "nodes": 3, "network": { "delay": delay }, "parameters": parameters });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        draft.complete_simulated().expect("a specification")
    }

    fn warned(algorithm: &str, delay: &str, parameters: &Value) -> Vec<String> {
        run(algorithm, delay, parameters).warnings().into_iter().map(|warning| warning.parameter).collect()
    }

    fn value(algorithm: &str, delay: &str, parameters: &Value, name: &str) -> Value {
        serde_json::to_value(&run(algorithm, delay, parameters).parameters[name]).expect("JSON")
    }

    #[test]
    fn a_bully_that_waits_for_50_ms_is_warned_of_delays_of_500() {
        let bully = run("bully", "const:500", &json!({ "answer": 50, "coordinator": 10_000 }));
        let sentence = "`answer` is 50 ms and should be longer than 1000 ms, since 2 messages must arrive within it, \
                        one \
                        after the other, and each can take up to 500 ms: properties may be violated, although the \
                        algorithm is correct.";
        let expected = json!([{
            "code": "delay-beyond-time-out", "parameter": "answer", "value_ms": 50.0, "needed_ms": 1_000.0,
            "longest_delay_ms": 500.0, "bounded": true, "messages": 2, "risk": "safety", "sentence": sentence,
        }]);
        assert_eq!(serde_json::to_value(bully.warnings()).expect("JSON"), expected);
    }

    /// Checks the exact bound. A time-out equal to the time that the messages need is too short, and a time-out
    /// that is 1 ms longer is enough.
    #[test]
    fn a_millisecond_more_is_enough_and_none_is_not() {
        let tables: [(&str, &str, &str, Value, u64); 7] = [
            ("bully", "const:500", "answer", json!({ "coordinator": 60_000 }), 1_000),
            ("bully", "const:500", "coordinator", json!({ "answer": 1_500 }), 4_000),
            ("acknowledged-ring", "const:500", "answer", json!({ "coordinator": 60_000 }), 1_000),
            ("acknowledged-ring", "const:500", "coordinator", json!({ "answer": 1_500 }), 4_500),
            ("centralised-failover", "const:500", "answer", json!({}), 1_000),
            ("paxos", "const:500", "retry", json!({}), 2_000),
            ("replicated-lock", "const:500", "retry", json!({ "lease": 60_000 }), 1_000),
        ];
        for (algorithm, delay, parameter, others, needed) in tables {
            for (value, is_warned) in [(needed - 1, true), (needed, true), (needed + 1, false)] {
                let mut parameters = others.clone();
                parameters[parameter] = json!(value);
                let expected = if is_warned { vec![parameter] } else { vec![] };
                assert_eq!(warned(algorithm, delay, &parameters), expected, "{algorithm} {parameters}");
            }
        }
        assert_eq!(warned("replicated-lock", "const:500", &json!({ "lease": 4_000 })), ["lease", "retry"]);
        assert_eq!(warned("replicated-lock", "const:500", &json!({ "lease": 4_004 })), [""; 0]);
    }

    #[test]
    fn time_outs_that_nobody_gives_are_long_enough() {
        let delays =
            ["0", "const:1", "const:12", "const:13", "const:25", "const:135", "const:500", "exp:100", "pareto:9,2"];
        for entry in catalogue::ENTRIES {
            for delay in delays {
                assert_eq!(warned(entry.name, delay, &json!({})), [""; 0], "{} {delay}", entry.name);
            }
        }
    }

    #[test]
    fn they_are_as_ever_while_delays_are_short_and_twice_what_is_needed_when_they_are_long() {
        let none = json!({});
        for (delay, answer, coordinator) in
            [("const:1", 50, 150), ("const:12", 50, 150), ("const:13", 52, 156), ("const:500", 2_000, 6_000)]
        {
            assert_eq!(value("bully", delay, &none, "answer"), json!(answer), "{delay}");
            assert_eq!(value("bully", delay, &none, "coordinator"), json!(coordinator), "{delay}");
        }
        for (delay, lease, retry) in [("const:25", 400, 100), ("const:135", 2_160, 540)] {
            assert_eq!(value("replicated-lock", delay, &none, "lease"), json!(lease), "{delay}");
            assert_eq!(value("replicated-lock", delay, &none, "retry"), json!(retry), "{delay}");
        }
        assert_eq!(value("paxos", "const:500", &none, "retry"), json!(4_000));
        assert_eq!(value("acknowledged-ring", "const:500", &none, "coordinator"), json!(18_000), "3N times `answer`");
    }

    #[test]
    fn what_was_given_stays() {
        assert_eq!(value("bully", "const:500", &json!({ "answer": "50ms" }), "answer"), json!(50));
        let slow = json!({ "answer": "10s" });
        assert_eq!(value("bully", "0", &slow, "coordinator"), json!(40_000), "an `answer` that was given counts");
        let short = json!({ "lease": 100 });
        assert_eq!(
            value("replicated-lock", "const:500", &short, "retry"),
            json!(25),
            "no longer than the lease allows"
        );
        assert_eq!(warned("replicated-lock", "const:500", &short), ["lease", "retry"]);
        assert_eq!(value("bully", "const:3600000", &json!({}), "answer"), json!(3_600_000), "no longer than an hour");
        assert_eq!(warned("bully", "const:3600000", &json!({})), ["answer", "coordinator"]);
    }

    #[test]
    fn what_is_unknown_is_warned_of_by_nobody() {
        let mut loaded = run("bully", "const:500", &json!({ "answer": 50 }));
        loaded.parameters.clear();
        assert_eq!(loaded.warnings(), []);
        loaded.algorithm = "bullying".to_owned();
        assert_eq!(loaded.warnings(), []);
    }
}
