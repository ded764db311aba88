//! The table of locks: the state machine of the log. All nodes that apply the same operations in the same order
//! have the same table.

use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::identity::{LockId, NodeId, RequestId};

/// A request of a client for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockRequest {
    /// The lock.
    pub lock: LockId,
    /// The client that wants the lock.
    pub client: NodeId,
    /// The number of the client's request.
    pub request: RequestId,
}

/// An operation on the table. In each instance the nodes agree on one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Operation {
    /// Fills an instance for which a new leader found no operation.
    Nothing {},
    /// A client wants a lock.
    Acquire {
        /// The request.
        claim: LockRequest,
        /// The number of the client's latest beat when the leader proposed the operation.
        beat: u64,
    },
    /// A client no longer wants a lock.
    Release {
        /// The request by which the client holds the lock or waits for it.
        claim: LockRequest,
    },
    /// The lease of a client has expired.
    Expire {
        /// The request by which the client held the lock.
        claim: LockRequest,
    },
}

impl Operation {
    /// Whether two operations have the same effect. The beat of an acquisition is ignored.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Acquire { claim: ours, .. }, Self::Acquire { claim: theirs, .. }) => ours == theirs,
            _ => self == other,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, LockRequest { lock, client, request }) = match self {
            Self::Nothing {} => return formatter.write_str("nothing"),
            Self::Acquire { claim, beat } => {
                let LockRequest { lock, client, request } = claim;
                return write!(formatter, "acquire lock {lock} for {client}, request {request}, asked {beat}");
            }
            Self::Release { claim } => ("release", claim),
            Self::Expire { claim } => ("expire", claim),
        };
        write!(formatter, "{what} lock {lock} of {client}, request {request}")
    }
}

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The request of the holder.
    pub claim: LockRequest,
    /// The fencing token, which increases with each grant.
    pub fence: u64,
}

/// The state of all locks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    locks: Vec<Lock>,
    /// The latest fencing token.
    fence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lock {
    id: LockId,
    holder: Option<Grant>,
    queue: Vec<LockRequest>,
    /// The newest request of each client, and its progress.
    sessions: Vec<(NodeId, (RequestId, Progress))>,
}

/// The progress of a request. If two values differ, the greater one is newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Progress {
    /// The latest beat of the client.
    Asked(u64),
    /// The request is finished.
    Done,
}

impl Lock {
    fn session(&self, client: NodeId) -> Option<(RequestId, Progress)> {
        self.sessions.iter().find(|(whose, _)| *whose == client).map(|(_, session)| *session)
    }

    fn note(&mut self, client: NodeId, newest: (RequestId, Progress)) {
        match self.sessions.iter_mut().find(|(whose, _)| *whose == client) {
            Some((_, session)) => *session = newest.max(*session),
            None => self.sessions.push((client, newest)),
        }
    }
}

/// A change that an operation has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The holder has released a lock.
    Released(LockRequest),
    /// The holder has lost a lock because its lease expired.
    Expired(LockRequest),
    /// A client has got a lock.
    Granted(Grant),
}

impl Table {
    /// Applies an operation and returns the changes.
    pub fn apply(&mut self, operation: Operation) -> Vec<Change> {
        let mut changes = Vec::new();
        match operation {
            Operation::Nothing {} => {}
            Operation::Acquire { claim, beat } => self.acquire(claim, beat, &mut changes),
            Operation::Release { claim } => self.release(claim, &mut changes),
            Operation::Expire { claim } => {
                if self.lock(claim.lock).holder.take_if(|grant| grant.claim == claim).is_some() {
                    changes.push(Change::Expired(claim));
                    self.grant_next(claim.lock, &mut changes);
                }
            }
        }
        changes
    }

    fn acquire(&mut self, claim: LockRequest, beat: u64, changes: &mut Vec<Change>) {
        if !self.is_news(claim, beat) {
            return;
        }
        let lock = self.lock(claim.lock);
        lock.note(claim.client, (claim.request, Progress::Asked(beat)));
        // A client has at most one request for a lock. If the client sends a newer request, it has forgotten the
        // older request.
        lock.queue.retain(|queued| queued.client != claim.client);
        if let Some(grant) = lock.holder.take_if(|grant| grant.claim.client == claim.client) {
            changes.push(Change::Released(grant.claim));
        }
        lock.queue.push(claim);
        self.grant_next(claim.lock, changes);
    }

    fn release(&mut self, claim: LockRequest, changes: &mut Vec<Change>) {
        let lock = self.lock(claim.lock);
        lock.note(claim.client, (claim.request, Progress::Done));
        lock.queue.retain(|queued| *queued != claim);
        if lock.holder.take_if(|grant| grant.claim == claim).is_some() {
            changes.push(Change::Released(claim));
            self.grant_next(claim.lock, changes);
        }
    }

    fn grant_next(&mut self, lock: LockId, changes: &mut Vec<Change>) {
        let fence = self.fence.saturating_add(1);
        let lock = self.lock(lock);
        if lock.holder.is_some() || lock.queue.is_empty() {
            return;
        }
        let grant = Grant { claim: lock.queue.remove(0), fence };
        lock.holder = Some(grant);
        self.fence = fence;
        changes.push(Change::Granted(grant));
    }

