//! Tests that the explorer reproduces known facts about small configurations, and that every counterexample can also
//! happen in the simulated world.

mod alike;
mod notices;

use interlock_algorithm::{Algorithm, NodeId, Visitor, catalogue};
use interlock_machine::draw::draw;
use interlock_machine::lock_choice::LockChoice;
use serde_json::{Value, json};

use super::participants::Participants;
use super::parts::{Facts, PartsOf};
use super::process::Frame;
use super::system::System;
use super::{Environment, Exploration, Explored, Progress, Property, Strategy, TimerPolicy, Verdict, trace};
use interlock_model::choice::Choice;
use interlock_model::event::What;
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::{Detector, Draft, Specification};
use interlock_observation::monitor;
use interlock_observation::state::State;
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::{Report, Simulation};

const SAFE: [Property; 2] = [Property::MutualExclusion, Property::NobodyStuck];

fn specification(algorithm: &str, variant: &str, nodes: u32) -> Specification {
    let variant = if variant.is_empty() { Value::Null } else { variant.into() };
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn explored(specification: Specification, environment: Environment, properties: &[Property]) -> Explored {
    let exploration =
        Exploration { specification, environment, properties: properties.to_vec(), strategy: Strategy::default() };
    exploration.run(|progress| progress.states < 1_000_000).expect("a configuration that can be")
}

/// Plays a schedule in the simulated world, in which monitors check it.
fn replayed(schedule: &Schedule) -> Report {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    played.unwrap_or_else(|misplaced| panic!("{misplaced}"))
}

/// Returns the schedule that the exploration has found, which must violate this property. When the schedule is
/// played, the corresponding monitor must report the violation.
#[track_caller]
fn broken(explored: &Explored, rule: Property) -> &Schedule {
    let Verdict::Violated { property, schedule } = &explored.verdict else { panic!("{explored:?}") };
    assert_eq!(*property, rule);
    let expected = match rule {
        Property::MutualExclusion => "mutual-exclusion",
        Property::NobodyStuck | Property::WayOut => "stuck",
        Property::OneLeader | Property::LeaderKnown => "leaders",
        Property::OneValue | Property::PromisesKept => "agreement",
        Property::Order => "order",
        Property::TimestampOrder => "timestamp-order",
        Property::OnePrivilege
        | Property::Closure
        | Property::Convergence
        | Property::BoundedBypass
        | Property::StarvationFree => {
            panic!("no monitor knows of {}", rule.name())
        }
    };
    let report = replayed(schedule);
    if rule == Property::TimestampOrder {
        let inversions = report.metrics.and_then(|metrics| metrics.timestamp_inversions);
        assert!(inversions > Some(0), "{inversions:?}");
        return schedule;
    }
    if rule == Property::Order && report.metrics.and_then(|metrics| metrics.order_inversions) > Some(0) {
        return schedule;
    }
    let violations = report.violations;
    let said: Vec<String> = violations.iter().map(|(_, violation)| monitor::sentence(violation)).collect();
    assert!(violations.iter().any(|(_, violation)| *violation.monitor == *expected), "{said:?}");
    schedule
}

/// Returns whether a variant needs FIFO links.
fn needs_order(algorithm: &str, variant: &str) -> bool {
    specification(algorithm, variant, 2).needs_order()
}

fn choices(schedule: &Schedule) -> Vec<String> {
    let written = |choice: &Choice| serde_json::to_string(choice).expect("JSON").replace('"', "");
    schedule.choices.iter().map(|scheduled| written(&scheduled.choice)).collect()
}

/// Stateright 0.30 found the same numbers of states and transitions.
#[test]
fn as_many_states_are_found_as_another_explorer_finds() {
    let environment = Environment::faultless(true, 1);
    let explored = explored(specification("lamport", "any-later-message", 3), environment, &SAFE);
    let Progress { states, transitions, .. } = explored.progress;
    assert_eq!((explored.verdict, states, transitions), (Verdict::Holds, 592_188, 1_522_249));
}

/// Explores two processes with two requests each. Two kinds of variants are exempt: variants with leases and the
/// variant with two tokens. Leases expire by time, which explorations do not model, and the numbers of Misra's two
/// tokens are unbounded.
#[test]
fn right_variants_of_mutual_exclusion_hold_in_all_schedules_of_two() {
    let mut held = 0;
    for entry in catalogue::ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_none()) {
            let environment = Environment::faultless(needs_order(entry.name, variant.name), 2);
            let explored = explored(specification(entry.name, variant.name, 2), environment, &Property::ALL);
            let tried = explored.progress.states > 50 && explored.progress.depth > 10;
            let holds = explored.verdict == Verdict::Holds && tried;
            let by_time = entry.name == "replicated-lock" || variant.name == "lease";
            let endless = by_time || variant.name == "two-tokens";
            assert!(holds || endless, "{}/{}: {explored:?}", entry.name, variant.name);
            held += u32::from(holds);
        }
    }
    assert!(held > 20, "{held}");
}

