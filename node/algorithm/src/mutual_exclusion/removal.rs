//! Removal of suspected processes, and rejoining of crashed ones.
//!
//! Ricart and Agrawala 1981, section 6.1, remove a failed process so that the others make progress. A process that
//! recovers must learn the highest number before it requests the critical section. Otherwise its request could have a
//! lower number than an older request. So the recovering process sends JOIN to all others. It sends no request before
//! every process that it does not suspect has answered with WELCOME. Messages name incarnations (`life`). Messages to
//! or from an earlier incarnation of a process are ignored.

use super::prelude::*;
use super::ring::NOBODY;

/// Knowledge of crashes; empty in the variants without removal of suspected processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Membership(Option<Box<Members>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Members {
    /// Incarnation of this process, counted from 1.
    incarnation: u32,
    /// Latest known incarnations of the other processes; first incarnations are omitted.
    incarnations: FlatMap<NodeId, u32>,
    /// Suspected processes.
    removed: FlatSet<NodeId>,
    /// Processes that have not answered this process's JOIN.
    joining: FlatSet<NodeId>,
    /// For each process whose request this process has not answered yet, the number of that request.
    unanswered: FlatMap<NodeId, u64>,
}

/// The assumptions of removal. On FIFO links, messages to or from an earlier incarnation arrive before messages to or
/// from a later incarnation.
pub(super) const ASSUMES: Assumptions = Assumptions { fifo: true, ..DETECTED_CRASHES };

impl Membership {
    /// Returns the knowledge at the start of an incarnation; it is empty in a variant without removal.
    pub fn new(incarnation: u32, is_kept: bool) -> Self {
        Self(is_kept.then(|| Box::new(Members { incarnation, ..Members::default() })))
    }

    /// Returns whether suspected processes are removed.
    pub const fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the incarnation of this process.
    pub fn incarnation(&self) -> u32 {
        self.0.as_ref().map_or_else(first, |members| members.incarnation)
    }

    /// Returns the latest known incarnation of another process.
    pub fn incarnation_of(&self, node: NodeId) -> u32 {
        self.0.as_ref().and_then(|members| members.incarnations.get(&node).copied()).unwrap_or_else(first)
    }

    /// Records the incarnation of another process. Returns whether it is later than the known one.
    pub fn meet(&mut self, node: NodeId, incarnation: u32) -> bool {
        let is_new = incarnation > self.incarnation_of(node);
        let Some(members) = self.0.as_mut().filter(|_| is_new) else { return false };
        members.incarnations.insert(node, incarnation);
        members.unanswered.remove(&node);
        true
    }

    /// Records the number of a request. If messages arrive out of order, the highest number is kept.
    pub fn note_request(&mut self, node: NodeId, number: u64) {
        if let Some(members) = &mut self.0 {
            let latest = members.unanswered.entry(node).or_default();
            *latest = number.max(*latest);
        }
    }

    /// Removes and returns the number of the request of `node` that this process is about to answer.
    pub fn take_request(&mut self, node: NodeId) -> Option<u64> {
        self.0.as_mut()?.unanswered.remove(&node)
    }

    /// Starts to wait for the answers of `others` to JOIN.
    pub fn join(&mut self, others: impl Iterator<Item = NodeId>) {
        if let Some(members) = &mut self.0 {
            members.joining = others.filter(|node| !members.removed.contains(node)).collect();
        }
    }

    /// Records a WELCOME. Returns `false` if this process was not waiting for it.
    pub fn note_welcome(&mut self, by: NodeId) -> bool {
        self.0.as_mut().is_some_and(|members| members.joining.remove(&by))
    }

    /// Returns whether this process still waits for WELCOME. Until then it may not send a request.
    pub fn is_joining(&self) -> bool {
        !self.joining().is_empty()
    }

    /// Returns the processes that have not answered this process's JOIN.
    pub fn joining(&self) -> &FlatSet<NodeId> {
        self.0.as_ref().map_or(&NOBODY, |members| &members.joining)
    }

    /// Returns the suspected processes.
    pub fn removed(&self) -> &FlatSet<NodeId> {
        self.0.as_ref().map_or(&NOBODY, |members| &members.removed)
    }
}

/// An algorithm that makes progress without the suspected processes.
pub(super) trait Removes: Algorithm {
    /// Returns the algorithm's knowledge of crashes.
    fn membership(&mut self) -> &mut Membership;

    /// Stops waiting for a newly suspected process.
    fn peer_lost(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>);

    /// If this process waits for answers, also waits for the answer of `peer`, which is trusted again.
    fn peer_back(&mut self, peer: NodeId, turn: &mut Turn<'_, Self>) {
        let _ = (peer, turn);
    }

    /// Sends the request that the client made while the process was joining. The request's number is greater than all
    /// numbers in the WELCOME messages.
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
