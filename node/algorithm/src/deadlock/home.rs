//! The home of exclusive resources: the holder of each, and the queue of processes that wait for it.

use alloc::collections::VecDeque;
use alloc::format;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId};
use crate::view::{Queued, Value, View};

/// A process that requests a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Requester {
    pub process: NodeId,
    /// The ticket of the request.
    pub ticket: u64,
    /// The logical time at which the requesting transaction began, if the algorithm uses that time.
    pub began: u64,
}

impl Requester {
    /// Returns the age of the transaction. A smaller age is older.
    pub const fn age(self) -> Timestamp {
        Timestamp { clock: self.began, process: self.process }
    }
}

/// The resources that one process manages.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Home {
    resources: FlatMap<LockId, Resource>,
}

/// One resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Resource {
    pub holder: Option<Requester>,
    /// Number of grants, which distinguishes older reports about the holder from newer ones.
    pub turn: u64,
    /// The waiting requests, in order of arrival.
    pub queue: VecDeque<Requester>,
    /// The latest ticket of each process. It reveals duplicated copies, and requests that arrive after their
    /// withdrawal.
    seen: FlatMap<NodeId, u64>,
}

impl Resource {
    fn grant(&mut self, claim: Requester) {
        self.holder = Some(claim);
        self.turn = self.turn.saturating_add(1);
    }
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The request is old or a duplicated copy.
    Outdated,
    /// The resource was free and is granted.
    Granted,
    /// The request waits, because the given process holds the resource.
    Queued(Requester),
}

/// The result of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Released {
    /// The process neither held the resource nor waited for it with the given ticket.
    Unknown,
    /// The request is withdrawn: the process no longer waits. If the request arrives only later, it is ignored.
    Withdrawn,
    /// The resource is free: no process waits.
    Free,
    /// The resource is granted to the given process, which was the first in the queue.
    Next(Requester),
}

impl Home {
    /// Handles a request.
    pub fn ask(&mut self, lock: LockId, claim: Requester) -> Asked {
        let resource = self.resources.entry(lock).or_default();
        let seen = resource.seen.entry(claim.process).or_default();
        if claim.ticket <= *seen {
            return Asked::Outdated;
        }
        *seen = claim.ticket;
        // A process waits at most once for a resource. Its newer request shows that it has given up the earlier one.
        resource.queue.retain(|queued| queued.process != claim.process);
        if let Some(holder) = resource.holder {
            resource.queue.push_back(claim);
            Asked::Queued(holder)
        } else {
            resource.grant(claim);
            Asked::Granted
        }
    }

    /// Handles a release: `process` releases the resource that it holds by `ticket`, or withdraws the request with
    /// `ticket`.
    pub fn release(&mut self, lock: LockId, process: NodeId, ticket: u64) -> Released {
        let is_it = |claim: &Requester| claim.process == process && claim.ticket == ticket;
        let resource = self.resources.entry(lock).or_default();
        let seen = resource.seen.entry(process).or_default();
        if ticket > *seen {
            *seen = ticket;
            return Released::Withdrawn;
        }
        if resource.holder.as_ref().is_some_and(is_it) {
            resource.holder = None;
            let Some(next) = resource.queue.pop_front() else { return Released::Free };
            resource.grant(next);
            return Released::Next(next);
        }
        let before = resource.queue.len();
        resource.queue.retain(|claim| !is_it(claim));
        if resource.queue.len() < before { Released::Withdrawn } else { Released::Unknown }
    }

    /// Returns the state of a resource, if it was ever requested.
    pub fn of(&self, lock: LockId) -> Option<&Resource> {
        self.resources.get(&lock)
    }

