//! The result of a command to a node.

use interlock_algorithm::RequestId;
use tokio::sync::oneshot;

use super::waiters::Heard;

/// Result of a command that concerns a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquired {
    /// Number of the request. None if the node has not handled the command yet, for example because it is paused.
    pub request: Option<RequestId>,
    /// Whether the node is in the critical section.
    pub entered: bool,
    /// Number of the latest event that the command caused.
    pub seq: u64,
}

/// Result of a command that the node accepted. If the node may enter later, the receiver gets the `seq` of the entry.
pub type Taken = (Acquired, Option<oneshot::Receiver<Heard>>);
