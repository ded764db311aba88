//! The rows: each algorithm as its source has it, and each repair of it, over each channel.

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::{Assumptions, Entry, FailureDetector, NodeId, Ticks, Variant};
use serde_json::{Map, Value, json};

use super::clock::Clock;
use super::fault::{CALM, FAULTS, Fault, SLOW};
use crate::monitor::{agreement, leaders, mutual_exclusion, tokens};
use crate::scenario::Scenario;
use crate::span::Span;
use crate::specification::Specification;

/// What lies above the links, in the order of the table.
pub const CHANNELS: [&str; 3] = ["raw", "fifo", "reliable"];

/// How many processes there are.
pub const NODES: u32 = 4;
/// To whom a fault comes that must come to somebody who is named.
const VICTIM: u32 = 1;
/// After how many entries the fault comes.
const BEFORE: u32 = 8;
/// The mark in a scenario at which the fault is over.
const OVER: &str = "over";

/// An algorithm with what lies around it.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The algorithm.
    pub entry: &'static Entry,
    /// Its variant.
    pub variant: &'static Variant,
    /// What it needs in order to be right, with what it is told of the dead.
    pub assumes: Assumptions,
    /// What lies above the links: `raw`, `fifo` or `reliable`.
    pub channel: &'static str,
    /// How processes know of each other's crashes: `none`, `perfect` or `heartbeat`.
    pub detector: &'static str,
}

/// All rows: of each algorithm the first variant, and those that need something else in order to be right.
pub fn contenders() -> impl Iterator<Item = Contender> {
    ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion").flat_map(rows)
}

fn rows(entry: &'static Entry) -> Vec<Contender> {
    let mut rows = Vec::new();
    for (place, variant) in entry.variants.iter().enumerate().filter(|(_, variant)| variant.broken.is_none()) {
        let assumes = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
        if place == 0 || differ(&assumes, &entry.assumes) {
            rows.extend(of_variant(entry, variant, assumes));
        }
    }
    rows
}

/// Whether one survives what the other does not.
fn differ(one: &Assumptions, other: &Assumptions) -> bool {
    (one.no_crash, one.no_loss, one.failure_detector) != (other.no_crash, other.no_loss, other.failure_detector)
}

fn of_variant(entry: &'static Entry, variant: &'static Variant, assumes: Assumptions) -> Vec<Contender> {
    let heeds = heeds(entry, variant);
    // What an earlier life has said must not come after what was said to a later one.
    let told = Assumptions { fifo: true, no_crash: false, failure_detector: FailureDetector::Perfect, ..assumes };
    let mut beliefs = Vec::new();
    if assumes.failure_detector != FailureDetector::Perfect {
        beliefs.push(("none", assumes));
    }
    if heeds || assumes.failure_detector == FailureDetector::Perfect {
        beliefs.extend(["perfect", "heartbeat"].map(|detector| (detector, if heeds { told } else { assumes })));
    }
    let over = |channel| {
        let with = move |&(detector, assumes): &_| Contender { entry, variant, assumes, channel, detector };
        beliefs.iter().map(with)
    };
    CHANNELS.into_iter().flat_map(over).collect()
}

/// Whether it goes on without who is suspected, whatever its source knows of that.
fn heeds(entry: &Entry, variant: &Variant) -> bool {
    entry.conduct.heeds_suspicions.contains(&variant.name)
}

impl Contender {
    /// Whether it goes on without who is suspected, also where nobody is told of the dead.
    pub(super) fn heeds_suspicions(&self) -> bool {
        heeds(self.entry, self.variant)
    }

    /// Its row, as it is named in messages and documents.
    #[must_use]
    pub fn name(&self) -> String {
        let Self { entry, variant, channel, detector, .. } = self;
        format!("{}/{} over {channel}, detector {detector}", entry.name, variant.name)
    }

    /// Who is meant by one on whom the others depend.
    pub(super) fn special(&self) -> Value {
        if self.entry.token_kinds.is_empty() { json!(0) } else { json!("token") }
    }

