//! Removal of suspected processes, and return of crashed ones.
//!
//! Ricart and Agrawala 1981, section 6.1, remove a failed process so that the others make progress. A process that comes
//! back must learn the highest number before it asks: otherwise its request passes for an older one. So it sends JOIN to
//! all others, and asks for nothing before every process that it does not suspect has answered with WELCOME. Messages name
//! incarnations (`life`): a process ignores what it sent, or was sent, in an earlier one.

use alloc::boxed::Box;
use alloc::string::String;

use crate::flat::{FlatMap, FlatSet};
use crate::needs::FailureDetector;
use crate::prelude::*;

/// Knowledge of crashes: nothing in the variants without this repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Membership(Option<Box<Members>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Members {
    /// The number of its own incarnation, from 1.
    incarnation: u32,
    /// The incarnations of others that are not their first.
    incarnations: FlatMap<NodeId, u32>,
    /// The suspected processes.
    removed: FlatSet<NodeId>,
    /// The processes that have not answered its JOIN.
    joining: FlatSet<NodeId>,
    /// The number of each request that has no answer yet.
    unanswered: FlatMap<NodeId, u64>,
}

/// The first incarnation of a process.
const FIRST: u32 = 1;

/// The incarnation of a message that names none.
pub(super) const fn first() -> u32 {
    FIRST
}

/// Returns whether an incarnation is the first, which no message names.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
pub(super) const fn is_first(incarnation: &u32) -> bool {
    *incarnation == FIRST
}

/// Returns the assumptions of a variant. Removal needs a perfect detector, and links that deliver what an earlier
/// incarnation sent, or was sent, first.
pub(super) fn assumptions(variant: &str, otherwise: Assumptions) -> Assumptions {
    match variant {
        "remove-dead" => {
            Assumptions { fifo: true, no_crash: false, failure_detector: FailureDetector::Perfect, ..otherwise }
        }
        _ => otherwise,
    }
}

impl Membership {
    /// The knowledge at the beginning of an incarnation: nothing in a variant without removal.
    pub fn new(incarnation: u32, is_kept: bool) -> Self {
        Self(is_kept.then(|| Box::new(Members { incarnation, ..Members::default() })))
    }

    /// Returns whether suspected processes are removed.
    pub const fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Returns its own incarnation.
    pub fn incarnation(&self) -> u32 {
        self.0.as_ref().map_or(FIRST, |members| members.incarnation)
    }

    /// Returns the latest known incarnation of another process.
    pub fn incarnation_of(&self, node: NodeId) -> u32 {
        self.0.as_ref().and_then(|members| members.incarnations.get(&node).copied()).unwrap_or(FIRST)
    }

    /// Notes the incarnation of another process; returns whether it is a new one.
    pub fn meet(&mut self, node: NodeId, incarnation: u32) -> bool {
        let is_new = incarnation > self.incarnation_of(node);
        let Some(members) = self.0.as_mut().filter(|_| is_new) else { return false };
        members.incarnations.insert(node, incarnation);
        members.unanswered.remove(&node);
        true
    }

    /// Notes the number of a request: the latest counts, in whatever order they arrive.
    pub fn note_request(&mut self, node: NodeId, number: u64) {
        if let Some(members) = &mut self.0 {
            let latest = members.unanswered.entry(node).or_default();
            *latest = number.max(*latest);
        }
    }

    /// Removes and returns the number of the request that is answered now.
    pub fn take_request(&mut self, node: NodeId) -> Option<u64> {
        self.0.as_mut()?.unanswered.remove(&node)
    }

    /// Begins to wait for the answers of these processes to its JOIN.
    pub fn join(&mut self, others: impl Iterator<Item = NodeId>) {
        if let Some(members) = &mut self.0 {
            members.joining = others.filter(|node| !members.removed.contains(node)).collect();
        }
    }

    /// Notes a WELCOME; returns whether it was missing.
    pub fn note_welcome(&mut self, by: NodeId) -> bool {
        self.0.as_mut().is_some_and(|members| members.joining.remove(&by))
    }

    /// Returns whether it may ask for nothing yet.
    pub fn is_joining(&self) -> bool {
        !self.joining().is_empty()
    }

    /// Returns the processes that have not answered its JOIN.
    pub fn joining(&self) -> &FlatSet<NodeId> {
        self.0.as_ref().map_or(&NOBODY, |members| &members.joining)
    }

    /// Returns the suspected processes.
    pub fn removed(&self) -> &FlatSet<NodeId> {
        self.0.as_ref().map_or(&NOBODY, |members| &members.removed)
    }

    /// Adds the suspected processes, if there are any, to the variables that people see.
    pub fn show(&self, variables: &mut FlatMap<String, Value>) {
        if !self.removed().is_empty() {
            variables.insert("removed".into(), Value::nodes(self.removed()));
        }
    }
}

static NOBODY: FlatSet<NodeId> = FlatSet::new();

/// An algorithm that makes progress without suspected processes.
pub(super) trait Removes: Algorithm {
    /// Its place for what it knows of crashes.
    fn membership(&mut self) -> &mut Membership;

    /// Stops waiting for a process that is suspected.
    fn peer_lost(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>);

    /// Waits again for a process that is trusted again.
    fn peer_back(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>) {
        let _ = (peer, turn);
    }

    /// Sends the request that its client made while it joined, with a number greater than all that it has learnt.
    fn catch_up(&mut self, turn: &mut Turn<'_, Self>) {
        let _ = turn;
    }

    fn suspect(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>) {
        let Some(members) = &mut self.membership().0 else { return };
        let was_joining = !members.joining.is_empty();
        members.removed.insert(peer);
        members.joining.remove(&peer);
        if !was_joining {
            self.peer_lost(peer, turn);
        } else if !self.membership().is_joining() {
            self.catch_up(turn);
        }
    }

    fn trust(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>) {
        let Some(members) = &mut self.membership().0 else { return };
        members.removed.remove(&peer);
        self.peer_back(peer, turn);
    }
}
