//! The journal: an SQLite file that contains all events of a run, in compressed blocks; see `block`.
//!
//! Each run has its own writer thread. Producers send events to this thread through a bounded queue, and the
//! thread commits the queued events every few milliseconds. So after a SIGKILL, at most the events of the last 50
//! ms are missing, and there is never a gap before the last event.

mod block;
mod connection;
mod damage;
mod error;
mod folder;
mod index;
mod layout;
mod layout_3;
mod loading;
mod mending;
mod packing;
mod past;
mod past_run;
mod plain;
mod private_file;
mod queue;
mod reader;
mod schema;
mod sql;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use uuid::Uuid;

use interlock_model::event::{Event, Json};
use queue::{Closing, Limits, Queue};
use writer::{Watched, Writer};

pub use damage::Damage;
pub use error::{Cause, Failure, JournalError};
pub use folder::{Folder, FolderError, ReadOnly};
pub use index::Index;
pub use loading::{Loading, PublishError};
pub use past::{PastRuns, delete, rename, sizes};
pub use past_run::{Outcome, PastRun};
pub use plain::copy_plain;
pub use reader::{EventQuery, Events, LARGEST_PAGE, MOST_EXAMINED, Page, Reader};
pub use sql::{Answer, Queryable, SqlError, SqlValue};

/// Header of a journal: facts about the run that were fixed at its creation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Id of the run; the file is named after it.
    pub id: Uuid,
    /// Name for people.
    pub name: String,
    /// Specification of the run, as the API returns it.
    pub specification: Json,
    /// Time at which the run was created or loaded.
    pub created_at: Timestamp,
    /// Origin of the events.
    pub origin: Origin,
}

/// Origin of the events of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Processes of this playground have produced the events.
    #[default]
    Live,
    /// The events were loaded: from a file of another run, or from a simulation.
    Loaded,
}

/// Status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = RunStatus)]
pub enum Status {
    /// The run is in progress.
    Running,
    /// The run has ended.
    Stopped,
    /// The run ended because it could not continue.
    Failed,
}

/// Size of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct JournalSize {
    /// Size in bytes.
    pub bytes: u64,
    /// Maximum size in bytes; a run whose journal reaches this size fails. None if only the disk limits the
    /// journal, or if the run is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub limit_bytes: Option<u64>,
}

/// Handle through which producers write the journal of a run. All clones use the same writer thread.
///
/// If the last clone is dropped without [`finish`](Self::finish), the queued events are still written, but the
/// stored status of the run stays `running`. Readers then assume that the orchestrator of the run was killed.
#[derive(Clone, Debug)]
pub struct Journal(Arc<Handle>);

#[derive(Debug)]
struct Handle {
    path: PathBuf,
    limit_bytes: Option<u64>,
    queue: Arc<Queue>,
    written_bytes: Arc<AtomicU64>,
    committed: watch::Receiver<u64>,
    failure: watch::Receiver<Option<Arc<str>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Journal {
    /// Creates the journal of a new run in `directory`, which must exist, and starts the writer thread.
    ///
    /// If the file would grow beyond `limit_bytes`, the journal fails as if the disk were full, and its last event
    /// reports the reason. This function blocks for some milliseconds.
    ///
    /// # Errors
    /// If the operating system or SQLite cannot create the journal. The error contains the path of the file and
    /// the reason.
    pub fn create(directory: &Path, header: &Header, limit_bytes: Option<u64>) -> Result<Self, JournalError> {
        Self::create_file(schema::path(directory, header.id), header, limit_bytes)
    }

    fn create_file(path: PathBuf, header: &Header, limit_bytes: Option<u64>) -> Result<Self, JournalError> {
        let error = |cause| JournalError::new(&path, cause);
        let connection = schema::create(&path, header, limit_bytes).map_err(error)?;
        let queue = Arc::new(Queue::new(Limits::default()));
        let (writer, watched) =
            Writer::new(connection, path.clone(), limit_bytes, Arc::clone(&queue)).map_err(error)?;
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(move || writer.run());
        let writer = Mutex::new(Some(thread.map_err(|cause| error(Cause::Thread(cause)))?));
        let Watched { committed, failure, written_bytes } = watched;
        Ok(Self(Arc::new(Handle { path, limit_bytes, queue, written_bytes, committed, failure, writer })))
    }

    /// Returns the path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the size of the journal, including data that is still in SQLite's log.
    #[must_use]
    pub fn size(&self) -> JournalSize {
        JournalSize { bytes: self.0.written_bytes.load(Ordering::Relaxed), limit_bytes: self.0.limit_bytes }
    }

    /// Queues events, and leaves `events` empty. The events must be in order, and must follow the last queued
    /// event without a gap.
    ///
    /// Blocks while the queue is full or the writer lags behind; nothing else may slow the producers. Never blocks
    /// indefinitely: if the journal has failed or was finished, the events are discarded at once. The caller must
    /// hold the lock under which it assigns the sequence numbers. Otherwise events can be queued out of order, and
    /// the journal fails.
    pub fn append(&self, events: &mut Vec<Event>) {
        self.0.queue.append(events);
    }

    /// Queues a snapshot of the state after event `seq`, which must already have been appended. Blocks in the same
    /// cases as [`append`](Self::append).
    pub fn snapshot(&self, seq: u64, state: String) {
        self.0.queue.snapshot(seq, state);
    }

    /// Returns a channel with the number of the last committed event. Readers find this event and all earlier
    /// events in the journal.
    #[must_use]
    pub fn committed(&self) -> watch::Receiver<u64> {
        self.0.committed.clone()
    }

    /// Returns a channel with the reason why the writer stopped; none while the journal works. The reason contains
    /// the path of the file.
    #[must_use]
    pub fn failure(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.0.failure.clone()
    }

    /// Waits until event `seq` is committed.
    ///
    /// # Errors
    /// If the journal fails before event `seq` is committed, or is finished without that event.
    pub async fn flushed(&self, seq: u64) -> Result<(), Failure> {
        let mut committed = self.committed();
        // When the writer thread ends, successfully or not, the sender of the channel is dropped, which also ends the
        // wait.
        let reached = committed.wait_for(|&last| last >= seq).await.is_ok();
        if reached { Ok(()) } else { Err(self.0.failed().unwrap_or_else(|| Failure::without(&self.0.path, seq))) }
    }

    /// Writes the queued events, then the status and the reason for the end of the run, and closes the file. A
    /// further call waits for the first call and changes nothing. Blocks until the file is closed.
    ///
    /// # Errors
    /// If the journal has failed, during this call or before.
    pub fn finish(&self, status: Status, because: Option<&str>) -> Result<(), Failure> {
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = writer.take() {
            self.0.queue.close(Closing::Finished { status, because: because.map(str::to_owned) });
            if thread.join().is_err() {
                return Err(Failure::broken(&self.0.path));
            }
        }
        self.0.failed().map_or(Ok(()), Err)
    }
}

impl Handle {
    fn failed(&self) -> Option<Failure> {
        self.failure.borrow().clone().map(Failure::new)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.queue.close(Closing::Abandoned);
    }
}
