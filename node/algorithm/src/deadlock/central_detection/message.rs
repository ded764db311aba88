//! The messages of central detection.

use crate::identity::LockId;
use crate::prelude::*;

/// One who waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// Who waits.
    pub process: NodeId,
    /// By which of its tickets.
    pub ticket: u64,
    /// When its transaction began.
    pub timestamp: u64,
    /// For which resource.
    pub lock: LockId,
    /// Who has it.
    pub holder: NodeId,
}

impl Edge {
    /// The age of the transaction that waits: the smaller, the older.
    #[must_use]
    pub const fn age(&self) -> Timestamp {
        Timestamp { clock: self.timestamp, process: self.process }
    }
}

messages! {
    /// The messages. A ticket numbers what a process asks for.
    pub enum CentralDetectionMessage {
        "REQUEST" Request { lock: LockId, ticket: u64, timestamp: u64 }: "A process asks the home for a resource.",
        "GRANT" Grant { lock: LockId, ticket: u64, clock: u64 }: "The home grants a resource.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back, or waits for it no more.",
        "REPORT" Report {
            /// How many reports it has sent: an older one does not replace a newer one.
            version: u64,
            /// Its local wait-for graph, by who waits.
            edges: Vec<Edge>,
        }: "A site tells the coordinator who waits there for whom.",
        "ABORT" Abort {
            /// What it waits for.
            lock: LockId,
            ticket: u64,
        }: "The coordinator tells a process to give up.",
    }
}
