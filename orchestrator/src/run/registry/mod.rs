//! All runs of an orchestrator: runs in memory, and runs that have only a journal.

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

/// Maximum number of concurrent simulations. Each simulation occupies a processor.
const SIMULATIONS: usize = 2;
/// Maximum number of runs that are loaded concurrently. Each load uses two threads. Their memory is small, since
/// the sender keeps all data that has not been read yet.
const LOADS: usize = 4;

/// Limits of one orchestrator.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of runs in progress at the same time.
    pub runs: usize,
    /// Maximum number of nodes in all runs in progress, derived from the limit of file descriptors. None if there
    /// is no limit.
    pub nodes: Option<u64>,
    /// Maximum size of one journal, in bytes. None if only the disk limits its size.
    pub journal_bytes: Option<u64>,
    /// Maximum total size of all journals, in bytes. If it is exceeded, the oldest ended runs are deleted. None if
    /// only the disk limits the size.
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
    /// Creates a registry of the runs whose journals are in `folder`. Blocks while it reads the index of the
    /// journals.
    #[must_use]
    pub fn new(folder: Folder, limits: Limits, supervisor: Supervisor, hub: Hub) -> Self {
        // Each read occupies a processor. At most half of the processors are used for reads, since runs in
        // progress and their viewers also need processors.
        let processors = available_parallelism().map_or(1, NonZero::get);
        let some = processors.div_ceil(2);
        let turns = [SIMULATIONS, LOADS, some, some, processors, some].map(|turns| Arc::new(Semaphore::new(turns)));
        let [simulations, loads, reads, pages, glances, folds] = turns;
        let index = Mutex::new(Index::open(&folder));
        // New runs must have greater identifiers than all existing runs, even if the clock has been set back. If
        // the folder cannot be listed, a later request for its runs reports the error.
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

    /// Returns the error for an action on a run that is not in memory, and therefore cannot be changed.
    #[must_use]
    pub const fn out_of_reach(&self) -> RunError {
        if self.folder.is_read_only() { RunError::ReadOnly(ReadOnly) } else { RunError::Ended }
    }

    /// Waits for a permit to simulate.
    pub async fn simulating(&self) -> Option<OwnedSemaphorePermit> {
        // This cannot fail, since the semaphore is never closed.
        Arc::clone(&self.simulations).acquire_owned().await.ok()
    }

    /// Returns a permit to load a run.
    ///
    /// # Errors
    /// If the maximum number of runs is being loaded. The error is [`RunError::TooManyLoads`].
    pub fn loading(&self) -> Result<OwnedSemaphorePermit, RunError> {
        Arc::clone(&self.loads).try_acquire_owned().map_err(|_| RunError::TooManyLoads(LOADS))
    }

    /// Waits for a permit to read a large part of a journal.
    pub async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        // This cannot fail, since the semaphore is never closed.
        Arc::clone(&self.reads).acquire_owned().await.ok()
    }

    /// Waits for a permit to read a large page of events, or to search for events. Does not wait for clients that
    /// read whole runs, because such reads need other permits.
    pub async fn paging(&self) -> Option<OwnedSemaphorePermit> {
        // This cannot fail, since the semaphore is never closed.
        Arc::clone(&self.pages).acquire_owned().await.ok()
    }

    /// Returns the pool of threads with a low priority. It has as many threads as there are permits to read large
    /// pages.
    #[must_use]
    pub const fn background(&self) -> &Background {
        &self.background
    }

    /// Waits for a permit to read a small part of a journal. Clients use such a permit for at most some
    /// milliseconds.
    pub async fn glancing(&self) -> Option<OwnedSemaphorePermit> {
        // This cannot fail, since the semaphore is never closed.
        Arc::clone(&self.glances).acquire_owned().await.ok()
    }

    /// Waits for a permit to compute the state of a run for one client. The number of permits is limited, so that
    /// half of the processors are left for requests and runs, however many clients there are.
    pub async fn folding(&self) -> Option<OwnedSemaphorePermit> {
        // This cannot fail, since the semaphore is never closed.
        Arc::clone(&self.folds).acquire_owned().await.ok()
    }

    /// Returns the run `id` if it is in memory: it is in progress, or is one of the latest ended runs.
    #[must_use]
    pub fn find(&self, id: Uuid) -> Option<Arc<Run>> {
        lock(&self.runs).get(&id).cloned()
    }

    /// Returns the runs in memory, both in progress and ended, the oldest first.
    #[must_use]
    pub fn at_hand(&self) -> Vec<Arc<Run>> {
        let mut runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        runs.sort_unstable_by_key(|run| run.id);
        runs
    }

    /// Ends all runs, since the orchestrator is shutting down. Waits until all their processes have ended.
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
