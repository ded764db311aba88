//! The unacknowledged ELECTs of a process, and their receivers.

use serde::{Deserialize, Serialize};

use super::{AcknowledgedRing, AcknowledgedRingMessage, Setting, Timer};
use crate::flat::FlatMap;
use crate::identity::NodeId;
use crate::turn::Turn;

/// The ELECTs that a process has sent in the election of the highest term that it has seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Outgoing {
    /// The distance in the ring to the process that receives the ELECTs. All processes in between have crashed.
    distance: u32,
    /// The unacknowledged ELECTs, by the id that they carry.
    sent: FlatMap<NodeId, Sent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Sent {
    hops: u64,
    distance: u32,
}

impl Default for Outgoing {
    fn default() -> Self {
        Self { distance: 1, sent: FlatMap::new() }
    }
}

impl Outgoing {
    /// Returns the process to which this process sends ELECTs; none if all others have crashed.
    pub fn receiver(&self, setting: &Setting, me: NodeId) -> Option<NodeId> {
        (self.distance < setting.ring.length()).then(|| setting.ring.after(me, self.distance))
    }

    /// Whether an ELECT is unacknowledged.
    pub fn is_open(&self) -> bool {
        !self.sent.is_empty()
    }

    /// Sends an ELECT and waits for the OK. Returns false if there is no receiver.
    pub fn send(&mut self, message: (u64, NodeId, u64), turn: &mut Turn<AcknowledgedRing>) -> bool {
        let Some(receiver) = self.receiver(turn.setting, turn.me) else { return false };
        let (term, candidate, hops) = message;
        self.sent.insert(candidate, Sent { hops, distance: self.distance });
        turn.set(Timer::Answer { candidate }, turn.setting.answer);
        turn.send(receiver, AcknowledgedRingMessage::Elect { term, candidate, hops });
        true
    }

    /// Handles an OK. Returns whether it was expected.
    pub fn acknowledged(&mut self, (by, candidate): (NodeId, NodeId), turn: &mut Turn<AcknowledgedRing>) -> bool {
        let is_receiver = |sent: &Sent| turn.setting.ring.after(turn.me, sent.distance) == by;
        let waited_for = self.sent.get(&candidate).is_some_and(is_receiver);
        if waited_for {
            self.sent.remove(&candidate);
            turn.cancel(Timer::Answer { candidate });
        }
        waited_for
    }

    /// Handles a missing OK: the next process in the ring becomes the receiver. Returns the process that counts as
    /// crashed, and the hops of the ELECT, which must be sent again.
    pub fn skip(&mut self, setting: &Setting, me: NodeId, candidate: NodeId) -> Option<(NodeId, u64)> {
        let Sent { hops, distance } = self.sent.remove(&candidate)?;
        self.distance = self.distance.max(distance + 1);
        Some((setting.ring.after(me, distance), hops))
    }

    /// Stops waiting for the OK to the ELECT with the id of `candidate`.
    pub fn drop_one(&mut self, candidate: NodeId) {
        self.sent.remove(&candidate);
    }

    /// Stops waiting for all OKs.
    pub fn forget(&mut self, turn: &mut Turn<AcknowledgedRing>) {
        while let Some((candidate, _)) = self.sent.pop_first() {
            turn.cancel(Timer::Answer { candidate });
        }
    }

    /// Begins a new election. The crashed processes may have restarted, so the receiver is again the next process in
    /// the ring.
    pub fn begin(&mut self, turn: &mut Turn<AcknowledgedRing>) {
        self.forget(turn);
        self.distance = 1;
    }
}
