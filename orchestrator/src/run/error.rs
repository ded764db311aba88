//! Errors of actions on a run.

use std::error::Error;
use std::io;

use interlock_algorithm::NodeId;
use uuid::Uuid;

use super::difference::NotDone;
use super::streams::LinksError;
use crate::journal::{JournalError, ReadOnly};
use crate::supervisor::{DescriptorLimit, SupervisorError};
use interlock_model::field_error::FieldError;
use interlock_model::impossible::Impossible;
use interlock_simulation::schedule::{Misplaced, Unrecordable};

/// Error of an action on a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The document is invalid: each error has a pointer to an invalid value.
    #[error("the document is invalid")]
    Invalid(Vec<FieldError>),
    /// The action is impossible in the present state of the run.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The events of the run cannot be expressed as a schedule.
    #[error(transparent)]
    Unrecordable(#[from] Unrecordable),
    /// An action of a schedule is impossible when the schedule reaches it.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// The run cannot continue its schedule as requested.
    #[error(transparent)]
    Replay(#[from] NotDone),
    /// The node rejected the command.
    #[error("{0} refused: {1}")]
    Refused(NodeId, String),
    /// The node crashed before it handled the command.
    #[error("{0} crashed before it took the command")]
    Died(NodeId),
    /// Other streams of states use the whole memory budget.
    #[error("cannot stream the states: other streams use all the memory for them; try again later")]
    NoRoom,
    /// This playground is read-only: it only shows the runs of its folder.
    #[error(transparent)]
    ReadOnly(#[from] ReadOnly),
    /// The run is over.
    #[error("the run has ended")]
    Ended,
    /// The run has no event with this number yet.
    #[error("there is no event {0}; the latest is {1}")]
    UnknownEvent(u64, u64),
    /// The run has more events than can be shown together.
    #[error("cannot show all events together; request those until event {0}")]
    TooManyEvents(u64),
    /// No run has this id.
    #[error("there is no run {0}")]
    UnknownRun(Uuid),
    /// The process of a node ended before its hello.
    #[error("{0} ended at its start: {1}")]
    DiedAtOnce(NodeId, String),
    /// A service ended before it was ready, or was not ready in time.
    #[error("the service `{0}` did not become ready: its process ended with {1}")]
    NotReady(String, String),
    /// The links to the services cannot be opened.
    #[error(transparent)]
    Links(#[from] LinksError),
    /// The operating system cannot provide a timer.
    #[error("cannot create a timer: {0}")]
    Timer(io::Error),
    /// A stored document cannot be read, or a document cannot be written.
    #[error("cannot read or write a document of the run: {0}")]
    Unreadable(#[source] Box<dyn Error + Send + Sync>),
    /// The maximum number of clients follow the run already.
    #[error("cannot follow the run: {0} clients follow it already, the maximum")]
    TooManyClients(usize),
    /// A task of the orchestrator was aborted.
    #[error("cannot finish the operation: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
    /// The limit of file descriptors is too low for this number of nodes.
    #[error(
        "cannot start the nodes: all runs together would have {wanted}, but the limit of open files allows {most}; \
         raise it (`ulimit -n {}`)",
        DescriptorLimit::needed_for(*wanted)
    )]
    TooManyNodes {
        /// Number of nodes in all runs, including the nodes of the requested run.
        wanted: u64,
        /// Maximum number of nodes.
        most: u64,
    },
    /// The maximum number of runs is in progress.
    #[error("cannot start the run: {0} runs are in progress, the maximum; stop one first")]
    TooManyRuns(usize),
    /// The maximum number of runs is being loaded.
    #[error("cannot load the run: {0} runs are being loaded, the maximum; wait until one is loaded")]
    TooManyLoads(usize),
    /// The network already has the maximum number of rules or partitions.
    #[error("cannot add more {0}: there are {1}, the maximum; remove one first")]
    TooManyChanges(&'static str, usize),
    /// The process of a node did not report its address in time.
    #[error("{0} did not start within {1} s")]
    NotUp(NodeId, u64),
    /// A process cannot be started or reached.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    /// The journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RunError {
    /// Returns the error for a document of the run that cannot be read or written, with its cause.
    pub fn unreadable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unreadable(cause.into())
    }
}
