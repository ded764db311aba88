//! The messages of central detection.

use crate::prelude::*;

/// An edge of the wait-for graph: one process waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The process that waits.
    pub process: NodeId,
    /// The ticket of the waiting process's request.
    pub ticket: u64,
    /// The logical time at which the waiting transaction began.
    pub timestamp: u64,
    /// The resource for which the process waits.
    pub lock: LockId,
    /// The holder of the resource.
    pub holder: NodeId,
}

impl Edge {
    /// Returns the age of the waiting transaction. A smaller age is older.
    #[must_use]
    pub const fn age(&self) -> Timestamp {
        Timestamp { clock: self.timestamp, process: self.process }
    }
}

messages! {
    /// The messages. A ticket numbers a request of a process.
    pub enum CentralDetectionMessage {
        "REQUEST" Request { lock: LockId, ticket: u64, timestamp: u64 }: "A process asks the home for a resource.",
        "GRANT" Grant { lock: LockId, ticket: u64, clock: u64 }: "The home grants a resource.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back, or no longer waits for it.",
        "REPORT" Report {
            /// The number of this report. An older report does not replace a newer one.
            version: u64,
            /// The local wait-for graph, by waiting process.
            edges: Vec<Edge>,
        }: "A site reports to the coordinator which processes wait there for which.",
        "ABORT" Abort {
            /// The resource for which the process waits.
            lock: LockId,
            ticket: u64,
        }: "The coordinator tells a process to give up.",
    }
}
