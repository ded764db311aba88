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

/// Maximum number of states. A configuration with more is not small.
const MOST_STATES: u64 = 4_000_000;

/// A configuration whose schedules are all explored.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// `ALGORITHM/VARIANT`, followed by parameters: `NAME=VALUE`.
    named: Cow<'static, str>,
    nodes: u32,
    requests: &'static [u8],
    fifo: Option<bool>,
    losses: u8,
    copies: u8,
    crash: u8,
    /// Whether a crashed process restarts.
    restart: bool,
    /// Whether a restarted process has lost its stored state.
    forget: bool,
    /// Failure detector that notifies processes of each other's crashes.
    detector: Detector,
    /// Number of times that a client requests again after an abort.
    again: Option<u8>,
    /// Number of locks. In each round a process takes two: the one with its own number and the next.
    locks: Option<u32>,
    timers: TimerPolicy,
    tell: u8,
    properties: &'static [Property],
}

/// Mutual exclusion violated, or a process that waits forever.
const RULES: &[Property] = &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

/// These, or a request that is granted while a request that happened before it waits.
const RULES_AND_ORDER: &[Property] =
    &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut, Property::Order];

/// These, or a waiting request that has arrived and is bypassed more than once by another process.
const RULES_AND_BYPASS: &[Property] =
    &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut, Property::BoundedBypass];

impl Scene {
    /// Creates a configuration of `nodes` nodes with the number of requests of each client. The last number counts
    /// for all further clients. Links are FIFO if the algorithm assumes it.
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

    /// The same, where messages overtake each other.
    pub fn overtaking(self) -> Self {
        Self { fifo: Some(false), ..self }
    }

    /// The same, where messages of a link stay in order.
    pub fn in_fifo(self) -> Self {
        Self { fifo: Some(true), ..self }
    }

    /// The same for agreement: the only property is that no two values are chosen. No timer expires.
    pub fn of_agreement(self) -> Self {
        Self { timers: TimerPolicy::AnyTime(0), properties: &[Property::OneValue], ..self }
    }

    /// The same for an election: the properties are those of the accepted coordinator.
    pub fn of_election(self) -> Self {
        Self { properties: &[Property::OneLeader, Property::LeaderKnown], ..self }
    }

    /// The same, where one message may be lost.
    pub fn lossy(self) -> Self {
        Self { losses: 1, ..self }
    }

    /// The same, where timers may expire early, at most `times` times: time-outs are too short.
    pub fn impatient(self, times: u8) -> Self {
        Self { timers: TimerPolicy::AnyTime(times), ..self }
    }

    /// The same, where mutual exclusion is the only property.
    pub fn of_exclusion(self) -> Self {
        Self { properties: &[Property::MutualExclusion], ..self }
    }

    /// The same, where the order of requests is the only property.
    pub fn of_order(self) -> Self {
        Self { properties: &[Property::Order], ..self }
    }

    /// The same, where bounded bypass is a further property.
    pub fn in_turn(self) -> Self {
        Self { properties: RULES_AND_BYPASS, ..self }
    }

    /// The same, where bounded bypass is the only property.
    pub fn of_bypass(self) -> Self {
        Self { properties: &[Property::BoundedBypass], ..self }
    }

    /// The same, where the order of requests is a further property.
    pub fn in_order(self) -> Self {
        Self { properties: RULES_AND_ORDER, ..self }
    }

    /// The same, where one process may send another a manual message.
    pub fn telling(self) -> Self {
        Self { tell: 1, ..self }
    }

    /// The same, where one message may be duplicated, such as a token.
    pub fn copied(self) -> Self {
        Self { copies: 1, ..self }
    }

    /// The same, where one process may crash and restart without its stored state.
    pub fn forgetful(self) -> Self {
        Self { crash: 1, restart: true, forget: true, ..self }
    }

    /// The same, where one process may crash and restart with its stored state.
    pub fn recovering(self) -> Self {
        Self { crash: 1, restart: true, ..self }
    }

