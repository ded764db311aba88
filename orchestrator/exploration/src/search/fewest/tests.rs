//! Tests that no schedule of the same length has fewer participants. For this purpose, all such schedules are
//! executed step by step.

mod helped;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::{Algorithm, NodeId, Visitor, catalogue};
use serde_json::json;

use crate::moves::{Kind, Move};
use crate::participants::Participants;
use crate::parts::PartsOf;
use crate::process::Frame;
use crate::system::System;
use crate::{
    Beginning, Daemon, Environment, Exploration, Explored, Progress, Property, SearchOrder, Strategy, TimerPolicy,
    Verdict,
};
use helped::Helped;
use interlock_model::choice::Choice;
use interlock_model::specification::{Draft, Specification};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Simulation;

/// A set of processes.
type Nodes = BTreeSet<NodeId>;

fn exploration(named: &str, nodes: u32, environment: &Environment, rule: Property) -> Exploration {
    let (algorithm, variant) = named.split_once('/').expect("a variant");
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let environment = environment.clone();
    Exploration { specification, environment, properties: vec![rule], strategy: Strategy::default() }
}

/// Returns the schedule that the exploration has found. The schedule must violate this property.
#[track_caller]
fn violated(explored: &Explored, rule: Property) -> &Schedule {
    let Verdict::Violated { property, schedule } = &explored.verdict else { panic!("{explored:?}") };
    assert_eq!(*property, rule);
    schedule
}

/// Returns the participants of a schedule, as its actions name them.
fn nodes_of(schedule: &Schedule) -> Nodes {
    let node = |choice: &Choice| match choice {
        Choice::Lose(_) | Choice::Duplicate(_) => None,
        Choice::Deliver(message) => Some(message.0.to),
        other => {
            let written = serde_json::to_value(other).expect("JSON");
            let said = written.as_object().and_then(|of| of.values().next()).expect("what is done");
            let node = said.get("node").or_else(|| said.get("from")).unwrap_or(said).as_u64().expect("a node");
            Some(NodeId(u32::try_from(node).expect("a node")))
        }
    };
    schedule.choices.iter().filter_map(|scheduled| node(&scheduled.choice)).collect()
}

/// Returns the system of processes and links that an exploration searches.
fn system<'e, A: Algorithm>(exploration: &'e Exploration, setting: &'e A::Setting) -> System<'e> {
    let Exploration { specification, environment, properties, .. } = exploration;
    let Specification { nodes, locks, seed, .. } = *specification;
    let order = properties.contains(&Property::Order);
    let frame = Frame::<A> { setting, environment, order, bypass: false, promises: false, nodes, locks, seed };
    System::new(environment, nodes, Box::new(PartsOf::new(frame, None))).expect("states to begin in")
}

/// Executes all schedules with this number of steps. The output is the minimum and the maximum number of
/// participants of the violating schedules.
struct EachSchedule<'e> {
    exploration: &'e Exploration,
    steps: usize,
}

impl EachSchedule<'_> {
    /// Returns whether a state violates the property: by itself, because it has no owed events, or because it is a dead
    /// end.
    fn is_broken(&self, system: &mut System<'_>, state: &[u32]) -> bool {
        let property = self.exploration.properties[0];
        let is_at_rest = property.is_broken_at_rest(system, state) && !system.facts(state).any(|facts| facts.timers);
        let mut owed = 0;
        system.successors(state, &mut Vec::new(), |_, kind, _| owed += u32::from(kind == Kind::Owed));
        let has_no_way_out = property == Property::WayOut && !leads_out(system, state);
        property.is_broken(system, state) || is_at_rest && owed == 0 || has_no_way_out
    }
}

/// Returns whether a path without faults leads from this state to a state without waiting processes.
fn leads_out(system: &mut System<'_>, state: &[u32]) -> bool {
    let mut open = vec![state.to_vec()];
    let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
    while let Some(state) = open.pop() {
        if !system.facts(&state).any(|facts| facts.waiting) || system.is_out_of_time(&state) {
            return true;
        }
        system.successors(&state, &mut Vec::new(), |_, kind, next| {
            if kind != Kind::Fault && seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        });
    }
    false
}

impl Visitor for EachSchedule<'_> {
    type Output = (usize, usize);

    fn visit<A: Algorithm>(self, setting: A::Setting) -> (usize, usize) {
        self.of(system::<A>(self.exploration, &setting))
    }
}

