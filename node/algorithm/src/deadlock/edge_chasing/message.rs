//! The messages of edge chasing.

use crate::prelude::*;

/// A probe. It has the fields of a probe in the lecture (blocked process, sender, receiver), and the fields that
/// identify the probe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The process that began the probe because it was blocked.
    pub blocked: NodeId,
    /// The process that waits at this edge of the path.
    pub sender: NodeId,
    /// The holder of the resource for which the sender waits.
    pub receiver: NodeId,
    /// The number that the blocked process gave to the probe.
    pub number: u64,
    /// The resource for which the sender waits.
    pub lock: LockId,
    /// How many times `lock` had been granted when the receiver got it, including the grant to the receiver.
    pub turn: u64,
    /// The waiting processes, from the blocked process to the sender. The paper needs no path. Here the path
    /// identifies the wait along which the probe began, stops a probe that returns to a process, and names the cycle.
    pub path: Vec<NodeId>,
}

messages! {
    /// The messages. A ticket numbers a request of a process.
    pub enum EdgeChasingMessage {
        "REQUEST" Request { lock: LockId, ticket: u64 }: "A process asks the home for a resource.",
        "WAIT" Wait {
            lock: LockId,
            ticket: u64,
            holder: NodeId,
            /// How many times the resource had been granted when the holder got it, including the grant to the
            /// holder.
            turn: u64,
        }: "The home names the holder of the resource.",
        "GRANT" Grant {
            lock: LockId,
            ticket: u64,
            /// How many times the resource has been granted, including the grant that this message reports.
            turn: u64,
        }: "The home grants a resource.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back, or no longer waits for it.",
        "PROBE" Probe(Probe): "The probe of a blocked process.",
    }
}
