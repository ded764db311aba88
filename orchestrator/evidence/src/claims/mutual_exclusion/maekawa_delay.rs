//! Synchronisation delay from one exit to the next entry, with Maekawa's voting sets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::{NodeId, Outcome};

use super::super::simulated::{heavy, only, recorded};
use super::maekawa_figures::voting;
use super::maekawa_sets::BY_HAND;
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::Event;

/// Number of processes, number of requesting processes, and voting sets. In the first case, two processes compete
/// for the vote of a third process. In the second case, two processes compete for the vote of one of themselves.
/// In the other cases, all processes request, with planes, the lecture's sets, and grids.
const SIZES: [(u32, u32, &str); 8] = [
    (3, 2, "sets:0,2;1,2;2"),
    (3, 2, "sets:0;0,1;0,2"),
    (7, 7, "plane"),
    (7, 7, BY_HAND),
    (13, 13, "plane"),
    (31, 31, "plane"),
    (9, 9, "grid"),
    (16, 16, "grid"),
];
/// Number of entries in each case of [`SIZES`].
const ENTRIES: u64 = 600;

/// Measures the synchronisation delay if all processes request again at once.
pub(super) fn delay() -> Measurement {
    let mut measured = Vec::new();
    let mut of_all = HandOvers::default();
    for (nodes, asking, sets) in SIZES {
        let coterie = Coterie::parse(sets, nodes).map_err(CouldNotRun::because)?;
        let asking: Vec<u32> = (0..asking).collect();
        let report = recorded(voting(only(heavy("maekawa", nodes), &asking), sets), ENTRIES)?;
        let found = HandOvers::of(&report.events, &coterie);
        measured.push(format!("{sets} of {nodes} {found}"));
        of_all.add(found);
    }
    Ok(Finding {
        expected: format!(
            "T = 1000 µs, all asking again at once, {ENTRIES} entries each, every hand-over to one that waited, by what \
             the two sets have in common: a third process 2000 µs; only the one that leaves or the one that follows 1000 µs"
        ),
        measured: measured.join("; "),
        holds: of_all.by_third.keys().eq([&2_000]) && of_all.by_either.keys().eq([&1_000]),
    })
}

/// Durations of handovers of one kind, in microseconds, each with the number of handovers that took this long.
type Delays = BTreeMap<u64, u64>;

/// Durations of handovers, by kind.
#[derive(Default)]
struct HandOvers {
    /// Handovers between two processes that have a third process as a common arbiter.
    by_third: Delays,
    /// Handovers between two processes whose only common arbiters are the two processes themselves.
    by_either: Delays,
}

impl HandOvers {
    /// Classifies the handovers by kind. Counts a handover only if the next process was already waiting when the
    /// previous process exited.
    fn of(events: &[Event], sets: &Coterie) -> Self {
        let mut waiting = BTreeSet::new();
        let mut left: Option<(NodeId, u64, BTreeSet<NodeId>)> = None;
        let mut found = Self::default();
        for event in events {
            match event.outcome() {
                Some((at, Outcome::Requested { .. })) => drop(waiting.insert(at.node)),
                Some((at, Outcome::Exited { .. })) => left = Some((at.node, event.at_us, waiting.clone())),
                Some((at, Outcome::Entered { .. })) => {
                    waiting.remove(&at.node);
                    let Some((before, exit_us, waited)) = left.take() else { continue };
                    if waited.contains(&at.node) {
                        *found.kind(sets, before, at.node).entry(event.at_us - exit_us).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn add(&mut self, other: Self) {
        for (all, delays) in [(&mut self.by_third, other.by_third), (&mut self.by_either, other.by_either)] {
            for (delay_us, count) in delays {
                *all.entry(delay_us).or_default() += count;
            }
        }
    }

    fn kind(&mut self, sets: &Coterie, before: NodeId, after: NodeId) -> &mut Delays {
        let mut common = sets.set(before).iter().filter(|node| sets.set(after).contains(node));
        if common.any(|node| ![before, after].contains(node)) { &mut self.by_third } else { &mut self.by_either }
    }
}

impl fmt::Display for HandOvers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |delays: &Delays| {
            let counts = delays.iter().map(|(delay_us, count)| format!("{count} of {delay_us} µs"));
            if delays.is_empty() { "none".to_owned() } else { counts.collect::<Vec<_>>().join(", ") }
        };
        write!(formatter, "by a third {}, by either {}", list(&self.by_third), list(&self.by_either))
    }
}
