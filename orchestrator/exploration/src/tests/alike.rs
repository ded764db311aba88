//! Tests that the explorer and the monitors agree on every run. Schedules at whose end no event is owed are played
//! in the simulated world. The monitors must report violations of exactly the properties that the explorer finds
//! violated.
//!
//! Mutual exclusion is an exception. The explorer examines moments of a run, but the monitor examines
//! happened-before. So a monitor may report a violation that the explorer finds only in another order of the same
//! concurrent steps. Mutual exclusion is therefore not compared for each schedule, but over all schedules of a
//! configuration.

use std::collections::{BTreeSet, HashMap};

use interlock_algorithm::{Algorithm, Visitor, catalogue};
use serde_json::{Value, json};

use super::choices;
use crate::expansion::rests;
use crate::moves::Kind;
use crate::participants::Participants;
use crate::parts::PartsOf;
use crate::process::Frame;
use crate::system::System;
use crate::{Environment, Exploration, Property, Strategy, TimerPolicy, trace};
use interlock_model::event::Violation;
use interlock_model::specification::{Detector, Draft, Specification};
use interlock_observation::monitor::{agreement, capacity, deadlocks, leaders, mutual_exclusion, sentence, stuck};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Simulation;

/// Maximum number of states of a configuration.
const MOST_STATES: usize = 30_000;
/// Maximum number of schedules of a configuration that are played.
const MOST_PLAYED: usize = 120;
/// Maximum number of steps from a violation to a state without owed events.
const MOST_STEPS: usize = 200;

/// The properties of a single schedule that a monitor or a metric also checks.
///
/// The other properties concern possible continuations of a state, infinite runs, or privileges. No monitor checks
/// them.
const JUDGED_TWICE: [Property; 8] = [
    Property::MutualExclusion,
    Property::NobodyStuck,
    Property::OneLeader,
    Property::LeaderKnown,
    Property::OneValue,
    Property::PromisesKept,
    Property::Order,
    Property::TimestampOrder,
];

/// Returns whether a property is checked only in states without owed events.
fn is_of_the_end(property: Property) -> bool {
    matches!(property, Property::NobodyStuck | Property::LeaderKnown)
}

/// Returns whether a violation that a monitor has reported is a violation of this property.
fn is_of(property: Property, violation: &Violation) -> bool {
    let is = |monitor: &str, codes: &[&str]| *violation.monitor == *monitor && codes.contains(&&*violation.code);
    match property {
        Property::MutualExclusion => [mutual_exclusion::NAME, capacity::NAME].contains(&&*violation.monitor),
        Property::NobodyStuck => *violation.monitor == *stuck::NAME || is(deadlocks::NAME, &[deadlocks::CYCLE]),
        Property::OneLeader => is(leaders::NAME, &[leaders::TWO_COORDINATORS, leaders::TWO_BELIEFS]),
        Property::LeaderKnown => {
            let codes =
                [leaders::DISAGREEMENT, leaders::NOBODY_ELECTED, leaders::DEAD_COORDINATOR, leaders::RESULT_UNKNOWN];
            is(leaders::NAME, &codes)
        }
        Property::OneValue => is(agreement::NAME, &[agreement::TWO_VALUES]),
        Property::PromisesKept => is(agreement::NAME, &[agreement::BROKEN_PROMISE]),
        _ => false,
    }
}

/// Plays a schedule. Returns the properties that monitors and metrics find violated, and the sentences of the
/// monitors.
fn found_in_the_world(schedule: &Schedule) -> (BTreeSet<Property>, Vec<String>) {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    let report = played.unwrap_or_else(|misplaced| panic!("{misplaced}"));
    let of = |property: &Property| match property {
        Property::Order => report.metrics.as_ref().and_then(|metrics| metrics.order_inversions) > Some(0),
        Property::TimestampOrder => report.metrics.as_ref().and_then(|metrics| metrics.timestamp_inversions) > Some(0),
        property => report.violations.iter().any(|(_, violation)| is_of(*property, violation)),
    };
    let said = report.violations.iter().map(|(_, violation)| sentence(violation)).collect();
    (JUDGED_TWICE.into_iter().filter(of).collect(), said)
}

/// Explores a configuration. Compares the explorer with the monitors on schedules at whose end no event is owed.
struct Compare<'a> {
    exploration: &'a Exploration,
}

/// Result of a comparison: the number of compared schedules, and the properties that were violated in any of them.
/// The explorer found the properties in `violated`, and the monitors reported the properties in `reported`.
#[derive(Debug, Default)]
struct Compared {
    schedules: usize,
    violated: BTreeSet<Property>,
    reported: BTreeSet<Property>,
    differences: Vec<String>,
}

impl Visitor for Compare<'_> {
    type Output = Compared;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Compared {
        let Exploration { specification, environment, .. } = self.exploration;
        let Specification { nodes, locks, seed, .. } = *specification;
        let frame =
            Frame { setting: &setting, environment, order: true, bypass: false, promises: true, nodes, locks, seed };
        let system = System::new(environment, nodes, Box::new(PartsOf::<A>::new(frame, None)));
        let mut system = system.expect("an environment that can be");
        system.timestamps = A::has_timestamps(&setting);
        self.compare(&mut system)
    }
}

