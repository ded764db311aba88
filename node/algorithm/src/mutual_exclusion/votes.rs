//! The answers to a request, in the algorithms in which a voter may ask for its vote back.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// The answers received so far, by voter.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Votes {
    /// Processes whose votes this process holds.
    pub here: FlatSet<NodeId>,
    /// Voters that have refused, or have got their vote back, and have not voted for this process since.
    pub failed: FlatSet<NodeId>,
    /// Voters that have asked for their vote back and that this process has not answered yet.
    pub inquired: FlatSet<NodeId>,
}

/// The answer to a process that asks for its vote back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inquiry {
    /// The vote has not arrived yet.
    BeforeVote,
    /// The vote stays with this process, because no other voter has refused yet.
    Undecided,
    /// The vote is returned.
    GivenBack,
}

impl Votes {
    pub fn vote(&mut self, from: NodeId) {
        self.here.insert(from);
        self.failed.remove(&from);
    }

    /// Records a refusal. If this process already holds the vote, ignores the refusal, because the voter sent the
    /// refusal before the vote.
    pub fn refuse(&mut self, from: NodeId) {
        if !self.here.contains(&from) {
            self.failed.insert(from);
        }
    }

    pub fn ask_back(&mut self, from: NodeId) {
        self.inquired.insert(from);
    }

    /// Removes the answers of a suspected process.
    pub fn forget(&mut self, node: NodeId) {
        self.here.remove(&node);
        self.failed.remove(&node);
        self.inquired.remove(&node);
    }

    pub fn are_complete(&self, set: &[NodeId]) -> bool {
        set.iter().all(|node| self.here.contains(node))
    }

    /// Returns an answer for each voter that has asked for its vote back. If a voter has refused, this process
    /// returns each requested vote that it holds. A returned vote counts as a refusal.
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
