//! The messages of edge chasing.

use crate::identity::LockId;
use crate::prelude::*;

/// A probe: the lecture's (blocked process, sender, receiver), and what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Who began it, being blocked.
    pub blocked: NodeId,
    /// Who waits.
    pub sender: NodeId,
    /// Who has what the sender waits for.
    pub receiver: NodeId,
    /// How many probes the blocked process had begun.
    pub number: u64,
    /// What the sender waits for.
    pub lock: LockId,
    /// How often that had been granted when the receiver got it.
    pub turn: u64,
    /// Those who wait, from the blocked process to the sender. The algorithm does without: it is for people to see.
    pub path: Vec<NodeId>,
}

messages! {
    /// The messages. A ticket numbers what a process asks for.
    pub enum EdgeChasingMessage {
        "REQUEST" Request { lock: LockId, ticket: u64 }: "A process asks the home for a resource.",
        "WAIT" Wait {
            lock: LockId,
            ticket: u64,
            holder: NodeId,
            /// How often it had been granted then.
            turn: u64,
        }: "The home says who has the resource.",
        "GRANT" Grant {
            lock: LockId,
            ticket: u64,
            /// How often it has been granted.
            turn: u64,
        }: "The home grants a resource.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back, or waits for it no more.",
        "PROBE" Probe(Probe): "Somebody is blocked.",
    }
}
