//! Who takes part: the dead are removed, and who is back takes part again.
//!
//! Ricart and Agrawala's paper (section 6.1) removes who has failed and has the others go on; who comes back must be told the
//! highest number first, or it asks with a number that others have passed. So, where that matters, it says JOIN to all, and
//! asks for nothing before all who are not suspected have answered WELCOME. What was said to or by an earlier life is told
//! apart by the lives that messages name.

use crate::flat::{FlatMap, FlatSet};
use crate::needs::FailureDetector;
use crate::prelude::*;

/// What an algorithm needs that counts on nobody who is dead: to be certain who is, and that what an earlier life has said does
/// not come after what was said to a later one, or by it.
pub(super) const fn needs(of: Assumptions) -> Assumptions {
    Assumptions { fifo: true, no_crash: false, failure_detector: FailureDetector::Perfect, ..of }
}

/// Whom a process counts on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Membership {
    /// Which life of its own it is in, from 1.
    pub life: u32,
    /// The lives of others that are not their first.
    lives: FlatMap<NodeId, u32>,
    /// Who is suspected.
    removed: FlatSet<NodeId>,
    /// Who has not answered its JOIN yet.
    joining: FlatSet<NodeId>,
    /// When each has asked that has not been answered.
    unanswered: FlatMap<NodeId, u64>,
}

impl Default for Membership {
    fn default() -> Self {
        let (lives, unanswered) = (FlatMap::new(), FlatMap::new());
        Self { life: FIRST, lives, removed: FlatSet::new(), joining: FlatSet::new(), unanswered }
    }
}

/// The first life of a process.
const FIRST: u32 = 1;

/// The life that a message names which names none: the first.
pub(super) const fn first() -> u32 {
    FIRST
}

/// Whether a life is the first, which no message names.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
pub(super) const fn is_first(life: &u32) -> bool {
    *life == FIRST
}

impl Membership {
    /// That of a process in a later life.
    pub fn reborn(life: u32) -> Self {
        Self { life, ..Self::default() }
    }

    /// The life of another process, as far as it is known.
    pub fn life_of(&self, node: NodeId) -> u32 {
        self.lives.get(&node).copied().unwrap_or(FIRST)
    }

    /// Another process is in this life; true if its earlier one is over by that.
    pub fn meet(&mut self, node: NodeId, life: u32) -> bool {
        let is_new = life > self.life_of(node);
        if is_new {
            self.lives.insert(node, life);
            self.unanswered.remove(&node);
        }
        is_new
    }

    /// A process has asked by this number: its latest counts, whatever arrives last.
    pub fn asked(&mut self, node: NodeId, clock: u64) {
        let latest = self.unanswered.entry(node).or_default();
        *latest = clock.max(*latest);
    }

    /// A process is answered: by which number it has asked.
    pub fn answered(&mut self, node: NodeId) -> Option<u64> {
        self.unanswered.remove(&node)
    }

    /// Whether a process is suspected.
    pub fn is_removed(&self, node: NodeId) -> bool {
        self.removed.contains(&node)
    }

    /// A process is taken for dead: its answers are not waited for.
    pub fn remove(&mut self, node: NodeId) {
        self.removed.insert(node);
        self.joining.remove(&node);
    }

    /// A process is not taken for dead any more.
    pub fn take_back(&mut self, node: NodeId) {
        self.removed.remove(&node);
    }

    /// It waits for the answers of all these to its JOIN.
    pub fn join(&mut self, others: impl Iterator<Item = NodeId>) {
        self.joining = others.filter(|node| !self.removed.contains(node)).collect();
    }

    /// A process has answered its JOIN; false if no answer from there was missing.
    pub fn welcomed(&mut self, by: NodeId) -> bool {
        self.joining.remove(&by)
    }

    /// Whether it may ask for nothing yet.
    pub fn is_joining(&self) -> bool {
        !self.joining.is_empty()
    }

    /// Who has not answered its JOIN yet.
    pub const fn joining(&self) -> &FlatSet<NodeId> {
        &self.joining
    }

    /// Who is suspected.
    pub const fn removed(&self) -> &FlatSet<NodeId> {
        &self.removed
    }
}
