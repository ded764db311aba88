//! All runs: those under way, and those of which there are journals.

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

/// So many runs are simulated at a time: each keeps a processor busy.
const SIMULATIONS: usize = 2;
/// So many runs are loaded at a time: each has two threads, and what is not read yet waits at its sender.
const LOADS: usize = 4;

/// What one orchestrator takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most runs under way at a time.
    pub runs: usize,
    /// The most nodes under way at a time, in all runs, for which there are file descriptors; none means as many as
    /// somebody asks for.
    pub nodes: Option<u64>,
    /// The most that one journal may grow to, in bytes; none means until the disk is full.
    pub journal_bytes: Option<u64>,
    /// The most that all journals together may have before the oldest of runs that have ended go, in bytes; none means until
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
    /// The runs whose journals are in `folder`. It blocks while the index of them is read.
    #[must_use]
    pub fn new(folder: Folder, limits: Limits, supervisor: Supervisor, hub: Hub) -> Self {
        // What is read keeps a processor busy, and runs that are under way and those who watch them need some, too.
        let processors = available_parallelism().map_or(1, NonZero::get);
        let some = processors.div_ceil(2);
        let turns = [SIMULATIONS, LOADS, some, some, processors, some].map(|turns| Arc::new(Semaphore::new(turns)));
        let [simulations, loads, reads, pages, glances, folds] = turns;
        let index = Mutex::new(Index::open(&folder));
        // The newest run is the one with the greatest identifier, whatever the clock says. A folder that cannot be listed
        // is reported when its runs are asked for.
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

    /// Where the journals are.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.folder.path()
    }

    /// Why nothing can be done to a run that is not at hand.
    #[must_use]
    pub const fn out_of_reach(&self) -> RunError {
        if self.folder.is_read_only() { RunError::ReadOnly(ReadOnly) } else { RunError::Ended }
    }

    /// A turn to simulate, when one is free.
    pub async fn simulating(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.simulations).acquire_owned().await.ok()
    }

    /// A turn to load a run, or nothing while as many are loaded as may be.
    ///
    /// # Errors
    /// How many are.
    pub fn loading(&self) -> Result<OwnedSemaphorePermit, RunError> {
        Arc::clone(&self.loads).try_acquire_owned().map_err(|_| RunError::TooManyLoads(LOADS))
    }

    /// A turn to read much of a journal, when one is free.
    pub async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.reads).acquire_owned().await.ok()
    }

    /// A turn to read a large page of events, or to search for some, when one is free: it is not kept waiting by those who have
    /// the whole of a run gone through.
    pub async fn paging(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.pages).acquire_owned().await.ok()
    }

    /// Threads that give way to all others: as many as there are turns to read large pages.
    #[must_use]
    pub const fn background(&self) -> &Background {
        &self.background
    }

    /// A turn to read little of a journal, when one is free; nobody has it for more than some milliseconds.
    pub async fn glancing(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.glances).acquire_owned().await.ok()
    }

    /// Waits for a turn to fold the state of a run for one client. Clients take turns, so that many of them leave half of the
    /// processors to requests and to runs.
    pub async fn folding(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.folds).acquire_owned().await.ok()
    }

    /// The run of this id, if it is at hand: under way, or one of the latest that have ended.
    #[must_use]
    pub fn find(&self, id: Uuid) -> Option<Arc<Run>> {
        lock(&self.runs).get(&id).cloned()
    }

    /// The runs at hand, under way or over; the oldest first.
    #[must_use]
    pub fn at_hand(&self) -> Vec<Arc<Run>> {
        let mut runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        runs.sort_unstable_by_key(|run| run.id);
        runs
    }

    /// Ends all runs, because the orchestrator is shut down, and waits until no process is left.
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