    /// The same, where one process may crash permanently.
    pub fn mortal(self) -> Self {
        Self { crash: 1, ..self }
    }

    /// The same, where a perfect failure detector reports each crash and restart at any later moment.
    pub fn told(self) -> Self {
        Self { detector: Detector::Perfect, ..self }
    }

    /// The same with several locks. Each process takes the lock with its own number and then the next, and releases
    /// both.
    pub fn of_neighbours(self, locks: u32) -> Self {
        Self { locks: Some(locks), ..self }
    }

    /// The same, where a client whose request was aborted requests again, at most `times` times.
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

    /// Returns the events that may happen.
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
        let exploration = Exploration {
            specification,
            environment,
            properties: self.properties.to_vec(),
            strategy: Strategy::default(),
        };
        exploration.run(|progress| progress.states <= MOST_STATES).map_err(CouldNotRun::because)
    }

    /// Returns the maximum number of bypasses if no schedule violates a property.
    pub fn bypass(&self) -> Result<Option<Bypass>, CouldNotRun> {
        let Explored { verdict, measured, .. } = self.explore()?;
        match verdict {
            Verdict::Unfinished => Err(CouldNotRun::because(format!("{}: no end", self.named))),
            _ => Ok(measured.bypass),
        }
    }

    /// Returns whether no schedule violates a property.
    pub fn keeps(&self) -> Result<bool, CouldNotRun> {
        match self.explore()?.verdict {
            Verdict::Holds => Ok(true),
            Verdict::Violated { .. } | Verdict::Shown { .. } => Ok(false),
            Verdict::Unfinished => Err(CouldNotRun::because(format!("{}: no end", self.named))),
        }
    }

    /// Returns the result of the exploration in words, and whether it is the expected one: this violation, or none.
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

/// Returns whether the run's observers see the violation. If an algorithm does not promise the order of requests, a
/// broken order or a bypass is not a violation: the metrics count it.
fn is_seen(property: Property, nodes: u32, report: &Report) -> bool {
    let inversions = report.metrics.as_ref().and_then(|metrics| metrics.order_inversions);
    let passed_over = report.metrics.as_ref().map(|metrics| metrics.bypass_max);
    let others = u64::from(nodes) - 1;
    !report.violations.is_empty()
        || (property == Property::Order && inversions > Some(0))
        || (property == Property::BoundedBypass && passed_over > Some(others))
}

/// Small configurations, each with the expected result: the property that some schedule violates, or none.
#[derive(Clone, Debug)]
pub struct Scenes(Vec<(Scene, Option<Property>)>);

/// All schedules of all scenes satisfy the properties.
pub(super) fn hold(scenes: &[Scene]) -> Scenes {
    Scenes(scenes.iter().map(|scene| (scene.clone(), None)).collect())
}

/// Some schedule of each scene violates this property. The shortest is found, and the monitors see the violation in
/// its replay.
pub(super) fn break_rules(scenes: &[(Scene, Property)]) -> Scenes {
    Scenes(scenes.iter().map(|(scene, property)| (scene.clone(), Some(*property))).collect())
}

/// Some scenes satisfy the properties, others violate one.
pub(super) fn differ(scenes: &[(Scene, Option<Property>)]) -> Scenes {
    Scenes(scenes.to_vec())
}

/// Both scenes of each pair satisfy the properties and have equal numbers of states and edges and equal depth: the
/// two algorithms behave alike.
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
    /// Returns each scene with the property that some of its schedules violate.
    pub(super) fn each(self) -> impl Iterator<Item = (Scene, Option<Property>)> {
        self.0.into_iter()
    }

    /// Returns whether no schedule is expected to violate a property.
    pub(super) fn all_keep_the_rules(&self) -> bool {
        self.0.iter().all(|(_, property)| property.is_none())
    }

    /// Explores all scenes and compares the results with the expected ones.
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