    /// The scenario of a fault, by this clock: it is met where the algorithm stays safe and live.
    #[must_use]
    pub fn scenario(&self, fault: Fault, clock: Clock) -> Value {
        let mut steps = vec![json!({ "wait": { "entries": BEFORE } })];
        steps.extend(self.steps(fault, clock));
        steps.push(json!({ "mark": OVER }));
        // The first, on whom others may depend, only serves them until then: it neither waits nor is inside.
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

    /// A scenario in which all this is done, one thing after the other, and then all who live are to enter once more: it is
    /// met if they do, and never two were inside, nor were there two tokens where there is one.
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

    /// A scenario of elections. In each episode these steps are taken; then the run comes to rest and all live processes
    /// take the same live coordinator. No rule of elections is violated.
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

    /// A scenario of consensus in which all this is done; then P0 proposes a value, and one is learnt. No two values are
    /// chosen. Nobody proposes by itself, so that the first proposal of each process is not refused.
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

    /// What is waited for after a fault before the next one comes, besides the time that every fault leaves. In virtual time
    /// that is enough for all time-outs and all entries; by the clock of the machine nobody knows how long they take.
    #[must_use]
    pub fn quiet(&self, clock: Clock) -> Vec<Value> {
        if clock == Clock::Virtual {
            return Vec::new();
        }
        let silence = self.longest_silence(clock);
        let sleeps = (silence > Span(0)).then(|| json!({ "sleep": f64::from(silence) }));
        sleeps.into_iter().chain([all_enter(clock)]).collect()
    }

    /// A run in which those from this one on want the section again and again, with what is done and expected.
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

    /// Whether it finds its way from any state: only such an algorithm knows states that its variables may be overwritten with.
    pub(crate) fn stabilises(&self) -> bool {
        self.entry.commands.contains(&"corrupt")
    }

    /// Its time-outs, long enough for the longest delays that are to do no harm, and no longer: otherwise they would outlast
    /// whatever the scenario does.
    fn time_outs(&self, clock: Clock) -> Map<String, Value> {
        let Some(specification) = self.with_late_messages(clock) else { return Map::new() };
        let named = self.assumes.time_outs.iter().map(|time_out| time_out.parameter);
        let given = |name: &str| Some((name.to_owned(), json!(specification.parameters.get(name)?)));
        named.filter_map(given).collect()
    }

    /// How long the longest silence lasts that means something to it.
    fn longest_silence(&self, clock: Clock) -> Span {
        let specification = self.with_late_messages(clock);
        let configuration = specification.as_ref().map(Specification::configuration);
        let length = |name: &str| configuration.as_ref()?.time_parameter(name, 0..=Ticks::MAX).ok().flatten();
        let longest = self.assumes.time_outs.iter().filter_map(|time_out| length(time_out.parameter)).max();
        Span(longest.unwrap_or(0)).max(clock.silence(self.detector))
    }

    /// A run of it whose messages are as late as they may be, with all its parameters.
    fn with_late_messages(&self, clock: Clock) -> Option<Specification> {
        let Self { entry, variant, channel, detector, .. } = self;
        let document = json!({
            "algorithm": entry.name, "variant": variant.name, "nodes": NODES, "channel": channel, "detector": detector,
            "network": { "delay": clock.latest() },
        });
        Scenario::read(document).ok()?.specification(Some(1), false).ok()
    }

    /// Whether who dies and is back takes part again.
    pub(super) fn takes_back(&self) -> bool {
        let scenario = Scenario::read(self.scenario(Fault::Nothing, Clock::Virtual)).ok();
        let specification = scenario.and_then(|scenario| scenario.specification(Some(1), false).ok());
        specification.is_some_and(|specification| specification.takes_part(NodeId(1), 2))
    }

    /// What is done to it in a cell.
    pub(super) fn steps(&self, fault: Fault, clock: Clock) -> Vec<Value> {
        let silence = if fault == Fault::Pause { self.longest_silence(clock) } else { Span(0) };
        fault.steps(self, VICTIM, fault.lasts_ms(clock, silence))
    }

    /// All columns that it has.
    pub fn faults(&self) -> impl Iterator<Item = Fault> + '_ {
        FAULTS.into_iter().filter(|fault| fault.applies_to(self))
    }
}

/// All who live enter once more.
fn all_enter(clock: Clock) -> Value {
    json!({ "wait": { "every_node": "entered" }, "within": clock.patience() })
}

/// This rule is never broken; what settles by itself, whatever it begins with, is judged once it has had time to.
fn never(rule: &str, settles: bool) -> Value {
    let mut expectation = json!({ "never": { "violation": rule } });
    if settles {
        expectation["after"] = json!(OVER);
    }
    expectation
}