#[test]
fn wrong_variants_are_caught_by_a_shortest_schedule_that_the_monitors_see_too() {
    use Property::{MutualExclusion, NobodyStuck};
    for (algorithm, variant, nodes, requests, rule, length) in [
        ("bakery", "no-choosing", 2, 1, MutualExclusion, 10),
        ("carvalho-roucairol", "both-hold", 2, 1, MutualExclusion, 2),
        ("carvalho-roucairol", "no-second-request", 3, 1, NobodyStuck, 13),
        ("lamport", "no-ack", 2, 1, MutualExclusion, 2),
        ("lamport", "no-ack-waiting", 2, 1, NobodyStuck, 2),
        ("lamport", "no-clock-update", 2, 1, NobodyStuck, 3),
        ("maekawa", "version-1", 2, 1, NobodyStuck, 4),
        ("raymond", "no-further-request", 3, 1, NobodyStuck, 10),
        ("ricart-agrawala", "modulo-too-small", 2, 2, MutualExclusion, 6),
        ("ricart-agrawala", "reply-at-tie", 2, 1, MutualExclusion, 6),
        ("ricart-agrawala", "defer-at-tie", 2, 1, NobodyStuck, 4),
        ("ricart-agrawala", "no-clock-update", 2, 1, MutualExclusion, 6),
        ("ricart-agrawala", "no-timestamps", 2, 1, MutualExclusion, 6),
    ] {
        let fifo = catalogue::find(algorithm).expect("an entry").assumes.fifo;
        let environment = Environment::faultless(fifo, requests);
        let explored = explored(specification(algorithm, variant, nodes), environment, &SAFE);
        assert_eq!(broken(&explored, rule).choices.len(), length, "{algorithm}/{variant}");
    }
}

/// LAM-4: shows why Lamport's algorithm needs FIFO links.
#[test]
fn where_messages_overtake_lamports_algorithm_lets_two_in() {
    let run = |fifo| {
        let environment = Environment::faultless(fifo, 1);
        explored(specification("lamport", "explicit-ack", 2), environment, &SAFE)
    };
    assert_eq!(run(true).verdict, Verdict::Holds);
    let twice = Environment::faultless(false, 2);
    let overtaken = explored(specification("lamport", "explicit-ack", 2), twice, &SAFE);
    broken(&overtaken, Property::MutualExclusion);
}

/// The REPLY of Ricart and Agrawala's algorithm carries no sequence number. If a process learns of a request only
/// from a REPLY, it may make a request with the same number.
#[test]
fn order_is_kept_where_every_message_carries_the_clock_and_only_there() {
    let run = |variant, nodes, requests: &[u8], tell| {
        let environment = Environment { requests: requests.to_vec(), tell, ..Environment::faultless(false, 0) };
        explored(specification("ricart-agrawala", variant, nodes), environment, &[Property::Order])
    };
    assert_eq!(run("lamport-clock", 2, &[2], 1).verdict, Verdict::Holds);
    assert_eq!(run("lamport-clock", 3, &[2, 0, 1], 0).verdict, Verdict::Holds);
    broken(&run("sequence-numbers", 3, &[2, 0, 1], 0), Property::Order);
    broken(&run("sequence-numbers", 2, &[1], 1), Property::Order);
    // Without application messages, a process learns of the other process's request from the request itself.
    assert_eq!(run("sequence-numbers", 2, &[2], 0).verdict, Verdict::Holds);
}

