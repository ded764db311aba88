//! Decides whether heartbeats can still have an effect. In a run with heartbeats, a message is nearly always in
//! transit. If every heartbeat counted, no run with heartbeats would ever be at rest.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{FlatSet, NodeId};
use interlock_machine::detector::DetectorSetting;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use interlock_model::event::{DropReason, What};
use interlock_model::specification::Specification;

/// The heartbeats of a run.
///
/// Heartbeats are *settled* if they can no longer change a belief of a failure detector. Three conditions must hold:
///
/// - Each process that sends heartbeats has sent more of them in a row than the patience of any detector.
/// - During that time, no other event has happened, and no heartbeat was lost by chance.
/// - No heartbeat in transit would end a suspicion.
///
/// From then on beliefs change only if a person intervenes, for example by ending a partition that blocks heartbeats.
///
/// Heartbeats are *settled but for losses* if the same conditions hold, but heartbeats may have been lost by
/// chance. Then only a rare series of losses could still change a belief. If, in addition, no process wants
/// anything, the run counts as ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hearts {
    patience: u32,
    /// For each process, the number of heartbeats that it has sent since the latest of two events: an event that is
    /// not about heartbeats, and the loss of a heartbeat. `None` if the process sends no heartbeats.
    quiet: Vec<Option<u32>>,
    /// Like `quiet`, but the loss of a heartbeat does not reset the number.
    unstirred: Vec<Option<u32>>,
    /// Current suspicions: in each pair, the first node suspects the second node.
    suspicions: Vec<(NodeId, NodeId)>,
    /// The number of heartbeats in transit, by sender and receiver.
    under_way: BTreeMap<(NodeId, NodeId), u32>,
    /// The links, by sender and receiver, on which a partition has dropped a heartbeat and no heartbeat has arrived
    /// since.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    cut: BTreeSet<(NodeId, NodeId)>,
}

impl Hearts {
    /// Returns the heartbeats before the first event, or `None` if the run has no heartbeats.
    #[must_use]
    pub fn new(specification: &Specification) -> Option<Self> {
        let DetectorSetting::Heartbeat(beating) = specification.detector_setting() else { return None };
        let quiet = vec![None; NodeId::all(specification.nodes).len()];
        Some(Self {
            patience: beating.patience,
            unstirred: quiet.clone(),
            quiet,
            suspicions: Vec::new(),
            under_way: BTreeMap::new(),
            cut: BTreeSet::new(),
        })
    }

    /// Processes the next event.
    pub fn apply(&mut self, what: &What) {
        match what {
            What::Fired { at, timer: TimerName::Detector(_), .. } => {
                for quiet in self.counts_of(at.node) {
                    *quiet = quiet.map(|quiet| quiet.saturating_add(1));
                }
            }
            What::Armed { at, timer: TimerName::Detector(_), .. } => {
                self.counts_of(at.node).for_each(|quiet| *quiet = quiet.or(Some(0)));
            }
            what if what.is_heartbeat() => self.carry(what),
            What::Suspected { at, whom } => {
                self.suspicions.push((at.node, *whom));
                self.stir();
            }
            What::Trusted { at, whom } => {
                self.suspicions.retain(|suspicion| *suspicion != (at.node, *whom));
                // This suspicion was wrong. After a wrong suspicion the detector may use a longer time-out.
                self.patience = self.patience.saturating_add(1);
                self.stir();
            }
            What::Crashed { node, .. } => {
                self.suspicions.retain(|(who, _)| who != node);
                self.counts_of(*node).for_each(|quiet| *quiet = None);
                self.cut.retain(|(from, to)| from != node && to != node);
                self.stir();
            }
            What::Configured { .. } => {
                self.cut.clear();
                self.stir();
            }
            What::Noted { .. } | What::Violated { .. } | What::Put { .. } | What::Rejected { .. } => {}
            _ => self.stir(),
        }
    }

    /// Resets the numbers of heartbeats in `quiet` and `unstirred`, since an event has happened that may have further
    /// effects.
    fn stir(&mut self) {
        for quiet in self.quiet.iter_mut().chain(&mut self.unstirred) {
            *quiet = quiet.map(|_| 0);
        }
    }

    fn counts_of(&mut self, node: NodeId) -> impl Iterator<Item = &mut Option<u32>> {
        [&mut self.quiet, &mut self.unstirred].into_iter().filter_map(move |counts| counts.get_mut(node.index()))
    }

    fn carry(&mut self, what: &What) {
        let (message, more) = match what {
            What::Sent { message, .. } => (*message, true),
            What::Duplicated { copy, .. } => (*copy, true),
            What::Delivered { message, .. } => {
                // The sender has crashed. A detector measures the sender's silence from the last heartbeat that
                // arrives.
                if self.quiet.get(message.from.index()).is_some_and(Option::is_none) {
                    self.stir();
                }
                self.cut.remove(&(message.from, message.to));
                (*message, false)
            }
            What::Dropped { message, why, .. } => {
                if *why == DropReason::Partition {
                    self.cut.insert((message.from, message.to));
                }
                if !matches!(why, DropReason::Partition | DropReason::Crashed) {
                    self.quiet.iter_mut().for_each(|quiet| *quiet = quiet.map(|_| 0));
                }
                (*message, false)
            }
            _ => return self.stir(),
        };
        let count = self.under_way.entry((message.from, message.to)).or_default();
        *count = if more { count.saturating_add(1) } else { count.saturating_sub(1) };
    }

    /// Returns the processes that others suspect because a partition blocks their heartbeats. Only pairs of running
    /// processes count.
    #[must_use]
    pub fn cut_off(&self, runs: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let is_cut = |(who, whom): &(NodeId, NodeId)| runs(*who) && runs(*whom) && self.cut.contains(&(*whom, *who));
        let cut_off: FlatSet<NodeId> =
            self.suspicions.iter().filter(|pair| is_cut(pair)).map(|(_, whom)| *whom).collect();
        cut_off.into_iter().collect()
    }

    /// Returns whether heartbeats are settled, so that they can no longer have an effect. Only the heartbeats and
    /// beliefs of running processes count.
    #[must_use]
    pub fn are_settled(&self, runs: impl Fn(NodeId) -> bool) -> bool {
        self.have_settled(&self.quiet, runs)
    }

    /// Returns whether heartbeats are settled but for losses. Only the heartbeats and beliefs of running processes
    /// count.
    #[must_use]
    pub fn are_settled_but_for_losses(&self, runs: impl Fn(NodeId) -> bool) -> bool {
        self.have_settled(&self.unstirred, runs)
    }

    fn have_settled(&self, quiet: &[Option<u32>], runs: impl Fn(NodeId) -> bool) -> bool {
        let patience = self.patience.saturating_add(2);
        let is_quiet =
            |(node, quiet): (NodeId, &Option<u32>)| quiet.is_none_or(|quiet| quiet >= patience) || !runs(node);
        let changes_a_mind = |(who, whom): &(NodeId, NodeId)| {
            runs(*who) && self.under_way.get(&(*whom, *who)).is_some_and(|count| *count > 0)
        };
        (0..).map(NodeId).zip(quiet).all(is_quiet) && !self.suspicions.iter().any(changes_a_mind)
    }
}
