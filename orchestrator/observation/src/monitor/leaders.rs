//! Monitor of elections: no term has two coordinators, and in the end all live processes know the same coordinator.
//!
//! These are the assertions of Garcia-Molina 1982 ("Elections in a Distributed Computing System", section 3). First,
//! at any time, all processes of a group that have a coordinator have the same coordinator. Second, if nothing fails
//! for long enough, all processes of a group know the same live coordinator. A process stops being a coordinator when
//! it crashes or accepts another process as the coordinator. Processes may fail to notice the crash of their
//! coordinator: see `notices.rs` and `known_leader.rs`.
//!
//! A group is a set of live processes that can communicate with each other. Two coordinators of one term are therefore
//! correct if a partition has separated them at some time since that term began. During a partition, each group is
//! judged separately, and only if the group has not changed since its latest term began. An election without a result
//! is not a violation during a partition, since the partition may have broken the ring.

mod elections;
#[cfg(test)]
mod end_tests;
mod findings;
mod notices;
#[cfg(test)]
mod tests;
mod voter;

use interlock_algorithm::{LockId, NodeId, Outcome, catalogue};

use super::finding::{Monitor, Property};
use super::interventions::Interventions;
use crate::state::State;
use elections::Elections;
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;
use notices::Notices;
use voter::Belief;

pub use findings::{
    DEAD_COORDINATOR, DISAGREEMENT, NOBODY_ELECTED, OLDER_TERM, RESULT_UNKNOWN, TWO_BELIEFS, TWO_COORDINATORS,
};

/// The name of this monitor. If each lock elects its own coordinator, all its violations also have the argument
/// `lock`.
pub const NAME: &str = "leaders";

/// The monitor of elections. For an algorithm without elections, the monitor does nothing. If each lock elects its own
/// coordinator, the elections for each lock are judged separately.
#[derive(Debug)]
pub struct Leaders {
    elections: Vec<Elections>,
    notices: Notices,
    /// Whether an event has changed anything since the last judgement at rest.
    changed: bool,
}

impl Monitor for Leaders {
    const PROPERTIES: &'static [Property] = &[findings::PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(specification: &Specification) -> Self {
        let elects = catalogue::find(&specification.algorithm).is_ok_and(|entry| entry.commands.contains(&"elect"));
        let locks = if elects { specification.locks.max(1) } else { 0 };
        let several = |lock| (locks > 1).then_some(LockId(lock));
        let elections = (0..locks).map(|lock| Elections::new(several(lock), specification.nodes));
        Self { elections: elections.collect(), notices: Notices::default(), changed: false }
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        if self.elections.is_empty() {
            return;
        }
        self.changed |= self.notices.observe(event);
        match event.what {
            What::Started { node, .. } => self.begins(node, true),
            What::Crashed { node, .. } => self.begins(node, false),
            What::Outcome { at, outcome: Outcome::Called { lock, term } } => {
                self.changed = true;
                if let Some(elections) = self.of(lock) {
                    elections.called(at.node, term, event.seq);
                }
            }
            What::Outcome { at, outcome: Outcome::Elected { lock, leader, term } } => {
                self.changed = true;
                if let Some(elections) = self.of(lock) {
                    elections.elected(at, Belief { term, leader, seq: event.seq }, interventions, found);
                }
            }
            What::Configured { .. } => self.changed = true,
            _ => {}
        }
    }

    fn settle(
        &mut self,
        state: &State,
        pending_inputs: usize,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        let is_news = self.changed && !interventions.are_elections_to_come(state.at_us());
        if !is_news || !state.is_at_rest(pending_inputs) {
            return;
        }
        self.changed = false;
        found.extend(self.elections.iter_mut().filter_map(|elections| elections.settle(&self.notices, interventions)));
    }
}

impl Leaders {
    fn of(&mut self, lock: LockId) -> Option<&mut Elections> {
        self.elections.get_mut(lock.0 as usize)
    }

    fn begins(&mut self, node: NodeId, is_alive: bool) {
        self.changed = true;
        self.elections.iter_mut().for_each(|elections| elections.change(node, is_alive));
    }
}
