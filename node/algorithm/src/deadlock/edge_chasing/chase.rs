//! What a process knows of its own waits, and of the probes that have come by.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::Probe;
use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId};

/// A wait of one's own, as the home has told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Blocked {
    pub lock: LockId,
    pub ticket: u64,
    /// Who has the resource, and how often it had been granted then.
    pub holder: NodeId,
    pub turn: u64,
    /// The number of the first probe about this wait.
    first: u64,
}

/// What a process knows of probes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Chase {
    /// Its waits, of which it may have several at the same time.
    blocked: FlatMap<LockId, Blocked>,
    /// The wait that ended last.
    before: Option<Blocked>,
    /// How often each resource had been granted when this process got it.
    turns: FlatMap<LockId, u64>,
    /// How many times it has begun probes.
    number: u64,
    /// The latest probe of each process that has come by here.
    passed: FlatMap<NodeId, u64>,
}

impl Chase {
    /// The home has told who has what this process waits for. None if that is known, or older than what is known.
    pub fn block(&mut self, lock: LockId, ticket: u64, holder: NodeId, turn: u64) -> Option<Blocked> {
        let is_known = self.blocked.get(&lock).is_some_and(|known| known.ticket == ticket && known.turn >= turn);
        if is_known {
            return None;
        }
        let wait = Blocked { lock, ticket, holder, turn, first: self.number.saturating_add(1) };
        self.blocked.insert(lock, wait);
        Some(wait)
    }

    /// It waits for this resource no more.
    pub fn unblock(&mut self, lock: LockId) {
        self.before = self.blocked.remove(&lock).or(self.before);
    }

    /// It has given everything up.
    pub fn give_up(&mut self) {
        self.before = self.blocked.pop_last().map(|(_, wait)| wait).or(self.before);
        self.blocked.clear();
        self.turns.clear();
    }

    /// It has the resource.
    pub fn got(&mut self, lock: LockId, turn: u64) {
        self.turns.insert(lock, turn);
    }

    /// It has given it back.
    pub fn gave(&mut self, lock: LockId) {
        self.turns.remove(&lock);
    }

    /// What it waits for.
    pub fn waits(&self) -> Vec<Blocked> {
        self.blocked.values().copied().collect()
    }

    /// Whether it waits for anything.
    pub fn is_blocked(&self) -> bool {
        !self.blocked.is_empty()
    }

    /// The wait that ended last.
    pub const fn before(&self) -> Option<Blocked> {
        self.before
    }

    /// New probes along these waits, all of the same number: whoever gets two of them needs to send on only one.
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

    /// Whether what the sender waits for is what this process has.
    pub fn is_waited_for(&self, probe: &Probe) -> bool {
        self.turns.get(&probe.lock) == Some(&probe.turn)
    }

    /// Whether this process has begun the probe along a wait that it still has. Along which, the second in the path
    /// tells; a circle of one is none.
    pub fn is_own(&self, probe: &Probe) -> bool {
        let along = |wait: &Blocked| {
            probe.path.get(1) == Some(&wait.holder) && (wait.first..=self.number).contains(&probe.number)
        };
        self.blocked.values().any(along)
    }

    /// Notes a probe of another. False if it has come by before, or a later one has.
    pub fn pass(&mut self, probe: &Probe) -> bool {
        let latest = self.passed.entry(probe.blocked).or_default();
        let is_news = *latest < probe.number;
        *latest = probe.number.max(*latest);
        is_news
    }
}

/// The probe as it goes on from here, where somebody else is waited for.
pub(super) fn forwarded(probe: &Probe, me: NodeId, wait: Blocked) -> Probe {
    let Blocked { lock, holder, turn, .. } = wait;
    let mut path = probe.path.clone();
    path.push(me);
    Probe { sender: me, receiver: holder, lock, turn, path, blocked: probe.blocked, number: probe.number }
}

/// Whether a probe can be what it says, come from `from` to `me` in a run of so many nodes.
pub(super) fn can_be(probe: &Probe, from: NodeId, me: NodeId, nodes: u32) -> bool {
    let ends = probe.path.first() == Some(&probe.blocked) && probe.path.last() == Some(&from);
    let mut sorted: Vec<NodeId> = probe.path.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let nobody_twice = sorted.len() == probe.path.len() && sorted.iter().all(|node| node.0 < nodes);
    probe.sender == from && probe.receiver == me && ends && nobody_twice
}