/// CEN-4: a process learns of another process's request, and then requests itself. Its own REQUEST overtakes the
/// REQUEST of the other process.
#[test]
fn a_coordinator_keeps_the_order_of_requests_unless_processes_tell_each_other() {
    for variant in ["arrival-order", "timestamp-order"] {
        let run = |tell| {
            let environment = Environment { requests: vec![0, 1, 1], tell, ..Environment::faultless(true, 0) };
            explored(specification("centralised", variant, 3), environment, &[Property::Order])
        };
        assert_eq!(run(0).verdict, Verdict::Holds, "{variant}");
        let told = run(1);
        let choices = choices(broken(&told, Property::Order));
        assert_eq!(choices.iter().filter(|choice| choice.contains("tell")).count(), 1, "{choices:?}");
    }
}

/// By default, the order of requests is checked if it is promised, and only then.
#[test]
fn the_order_of_requests_is_looked_for_where_it_is_promised() {
    let entry = catalogue::find("ricart-agrawala").expect("an entry");
    assert!(Property::promised_by(entry, "lamport-clock").contains(&Property::Order));
    assert_eq!(Property::promised_by(entry, "sequence-numbers"), Property::ALL);
}

#[test]
fn what_goes_wrong_is_spent_from_a_budget() {
    let faultless = Environment::faultless(false, 1);
    let run = |environment: Environment| {
        explored(specification("ricart-agrawala", "lamport-clock", 2), environment, &Property::ALL)
    };
    assert_eq!(run(faultless.clone()).verdict, Verdict::Holds);
    let lost = run(Environment { lose: 1, ..faultless.clone() });
    assert_eq!(choices(broken(&lost, Property::NobodyStuck)), ["{acquire:{node:0,lock:0}}", "{lose:0.1.1}"]);
    let crashed = run(Environment { crash: 1, ..faultless.clone() });
    let schedule = broken(&crashed, Property::NobodyStuck);
    assert!(choices(schedule).iter().any(|choice| choice.contains("crash")), "{schedule:?}");
    // A duplicated REQUEST is answered twice. If each client requests only once, the surplus answer does no harm.
    assert_eq!(run(Environment { duplicate: 1, ..faultless.clone() }).verdict, Verdict::Holds);
    let twice = run(Environment { duplicate: 1, requests: vec![2], ..faultless });
    let schedule = broken(&twice, Property::MutualExclusion);
    assert!(choices(schedule).iter().any(|choice| choice.contains("duplicate")), "{schedule:?}");
}

/// Three dining philosophers. Whenever a process requests again after an abort, it draws a new ticket. So the state
/// space is finite only if these requests are limited.
#[test]
fn clients_take_their_locks_in_rounds() {
    let run = |variant: &str, again: Option<u8>| {
        let document = json!({ "algorithm": "prevention", "variant": variant, "nodes": 3, "locks": 3, "seed": 1 });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let take = Some(LockChoice::Neighbours);
        let environment = Environment { take, again, ..Environment::faultless(false, 1) };
        let exploration = Exploration {
            specification: draft.complete_simulated().expect("a specification"),
            environment,
            properties: SAFE.to_vec(),
            strategy: Strategy::default(),
        };
        exploration.run(|progress| progress.states < 20_000).expect("a configuration that can be")
    };
    let stuck = run("none", None);
    assert_eq!(broken(&stuck, Property::NobodyStuck).choices.len(), 9, "three begin, three go on, three messages come");
    assert_eq!(run("ordered", None).verdict, Verdict::Holds);
    assert_eq!(run("give-way", Some(1)).verdict, Verdict::Holds);
    assert_eq!(run("give-way", None).verdict, Verdict::Unfinished);
}

/// A process that gives up after an abort makes no further request. A cycle of waiting processes must still be
/// found, whichever process has given up.
#[test]
fn who_has_given_up_hides_no_circle() {
    let run = |variant: &str| {
        let document = json!({ "algorithm": "wait-die", "variant": variant, "nodes": 5, "locks": 2, "seed": 1 });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let (take, again) = (Some(LockChoice::Neighbours), Some(0));
        let faultless = Environment::faultless(false, 1);
        let environment = Environment { take, again, requests: vec![0, 0, 1], ..faultless };
        explored(draft.complete_simulated().expect("a specification"), environment, &SAFE)
    };
    assert_eq!(run("original").verdict, Verdict::Holds);
    // In the simulated world, the timer of the process that has given up is still set. So the cycle is reported by
    // the monitor of deadlocks, and not by the monitor of standstills.
    let stuck = run("ages-not-compared-again");
    let Verdict::Violated { property: Property::NobodyStuck, schedule } = &stuck.verdict else { panic!("{stuck:?}") };
    let report = replayed(schedule);
    let aborted = report.events.iter().any(|event| event.kind() == "aborted");
    let circle = report.violations.iter().any(|(_, violation)| *violation.monitor == *monitor::deadlocks::NAME);
    assert!(aborted && circle, "{:?}", report.violations);
}

