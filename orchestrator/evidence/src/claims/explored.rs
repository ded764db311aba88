//! Checks by exploration of all schedules of a small configuration.

use std::borrow::Cow;

use interlock_algorithm::catalogue;
use interlock_exploration::{
    Bypass, Environment, Exploration, Explored, Progress, Property, Strategy, TimerPolicy, Verdict,
};
use interlock_machine::lock_choice::LockChoice;
use interlock_model::specification::Detector;
use interlock_simulation::simulation::{Report, Simulation};
use serde_json::json;

use super::finding::{CouldNotRun, Finding, Measurement};
use super::simulated::specification;

/// Maximum number of states. A configuration with more states takes too long.
const MOST_STATES: u64 = 4_000_000;

/// A configuration whose schedules are all explored.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// `ALGORITHM/VARIANT`, followed by any number of parameters: `NAME=VALUE`.
    named: Cow<'static, str>,
    nodes: u32,
    requests: &'static [u8],
    fifo: Option<bool>,
    losses: u8,
    copies: u8,
    crash: u8,
    /// Whether a crashed process may restart.
    restart: bool,
    /// Whether a process restarts without its stored state.
    forget: bool,
    /// Failure detector that notifies processes of crashes.
    detector: Detector,
    /// Maximum number of times that a client requests again after an abort.
    again: Option<u8>,
    /// Number of locks. In each round a process takes two locks: the lock with its own number, and the next.
    locks: Option<u32>,
    timers: TimerPolicy,
    tell: u8,
    properties: &'static [Property],
}

/// The usual properties: mutual exclusion holds, and no process waits forever.
const RULES: &[Property] = &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

/// The usual properties and the order of requests. If one request happened before another, the later request must not
/// be granted while the earlier request waits.
const RULES_AND_ORDER: &[Property] =
    &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut, Property::Order];

/// The usual properties and bounded bypass: after a request has arrived, each other process may enter at most once
/// before this request is granted.
const RULES_AND_BYPASS: &[Property] =
    &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut, Property::BoundedBypass];

impl Scene {
    /// Creates a configuration of `nodes` nodes. `requests` contains the number of requests of each client; the
    /// last number applies to all further clients. Links are FIFO if the algorithm assumes FIFO links.
    pub fn new(named: impl Into<Cow<'static, str>>, nodes: u32, requests: &'static [u8]) -> Self {
        Self {
            named: named.into(),
            nodes,
            requests,
            fifo: None,
            losses: 0,
            copies: 0,
            crash: 0,
            restart: false,
            forget: false,
            detector: Detector::None,
            again: None,
            locks: None,
            timers: TimerPolicy::Patient,
            tell: 0,
            properties: RULES,
        }
    }

    /// Allows messages to overtake each other.
    pub fn overtaking(self) -> Self {
        Self { fifo: Some(false), ..self }
    }

    /// Keeps the messages of each link in order.
    pub fn in_fifo(self) -> Self {
        Self { fifo: Some(true), ..self }
    }

    /// Checks agreement: the only property is that no two values are chosen. Timers do not expire.
    pub fn of_agreement(self) -> Self {
        Self { timers: TimerPolicy::AnyTime(0), properties: &[Property::OneValue], ..self }
    }

    /// Checks an election: the properties are those about coordinators.
    pub fn of_election(self) -> Self {
        Self { properties: &[Property::OneLeader, Property::LeaderKnown], ..self }
    }

    /// Allows the loss of one message.
    pub fn lossy(self) -> Self {
        Self { losses: 1, ..self }
    }

    /// Allows timers to expire at most `times` times although the awaited message is still in transit. This
    /// corresponds to time-outs that are too short.
    pub fn impatient(self, times: u8) -> Self {
        Self { timers: TimerPolicy::AnyTime(times), ..self }
    }

    /// Checks mutual exclusion only.
    pub fn of_exclusion(self) -> Self {
        Self { properties: &[Property::MutualExclusion], ..self }
    }

    /// Checks the order of requests only.
    pub fn of_order(self) -> Self {
        Self { properties: &[Property::Order], ..self }
    }

    /// Checks the order of timestamps only.
    pub fn of_timestamps(self) -> Self {
        Self { properties: &[Property::TimestampOrder], ..self }
    }

    /// Checks bounded bypass in addition to the usual properties.
    pub fn in_turn(self) -> Self {
        Self { properties: RULES_AND_BYPASS, ..self }
    }

    /// Checks bounded bypass only.
    pub fn of_bypass(self) -> Self {
        Self { properties: &[Property::BoundedBypass], ..self }
    }

    /// Checks the order of requests in addition to the usual properties.
    pub fn in_order(self) -> Self {
        Self { properties: RULES_AND_ORDER, ..self }
    }

    /// Allows one process to send a manual message to another process.
    pub fn telling(self) -> Self {
        Self { tell: 1, ..self }
    }