impl Compare<'_> {
    fn compare(&self, system: &mut System<'_>) -> Compared {
        let found = Found::all(system);
        let mut compared = Compared::default();
        let ends = spread(&found.at_rest).map(|last| found.way_to(last)).collect::<Vec<_>>();
        let violations = spread(&found.violating).map(|state| to_the_end(system, found.way_to(state)));
        for way in ends.into_iter().chain(violations.collect::<Vec<_>>()) {
            let explored = Self::found_by_exploring(system, &way);
            let (choices_of_way, _) = trace::choices(system, &way, None, Participants::ALL).expect("a usual beginning");
            let schedule = self.exploration.schedule(choices_of_way);
            let (watched, said) = found_in_the_world(&schedule);
            let differ: Vec<_> = explored.symmetric_difference(&watched).collect();
            let is_of_another_order =
                differ == [&Property::MutualExclusion] && watched.contains(&Property::MutualExclusion);
            if !differ.is_empty() && !is_of_another_order {
                let steps = choices(&schedule);
                compared.differences.push(format!("explored {explored:?}, watched {watched:?} {said:?}: {steps:?}"));
            }
            compared.schedules += 1;
            compared.violated.extend(explored);
            compared.reported.extend(watched);
        }
        compared
    }

    fn found_by_exploring(system: &System<'_>, way: &[Vec<u32>]) -> BTreeSet<Property> {
        let is_violated = |property: &Property| {
            if is_of_the_end(*property) {
                property.is_broken_at_rest(system, &way[way.len() - 1])
            } else {
                way.iter().any(|state| property.is_broken(system, state))
            }
        };
        JUDGED_TWICE.into_iter().filter(is_violated).collect()
    }
}

/// Returns at most `MOST_PLAYED` of these numbers, evenly spread.
fn spread(numbers: &[usize]) -> impl Iterator<Item = usize> {
    numbers.iter().copied().step_by(numbers.len().div_ceil(MOST_PLAYED).max(1))
}

/// Extends a path by owed moves until no owed move is left.
fn to_the_end(system: &mut System<'_>, mut way: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for _ in 0..MOST_STEPS {
        let followers = system.list_successors(&way[way.len() - 1]);
        let Some((.., next)) = followers.into_iter().find(|(_, kind, _)| *kind == Kind::Owed) else { break };
        way.push(next);
    }
    way
}

/// The states of a configuration.
struct Found {
    states: Vec<Vec<u32>>,
    parents: Vec<Option<usize>>,
    /// The states in which no timer is set and no owed move is possible.
    at_rest: Vec<usize>,
    /// The states that violate a property by themselves.
    violating: Vec<usize>,
}

impl Found {
    fn all(system: &mut System<'_>) -> Self {
        let (first, _) = system.begin(0);
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut found = Self { states: vec![first], parents: vec![None], at_rest: Vec::new(), violating: Vec::new() };
        let mut looked_at = 0;
        while looked_at < found.states.len() {
            let state = found.states[looked_at].clone();
            let followers = system.list_successors(&state);
            if rests(system, &state) && followers.iter().all(|(_, kind, _)| *kind != Kind::Owed) {
                found.at_rest.push(looked_at);
            }
            if JUDGED_TWICE.iter().any(|property| property.is_broken(system, &state)) {
                found.violating.push(looked_at);
            }
            for (.., follower) in followers {
                if found.states.len() < MOST_STATES && !numbers.contains_key(&follower) {
                    numbers.insert(follower.clone(), found.states.len());
                    found.states.push(follower);
                    found.parents.push(Some(looked_at));
                }
            }
            looked_at += 1;
        }
        found
    }

    fn way_to(&self, state: usize) -> Vec<Vec<u32>> {
        let mut way = vec![state];
        while let Some(parent) = self.parents[way[way.len() - 1]] {
            way.push(parent);
        }
        way.into_iter().rev().map(|number| self.states[number].clone()).collect()
    }
}

fn compared(specification: Specification, environment: Environment) -> Compared {
    let exploration = Exploration { specification, environment, properties: Vec::new(), strategy: Strategy::default() };
    let configuration = exploration.specification.configuration();
    catalogue::instantiate_erased(&configuration, Compare { exploration: &exploration })
        .expect("a configuration that can be")
}

/// Compares the explorer and the monitors on a configuration. Asserts that exactly these properties are violated in
/// some schedule.
#[track_caller]
fn alike(named: &str, nodes: u32, locks: u32, parameters: &Value, environment: Environment, violated: &[Property]) {
    let (algorithm, variant) = named.split_once('/').expect("a variant");
    let document = json!({
        "algorithm": algorithm, "variant": variant, "nodes": nodes, "locks": locks, "seed": 1, "parameters": parameters,
    });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let compared = compared(draft.complete_simulated().expect("a specification"), environment);
    let few = &compared.differences[..compared.differences.len().min(3)];
    let (differ, of) = (compared.differences.len(), compared.schedules);
    assert!(differ == 0, "{named}: {differ} of {of} schedules are judged differently: {few:#?}");
    assert!(compared.schedules > 1, "{named}");
    let expected: BTreeSet<Property> = violated.iter().copied().collect();
    assert_eq!(compared.violated, expected, "{named}: {of} schedules");
    assert_eq!(compared.reported, expected, "{named}: {of} schedules");
}