#[test]
fn an_exploration_that_is_cut_off_never_says_that_something_holds() {
    let specification = specification("ricart-agrawala", "lamport-clock", 3);
    let environment = Environment::faultless(false, 1);
    let exploration =
        Exploration { specification, environment, properties: SAFE.to_vec(), strategy: Strategy::default() };
    let mut looks = 0;
    let cut = exploration.run(|_| {
        looks += 1;
        looks < 2
    });
    let cut = cut.expect("a configuration that can be");
    assert_eq!((&cut.verdict, looks), (&Verdict::Unfinished, 2));
    let whole = exploration.run(|_| true).expect("a configuration that can be");
    assert_eq!(whole.verdict, Verdict::Holds);
    assert!(cut.progress.states < whole.progress.states, "{cut:?} {whole:?}");
}

/// Two processes call elections. If processes discard smaller ids without participating themselves, an election ends
/// without a result.
#[test]
fn an_election_dies_where_everybody_swallows_smaller_ids_and_only_there() {
    let run = |variant: &str| {
        let parameters = json!({ "initiators": "none" });
        let document = json!({
            "algorithm": "chang-roberts", "variant": variant, "nodes": 3, "seed": 1, "parameters": parameters,
        });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let environment = Environment::faultless(true, 1);
        explored(draft.complete_simulated().expect("a specification"), environment, &Property::ALL)
    };
    assert_eq!(run("original").verdict, Verdict::Holds);
    broken(&run("swallow-always"), Property::LeaderKnown);
}

#[test]
fn two_values_are_chosen_where_a_minority_is_enough_and_only_there() {
    let run = |quorum: u32| {
        let parameters = json!({ "quorum": quorum });
        let document = json!({ "algorithm": "paxos", "nodes": 3, "seed": 1, "parameters": parameters });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let specification = draft.complete_simulated().expect("a specification");
        let timers = TimerPolicy::AnyTime(0);
        let environment = Environment { timers, requests: vec![1, 1, 0], ..Environment::faultless(true, 1) };
        explored(specification, environment, &[Property::OneValue])
    };
    broken(&run(1), Property::OneValue);
    let majority = run(2);
    assert!(
        !matches!(majority.verdict, Verdict::Violated { .. }) && majority.progress.states > 100_000,
        "{majority:?}"
    );
}

/// If timers expire during a pause, the paused process is suspected, but still accepts itself as the coordinator.
/// Without timers, a pause has the same effect as late messages.
#[test]
fn who_stands_still_is_taken_for_dead_by_those_who_have_timers() {
    let run = |algorithm: &str, nodes, pause| {
        let environment = Environment { pause, ..Environment::faultless(true, 1) };
        explored(specification(algorithm, "", nodes), environment, &Property::ALL)
    };
    assert_eq!(run("bully", 2, 0).verdict, Verdict::Holds);
    let two = run("bully", 2, 1);
    let steps = choices(broken(&two, Property::OneLeader));
    assert!(steps.iter().any(|step| step.starts_with("{pause:")), "{steps:?}");
    let (alone, paused) = (run("le-lann", 3, 0), run("le-lann", 3, 1));
    assert_eq!((&alone.verdict, &paused.verdict), (&Verdict::Holds, &Verdict::Holds));
    // Each state occurs five times: before any pause, during a pause of each of the three processes, and after a
    // pause.
    assert_eq!(paused.progress.states, 5 * alone.progress.states);
}