impl EachSchedule<'_> {
    fn of(&self, mut system: System<'_>) -> (usize, usize) {
        let mut come_to: BTreeSet<(Vec<u32>, Nodes)> = BTreeSet::from([(system.begin(0).0, Nodes::new())]);
        for _ in 0..self.steps {
            let mut further = BTreeSet::new();
            for (state, nodes) in come_to {
                for (happens, _, next) in system.list_successors(&state) {
                    let node = match happens {
                        Move::Act(node, _) | Move::Deliver(node, _) => Some(node),
                        Move::Lose(..) | Move::Copy(..) => None,
                        Move::Together(_) => panic!("one after the other"),
                    };
                    further.insert((next, nodes.iter().copied().chain(node).collect()));
                }
            }
            come_to = further;
        }
        let broken = come_to.iter().filter(|(state, _)| self.is_broken(&mut system, state));
        let counts: BTreeSet<usize> = broken.map(|(_, nodes)| nodes.len()).collect();
        (*counts.first().expect("one breaks the rule"), *counts.last().expect("one breaks the rule"))
    }
}

/// Returns the violation that the search finds first. The comparison with other paths is ended at once.
fn first_found(exploration: &Exploration) -> Explored {
    exploration.run(|progress| !progress.judging).expect("a configuration that can be")
}

fn chosen(exploration: &Exploration) -> Explored {
    exploration.run(|_| true).expect("a configuration that can be")
}

/// Tests three kinds of violations, with and without faults: in any state, in a state at rest and at a dead end.
#[test]
fn in_no_schedule_that_is_as_short_fewer_take_part() {
    use Property::{LeaderKnown, MutualExclusion, NobodyStuck, OneLeader, Order, WayOut};
    let fifo = Environment::faultless(true, 1);
    let overtaking = Environment::faultless(false, 1);
    let lossy = Environment { lose: 1, ..fifo.clone() };
    let crashing = Environment { crash: 1, ..fifo.clone() };
    let returning = Environment { restart: true, ..crashing.clone() };
    let impatient = Environment { timers: TimerPolicy::AnyTime(1), ..returning.clone() };
    let telling = Environment { tell: 1, ..fifo.clone() };
    let mut differ = 0;
    for (named, nodes, environment, rule) in [
        ("lamport/no-ack", 3, &fifo, MutualExclusion),
        ("ricart-agrawala/reply-at-tie", 2, &overtaking, MutualExclusion),
        ("bakery/no-choosing", 2, &overtaking, MutualExclusion),
        ("ricart-agrawala/defer-at-tie", 3, &overtaking, NobodyStuck),
        ("maekawa/version-1", 3, &fifo, NobodyStuck),
        ("raymond/no-further-request", 4, &fifo, NobodyStuck),
        ("lamport/no-ack-waiting", 3, &lossy, NobodyStuck),
        ("lamport/no-ack-waiting", 4, &lossy, NobodyStuck),
        ("lamport/no-ack-waiting", 3, &lossy, WayOut),
        ("suzuki-kasami/fifo-queue", 3, &lossy, WayOut),
        ("ricart-agrawala/lamport-clock", 3, &crashing, NobodyStuck),
        ("bully/original", 3, &crashing, LeaderKnown),
        ("bully/original", 3, &impatient, OneLeader),
        ("le-lann/original", 4, &returning, NobodyStuck),
        ("centralised/arrival-order", 3, &telling, Order),
    ] {
        let exploration = exploration(named, nodes, environment, rule);
        let (first, chosen) = (first_found(&exploration), chosen(&exploration));
        let schedules = [&first, &chosen].map(|explored| violated(explored, rule));
        let [steps, steps_chosen] = schedules.map(|schedule| schedule.choices.len());
        let [nodes_first, nodes_chosen] = schedules.map(|schedule| nodes_of(schedule).len());
        let each = EachSchedule { exploration: &exploration, steps };
        let configuration = exploration.specification.configuration();
        let (least, most) = catalogue::instantiate_erased(&configuration, each).expect("a configuration that can be");
        let what = format!("{named} {nodes} {rule:?}: {nodes_first} {nodes_chosen} {least} {most}");
        assert!(chosen.is_fewest && !first.is_fewest && chosen.is_shortest && first.is_shortest, "{what}");
        assert_eq!((nodes_chosen, steps_chosen), (least, steps), "{what}");
        assert_eq!(first.progress, chosen.progress, "{what}");
        assert!(nodes_first > least || schedules[0] == schedules[1], "{what}: what is no better is not taken");
        differ += u32::from(nodes_first > least);
    }
    assert!(differ > 2, "{differ}");
}

