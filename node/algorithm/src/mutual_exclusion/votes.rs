//! The answers to a request of one's own, in the algorithms that ask votes back.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// Who has answered, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Votes {
    /// Whose votes this process has.
    pub here: FlatSet<NodeId>,
    /// Who has refused, or has been given the vote back, since it last voted for this process.
    pub failed: FlatSet<NodeId>,
    /// Who asks for the vote back and has not been answered.
    pub inquired: FlatSet<NodeId>,
}

/// What becomes of a vote that is asked back.
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

    /// A refusal that arrives after the vote is overtaken by it.
    pub fn refuse(&mut self, from: NodeId) {
        if !self.here.contains(&from) {
            self.failed.insert(from);
        }
    }

    pub fn ask_back(&mut self, from: NodeId) {
        self.inquired.insert(from);
    }

    /// A process is dead: what it has said counts for nothing.
    pub fn forget(&mut self, node: NodeId) {
        self.here.remove(&node);
        self.failed.remove(&node);
        self.inquired.remove(&node);
    }

    pub fn are_complete(&self, set: &[NodeId]) -> bool {
        set.iter().all(|node| self.here.contains(node))
    }

    /// Gives back every vote that is asked back and here, if another is refused; having given one back counts as that.
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
