//! The client part of a node. It sends requests to the leader and renews its leases. If the leader does not answer,
//! the client asks another node.

use serde::{Deserialize, Serialize};

use super::message::{Reason, ReplicatedLockMessage as Message};
use super::table::LockRequest;
use super::{ReplicatedLock, Timer, Turn};
use crate::flat::{FlatMap, FlatSet};
use crate::identity::{Ballot, LockId, NodeId, RequestId};
use crate::outcome::Outcome;

/// Number of unanswered requests to a node after which the client asks another node.
const MOST_UNANSWERED: u32 = 2;
/// Maximum number of times that the limit `MOST_UNANSWERED` is doubled. The limit doubles each time the client has
/// asked all nodes without an answer, because the nodes may only be slow. Asking another node too soon does harm: that
/// node takes over, perhaps from a node that is about to become the leader.
const MOST_DOUBLINGS: u32 = 4;

/// The client of a node, with the locks that it wants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Client {
    /// The node to which the client sends its requests.
    target: NodeId,
    /// Number of times that the client has gone on to the next node because of missing answers, since it last
    /// received an answer.
    turns: u32,
    wants: FlatMap<LockId, Want>,
}

/// A lock that the client wants or has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Want {
    request: RequestId,
    /// Number of beats so far. A beat is a request for the lock or for a longer lease. In the critical section, a
    /// repetition of an unanswered request is not a new beat. The client counts a lease from the time of its request,
    /// so the lease ends at the client before it ends at the leader.
    beat: u64,
    /// Of the latest two beats, those whose lease has not expired yet.
    live: FlatSet<u64>,
    /// The latest beat that the leader has granted, if the client is in the critical section.
    assured: Option<u64>,
    /// Number of requests since the last answer.
    unanswered: u32,
}

impl Client {
    pub fn new(target: NodeId) -> Self {
        Self { target, turns: 0, wants: FlatMap::new() }
    }

    /// Directs all later requests to `target`.
    pub fn turn_to(&mut self, target: NodeId) {
        self.target = target;
        self.wants.values_mut().for_each(|want| want.unanswered = 0);
    }

    /// Directs all later requests to the next node, because the current target has not answered.
    fn turn_to_next(&mut self, nodes: u32) {
        self.turns = self.turns.saturating_add(1);
        self.turn_to(NodeId(self.target.0.saturating_add(1) % nodes));
    }

    /// Returns the number of unanswered requests after which the client asks another node.
    fn patience(&self, nodes: u32) -> u32 {
        MOST_UNANSWERED << (self.turns / nodes).min(MOST_DOUBLINGS)
    }

    pub const fn target(&self) -> NodeId {
        self.target
    }

    /// Whether the client waits for a lock.
    pub fn waits(&self) -> bool {
        self.wants.values().any(|want| want.assured.is_none())
    }
}

const fn is_odd(beat: u64) -> bool {
    beat % 2 == 1
}

impl ReplicatedLock {
    pub(super) fn acquire(&mut self, lock: LockId, request: RequestId, turn: &mut Turn<'_>) {
        turn.out.outcome(Outcome::requested(lock, request));
        let want = Want { request, beat: 0, live: FlatSet::new(), assured: None, unanswered: 0 };
        self.client.wants.insert(lock, want);
        self.beat(lock, turn);
    }

    /// Requests a lock, repeats a request, or asks for a longer lease.
    pub(super) fn beat(&mut self, lock: LockId, turn: &mut Turn<'_>) {
        let Some(want) = self.client.wants.get_mut(&lock) else { return };
        // In the critical section, a new beat starts only after the current beat is granted. Otherwise a second new
        // beat would replace the granted lease, because only the leases of two beats are stored.
        if want.assured.is_none_or(|assured| assured == want.beat) {
            want.beat = want.beat.saturating_add(1);
            let odd = is_odd(want.beat);
            want.live.retain(|&beat| is_odd(beat) != odd);
            want.live.insert(want.beat);
            turn.set(Timer::Lease { lock, odd }, turn.setting.lease);
        }
        let unanswered = want.unanswered;
        if unanswered >= self.client.patience(turn.setting.nodes) {
            turn.out.because(Reason::NoAnswer { from: self.client.target });
            self.client.turn_to_next(turn.setting.nodes);
        }
        turn.set(Timer::Beat(lock), turn.setting.retry);
        self.ask(lock, turn);
    }

