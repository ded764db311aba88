//! Schedules drawn at random, and what is expected of them.

use std::ops::RangeInclusive;

use interlock_algorithm::Algorithm;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::Scene;
use super::random::{Rules, Sent, play};
use super::world::Channel;

const MOST_ENTRIES: u32 = 3;
const MOST_CHOICES: usize = 300;

/// How many messages of a kind each entry costs: this many times N − 1.
pub type Cost = [(&'static str, u32)];

/// Plays many schedules, new ones each time; whatever the schedule, an entry has its price.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, channel: Channel, rules: Rules, cost: &Cost) {
    costs::<A>(variant, 1..=5, channel, rules, |sent, nodes, entries| {
        let times = |times| times * (nodes - 1) * nodes * entries;
        *sent == cost.iter().map(|&(kind, n)| (kind, times(n))).filter(|&(_, n)| n > 0).collect::<Sent>()
    });
}

/// Plays many schedules, new ones each time; `price` judges what was sent, by the number of nodes and that of the
/// entries of each.
#[track_caller]
pub fn costs<A: Algorithm>(
    variant: &str,
    nodes: RangeInclusive<u32>,
    channel: Channel,
    rules: Rules,
    price: impl Fn(&Sent, u32, u32) -> bool,
) {
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let schedules = (nodes, 1..=MOST_ENTRIES, vec(any::<Index>(), 0..MOST_CHOICES));
    let verdict = runner.run(&schedules, |(nodes, entries, choices)| {
        let scene = Scene::<A>::new(variant, nodes, entries, channel);
        let sent = play(&scene, &choices, rules).map_err(|violation| TestCaseError::fail(format!("{violation:?}")))?;
        if price(&sent, nodes, entries) { Ok(()) } else { Err(TestCaseError::fail(format!("{sent:?} were sent"))) }
    });
    verdict.expect("every schedule keeps the rules and the price");
}

/// How many messages of a kind were sent.
pub fn count(sent: &Sent, kind: &str) -> u32 {
    sent.get(kind).copied().unwrap_or(0)
}

/// Plays many schedules, always the same, until one breaks the rule.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, channel: Channel, rules: Rules, rule: &str) {
    let config = Config { cases: 2_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let scene = Scene::<A>::new(variant, nodes, MOST_ENTRIES, channel);
    let verdict = runner.run(&vec(any::<Index>(), 0..MOST_CHOICES), |choices| match play(&scene, &choices, rules) {
        Err(violation) => Err(TestCaseError::fail(format!("{violation:?}"))),
        Ok(_) => Ok(()),
    });
    match verdict {
        Err(TestError::Fail(reason, _)) => assert!(reason.message().starts_with(rule), "{variant}: {reason}"),
        other => panic!("{} {variant}: nothing found: {other:?}", A::ENTRY.name),
    }
}