/// A promise of an earlier incarnation remains in force even if the process has forgotten the promise.
#[test]
fn who_comes_back_with_nothing_breaks_a_promise_and_only_it() {
    let run = |forget: bool| {
        let parameters = json!({ "proposers": "none", "learners": "1", "acceptors": "0,1" });
        let document = json!({ "algorithm": "paxos", "nodes": 2, "seed": 1, "parameters": parameters });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let timers = TimerPolicy::AnyTime(0);
        let faultless = Environment::faultless(true, 1);
        let environment = Environment { crash: 1, restart: true, forget, timers, ..faultless };
        explored(draft.complete_simulated().expect("a specification"), environment, &[Property::PromisesKept])
    };
    let schedule = broken(&run(true), Property::PromisesKept).clone();
    let report = replayed(&schedule);
    let said: Vec<String> = report.violations.iter().map(|(_, violation)| monitor::sentence(violation)).collect();
    assert!(said.iter().any(|sentence| sentence.contains("broke its promise")), "{said:?}");
    let kept = run(false);
    assert_eq!(kept.verdict, Verdict::Holds, "{kept:?}");
}

/// Flags may be sent again at any time. The state space is finite because each link has room for only two messages.
#[test]
fn what_is_said_again_at_any_time_is_explored_where_links_hold_little() {
    let run = |fifo| {
        let timers = TimerPolicy::Always;
        let environment = Environment { room: Some(2), timers, ..Environment::faultless(fifo, 1) };
        explored(specification("dijkstra-ring", "message-passing", 3), environment, &Property::ALL)
    };
    assert_eq!(run(true).verdict, Verdict::Holds);
    broken(&run(false), Property::MutualExclusion);
}

/// A random path through the states of an exploration, which the seed determines.
pub(super) struct Walk<'a> {
    pub exploration: &'a Exploration,
    pub seed: u64,
}

impl Visitor for Walk<'_> {
    type Output = (Schedule, Vec<Facts>, [bool; 2]);

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let Exploration { specification, environment, .. } = self.exploration;
        let Specification { nodes, locks, seed, .. } = *specification;
        let frame = Frame::<A> {
            setting: &setting,
            environment,
            order: true,
            bypass: false,
            promises: false,
            nodes,
            locks,
            seed,
        };
        let parts = Box::new(PartsOf::new(frame, None));
        let mut system = System::new(environment, nodes, parts).expect("a beginning as usual");
        system.timestamps = A::has_timestamps(&setting);
        self.through(system)
    }
}

impl Walk<'_> {
    /// Takes random steps. Returns the schedule, the facts at its end, and whether some request was granted out of order,
    /// by happened-before and by timestamps.
    fn through(&self, mut system: System<'_>) -> (Schedule, Vec<Facts>, [bool; 2]) {
        let mut way = vec![system.begin(0).0];
        for step in 0..60 {
            let mut all = system.list_successors(&way[way.len() - 1]);
            if all.is_empty() {
                break;
            }
            let drawn = draw(&[self.seed, step]) % all.len() as u64;
            way.push(all.swap_remove(usize::try_from(drawn).expect("a place")).2);
        }
        let (choices, _) = trace::choices(&mut system, &way, None, Participants::ALL).expect("a schedule");
        let orders = [Property::Order, Property::TimestampOrder];
        let out_of_order = orders.map(|order| way.iter().any(|state| order.is_broken(&system, state)));
        let facts = system.facts(&way[way.len() - 1]).cloned().collect();
        (self.exploration.schedule(choices), facts, out_of_order)
    }
}

/// The facts about a process that both the explorer and the simulated world report: whether the process is live,
/// whether it is in a critical section, the coordinator that it accepts, and the processes that it suspects.
type Known = (bool, bool, Option<NodeId>, Vec<NodeId>);

/// Returns the `Known` facts about each process, derived from the events of a run.
fn told(specification: &Specification, report: &Report) -> Vec<Known> {
    let mut state = State::new(specification);
    let is_last = |what: &What| matches!(what, What::Ended { .. });
    report.events.iter().take_while(|event| !is_last(&event.what)).for_each(|event| state.apply(event));
    let known = |node: &interlock_observation::state::Node| {
        let alive = node.process == ProcessStatus::Running;
        let suspected = node.suspected.iter().copied().filter(|_| alive).collect();
        (alive, alive && node.is_inside(), node.leader.map(|leader| leader.leader).filter(|_| alive), suspected)
    };
    state.nodes().iter().map(known).collect()
}

