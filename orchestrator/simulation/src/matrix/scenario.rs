//! The scenarios of a contender.

use interlock_algorithm::{NodeId, Ticks};
use serde_json::{Map, Value, json};

use super::clock::Clock;
use super::contender::{Contender, NODES};
use super::delay::{CALM, SLOW};
use super::fault::{FAULTS, Fault};
use crate::scenario::Scenario;
use interlock_model::span::Span;
use interlock_model::specification::Specification;
use interlock_observation::monitor::{agreement, leaders, mutual_exclusion, tokens};

/// The node that is affected by a fault that needs a node number.
const VICTIM: u32 = 1;
/// Number of entries before the fault.
const BEFORE: u32 = 8;
/// The mark that the scenario sets at the end of the fault.
const OVER: &str = "over";

impl Contender {
    /// Returns the scenario of a fault. The scenario is met if the algorithm stays safe and live.
    #[must_use]
    pub fn scenario(&self, fault: Fault, clock: Clock) -> Value {
        let mut steps = vec![json!({ "wait": { "entries": BEFORE } })];
        steps.extend(self.steps(fault, clock));
        steps.push(json!({ "mark": OVER }));
        // Node 0, on which others may depend, crashes in this fault. Until the mark, node 0 only serves others: it
        // neither waits nor enters.
        let dies = fault == Fault::CrashOfSpecial;
        if !dies {
            steps.push(json!({ "acquire": { "node": 0, "hold": "2ms" } }));
        }
        steps.push(all_enter(clock));
        let first = u32::from(!dies || self.entry.token_kinds.is_empty());
        let name = format!("{}: {}", self.name(), fault.words());
        let settles = self.stabilises()
            && matches!(fault, Fault::Corruption | Fault::RestartWithState | Fault::RestartWithoutState);
        self.story(&name, first, &steps, &never(mutual_exclusion::NAME, settles), clock)
    }

    /// Returns a scenario that executes `steps` in order, and then waits until all live processes have entered once
    /// more. The scenario is met if all of them enter and mutual exclusion holds. An algorithm with a token must
    /// also never have two tokens.
    #[must_use]
    pub fn chaos(&self, name: &str, mut steps: Vec<Value>, clock: Clock) -> Value {
        steps.extend([json!({ "mark": OVER }), all_enter(clock)]);
        let mut scenario = self.story(name, 0, &steps, &never(mutual_exclusion::NAME, self.stabilises()), clock);
        if let Some(expected) = scenario["expect"].as_array_mut()
            && !self.entry.token_kinds.is_empty()
        {
            expected.insert(1, never(tokens::NAME, self.stabilises()));
        }
        scenario
    }

    /// Returns a scenario of elections. After the steps of each episode, the scenario waits until the run is idle and
    /// all live processes have accepted the same live coordinator. No property of elections may be violated.
    #[must_use]
    pub fn elections(&self, name: &str, episodes: Vec<Vec<Value>>, clock: Clock) -> Value {
        let ends = |until: Value| json!({ "wait": until, "within": clock.patience() });
        let episode = |mut steps: Vec<Value>| {
            steps.extend([ends(json!("idle")), ends(json!("elected"))]);
            steps
        };
        let mut parameters = self.time_outs(clock);
        parameters.insert("initiators".to_owned(), json!("none"));
        let detector = if self.assumes.no_crash { "none" } else { self.detector };
        json!({
            "name": name,
            "algorithm": self.entry.name,
            "variant": self.variant.name,
            "nodes": NODES,
            "detector": detector,
            "network": { "delay": SLOW, "fifo": self.assumes.fifo },
            "parameters": parameters,
            "steps": episodes.into_iter().flat_map(episode).collect::<Vec<_>>(),
            "expect": [never(leaders::NAME, false)],
            "stop": { "after": clock.end(), "when": "decided" },
        })
    }

    /// Returns a scenario of consensus. After `steps`, P0 proposes a value, and some process must learn a value. No
    /// two values may be chosen. A process proposes only when a step orders it, so no process refuses its first
    /// proposal.
    #[must_use]
    pub fn consensus(&self, name: &str, mut steps: Vec<Value>, clock: Clock) -> Value {
        let mut parameters = self.time_outs(clock);
        parameters.insert("proposers".to_owned(), json!("none"));
        steps.extend([
            json!({ "propose": { "node": 0, "value": "last" } }),
            json!({ "wait": "decided", "within": clock.patience() }),
        ]);
        json!({
            "name": name,
            "algorithm": self.entry.name,
            "variant": self.variant.name,
            "nodes": NODES,
            "network": { "delay": CALM, "fifo": self.assumes.fifo },
            "parameters": parameters,
            "steps": steps,
            "expect": [never(agreement::NAME, false)],
            "stop": { "after": clock.end(), "when": "decided" },
        })
    }

