//! All runs: those in progress, and those with journals.

mod background;
mod keeping;
mod launching;

use std::collections::HashMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use background::Background;

use super::{Hub, Run, RunError, lock};
use crate::identifier::succeed;
use crate::journal::{Folder, Index, ReadOnly, sizes};
use crate::supervisor::Supervisor;
use interlock_model::event::Ending;

/// Maximum number of concurrent simulations. Each keeps a processor busy.
const SIMULATIONS: usize = 2;
/// Maximum number of runs that are loaded concurrently. Each load has two threads. Data that has not been read yet
/// stays with its sender.
const LOADS: usize = 4;

/// Limits of one orchestrator.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of runs in progress at the same time.
    pub runs: usize,
    /// Maximum number of nodes in all runs in progress, derived from the limit of file descriptors. None means no
    /// limit.
    pub nodes: Option<u64>,
    /// Maximum size of one journal, in bytes. None means until the disk is full.
    pub journal_bytes: Option<u64>,
    /// Maximum size of all journals together, in bytes. Above it, the oldest ended runs are deleted. None means until
    /// the disk is full.
    pub folder_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { runs: 20, nodes: None, journal_bytes: None, folder_bytes: None }
    }
}

/// All runs of one orchestrator.
pub struct Registry {
    folder: Folder,
    index: Mutex<Index>,
    limits: Limits,
    supervisor: Supervisor,
    hub: Hub,
    runs: Mutex<HashMap<Uuid, Arc<Run>>>,
    coming: Mutex<HashMap<Uuid, u64>>,
    simulations: Arc<Semaphore>,
    loads: Arc<Semaphore>,
    reads: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    glances: Arc<Semaphore>,
    folds: Arc<Semaphore>,
    background: Background,
}

impl Registry {
    /// Creates a registry of the runs whose journals are in `folder`. Blocks while it reads their index.
    #[must_use]
    pub fn new(folder: Folder, limits: Limits, supervisor: Supervisor, hub: Hub) -> Self {
        // Reading keeps a processor busy, and runs in progress and their viewers need some processors as well.
        let processors = available_parallelism().map_or(1, NonZero::get);
        let some = processors.div_ceil(2);
        let turns = [SIMULATIONS, LOADS, some, some, processors, some].map(|turns| Arc::new(Semaphore::new(turns)));
        let [simulations, loads, reads, pages, glances, folds] = turns;
        let index = Mutex::new(Index::open(&folder));
        // The newest run must have the greatest identifier, even if the clock has stepped back. If the folder
        // cannot be listed, a later request for its runs reports the error.
        sizes(folder.path()).unwrap_or_default().into_iter().for_each(|(id, _)| succeed(id));
        let (runs, coming) = (Mutex::default(), Mutex::default());
        let background = Background::new(some);
        Self {
            folder,
            index,
            limits,
            supervisor,
            hub,
            runs,
            coming,
            simulations,
            loads,
            reads,
            pages,
            glances,
            folds,
            background,
        }
    }

    /// Returns the path of the folder of the journals.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the error for an action on a run that is not in memory.
    #[must_use]
    pub const fn out_of_reach(&self) -> RunError {
        if self.folder.is_read_only() { RunError::ReadOnly(ReadOnly) } else { RunError::Ended }
    }

    /// Waits for a permit to simulate.
    pub async fn simulating(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.simulations).acquire_owned().await.ok()
    }

    /// Returns a permit to load a run, or an error if the maximum number of runs are being loaded.
    ///
    /// # Errors If the maximum number of runs are being loaded. The error is [`RunError::TooManyLoads`].
    pub fn loading(&self) -> Result<OwnedSemaphorePermit, RunError> {
        Arc::clone(&self.loads).try_acquire_owned().map_err(|_| RunError::TooManyLoads(LOADS))
    }

    /// Waits for a permit to read a large part of a journal.
    pub async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.reads).acquire_owned().await.ok()
    }

    /// Waits for a permit to read a large page of events, or to search for some. It does not wait for clients that read
    /// whole runs.
    pub async fn paging(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.pages).acquire_owned().await.ok()
    }

    /// Returns the threads with a low priority. There are as many as permits to read large pages.
    #[must_use]
    pub const fn background(&self) -> &Background {
        &self.background
    }

    /// Waits for a permit to read a small part of a journal. It is held for at most some milliseconds at a time.
    pub async fn glancing(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.glances).acquire_owned().await.ok()
    }

    /// Waits for a permit to compute the state of a run for one client. These permits leave half of the processors to
    /// requests and to runs, however many clients there are.
    pub async fn folding(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.folds).acquire_owned().await.ok()
    }

    /// Returns the run with this id, if it is in memory: in progress, or one of the latest that have ended.
    #[must_use]
    pub fn find(&self, id: Uuid) -> Option<Arc<Run>> {
        lock(&self.runs).get(&id).cloned()
    }

    /// Returns the runs in memory, in progress or ended, the oldest first.
    #[must_use]
    pub fn at_hand(&self) -> Vec<Arc<Run>> {
        let mut runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        runs.sort_unstable_by_key(|run| run.id);
        runs
    }

    /// Ends all runs, because the orchestrator is shutting down, and waits until no process is left.
    pub async fn shutdown(&self) {
        let runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        for run in &runs {
            run.with(|core| core.end(Ending::Shutdown));
        }
        self.supervisor.shut_down().await;
        for run in runs {
            run.close(&Ending::Shutdown).await;
        }
        self.note_ended();
    }
}