/// If one message of a request is lost and all others are received, the requesting process is stuck. Schedules with
/// only two participants have as many steps: both processes request, and each receives the request of the other. In
/// a run of two processes, both would be stuck. In this run, other processes can still receive the requests, so
/// these schedules violate nothing.
#[test]
fn who_takes_no_part_is_there_when_it_is_judged_who_is_stuck() {
    let lossy = Environment { lose: 1, ..Environment::faultless(true, 1) };
    let exploration = exploration("lamport/no-ack-waiting", 4, &lossy, Property::NobodyStuck);
    let chosen = chosen(&exploration);
    let schedule = violated(&chosen, Property::NobodyStuck);
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    let violations = played.expect("it happens in the world").violations;
    assert!(violations.iter().any(|(_, violation)| *violation.monitor == *"stuck"), "{violations:?}");
    let first = first_found(&exploration);
    let counts = [schedule, violated(&first, Property::NobodyStuck)].map(|schedule| nodes_of(schedule).len());
    assert_eq!(counts, [3, 4]);
}

#[test]
fn in_whatever_manner_is_searched_the_same_is_chosen_or_nothing_said() {
    let lossy = Environment { lose: 1, ..Environment::faultless(true, 1) };
    let usual = exploration("lamport/no-ack-waiting", 4, &lossy, Property::NobodyStuck);
    let alone = chosen(&usual);
    let threads = NonZeroUsize::new(2).expect("two");
    let both = chosen(&Exploration { strategy: Strategy { threads, ..Strategy::default() }, ..usual.clone() });
    assert_eq!((&alone.verdict, alone.is_fewest), (&both.verdict, both.is_fewest));
    let in_depth = Strategy { search: SearchOrder::DepthFirst, ..Strategy::default() };
    assert!(!chosen(&Exploration { strategy: in_depth, ..usual }).is_fewest);
}

/// Two schedules of the same length let the middle process enter. In one of them, the first process requests and its
/// message is delivered. In the other, the last process receives a message and answers. Only the second schedule
/// needs no third participant.
#[test]
fn of_two_in_the_section_those_are_shown_whom_nobody_else_had_to_help() {
    let environment = Environment::faultless(false, 1);
    let exploration = exploration("lamport/no-ack", 3, &environment, Property::MutualExclusion);
    let run = |goes_on: &mut dyn FnMut(&Progress) -> bool| {
        let explored = exploration.run_with::<Helped>(&(), None, goes_on).expect("a configuration that can be");
        let schedule = violated(&explored, Property::MutualExclusion);
        (schedule.choices.len(), nodes_of(schedule).len(), explored.is_fewest)
    };
    assert_eq!(run(&mut |progress| !progress.judging), (4, 3, false));
    assert_eq!(run(&mut |_| true), (4, 2, true));
    assert_eq!(EachSchedule { exploration: &exploration, steps: 4 }.visit::<Helped>(()), (2, 3));
}

/// Returns in how many initial states of a ring several processes can move at once.
fn moves_at_once(exploration: &Exploration) -> u32 {
    let setting = DijkstraRing::configure(&exploration.specification.configuration()).expect("a ring");
    let mut system = system::<DijkstraRing>(exploration, &setting);
    let mut at_once = 0;
    for beginning in 0..system.beginnings() {
        let state = system.begin(beginning).0;
        let moves = system.list_successors(&state);
        let is_together = |(happens, _): &(Move, Participants)| matches!(happens, Move::Together(_));
        let peopled = moves.into_iter().map(|(happens, ..)| (happens, system.participants(&state, happens)));
        let (together, alone): (Vec<_>, Vec<_>) = peopled.partition(is_together);
        let all =
            |moves: &[(Move, Participants)]| moves.iter().fold(Participants::NOBODY, |all, (_, set)| all.with(*set));
        assert!(together.iter().all(|(_, set)| set.count() > 1));
        assert!(together.is_empty() || all(&together) == all(&alone));
        at_once += u32::from(!together.is_empty());
    }
    at_once
}

#[test]
fn who_moves_at_once_with_others_takes_part_like_who_moves_alone() {
    let beginning = Beginning::Arbitrary { contents: 0 };
    let environment = Environment { beginning, daemon: Daemon::Distributed, ..Environment::faultless(true, 0) };
    let exploration = exploration("dijkstra-ring/composite", 3, &environment, Property::OnePrivilege);
    let at_once = moves_at_once(&exploration);
    assert!(at_once > 10, "{at_once}");
}
