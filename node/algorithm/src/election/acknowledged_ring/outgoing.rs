//! The ELECTs of a process that are not acknowledged yet, and to whom they go.

use serde::{Deserialize, Serialize};

use super::{AcknowledgedRing, AcknowledgedRingMessage, Setting, Timer};
use crate::flat::FlatMap;
use crate::identity::NodeId;
use crate::turn::Turn;

/// What a process has sent in the election of the highest term that it has seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Outgoing {
    /// How many places further the one stands to whom this process sends: those between are dead.
    distance: u32,
    /// What is not acknowledged, by the id that it bears.
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
    /// To whom this process sends; nobody if all others are dead.
    pub fn receiver(&self, setting: &Setting, me: NodeId) -> Option<NodeId> {
        (self.distance < setting.ring.length()).then(|| setting.ring.after(me, self.distance))
    }

    /// Whether something is not acknowledged.
    pub fn is_open(&self) -> bool {
        !self.sent.is_empty()
    }

    /// Sends an ELECT and waits for the OK; false if there is nobody to send it to.
    pub fn send(&mut self, message: (u64, NodeId, u64), turn: &mut Turn<AcknowledgedRing>) -> bool {
        let Some(receiver) = self.receiver(turn.setting, turn.me) else { return false };
        let (term, candidate, hops) = message;
        self.sent.insert(candidate, Sent { hops, distance: self.distance });
        turn.set(Timer::Answer { candidate }, turn.setting.answer);
        turn.send(receiver, AcknowledgedRingMessage::Elect { term, candidate, hops });
        true
    }

    /// Takes an OK, and says whether it was waited for.
    pub fn acknowledged(&mut self, (by, candidate): (NodeId, NodeId), turn: &mut Turn<AcknowledgedRing>) -> bool {
        let is_receiver = |sent: &Sent| turn.setting.ring.after(turn.me, sent.distance) == by;
        let waited_for = self.sent.get(&candidate).is_some_and(is_receiver);
        if waited_for {
            self.sent.remove(&candidate);
            turn.cancel(Timer::Answer { candidate });
        }
        waited_for
    }

    /// No OK has come in time: turns to the one after, and says who is dead and what is to be sent again.
    pub fn skip(&mut self, setting: &Setting, me: NodeId, candidate: NodeId) -> Option<(NodeId, u64)> {
        let Sent { hops, distance } = self.sent.remove(&candidate)?;
        self.distance = self.distance.max(distance + 1);
        Some((setting.ring.after(me, distance), hops))
    }

    /// Waits for this OK no more: its time is over.
    pub fn drop_one(&mut self, candidate: NodeId) {
        self.sent.remove(&candidate);
    }

    /// Waits for no OK any more.
    pub fn forget(&mut self, turn: &mut Turn<AcknowledgedRing>) {
        while let Some((candidate, _)) = self.sent.pop_first() {
            turn.cancel(Timer::Answer { candidate });
        }
    }

    /// A new election: whoever was dead may be back.
    pub fn begin(&mut self, turn: &mut Turn<AcknowledgedRing>) {
        self.forget(turn);
        self.distance = 1;
    }
}
