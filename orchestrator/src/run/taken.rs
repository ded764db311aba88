//! The outcome of a command to a node.

use interlock_algorithm::RequestId;
use tokio::sync::oneshot;

use super::waiters::Heard;

/// The outcome of a command to a node.
#[derive(Debug, Default)]
pub struct Taken {
    /// The `seq` of the latest event that the command caused.
    pub seq: u64,
    /// The request that the command concerned.
    pub request: Option<RequestId>,
    /// Whether the node entered the critical section at once.
    pub entered: bool,
    /// The reason why the node rejected the command; none if it accepted the command.
    pub refused: Option<String>,
    /// Receives the `seq` of the entry when the node enters later. None if it has entered at once, or if the
    /// command is not a request.
    pub entry: Option<oneshot::Receiver<Heard>>,
}