    /// Allows the duplication of one message, such as a token.
    pub fn copied(self) -> Self {
        Self { copies: 1, ..self }
    }

    /// Allows one process to crash and restart without its stored state.
    pub fn forgetful(self) -> Self {
        Self { crash: 1, restart: true, forget: true, ..self }
    }

    /// Allows one process to crash and restart with its stored state.
    pub fn recovering(self) -> Self {
        Self { crash: 1, restart: true, ..self }
    }

    /// Allows one process to crash permanently.
    pub fn mortal(self) -> Self {
        Self { crash: 1, ..self }
    }

    /// Adds a perfect failure detector, which reports each crash and restart, but possibly after an arbitrary
    /// delay.
    pub fn told(self) -> Self {
        Self { detector: Detector::Perfect, ..self }
    }

    /// Uses several locks. Each process takes the lock with its own number and then the next lock, and releases both.
    pub fn of_neighbours(self, locks: u32) -> Self {
        Self { locks: Some(locks), ..self }
    }

    /// Makes a client whose request was aborted request again, at most `times` times.
    pub fn again(self, times: u8) -> Self {
        Self { again: Some(times), ..self }
    }

    /// Describes the explored configuration in words.
    pub(super) fn in_words(&self) -> String {
        let (named, nodes) = (&self.named, self.nodes);
        self.environment().map_or_else(
            |_| format!("{named} with {nodes} nodes"),
            |environment| format!("{named} with {nodes} nodes: {}", environment.in_words()),
        )
    }

    /// Returns the faults and other events that schedules may contain.
    fn environment(&self) -> Result<Environment, CouldNotRun> {
        let named = self.named.split_whitespace().next().unwrap_or_default();
        let (algorithm, variant) = named.split_once('/').unwrap_or((named, ""));
        let assumes = catalogue::find(algorithm).map_err(CouldNotRun::because)?.assumes;
        let fifo = assumes.fifo || catalogue::assumptions(algorithm, variant).unwrap_or(assumes).fifo;
        Ok(Environment {
            lose: self.losses,
            duplicate: self.copies,
            crash: self.crash,
            restart: self.restart,
            forget: self.forget,
            detector: self.detector,
            timers: self.timers,
            tell: self.tell,
            requests: self.requests.to_vec(),
            again: self.again,
            take: self.locks.map(|_| LockChoice::Neighbours),
            ..Environment::faultless(self.fifo.unwrap_or(fifo), 0)
        })
    }

    /// Explores all schedules.
    pub(super) fn explore(&self) -> Result<Explored, CouldNotRun> {
        self.exploration()?.run(|progress| progress.states <= MOST_STATES).map_err(CouldNotRun::because)
    }

    /// Returns the exploration of all schedules.
    pub(super) fn exploration(&self) -> Result<Exploration, CouldNotRun> {
        let mut words = self.named.split_whitespace();
        let (algorithm, variant) = words.next().and_then(|name| name.split_once('/')).unwrap_or_default();
        let parameters: serde_json::Map<_, _> = words
            .filter_map(|word| word.split_once('='))
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect();
        let mut document = json!({
            "algorithm": algorithm, "variant": variant, "nodes": self.nodes, "seed": 1, "parameters": parameters,
        });
        if let Some(locks) = self.locks {
            document["locks"] = json!(locks);
        }
        let specification = specification(document)?;
        let environment = self.environment()?;
        Ok(Exploration {
            specification,
            environment,
            properties: self.properties.to_vec(),
            strategy: Strategy::default(),
        })
    }

    /// Returns the maximum number of bypasses over all schedules, if the exploration has measured it.
    pub fn bypass(&self) -> Result<Option<Bypass>, CouldNotRun> {
        let Explored { verdict, measured, .. } = self.explore()?;
        match verdict {
            Verdict::Unfinished => Err(CouldNotRun::because(format!("{}: no end", self.named))),
            _ => Ok(measured.bypass),
        }
    }

    /// Returns whether all schedules satisfy the properties.
    pub fn keeps(&self) -> Result<bool, CouldNotRun> {
        match self.explore()?.verdict {
            Verdict::Holds => Ok(true),
            Verdict::Violated { .. } | Verdict::Shown { .. } => Ok(false),
            Verdict::Unfinished => Err(CouldNotRun::because(format!("{}: no end", self.named))),
        }
    }

