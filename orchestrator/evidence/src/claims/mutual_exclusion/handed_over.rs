//! Cost of entries in algorithms whose token stays with the process that used it last.

use interlock_algorithm::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::super::simulated::{metrics, run};
use super::CouldNotRun;
use interlock_simulation::simulation::{Simulation, Watch};

/// Numbers of entries and token transfers, and of the messages that were sent for the transfers.
#[derive(Clone, Debug)]
pub(super) struct HandedOver {
    /// Number of entries.
    pub entries: u64,
    /// Number of entries by a process that did not make the previous entry. P0 holds the token before the first
    /// entry.
    pub by_another: u64,
    /// Times from request to entry, in microseconds. The first set contains entries of the process that made the
    /// previous entry. The second set contains all other entries.
    pub delays_us: [BTreeSet<u64>; 2],
    requests: u64,
    tokens: u64,
}

impl HandedOver {
    /// Runs the simulation and counts its entries and messages.
    pub fn of(simulation: &Simulation) -> Result<Self, CouldNotRun> {
        let report = run(&Simulation { watch: Watch::Events, ..simulation.clone() })?;
        let sent = &metrics(&report)?.messages_by_kind;
        let [requests, tokens] = ["REQUEST", "TOKEN"].map(|kind| sent.get(kind).copied().unwrap_or_default());
        let (mut holder, mut by_another) = (0, 0);
        let mut delays_us = [BTreeSet::new(), BTreeSet::new()];
        let mut asked_us = BTreeMap::new();
        for event in &report.events {
            match event.outcome() {
                Some((at, Outcome::Requested { .. })) => {
                    asked_us.insert(at.node, event.at_us);
                }
                Some((at, Outcome::Entered { .. })) => {
                    let is_another = at.node.0 != holder;
                    by_another += u64::from(is_another);
                    holder = at.node.0;
                    delays_us[usize::from(is_another)]
                        .extend(asked_us.remove(&at.node).map(|asked| event.at_us - asked));
                }
                _ => {}
            }
        }
        Ok(Self { entries: report.entries, by_another, delays_us, requests, tokens })
    }

    /// Returns whether each entry counted in `by_another` cost one token message and `requests` requests, and each
    /// other entry cost no message.
    pub const fn costs(&self, requests: u64) -> bool {
        self.tokens == self.by_another && self.requests == requests * self.by_another
    }
}

impl fmt::Display for HandedOver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, by_another, requests, tokens, .. } = self;
        write!(formatter, "{requests} REQUEST, {tokens} TOKEN for {by_another} of {entries} entries by another")
    }
}