    /// Returns the steps that wait between two faults. In virtual time there are none: every fault already leaves
    /// enough time for all time-outs and entries. On the wall clock, the durations of time-outs and entries are
    /// unknown, so the steps wait for them explicitly.
    #[must_use]
    pub fn quiet(&self, clock: Clock) -> Vec<Value> {
        if clock == Clock::Virtual {
            return Vec::new();
        }
        let silence = self.longest_silence(clock);
        let sleeps = (silence > Span(0)).then(|| json!({ "sleep": f64::from(silence) }));
        sleeps.into_iter().chain([all_enter(clock)]).collect()
    }

    /// Returns a scenario in which all nodes with ids of at least `first` request the critical section again and
    /// again.
    fn story(&self, name: &str, first: u32, steps: &[Value], safe: &Value, clock: Clock) -> Value {
        json!({
            "name": name,
            "algorithm": self.entry.name,
            "variant": self.variant.name,
            "nodes": NODES,
            "channel": self.channel,
            "detector": clock.detector(self.detector),
            "network": { "delay": CALM, "fifo": self.assumes.fifo },
            "workload": { "idle": "exp:20ms", "hold": "2ms", "nodes": (first..NODES).collect::<Vec<_>>() },
            "parameters": self.time_outs(clock),
            "steps": steps,
            "expect": [safe, { "after": OVER, "within": clock.patience(), "every_node": "entered" }],
            "stop": { "after": clock.end(), "when": "decided" },
        })
    }

    /// Returns values for the time-out parameters. The values are just long enough for the longest harmless message
    /// delays. Longer time-outs would not expire before the end of the scenario.
    fn time_outs(&self, clock: Clock) -> Map<String, Value> {
        let Some(specification) = self.with_late_messages(clock) else { return Map::new() };
        let named = self.assumes.time_outs.iter().map(|time_out| time_out.parameter);
        let given = |name: &str| Some((name.to_owned(), json!(specification.parameters.get(name)?)));
        named.filter_map(given).collect()
    }

    /// Returns how long a process must be silent until the algorithm or its failure detector treats it as crashed:
    /// the longest of these time-outs.
    fn longest_silence(&self, clock: Clock) -> Span {
        let specification = self.with_late_messages(clock);
        let configuration = specification.as_ref().map(Specification::configuration);
        let length = |name: &str| configuration.as_ref()?.time_parameter(name, 0..=Ticks::MAX).ok().flatten();
        let longest = self.assumes.time_outs.iter().filter_map(|time_out| length(time_out.parameter)).max();
        Span(longest.unwrap_or(0)).max(clock.silence(self.detector))
    }

    /// Returns the complete specification of a run with the longest harmless message delays, or none if the
    /// specification is invalid.
    fn with_late_messages(&self, clock: Clock) -> Option<Specification> {
        let Self { entry, variant, channel, detector, .. } = self;
        let document = json!({
            "algorithm": entry.name, "variant": variant.name, "nodes": NODES, "channel": channel, "detector": detector,
            "network": { "delay": clock.latest() },
        });
        Scenario::read(document).ok()?.specification(Some(1), false).ok()
    }

    /// Returns whether a restarted process participates again.
    pub(super) fn takes_back(&self) -> bool {
        let scenario = Scenario::read(self.scenario(Fault::Nothing, Clock::Virtual)).ok();
        let specification = scenario.and_then(|scenario| scenario.specification(Some(1), false).ok());
        specification.is_some_and(|specification| specification.takes_part(NodeId(1), 2))
    }

    /// Returns the steps of a fault in a cell of this contender.
    pub(super) fn steps(&self, fault: Fault, clock: Clock) -> Vec<Value> {
        let silence = if fault == Fault::Pause { self.longest_silence(clock) } else { Span(0) };
        fault.steps(self, VICTIM, fault.lasts_ms(clock, silence))
    }

    /// Returns the faults that have a column in the row of this contender.
    pub fn faults(&self) -> impl Iterator<Item = Fault> + '_ {
        FAULTS.into_iter().filter(|fault| fault.applies_to(self))
    }
}

/// Returns the step that waits until all live processes have entered once more.
fn all_enter(clock: Clock) -> Value {
    json!({ "wait": { "every_node": "entered" }, "within": clock.patience() })
}

/// Returns the expectation that a property is never violated. If `settles` is true, the algorithm stabilises: the
/// property then needs to hold only after the mark.
fn never(rule: &str, settles: bool) -> Value {
    let mut expectation = json!({ "never": { "violation": rule } });
    if settles {
        expectation["after"] = json!(OVER);
    }
    expectation
}
