//! The knowledge of a process about its own waits, and about the probes that it has received.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::Probe;
use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId};

/// A wait of this process, as reported by the home of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Blocked {
    pub lock: LockId,
    pub ticket: u64,
    /// The holder of the resource. `turn` is how many times the resource had been granted when the holder got it,
    /// including the grant to the holder.
    pub holder: NodeId,
    pub turn: u64,
    /// The number of the first probe about this wait.
    first: u64,
}

/// The knowledge of a process about its waits and about probes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Chase {
    /// The current waits of the process, by resource.
    blocked: FlatMap<LockId, Blocked>,
    /// The wait that ended most recently.
    before: Option<Blocked>,
    /// For each resource that this process holds, the number of grants of the resource up to now. The grant to this
    /// process is included.
    turns: FlatMap<LockId, u64>,
    /// Number of the latest probes that this process has begun.
    number: u64,
    /// For each process that began probes, the number of its latest probe that this process has recorded.
    passed: FlatMap<NodeId, u64>,
}

impl Chase {
    /// Records the holder of a wanted resource, as reported by the home. Returns none if the report is already
    /// known or outdated.
    pub fn block(&mut self, lock: LockId, ticket: u64, holder: NodeId, turn: u64) -> Option<Blocked> {
        let is_known = self.blocked.get(&lock).is_some_and(|known| known.ticket == ticket && known.turn >= turn);
        if is_known {
            return None;
        }
        let wait = Blocked { lock, ticket, holder, turn, first: self.number.saturating_add(1) };
        self.blocked.insert(lock, wait);
        Some(wait)
    }

    /// Records that the process no longer waits for the resource `lock`.
    pub fn unblock(&mut self, lock: LockId) {
        self.before = self.blocked.remove(&lock).or(self.before);
    }

    /// Records that the process has given up everything.
    pub fn give_up(&mut self) {
        self.before = self.blocked.pop_last().map(|(_, wait)| wait).or(self.before);
        self.blocked.clear();
        self.turns.clear();
    }

    /// Records that the process has got the resource `lock`.
    pub fn got(&mut self, lock: LockId, turn: u64) {
        self.turns.insert(lock, turn);
    }

    /// Records that the process has released the resource `lock`.
    pub fn gave(&mut self, lock: LockId) {
        self.turns.remove(&lock);
    }

    /// Returns the current waits.
    pub fn waits(&self) -> Vec<Blocked> {
        self.blocked.values().copied().collect()
    }

    /// Whether the process waits for a resource.
    pub fn is_blocked(&self) -> bool {
        !self.blocked.is_empty()
    }

    /// Returns the wait that ended most recently.
    pub const fn before(&self) -> Option<Blocked> {
        self.before
    }

    /// Returns a new probe along each wait in `waits`. All these probes have the same number, so a process that
    /// receives two of them forwards only the first.
    pub fn probes(&mut self, me: NodeId, waits: &[Blocked]) -> Vec<Probe> {
        self.number = self.number.saturating_add(1);
        let number = self.number;
        let probe = |&Blocked { lock, holder, turn, .. }: &Blocked| Probe {
            blocked: me,
            sender: me,
            receiver: holder,
            number,
            lock,
            turn,
            path: [me].into(),
        };
        waits.iter().map(probe).collect()
    }

    /// Whether this process holds the resource for which the sender waits.
    pub fn is_waited_for(&self, probe: &Probe) -> bool {
        self.turns.get(&probe.lock) == Some(&probe.turn)
    }

    /// Whether this process began the probe, along a wait that still exists. The second process in the probe's path
    /// identifies the wait. A cycle of one process does not count.
    pub fn is_own(&self, probe: &Probe) -> bool {
        let along = |wait: &Blocked| {
            probe.path.get(1) == Some(&wait.holder) && (wait.first..=self.number).contains(&probe.number)
        };
        self.blocked.values().any(along)
    }

    /// Records the probe of another process. Returns false if this probe, or a later probe of that process, has
    /// passed before.
    pub fn pass(&mut self, probe: &Probe) -> bool {
        let latest = self.passed.entry(probe.blocked).or_default();
        let is_news = *latest < probe.number;
        *latest = probe.number.max(*latest);
        is_news
    }
}

/// Returns the probe as this process forwards it along a wait.
pub(super) fn forwarded(probe: &Probe, me: NodeId, wait: Blocked) -> Probe {
    let Blocked { lock, holder, turn, .. } = wait;
    let mut path = probe.path.clone();
    path.push(me);
    Probe { sender: me, receiver: holder, lock, turn, path, blocked: probe.blocked, number: probe.number }
}

/// Whether the content of a probe from `from` to `me` is possible in a run of `nodes` nodes.
pub(super) fn can_be(probe: &Probe, from: NodeId, me: NodeId, nodes: u32) -> bool {
    let ends = probe.path.first() == Some(&probe.blocked) && probe.path.last() == Some(&from);
    let mut sorted: Vec<NodeId> = probe.path.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let nobody_twice = sorted.len() == probe.path.len() && sorted.iter().all(|node| node.0 < nodes);
    probe.sender == from && probe.receiver == me && ends && nobody_twice
}