    /// Returns the requests that wait for a resource, in order.
    pub fn waiting(&self, lock: LockId) -> impl Iterator<Item = Requester> + '_ {
        self.of(lock).into_iter().flat_map(|resource| resource.queue.iter().copied())
    }

    /// Returns all resources that were ever requested.
    pub fn resources(&self) -> impl Iterator<Item = (LockId, &Resource)> {
        self.resources.iter().map(|(&lock, resource)| (lock, resource))
    }

    /// Returns the state for display: the queue, and the holder of each resource.
    pub fn view(&self) -> View {
        let mut view = View::default();
        for (lock, resource) in self.resources() {
            view.queue.extend(resource.queue.iter().map(|claim| Queued { node: claim.process, clock: None }));
            if let Some(holder) = resource.holder {
                view.variables.insert(format!("holder of {lock}"), Value::node(Some(holder.process)));
            }
        }
        view
    }

    /// Returns the local wait-for graph, as resource, waiting request and holder.
    pub fn edges(&self) -> impl Iterator<Item = (LockId, Requester, Requester)> + '_ {
        self.resources().flat_map(|(lock, resource)| {
            let holder = resource.holder.into_iter();
            holder.flat_map(move |holder| resource.queue.iter().map(move |&waiting| (lock, waiting, holder)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: LockId = LockId(0);

    fn claim(process: u32, ticket: u64) -> Requester {
        Requester { process: NodeId(process), ticket, began: 0 }
    }

    #[test]
    fn who_comes_first_is_served_first() {
        let mut home = Home::default();
        assert_eq!(home.ask(LOCK, claim(1, 1)), Asked::Granted);
        assert_eq!(home.ask(LOCK, claim(2, 1)), Asked::Queued(claim(1, 1)));
        assert_eq!(home.ask(LOCK, claim(0, 4)), Asked::Queued(claim(1, 1)));
        assert_eq!(home.edges().count(), 2);
        assert_eq!(home.release(LOCK, NodeId(1), 1), Released::Next(claim(2, 1)));
        assert_eq!(home.release(LOCK, NodeId(2), 1), Released::Next(claim(0, 4)));
        assert_eq!(home.release(LOCK, NodeId(0), 4), Released::Free);
    }

    #[test]
    fn copies_and_old_requests_change_nothing() {
        let mut home = Home::default();
        home.ask(LOCK, claim(1, 3));
        let before = home.clone();
        assert_eq!([home.ask(LOCK, claim(1, 3)), home.ask(LOCK, claim(1, 2))], [Asked::Outdated; 2]);
        assert_eq!(home.release(LOCK, NodeId(1), 2), Released::Unknown);
        assert_eq!(home.release(LOCK, NodeId(1), 1), Released::Unknown);
        assert_eq!(home.of(LOCK), before.of(LOCK));
    }

    #[test]
    fn a_release_that_overtakes_its_request_withdraws_it() {
        let mut home = Home::default();
        assert_eq!(home.release(LOCK, NodeId(1), 1), Released::Withdrawn);
        assert_eq!(home.ask(LOCK, claim(1, 1)), Asked::Outdated);
        assert_eq!(home.ask(LOCK, claim(1, 2)), Asked::Granted);
    }

    /// If a process requests several resources at the same time, all of its requests count, even if they arrive out of
    /// order.
    #[test]
    fn tickets_are_told_apart_for_each_resource() {
        let mut home = Home::default();
        assert_eq!(home.ask(LockId(1), claim(1, 2)), Asked::Granted);
        assert_eq!(home.ask(LOCK, claim(1, 1)), Asked::Granted);
        assert_eq!(
            [LockId(1), LOCK].map(|lock| home.ask(lock, claim(2, 1))),
            [Asked::Queued(claim(1, 2)), Asked::Queued(claim(1, 1))]
        );
        assert_eq!(home.edges().count(), 2, "it waits for both");
    }

    #[test]
    fn nobody_waits_twice() {
        let mut home = Home::default();
        home.ask(LOCK, claim(0, 1));
        for ticket in 1..100 {
            home.ask(LOCK, claim(1, ticket));
        }
        assert_eq!(home.of(LOCK).map(|resource| resource.queue.clone()), Some([claim(1, 99)].into()));
    }
}
