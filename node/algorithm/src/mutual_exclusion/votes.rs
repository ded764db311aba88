//! The answers to a request, in the algorithms that ask votes back.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// The processes that have answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Votes {
    /// The processes whose votes are here.
    pub here: FlatSet<NodeId>,
    /// The processes that have refused, or have the vote back, since their last vote for this process.
    pub failed: FlatSet<NodeId>,
    /// The processes that ask the vote back and have no answer.
    pub inquired: FlatSet<NodeId>,
}

/// The answer to a process that asks its vote back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inquiry {
    /// It has not arrived yet.
    BeforeVote,
    /// It stays here: no other is refused yet.
    Undecided,
    /// It goes back.
    GivenBack,
}

impl Votes {
    pub fn vote(&mut self, from: NodeId) {
        self.here.insert(from);
        self.failed.remove(&from);
    }

    /// A refusal that arrives after the vote was sent before it.
    pub fn refuse(&mut self, from: NodeId) {
        if !self.here.contains(&from) {
            self.failed.insert(from);
        }
    }

    pub fn ask_back(&mut self, from: NodeId) {
        self.inquired.insert(from);
    }

    /// Removes the answers of a process that is suspected.
    pub fn forget(&mut self, node: NodeId) {
        self.here.remove(&node);
        self.failed.remove(&node);
        self.inquired.remove(&node);
    }

    pub fn are_complete(&self, set: &[NodeId]) -> bool {
        set.iter().all(|node| self.here.contains(node))
    }

    /// Gives back every vote that is here and asked back, if another is refused. A vote given back counts as refused.
    pub fn answer_inquiries(&mut self) -> Vec<(NodeId, Inquiry)> {
        let mut answers = Vec::new();
        for from in core::mem::take(&mut self.inquired) {
            let inquiry = match (self.here.contains(&from), self.failed.is_empty()) {
                (false, _) => Inquiry::BeforeVote,
                (true, true) => Inquiry::Undecided,
                (true, false) => Inquiry::GivenBack,
            };
            if inquiry == Inquiry::GivenBack {
                self.here.remove(&from);
                self.failed.insert(from);
            } else {
                self.inquired.insert(from);
            }
            answers.push((from, inquiry));
        }
        answers
    }
}
