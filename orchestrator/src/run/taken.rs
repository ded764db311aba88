//! The outcome of a command.

use interlock_algorithm::RequestId;
use tokio::sync::oneshot;

use super::waiters::Heard;

/// The outcome of a command.
#[derive(Debug, Default)]
pub struct Taken {
    /// The `seq` of the latest event that it caused.
    pub seq: u64,
    /// The request that it concerned.
    pub request: Option<RequestId>,
    /// Whether the node entered at once.
    pub entered: bool,
    /// The reason why the node refused it.
    pub refused: Option<String>,
    /// Receives the `seq` of the entry, if the node has not entered yet.
    pub entry: Option<oneshot::Receiver<Heard>>,
}
