//! What is shown by trying all schedules of a small configuration.

use interlock_algorithm::catalogue;
use interlock_model::exploration::{Environment, Exploration, Explored, Property, TimerPolicy, Verdict};
use interlock_model::simulation::Simulation;
use serde_json::json;

use super::claim::{CouldNotRun, Finding, Measurement};
use super::simulated::specification;

/// The most states that are looked at: what has more is no small configuration.
const MOST_STATES: u64 = 4_000_000;

/// A configuration of which all schedules are tried.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// `ALGORITHM/VARIANT`, and parameters: `NAME=VALUE`.
    named: &'static str,
    nodes: u32,
    requests: &'static [u8],
    fifo: Option<bool>,
    losses: u8,
    copies: u8,
    crash: u8,
    timers: TimerPolicy,
    properties: &'static [Property],
}

/// Two inside, or somebody who waits for ever.
const RULES: &[Property] = &[Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

impl Scene {
    /// So many nodes, each of whose clients asks so often; the last number counts for all further ones. Links keep the
    /// order of messages if the algorithm assumes it.
    pub const fn new(named: &'static str, nodes: u32, requests: &'static [u8]) -> Self {
        Self {
            named,
            nodes,
            requests,
            fifo: None,
            losses: 0,
            copies: 0,
            crash: 0,
            timers: TimerPolicy::Patient,
            properties: RULES,
        }
    }

    /// The same, where messages overtake.
    pub const fn overtaking(self) -> Self {
        Self { fifo: Some(false), ..self }
    }

    /// The same of agreement: nothing but two chosen values is looked for, and no timer runs out.
    pub const fn of_agreement(self) -> Self {
        Self { timers: TimerPolicy::AnyTime(0), properties: &[Property::OneValue], ..self }
    }

    /// The same of an election: who is taken for the coordinator is looked for.
    pub const fn of_election(self) -> Self {
        Self { properties: &[Property::OneLeader, Property::LeaderKnown], ..self }
    }

    /// The same, where one message may be lost.
    pub const fn lossy(self) -> Self {
        Self { losses: 1, ..self }
    }

    /// The same, where nothing but two inside is looked for.
    pub const fn of_exclusion(self) -> Self {
        Self { properties: &[Property::MutualExclusion], ..self }
    }

    /// The same, where one message may be copied: a token, for one.
    pub const fn copied(self) -> Self {
        Self { copies: 1, ..self }
    }

    /// The same, where one process may crash, and comes back with nothing.
    pub const fn forgetful(self) -> Self {
        Self { crash: 1, ..self }
    }

    fn explore(&self) -> Result<Explored, CouldNotRun> {
        let mut words = self.named.split_whitespace();
        let (algorithm, variant) = words.next().and_then(|name| name.split_once('/')).unwrap_or_default();
        let parameters: serde_json::Map<_, _> = words
            .filter_map(|word| word.split_once('='))
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect();
        let document = json!({
            "algorithm": algorithm, "variant": variant, "nodes": self.nodes, "seed": 1, "parameters": parameters,
        });
        let specification = specification(document)?;
        let fifo = catalogue::find(algorithm).map_err(CouldNotRun::because)?.assumes.fifo;
        let environment = Environment {
            lose: self.losses,
            duplicate: self.copies,
            crash: self.crash,
            restart: self.crash > 0,
            forget: self.crash > 0,
            timers: self.timers,
            requests: self.requests.to_vec(),
            ..Environment::faultless(self.fifo.unwrap_or(fifo), 0)
        };
        let exploration = Exploration { specification, environment, properties: self.properties.to_vec() };
        exploration.run(|progress| progress.states <= MOST_STATES).map_err(CouldNotRun::because)
    }

    /// What its schedules come to, in words, and whether that is this: no rule broken, or this one.
    fn comes_to(&self, expected: Option<Property>) -> Result<(String, bool), CouldNotRun> {
        let Explored { verdict, progress, .. } = self.explore()?;
        let (words, found) = match verdict {
            Verdict::Holds => (format!("all {} states keep the rules", progress.states), None),
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
                let seen = if report.violations.is_empty() { " that no monitor sees" } else { "" };
                let steps = schedule.choices.len();
                let words = format!("{} broken after {steps} steps{seen}", property.name());
                (words, Some(property).filter(|_| seen.is_empty()))
            }
        };
        Ok((format!("{} with {} nodes: {words}", self.named, self.nodes), found == expected))
    }
}

/// All schedules of all scenes keep the rules.
pub(super) fn hold(scenes: &[Scene]) -> Measurement {
    compared(scenes.iter().map(|scene| (scene, None)))
}

/// Some schedule of each scene breaks this rule: the shortest is found, and the monitors see it when it is played.
pub(super) fn break_rules(scenes: &[(Scene, Property)]) -> Measurement {
    compared(scenes.iter().map(|(scene, property)| (scene, Some(*property))))
}

/// Some scenes keep the rules, others break one.
pub(super) fn differ(scenes: &[(Scene, Option<Property>)]) -> Measurement {
    compared(scenes.iter().map(|(scene, property)| (scene, *property)))
}

fn compared<'a>(scenes: impl Iterator<Item = (&'a Scene, Option<Property>)>) -> Measurement {
    let (mut expected, mut measured, mut holds) = (Vec::new(), Vec::new(), true);
    for (scene, property) in scenes {
        let (words, as_expected) = scene.comes_to(property)?;
        let rule = property.map_or_else(
            || "no rule broken in any schedule".to_owned(),
            |rule| format!("{} broken in some schedule", rule.name()),
        );
        expected.push(format!("{}: {rule}", scene.named));
        measured.push(words);
        holds &= as_expected;
    }
    Ok(Finding { expected: expected.join("; "), measured: measured.join("; "), holds })
}
