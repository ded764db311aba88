//! Random schedules in which all possible actions are equally likely, and the costs of the entries in them.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;

use interlock_algorithm::Algorithm;

use super::Scene;
use super::clients::lockers;
use super::faults::Faults;
use super::random::{Possible, Rules, WHOLE, breaks, check, play};

const MOST_ENTRIES: u64 = 3;
/// Number of schedules of one call.
const SCHEDULES: u64 = 150;

/// Number of sent messages of each kind.
pub type Sent = BTreeMap<String, u32>;

/// The cost of an entry: for each kind of message, the number of messages divided by N − 1.
pub type Cost = [(&'static str, u32)];

/// Returns seeds that differ between test runs.
pub fn fresh(count: u64) -> impl Iterator<Item = u64> {
    let random = RandomState::new();
    (0..count).map(move |number| random.hash_one(number))
}

/// Plays many schedules, which differ between test runs. Checks that no schedule violates a property, and that each
/// entry costs `cost` messages.
#[track_caller]
pub fn holds_at_random<A: Algorithm>(variant: &str, faults: Faults, rules: &Rules<A>, cost: &Cost) {
    costs::<A>(variant, 1..=5, faults, rules, |sent, nodes, entries| {
        let times = |times| times * (nodes - 1) * nodes * entries;
        *sent == cost.iter().map(|&(kind, n)| (kind.to_owned(), times(n))).filter(|&(_, n)| n > 0).collect::<Sent>()
    });
}

/// Plays many schedules, which differ between test runs; the smallest runs come first. Calls `price` with the number
/// of sent messages of each kind, the number of nodes, and the number of entries of each node. `price` returns
/// whether the cost is correct.
#[track_caller]
pub fn costs<A: Algorithm>(
    variant: &str,
    nodes: RangeInclusive<u32>,
    faults: Faults,
    rules: &Rules<A>,
    price: impl Fn(&Sent, u32, u32) -> bool,
) {
    let sizes = || nodes.clone().flat_map(|nodes| (1..=MOST_ENTRIES).map(move |entries| (nodes, entries)));
    for (nodes, entries) in sizes() {
        let scene = Scene::<A>::new(variant, nodes, faults, lockers(entries));
        let entries = u32::try_from(entries).expect("few entries");
        for seed in fresh(SCHEDULES.div_ceil(sizes().count() as u64)) {
            check(seed, format_args!("{variant}, {nodes} nodes, {entries} entries"), &|draws| {
                let sent = play(&scene, draws, WHOLE, rules, |run| {
                    assert!(run.is_over());
                    run.seen().sent.clone()
                })?;
                if price(&sent, nodes, entries) { Ok(()) } else { Err(format!("cost: {sent:?} were sent")) }
            });
        }
    }
}

/// Returns the number of sent messages of a kind.
pub fn count(sent: &Sent, kind: &str) -> u32 {
    sent.get(kind).copied().unwrap_or(0)
}

/// Plays many schedules until one violates a property with a message that begins with `words`. Every test run plays
/// the same schedules.
#[track_caller]
pub fn breaks_at_random<A: Algorithm>(variant: &str, nodes: u32, faults: Faults, rules: &Rules<A>, words: &str) {
    let scene = Scene::<A>::new(variant, nodes, faults, lockers(MOST_ENTRIES));
    breaks(&scene, 0..2_000, WHOLE, rules, words);
}