/// Random paths of clients that request without limit can also happen in the simulated world. Unbounded numbers in
/// the explored states are reduced if the environment allows it.
#[test]
fn what_is_explored_without_end_happens_in_the_world_as_well() {
    let mut steps = 0;
    for entry in catalogue::ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for (variant, seed) in entry.variants.iter().flat_map(|variant| (0..6).map(move |seed| (variant, seed))) {
            let usual = Environment::unlimited(needs_order(entry.name, variant.name));
            for (locks, environment) in [
                (1, usual.clone()),
                (2, usual.clone()),
                (1, Environment { room: Some(1), duplicate: 3, ..usual.clone() }),
            ] {
                let specification = Specification { locks, ..specification(entry.name, variant.name, 2) };
                let exploration =
                    Exploration { specification, environment, properties: Vec::new(), strategy: Strategy::default() };
                let configuration = exploration.specification.configuration();
                let walk = Walk { exploration: &exploration, seed };
                let (schedule, facts, _) =
                    catalogue::instantiate_erased(&configuration, walk).expect("a configuration that can be");
                let inside: Vec<bool> = facts.iter().map(|facts| !facts.inside.is_empty()).collect();
                let found = told(&schedule.specification, &replayed(&schedule));
                let found: Vec<bool> = found.into_iter().map(|(_, inside, ..)| inside).collect();
                let environment = &exploration.environment;
                assert_eq!(found, inside, "{}/{} {seed} {locks} {environment:?}", entry.name, variant.name);
                steps += schedule.choices.len();
            }
        }
    }
    assert!(steps > 5_000, "{steps}");
}

/// Random paths of an exploration can also happen in the simulated world. They include lost and duplicated messages,
/// crashes and restarts, and timers that expire at any time.
#[test]
fn what_is_explored_happens_in_the_world_as_well() {
    let (mut steps, mut inverted, mut suspicions) = (0, [0_u32; 2], 0);
    for entry in catalogue::ENTRIES {
        for (variant, seed) in entry.variants.iter().flat_map(|variant| (0..6).map(move |seed| (variant, seed))) {
            let environment = Environment {
                lose: 1,
                duplicate: 1,
                crash: if seed > 3 { 2 } else { 1 },
                detector: if seed > 3 { Detector::Perfect } else { Detector::None },
                restart: true,
                forget: seed % 2 == 1,
                room: (seed > 1).then_some(1),
                timers: TimerPolicy::AnyTime(4),
                tell: 2,
                ..Environment::faultless(needs_order(entry.name, variant.name), 2)
            };
            let specification = specification(entry.name, variant.name, 3);
            let exploration =
                Exploration { specification, environment, properties: Vec::new(), strategy: Strategy::default() };
            let walk = Walk { exploration: &exploration, seed };
            let configuration = exploration.specification.configuration();
            let (schedule, facts, out_of_order) =
                catalogue::instantiate_erased(&configuration, walk).expect("a configuration that can be");
            let known = |facts: &Facts| {
                let takes = facts.elections.first().and_then(|voting| voting.takes);
                let leader = takes.map(|(_, leader)| leader).filter(|_| facts.alive);
                let suspected = NodeId::all(3).filter(|node| facts.suspects.has(*node)).collect();
                (facts.alive, !facts.inside.is_empty(), leader, suspected)
            };
            let expected: Vec<Known> = facts.iter().map(known).collect();
            let report = replayed(&schedule);
            let metrics = report.metrics.as_ref().expect("metrics");
            assert_eq!(
                [metrics.order_inversions, metrics.timestamp_inversions].map(|inversions| inversions > Some(0)),
                out_of_order,
                "{}/{} {seed}: {:?}",
                entry.name,
                variant.name,
                choices(&schedule)
            );
            inverted.iter_mut().zip(out_of_order).for_each(|(inverted, found)| *inverted += u32::from(found));
            let found = told(&schedule.specification, &report);
            assert_eq!(found, expected, "{}/{} {seed}: {:?}", entry.name, variant.name, choices(&schedule));
            steps += schedule.choices.len();
            suspicions += found.iter().map(|(.., suspected)| suspected.len()).sum::<usize>();
        }
    }
    assert!(steps > 5_000 && suspicions > 20, "{steps} {suspicions}");
    assert!(inverted.iter().all(|&inverted| inverted > 0), "{inverted:?}");
}
