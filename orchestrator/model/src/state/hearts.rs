//! Whether anything can still come of heartbeats: where failure detectors go by them, something always moves.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::detector::DetectorSetting;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use crate::event::{DropReason, What};
use crate::specification::Specification;

/// The heartbeats of a run.
///
/// They are *settled* once every process that runs has said that it is alive more often than anybody's patience lasts, while
/// nothing else happened, no heartbeat was lost by chance, and none is on its way that would change a mind. Then those who
/// are suspected stay suspected and the others trusted, until somebody has a hand in the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hearts {
    patience: u32,
    /// How often each process has said that it is alive since anything else happened.
    quiet: Vec<u32>,
    /// Who suspects whom.
    suspicions: Vec<(NodeId, NodeId)>,
    /// How many heartbeats are on their way, by sender and receiver.
    under_way: BTreeMap<(NodeId, NodeId), u32>,
}

impl Hearts {
    /// Before the first event; none where no hearts beat.
    #[must_use]
    pub fn new(specification: &Specification) -> Option<Self> {
        let DetectorSetting::Heartbeat(beating) = specification.detector_setting() else { return None };
        let quiet = vec![0; NodeId::all(specification.nodes).len()];
        Some(Self { patience: beating.patience, quiet, suspicions: Vec::new(), under_way: BTreeMap::new() })
    }

    /// Takes what happens next.
    pub fn apply(&mut self, what: &What) {
        match what {
            What::Fired { at, timer: TimerName::Detector(_), .. } => {
                self.quiet.get_mut(at.node.index()).into_iter().for_each(|quiet| *quiet = quiet.saturating_add(1));
            }
            What::Armed { timer: TimerName::Detector(_), .. } => {}
            what if what.is_heartbeat() => self.carry(what),
            What::Suspected { at, whom } => {
                self.suspicions.push((at.node, *whom));
                self.stir();
            }
            What::Trusted { at, whom } => {
                self.suspicions.retain(|suspicion| *suspicion != (at.node, *whom));
                // Who was wrong once may wait longer from now on.
                self.patience = self.patience.saturating_add(1);
                self.stir();
            }
            What::Crashed { node, .. } => {
                self.suspicions.retain(|(who, _)| who != node);
                self.stir();
            }
            What::Noted { .. } | What::Violated { .. } | What::Put { .. } | What::Rejected { .. } => {}
            _ => self.stir(),
        }
    }

    /// Something has happened of which more may come.
    fn stir(&mut self) {
        self.quiet.fill(0);
    }

    fn carry(&mut self, what: &What) {
        let (message, more) = match what {
            What::Sent { message, .. } => (*message, true),
            What::Duplicated { copy, .. } => (*copy, true),
            What::Delivered { message, .. } => (*message, false),
            What::Dropped { message, why, .. } => {
                if !matches!(why, DropReason::Partition | DropReason::Crashed) {
                    self.stir();
                }
                (*message, false)
            }
            _ => return self.stir(),
        };
        let count = self.under_way.entry((message.from, message.to)).or_default();
        *count = if more { count.saturating_add(1) } else { count.saturating_sub(1) };
    }

    /// Whether nothing comes of heartbeats any more, among those who run.
    #[must_use]
    pub fn are_settled(&self, runs: impl Fn(NodeId) -> bool) -> bool {
        let patience = self.patience.saturating_add(2);
        let is_quiet = |(node, quiet): (NodeId, &u32)| *quiet >= patience || !runs(node);
        let changes_a_mind = |(who, whom): &(NodeId, NodeId)| {
            runs(*who) && self.under_way.get(&(*whom, *who)).is_some_and(|count| *count > 0)
        };
        (0..).map(NodeId).zip(&self.quiet).all(is_quiet) && !self.suspicions.iter().any(changes_a_mind)
    }
}
