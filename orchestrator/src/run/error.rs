//! Why something cannot be done to a run.

use std::error::Error;
use std::io;

use interlock_algorithm::NodeId;
use uuid::Uuid;

use super::difference::NotDone;
use crate::journal::{JournalError, ReadOnly};
use crate::supervisor::SupervisorError;
use interlock_model::field_error::FieldError;
use interlock_model::impossible::Impossible;
use interlock_simulation::schedule::{Misplaced, Unrecordable};

/// Why something cannot be done to a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The document is wrong, in these places.
    #[error("the document is not one that can be used")]
    Invalid(Vec<FieldError>),
    /// It is not possible now.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The events of the run are no schedule.
    #[error(transparent)]
    Unrecordable(#[from] Unrecordable),
    /// A choice of a schedule cannot happen where it stands.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// A schedule does not go on like that.
    #[error(transparent)]
    Replay(#[from] NotDone),
    /// The node refused the command.
    #[error("{0} refused: {1}")]
    Refused(NodeId, String),
    /// The node died before it took the command.
    #[error("{0} died before it took the command")]
    Died(NodeId),
    /// The states that clients follow have no room.
    #[error("the states that other streams follow use up the budget")]
    NoRoom,
    /// Runs are only looked at here.
    #[error(transparent)]
    ReadOnly(#[from] ReadOnly),
    /// The run is over.
    #[error("the run has ended")]
    Ended,
    /// The run has not come so far.
    #[error("there is no event {0}: the latest is {1}")]
    UnknownEvent(u64, u64),
    /// More happened in the run than can be shown together.
    #[error("more has happened than can be shown together: ask for what happened until event {0}")]
    TooManyEvents(u64),
    /// There is no run of this id.
    #[error("there is no run {0}")]
    UnknownRun(Uuid),
    /// A node's process ended before it had said hello.
    #[error("{0} died at once: {1}")]
    DiedAtOnce(NodeId, String),
    /// The operating system gave no timer.
    #[error("no timer can be had: {0}")]
    Timer(io::Error),
    /// What was written earlier cannot be read again, or what should be written cannot.
    #[error("a document of the run cannot be read or written: {0}")]
    Unreadable(#[source] Box<dyn Error + Send + Sync>),
    /// As many clients listen as there may be.
    #[error("{0} clients listen already")]
    TooManyClients(usize),
    /// A task of the orchestrator was broken off.
    #[error("the orchestrator broke off what it was doing: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
    /// There are not enough file descriptors for so many nodes.
    #[error(
        "{wanted} nodes in all are too many: the limit of open files leaves room for {most} (raise it: `ulimit -n`)"
    )]
    TooManyNodes {
        /// How many there would be.
        wanted: u64,
        /// How many there can be.
        most: u64,
    },
    /// There are as many runs as there may be.
    #[error("{0} runs are under way already: stop one first")]
    TooManyRuns(usize),
    /// As many runs are loaded as may be at a time.
    #[error("{0} runs are being loaded already: wait until one is there")]
    TooManyLoads(usize),
    /// The network is changed in as many ways as it may be.
    #[error("there are {1} {0} already, and each message is held against all of them: remove one first")]
    TooManyChanges(&'static str, usize),
    /// A node did not come up.
    #[error("{0} did not come up within {1} s")]
    NotUp(NodeId, u64),
    /// A process cannot be started or reached.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    /// The journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RunError {
    /// A document of the run that cannot be read or written, with the cause.
    pub fn unreadable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unreadable(cause.into())
    }
}