    /// Whether a request is new: neither finished nor already known.
    #[must_use]
    pub fn is_news(&self, claim: LockRequest, beat: u64) -> bool {
        let Some(lock) = self.find(claim.lock) else { return true };
        let knows = lock.queue.contains(&claim) || lock.holder.is_some_and(|grant| grant.claim == claim);
        !knows && lock.session(claim.client).is_none_or(|session| session < (claim.request, Progress::Asked(beat)))
    }

    /// Returns the holder of a lock.
    #[must_use]
    pub fn holder(&self, lock: LockId) -> Option<Grant> {
        self.find(lock)?.holder
    }

    /// Whether the request `claim` waits for its lock.
    #[must_use]
    pub fn is_queued(&self, claim: LockRequest) -> bool {
        self.find(claim.lock).is_some_and(|lock| lock.queue.contains(&claim))
    }

    /// Returns the clients that wait for a lock, in order.
    pub fn queue(&self, lock: LockId) -> impl Iterator<Item = NodeId> {
        self.find(lock).into_iter().flat_map(|lock| lock.queue.iter().map(|claim| claim.client))
    }

    /// Returns the grants of all held locks.
    pub fn grants(&self) -> impl Iterator<Item = Grant> {
        self.locks.iter().filter_map(|lock| lock.holder)
    }

    fn find(&self, lock: LockId) -> Option<&Lock> {
        self.locks.iter().find(|entry| entry.id == lock)
    }

    fn lock(&mut self, lock: LockId) -> &mut Lock {
        let place = self.locks.partition_point(|entry| entry.id < lock);
        if self.locks.get(place).is_none_or(|entry| entry.id != lock) {
            let entry = Lock { id: lock, holder: None, queue: Vec::new(), sessions: Vec::new() };
            self.locks.insert(place, entry);
        }
        &mut self.locks[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plausibility::implausible;

    const LOCK: LockId = LockId(0);

    const fn claim(client: u32, request: u64) -> LockRequest {
        LockRequest { lock: LOCK, client: NodeId(client), request: RequestId(request) }
    }

    const fn acquire(client: u32, request: u64, beat: u64) -> Operation {
        Operation::Acquire { claim: claim(client, request), beat }
    }

    const fn granted(client: u32, request: u64, fence: u64) -> Change {
        Change::Granted(Grant { claim: claim(client, request), fence })
    }

    #[test]
    fn locks_are_granted_in_turn_with_growing_fences() {
        let mut table = Table::default();
        assert_eq!(table.apply(acquire(1, 1, 1)), [granted(1, 1, 1)]);
        assert_eq!(table.apply(acquire(2, 1, 1)), []);
        assert_eq!(table.apply(acquire(0, 1, 1)), []);
        assert!(table.queue(LOCK).eq([NodeId(2), NodeId(0)]));
        let release = Operation::Release { claim: claim(1, 1) };
        assert_eq!(table.apply(release), [Change::Released(claim(1, 1)), granted(2, 1, 2)]);
        let expire = Operation::Expire { claim: claim(2, 1) };
        assert_eq!(table.apply(expire), [Change::Expired(claim(2, 1)), granted(0, 1, 3)]);
        assert_eq!([table.apply(expire), table.apply(release)], [[], []]);
    }

    #[test]
    fn what_is_done_with_is_not_granted_again_but_what_expired_may_be() {
        let mut table = Table::default();
        table.apply(acquire(1, 1, 1));
        table.apply(Operation::Expire { claim: claim(1, 1) });
        assert_eq!(table.apply(acquire(1, 1, 1)), [], "a copy");
        assert_eq!(table.apply(acquire(1, 1, 2)), [granted(1, 1, 2)], "it asks again");
        table.apply(Operation::Release { claim: claim(1, 1) });
        assert_eq!(table.apply(acquire(1, 1, 3)), []);
        assert_eq!(table.apply(acquire(1, 2, 1)), [granted(1, 2, 3)]);
    }

    /// A promise carries the table to a new leader, so the table must contain no number that the new leader rejects.
    #[test]
    fn a_table_says_no_number_that_nobody_believes() {
        let mut table = Table::default();
        table.apply(acquire(1, 1, 1));
        table.apply(Operation::Release { claim: claim(1, 1) });
        table.apply(acquire(2, 1, 1));
        assert_eq!(implausible(&table), None);
        assert!(implausible(&(table, u64::MAX)).is_some());
    }

    #[test]
    fn a_newer_request_of_a_client_replaces_the_older_one() {
        let mut table = Table::default();
        table.apply(acquire(1, 1, 1));
        assert_eq!(table.apply(acquire(1, 2, 1)), [Change::Released(claim(1, 1)), granted(1, 2, 2)]);
        table.apply(acquire(2, 1, 1));
        table.apply(acquire(2, 2, 1));
        assert!(table.queue(LOCK).eq([NodeId(2)]));
        assert_eq!(table.apply(acquire(2, 1, 9)), [], "older than what is known");
    }
}
