//! Violations of the rules of the ledger.

use std::fmt;

use interlock_algorithm::{LockId, NodeId, RequestId};

/// A request for one lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim(pub LockId, pub RequestId);

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lock {} by request {}", self.0, self.1)
    }
}

/// The requests that are open when a process reports another request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open(pub Vec<Claim>);

impl fmt::Display for Open {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str(": no request is open");
        }
        for (place, Claim(lock, request)) in self.0.iter().enumerate() {
            let before = if place == 0 { "; open:" } else { "," };
            write!(formatter, "{before} request {request} for lock {lock}")?;
        }
        Ok(())
    }
}

/// A violation of a rule. Its text is the end of a sentence about the process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// An outcome belongs to no open request.
    #[error("reports `{0}` of {1}, which is not open{2}")]
    NotOpen(&'static str, Claim, Open),
    /// An outcome that occurs once for each request is reported again.
    #[error("reports `{0}` of {1} twice")]
    Twice(&'static str, Claim),
    /// `entered` comes before `requested`.
    #[error("reports `entered` of {0} without `requested`, which comes first")]
    NotRequested(Claim),
    /// `entered` is reported again.
    #[error("reports `entered` of {0} twice: it is in the critical section already")]
    Inside(Claim),
    /// `exited` comes before `entered`.
    #[error("reports `exited` of {0}, by which it has not entered the critical section")]
    NotEntered(Claim),
    /// `blocked` names no process.
    #[error("reports `blocked` on {0}, but names no process: `on` is empty")]
    BlockedOnNobody(Claim),
    /// `blocked` belongs to a request that does not wait.
    #[error("reports `blocked` on {0}, which does not wait")]
    NotWaiting(Claim),
    /// `aborted` belongs to no open request.
    #[error("reports `aborted` of request {0}, which is not open{1}")]
    AbortNotOpen(RequestId, Open),
    /// `aborted` comes before the `exited` of a lock.
    #[error("reports `aborted` of request {0}, by which it still has lock {1}: `exited` comes first")]
    AbortInside(RequestId, LockId),
    /// `requested` is missing.
    #[error("does not report `requested` of {0}: it belongs to the answer to `acquire`")]
    MissingRequested(Claim),
    /// `exited` is missing.
    #[error("does not report `exited` of {0}: it belongs to the answer to `release`")]
    MissingExited(Claim),
    /// `exited` comes before the release by the client.
    #[error(
        "reports `exited` of {0} before its client leaves: `exited` belongs to the answer to `release`, or comes before \
         `aborted` in the same step; if locks are leased, the scenario declares `own: {{ leases: … }}`"
    )]
    ExitedEarly(Claim),
    /// A cycle of waits is too short.
    #[error("reports a cycle of {0} processes, but a cycle of waits has at least 2")]
    ShortCycle(usize),
    /// A cycle of waits contains a process twice.
    #[error("reports a cycle that names node {} twice", .0.0)]
    Repeated(NodeId),
    /// The victim is not part of the cycle of waits.
    #[error("reports a cycle whose victim, node {}, is not part of it", .0.0)]
    Outsider(NodeId),
}
