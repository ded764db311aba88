//! Random schedules in which all possible actions are equally likely. Proptest draws the actions. If a schedule
//! violates a property, proptest shrinks the schedule.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use interlock_algorithm::Algorithm;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::Scene;
use super::clients::lockers;
use super::faults::Faults;
use super::play::{Draws, Possible};

const MOST_ENTRIES: u64 = 3;
const MOST_CHOICES: usize = 300;
/// Maximum number of steps of a schedule. It is so large that every schedule ends before it.
const MOST_STEPS: usize = 200_000;

/// Number of sent messages of each kind.
pub type Sent = BTreeMap<String, u32>;

/// The cost of an entry: for each kind of message, the number of messages divided by N − 1.
pub type Cost = [(&'static str, u32)];

/// The properties that every schedule must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// ME1 (mutual exclusion), and ME3 (at the end of the schedule, no process waits).
    Exclusion,
    /// ME1, ME3 and ORDER: if one request happened before another, the earlier request is granted first.
    ExclusionAndOrder,
}

/// Plays a schedule to its end. `choices` select the first actions; then pseudo-random numbers from a fixed seed
/// select the actions.
///
/// # Errors
/// If the schedule violates a property. The error names the property that was violated first, and describes the
/// violation.
pub fn play<A: Algorithm>(scene: &Scene<A>, choices: &[u16], rules: Rules) -> Result<Sent, String> {
    scene.play(0, |mut run| {
        let mut draws = Draws::of(choices);
        for _ in 0..MOST_STEPS {
            if run.is_over() {
                break;
            }
            let possible = [run.commands(), run.arrivals(), run.mishaps(), run.expiries(), run.tells()].concat();
            let Some(choice) = draws.one_of(possible) else { break };
            run.happen(&choice);
            run.at_most_one_inside()?;
            if rules == Rules::ExclusionAndOrder {
                run.in_order()?;
            }
        }
        run.nobody_waits()?;
        assert!(run.is_over());
        let sent = run.seen().sent.clone();
        Ok(sent)
    })
}

/// Plays many schedules, different ones in each test run. Checks that no schedule violates a property, and that
/// each entry costs `cost` messages.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, faults: Faults, rules: Rules, cost: &Cost) {
    costs::<A>(variant, 1..=5, faults, rules, |sent, nodes, entries| {
        let times = |times| times * (nodes - 1) * nodes * entries;
        *sent == cost.iter().map(|&(kind, n)| (kind.to_owned(), times(n))).filter(|&(_, n)| n > 0).collect::<Sent>()
    });
}

/// Plays many schedules, different ones in each test run. Calls `price` with the number of sent messages of each
/// kind, the number of nodes, and the number of entries of each node. `price` returns whether the cost is correct.
#[track_caller]
pub fn costs<A: Algorithm>(
    variant: &str,
    nodes: RangeInclusive<u32>,
    faults: Faults,
    rules: Rules,
    price: impl Fn(&Sent, u32, u32) -> bool,
) {
    every_schedule(nodes, &|nodes, entries, choices| {
        let sent = play(&Scene::<A>::new(variant, nodes, faults, lockers(entries)), choices, rules)?;
        let entries = u32::try_from(entries).expect("few entries");
        if price(&sent, nodes, entries) { Ok(()) } else { Err(format!("{sent:?} were sent")) }
    });
}

/// A function that plays a schedule, given the number of nodes, the number of entries of each client, and the draws.
type Played<'a> = dyn Fn(u32, u64, &[u16]) -> Result<(), String> + 'a;

/// Calls `played` many times with random arguments, which differ between test runs. This function has no type
/// parameter, so it is compiled only once for all algorithms.
#[track_caller]
fn every_schedule(nodes: RangeInclusive<u32>, played: &Played<'_>) {
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let schedules = (nodes, 1..=MOST_ENTRIES, vec(any::<u16>(), 0..MOST_CHOICES));
    let verdict = runner
        .run(&schedules, |(nodes, entries, choices)| played(nodes, entries, &choices).map_err(TestCaseError::fail));
    verdict.expect("every schedule keeps the rules and the price");
}

/// Returns the number of sent messages of a kind.
pub fn count(sent: &Sent, kind: &str) -> u32 {
    sent.get(kind).copied().unwrap_or(0)
}

/// Plays many schedules until one violates a property with a message that begins with `rule`. Every test run plays
/// the same schedules.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, faults: Faults, rules: Rules, rule: &str) {
    let scene = Scene::<A>::new(variant, nodes, faults, lockers(MOST_ENTRIES));
    match some_schedule(&|choices| play(&scene, choices, rules).map(drop)) {
        Err(TestError::Fail(reason, _)) => assert!(reason.message().starts_with(rule), "{variant}: {reason}"),
        other => panic!("{} {variant}: nothing found: {other:?}", A::ENTRY.name),
    }
}

/// Calls `played` with many schedules until one call fails. Every test run uses the same schedules.
fn some_schedule(played: &dyn Fn(&[u16]) -> Result<(), String>) -> Result<(), TestError<Vec<u16>>> {
    let config = Config { cases: 2_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner.run(&vec(any::<u16>(), 0..MOST_CHOICES), |choices| played(&choices).map_err(TestCaseError::fail))
}