    fn ask(&mut self, lock: LockId, turn: &mut Turn<'_>) {
        let Some(want) = self.client.wants.get_mut(&lock) else { return };
        want.unanswered += 1;
        let (target, request, beat, ballot) = (self.client.target, want.request, want.beat, self.known);
        if target == turn.me {
            self.asked(LockRequest { lock, client: target, request }, beat, ballot, turn);
        } else if want.assured.is_some() {
            turn.out.send(target, Message::Renew { lock, request, beat, ballot });
        } else {
            turn.out.send(target, Message::Request { lock, request, beat, ballot });
        }
    }

    /// Handles a GRANT: the leader reports that this node holds the lock.
    pub(super) fn granted(
        &mut self,
        from: NodeId,
        lock: LockId,
        request: RequestId,
        (fence, beat): (u64, u64),
        turn: &mut Turn<'_>,
    ) {
        if from != self.client.target && from != self.known.proposer {
            return turn.out.because(Reason::Unexpected { from });
        }
        let Some(want) = self.client.wants.get_mut(&lock).filter(|want| want.request == request) else {
            turn.out.because(Reason::NotWanted { lock });
            return self.give_back(from, lock, request, turn);
        };
        if !want.live.contains(&beat) {
            return turn.out.because(Reason::StaleGrant { beat });
        }
        want.unanswered = 0;
        self.client.turns = 0;
        if want.assured.is_none() {
            turn.out.because(Reason::Granted { fence });
            turn.out.outcome(Outcome::Entered { lock, request, fence: Some(fence) });
        }
        want.assured = want.assured.max(Some(beat));
    }

    pub(super) fn release(&mut self, lock: LockId, request: RequestId, turn: &mut Turn<'_>) {
        if self.client.wants.get(&lock).is_some_and(|want| want.request == request && want.assured.is_some()) {
            self.leave(lock, turn);
        }
    }

    fn leave(&mut self, lock: LockId, turn: &mut Turn<'_>) {
        let Some(Want { request, .. }) = self.client.wants.remove(&lock) else { return };
        turn.out.outcome(Outcome::Exited { lock, request });
        for timer in [Timer::Beat(lock), Timer::Lease { lock, odd: false }, Timer::Lease { lock, odd: true }] {
            turn.cancel(timer);
        }
        self.give_back(self.client.target, lock, request, turn);
    }

    fn give_back(&mut self, to: NodeId, lock: LockId, request: RequestId, turn: &mut Turn<'_>) {
        if to == turn.me {
            self.given_back(to, lock, request, turn);
        } else {
            turn.out.send(to, Message::Release { lock, request });
        }
    }

    /// Handles the expiry of the lease of a beat: the odd one of the latest two beats if `odd`, otherwise the even
    /// one. If the leader has granted that beat and no later beat, the client leaves the critical section.
    pub(super) fn lease_over(&mut self, lock: LockId, odd: bool, turn: &mut Turn<'_>) {
        let Some(want) = self.client.wants.get_mut(&lock) else { return };
        want.live.retain(|&beat| is_odd(beat) != odd);
        if want.assured.is_some_and(|assured| !want.live.contains(&assured)) {
            turn.out.because(Reason::LeaseOver { lock });
            self.leave(lock, turn);
        }
    }

    pub(super) fn told_to_wait(&mut self, from: NodeId, lock: LockId, request: RequestId, turn: &mut Turn<'_>) {
        match self.client.wants.get_mut(&lock).filter(|want| want.request == request && from == self.client.target) {
            Some(want) => {
                want.unanswered = 0;
                self.client.turns = 0;
            }
            None => turn.out.because(Reason::Unexpected { from }),
        }
    }

    /// Handles the report that another node leads, and sends the pending requests to the new leader at once.
    pub(super) fn told_who_leads(&mut self, from: NodeId, ballot: Ballot, turn: &mut Turn<'_>) {
        if ballot <= self.known || ballot.proposer.0 >= turn.setting.nodes {
            return turn.out.because(Reason::Unexpected { from });
        }
        self.recognise(ballot, turn);
        let locks: FlatSet<_> = self.client.wants.keys().copied().collect();
        for lock in locks {
            self.ask(lock, turn);
        }
    }
}
