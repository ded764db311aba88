//! What entries cost with a token that stays where it was last used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::super::simulated::{metrics, run};
use super::CouldNotRun;
use interlock_model::event::What;
use interlock_simulation::simulation::{Simulation, Watch};

/// How often the token had to come, and what was sent for it.
#[derive(Clone, Debug)]
pub(super) struct HandedOver {
    /// How many entries there were.
    pub entries: u64,
    /// How many of them by somebody else than the one before; before the first one P0 has the token.
    pub by_another: u64,
    /// How long it took from asking to entering, in microseconds: by who was the last, and by another.
    pub delays_us: [BTreeSet<u64>; 2],
    requests: u64,
    tokens: u64,
}

impl HandedOver {
    /// Runs it.
    pub fn of(simulation: &Simulation) -> Result<Self, CouldNotRun> {
        let report = run(&Simulation { watch: Watch::Events, ..simulation.clone() })?;
        let sent = &metrics(&report)?.messages_by_kind;
        let [requests, tokens] = ["REQUEST", "TOKEN"].map(|kind| sent.get(kind).copied().unwrap_or_default());
        let (mut holder, mut by_another) = (0, 0);
        let mut delays_us = [BTreeSet::new(), BTreeSet::new()];
        let mut asked_us = BTreeMap::new();
        for event in &report.events {
            match &event.what {
                What::Requested { at, .. } => {
                    asked_us.insert(at.node, event.at_us);
                }
                What::Entered { at, .. } => {
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

    /// Whether every entry by another cost one token and so many requests, and every other nothing.
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
