//! Schedules drawn at random, in larger configurations than can be tried out.

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::careless::Careless;
use crate::driver::Scene;
use crate::driver::random::{Rules, Sent, play};
use crate::driver::world::{Channel, FIFO, OVERTAKING};

const MOST_ENTRIES: u32 = 3;
const MOST_CHOICES: usize = 300;

/// How many messages of a kind each entry costs: this many times N − 1.
type Cost = [(&'static str, u32)];

const REQUEST_AND_REPLY: &Cost = &[("REQUEST", 1), ("REPLY", 1)];
const REQUEST_ACK_AND_RELEASE: &Cost = &[("REQUEST", 1), ("ACK", 1), ("RELEASE", 1)];

/// Plays many schedules; new ones each time.
#[track_caller]
fn holds<A: Algorithm>(variant: &str, channel: Channel, rules: Rules, cost: &Cost) {
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let schedules = (1_u32..=5, 1..=MOST_ENTRIES, vec(any::<Index>(), 0..MOST_CHOICES));
    let verdict = runner.run(&schedules, |(nodes, entries, choices)| {
        let scene = Scene::<A>::new(variant, nodes, entries, channel);
        let sent = play(&scene, &choices, rules).map_err(|violation| TestCaseError::fail(format!("{violation:?}")))?;
        let times = |times| times * (nodes - 1) * nodes * entries;
        let expected: Sent = cost.iter().map(|&(kind, n)| (kind, times(n))).filter(|&(_, n)| n > 0).collect();
        if sent == expected { Ok(()) } else { Err(TestCaseError::fail(format!("{sent:?} were sent"))) }
    });
    verdict.expect("every schedule keeps the rules and the price");
}

/// Plays many schedules, always the same, until one breaks the rule.
#[track_caller]
fn breaks<A: Algorithm>(variant: &str, nodes: u32, channel: Channel, rules: Rules, rule: &str) {
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

#[test]
fn ricart_agrawala_keeps_the_rules_and_the_order_on_any_channel() {
    holds::<RicartAgrawala>("lamport-clock", FIFO, Rules::ExclusionAndOrder, REQUEST_AND_REPLY);
    holds::<RicartAgrawala>("lamport-clock", OVERTAKING, Rules::ExclusionAndOrder, REQUEST_AND_REPLY);
}

#[test]
fn lamport_keeps_the_rules_and_the_order_on_a_fifo_channel() {
    for variant in ["any-later-message", "explicit-ack", "postponed-ack", "explicit-ack release=request"] {
        holds::<Lamport>(variant, FIFO, Rules::ExclusionAndOrder, REQUEST_ACK_AND_RELEASE);
    }
}

/// The order is another matter: an ACK can overtake the REQUEST that its sender made before.
#[test]
fn lamport_with_postponed_acknowledgements_and_named_releases_keeps_all_but_the_order_on_any_channel() {
    let variant = "postponed-ack release=request";
    holds::<Lamport>(variant, OVERTAKING, Rules::Exclusion, REQUEST_ACK_AND_RELEASE);
    breaks::<Lamport>(variant, 2, OVERTAKING, Rules::ExclusionAndOrder, "OutOfOrder");
}

#[test]
fn what_is_wrong_is_caught() {
    let caught = [
        ("replies-while-wanting", "TwoInSection"),
        ("replies-at-tie", "TwoInSection"),
        ("keeps-its-clock", "TwoInSection"),
        ("replies-in-section", "TwoInSection"),
        ("defers-at-tie", "Stuck"),
    ];
    for (mistake, rule) in caught {
        breaks::<Careless>(mistake, 3, FIFO, Rules::Exclusion, rule);
    }
    for variant in ["any-later-message", "explicit-ack", "postponed-ack"] {
        breaks::<Lamport>(variant, 3, OVERTAKING, Rules::Exclusion, "TwoInSection");
    }
    breaks::<Lamport>("no-ack", 3, FIFO, Rules::Exclusion, "TwoInSection");
}

/// The order by happened-before needs a clock on every message. In the paper, and here, REPLY carries none.
#[test]
fn without_a_clock_on_the_reply_the_order_is_lost() {
    breaks::<Careless>("none", 3, OVERTAKING, Rules::ExclusionAndOrder, "OutOfOrder");
}
