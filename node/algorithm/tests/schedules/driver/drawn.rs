//! Schedules in which everything that can happen is equally likely, drawn by proptest, so that one that breaks a rule is
//! made short.

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
/// More steps than any schedule takes.
const MOST_STEPS: usize = 200_000;

/// How many messages of each kind were sent.
pub type Sent = BTreeMap<String, u32>;

/// How many messages of a kind each entry costs: this many times N − 1.
pub type Cost = [(&'static str, u32)];

/// Which rules a schedule is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// ME1 and ME3.
    Exclusion,
    /// These, and ORDER by happened-before.
    ExclusionAndOrder,
}

/// Plays a schedule to its end: when `choices` are used up, anything possible happens, in a fixed but restless order.
///
/// # Errors
/// Which rule was broken first, and how.
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

/// Plays many schedules, new ones each time; whatever the schedule, an entry has its price.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, faults: Faults, rules: Rules, cost: &Cost) {
    costs::<A>(variant, 1..=5, faults, rules, |sent, nodes, entries| {
        let times = |times| times * (nodes - 1) * nodes * entries;
        *sent == cost.iter().map(|&(kind, n)| (kind.to_owned(), times(n))).filter(|&(_, n)| n > 0).collect::<Sent>()
    });
}

/// Plays many schedules, new ones each time; `price` judges what was sent, by the number of nodes and that of the
/// entries of each.
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

/// Plays a schedule with so many nodes, each of whose clients enters so often, by these draws.
type Played<'a> = dyn Fn(u32, u64, &[u16]) -> Result<(), String> + 'a;

/// Plays many schedules, new ones each time, by the number of nodes, that of the entries of each, and what is drawn.
/// Compiled once for all algorithms.
#[track_caller]
fn every_schedule(nodes: RangeInclusive<u32>, played: &Played<'_>) {
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let schedules = (nodes, 1..=MOST_ENTRIES, vec(any::<u16>(), 0..MOST_CHOICES));
    let verdict = runner
        .run(&schedules, |(nodes, entries, choices)| played(nodes, entries, &choices).map_err(TestCaseError::fail));
    verdict.expect("every schedule keeps the rules and the price");
}

/// How many messages of a kind were sent.
pub fn count(sent: &Sent, kind: &str) -> u32 {
    sent.get(kind).copied().unwrap_or(0)
}

/// Plays many schedules, always the same, until one breaks the rule.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, faults: Faults, rules: Rules, rule: &str) {
    let scene = Scene::<A>::new(variant, nodes, faults, lockers(MOST_ENTRIES));
    match some_schedule(&|choices| play(&scene, choices, rules).map(drop)) {
        Err(TestError::Fail(reason, _)) => assert!(reason.message().starts_with(rule), "{variant}: {reason}"),
        other => panic!("{} {variant}: nothing found: {other:?}", A::ENTRY.name),
    }
}

/// Plays many schedules, always the same, until one is not right.
fn some_schedule(played: &dyn Fn(&[u16]) -> Result<(), String>) -> Result<(), TestError<Vec<u16>>> {
    let config = Config { cases: 2_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner.run(&vec(any::<u16>(), 0..MOST_CHOICES), |choices| played(&choices).map_err(TestCaseError::fail))
}