fn usual(requests: u8) -> Environment {
    Environment::faultless(true, requests)
}

fn crashing(detector: Detector) -> Environment {
    Environment { crash: 1, detector, ..usual(1) }
}

#[test]
fn mutual_exclusion_order_and_standstill_are_judged_alike() {
    use Property::{MutualExclusion, NobodyStuck, Order, TimestampOrder};
    let none = json!({});
    let overtaking = Environment::faultless(false, 1);
    let lossy = Environment { lose: 1, ..usual(1) };
    for (named, nodes, environment, violated) in [
        ("lamport/any-later-message", 2, usual(1), &[][..]),
        ("lamport/no-ack", 2, usual(1), &[MutualExclusion]),
        ("ricart-agrawala/reply-at-tie", 2, overtaking.clone(), &[MutualExclusion, TimestampOrder]),
        ("ricart-agrawala/lamport-clock", 2, overtaking, &[]),
        ("ricart-agrawala/lamport-clock", 2, lossy.clone(), &[NobodyStuck]),
        ("ricart-agrawala/lamport-clock", 2, crashing(Detector::None), &[NobodyStuck]),
        ("ricart-agrawala/remove-dead", 2, crashing(Detector::Perfect), &[]),
        ("ricart-agrawala/no-clock-update", 2, usual(2), &[TimestampOrder]),
        ("carvalho-roucairol/original", 2, usual(2), &[TimestampOrder]),
        ("maekawa/corrected", 3, usual(1), &[TimestampOrder]),
        ("maekawa/version-1", 3, usual(1), &[NobodyStuck, TimestampOrder]),
        ("suzuki-kasami/fifo-queue", 2, lossy, &[NobodyStuck]),
        ("centralised/arrival-order", 3, Environment { tell: 1, ..usual(1) }, &[Order]),
    ] {
        alike(named, nodes, 1, &none, environment, violated);
    }
}

#[test]
fn cycles_of_waits_are_judged_alike() {
    let take = Environment { take: Some("neighbours".parse().expect("a choice of locks")), ..usual(1) };
    alike("centralised/arrival-order", 2, 2, &json!({}), take, &[Property::NobodyStuck]);
}

#[test]
fn elections_are_judged_alike() {
    use Property::{LeaderKnown, OneLeader};
    let none = json!({ "initiators": "none" });
    let pausing = Environment { pause: 1, ..usual(1) };
    let returning = Environment { restart: true, ..crashing(Detector::None) };
    for (named, nodes, environment, violated) in [
        ("bully/original", 2, usual(1), &[][..]),
        ("bully/original", 3, usual(1), &[]),
        ("bully/original", 3, crashing(Detector::Perfect), &[]),
        ("bully/dead-announcer", 3, crashing(Detector::Perfect), &[LeaderKnown]),
        ("bully/original", 3, crashing(Detector::None), &[LeaderKnown]),
        ("bully/original", 2, returning, &[]),
        ("bully/original", 2, pausing, &[OneLeader]),
    ] {
        alike(named, nodes, 1, &none, environment, violated);
    }
}

#[test]
fn elections_in_rings_are_judged_alike() {
    use Property::LeaderKnown;
    let none = json!({ "initiators": "none" });
    for (named, nodes, environment, violated) in [
        ("chang-roberts/original", 3, usual(1), &[][..]),
        ("chang-roberts/swallow-always", 3, usual(1), &[LeaderKnown]),
        ("chang-roberts/original", 3, crashing(Detector::None), &[LeaderKnown]),
        ("chang-roberts/original", 3, crashing(Detector::Perfect), &[LeaderKnown]),
        ("hirschberg-sinclair/original", 2, crashing(Detector::Perfect), &[LeaderKnown]),
        ("acknowledged-ring/original", 2, crashing(Detector::Perfect), &[]),
        ("acknowledged-ring/original", 2, crashing(Detector::None), &[]),
    ] {
        alike(named, nodes, 1, &none, environment, violated);
    }
}

#[test]
fn agreement_is_judged_alike() {
    use Property::{OneValue, PromisesKept};
    let timers = TimerPolicy::AnyTime(0);
    let environment = |nodes: &[u8]| Environment { timers, requests: nodes.to_vec(), ..usual(1) };
    let two = json!({ "proposers": "none", "learners": "1", "acceptors": "0,1" });
    let forgetful = Environment { crash: 1, restart: true, forget: true, ..environment(&[1, 1]) };
    alike("paxos/single-decree", 2, 1, &json!({ "proposers": "none" }), environment(&[1, 1]), &[]);
    alike("paxos/single-decree", 3, 1, &json!({ "quorum": 1 }), environment(&[1, 1, 0]), &[OneValue]);
    alike("paxos/single-decree", 2, 1, &two, forgetful, &[PromisesKept]);
}