    /// Returns the result of the exploration in words. Also returns whether the result is as expected: a violation of
    /// the property `expected`, or no violation if `expected` is none.
    fn comes_to(&self, expected: Option<Property>) -> Result<(String, bool), CouldNotRun> {
        let Explored { verdict, progress, .. } = self.explore()?;
        let (words, found) = match verdict {
            Verdict::Holds => (format!("all {} states satisfy the properties", progress.states), None),
            Verdict::Unfinished => {
                let detail = format!("{}: {} states and no end", self.named, progress.states);
                return Err(CouldNotRun::because(detail));
            }
            Verdict::Shown { property, table } => {
                (format!("{} broken after {} steps", property.name(), table.rows.len() - 1), Some(property))
            }
            Verdict::Violated { property, schedule } => {
                let simulation = Simulation::of_schedule(&schedule);
                let played = simulation.replay(&schedule).map_err(CouldNotRun::because)?;
                let report = played.map_err(CouldNotRun::because)?;
                let seen = if is_seen(property, self.nodes, &report) { "" } else { " that no monitor sees" };
                let steps = schedule.choices.len();
                let words = format!("{} broken after {steps} steps{seen}", property.name());
                (words, Some(property).filter(|_| seen.is_empty()))
            }
        };
        Ok((format!("{} with {} nodes: {words}", self.named, self.nodes), found == expected))
    }
}

/// Returns whether a monitor or a metric notices the violation in the report. An inversion or a bypass is a violation
/// only if the algorithm promises the order of requests. If the algorithm does not promise the order, the metrics
/// must have counted the inversion or bypass.
fn is_seen(property: Property, nodes: u32, report: &Report) -> bool {
    let inversions = report.metrics.as_ref().and_then(|metrics| metrics.order_inversions);
    let by_timestamp = report.metrics.as_ref().and_then(|metrics| metrics.timestamp_inversions);
    let passed_over = report.metrics.as_ref().map(|metrics| metrics.bypass_max);
    let others = u64::from(nodes) - 1;
    !report.violations.is_empty()
        || (property == Property::Order && inversions > Some(0))
        || (property == Property::TimestampOrder && by_timestamp > Some(0))
        || (property == Property::BoundedBypass && passed_over > Some(others))
}

/// Small configurations, each with its expected result: the property that some schedule violates, or none.
#[derive(Clone, Debug)]
pub struct Scenes(Vec<(Scene, Option<Property>)>);

/// Expects that all schedules of all scenes satisfy the properties.
pub(super) fn hold(scenes: &[Scene]) -> Scenes {
    Scenes(scenes.iter().map(|scene| (scene.clone(), None)).collect())
}

/// Expects that some schedule of each scene violates the property of the scene. The exploration finds the shortest
/// such schedule. When this schedule is replayed, the monitors must notice the violation.
pub(super) fn break_rules(scenes: &[(Scene, Property)]) -> Scenes {
    Scenes(scenes.iter().map(|(scene, property)| (scene.clone(), Some(*property))).collect())
}

/// Expects the given result of each scene: all schedules satisfy the properties, or some schedule violates the named
/// property.
pub(super) fn differ(scenes: &[(Scene, Option<Property>)]) -> Scenes {
    Scenes(scenes.to_vec())
}

/// Checks that the two scenes of each pair behave alike. Both scenes must satisfy the properties, and they must have
/// the same number of states, the same number of edges, and the same depth.
pub(super) fn alike(pairs: &[[Scene; 2]]) -> Measurement {
    let (mut measured, mut holds) = (Vec::new(), true);
    for [one, other] in pairs {
        let both = [one.explore()?, other.explore()?];
        let [first, second] = both.each_ref().map(|explored| {
            let Progress { states, transitions, depth, .. } = explored.progress;
            (states, transitions, depth)
        });
        holds &= first == second && both.iter().all(|explored| explored.verdict == Verdict::Holds);
        measured.push(format!("{} and {} with {} nodes: {first:?} and {second:?}", one.named, other.named, one.nodes));
    }
    Ok(Finding {
        expected: "the same numbers of states, transitions and steps of depth, and no property violated".into(),
        measured: measured.join("; "),
        holds,
    })
}

impl Scenes {
    /// Returns the scenes, each with the property that some schedule is expected to violate.
    pub(super) fn each(self) -> impl Iterator<Item = (Scene, Option<Property>)> {
        self.0.into_iter()
    }

    /// Returns whether all schedules of all scenes are expected to satisfy the properties.
    pub(super) fn all_keep_the_rules(&self) -> bool {
        self.0.iter().all(|(_, property)| property.is_none())
    }

    /// Explores all scenes and compares the results with the expected results.
    pub(super) fn measure(&self) -> Measurement {
        let (mut expected, mut measured, mut holds) = (Vec::new(), Vec::new(), true);
        for (scene, property) in &self.0 {
            let (words, as_expected) = scene.comes_to(*property)?;
            let rule = property.map_or_else(
                || "no property violated in any schedule".to_owned(),
                |rule| format!("{} broken in some schedule", rule.name()),
            );
            expected.push(format!("{}: {rule}", scene.named));
            measured.push(words);
            holds &= as_expected;
        }
        Ok(Finding { expected: expected.join("; "), measured: measured.join("; "), holds })
    }
}
