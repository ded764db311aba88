//! All runs: those under way, and those of which there are journals.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use interlock_machine::wire::{ForeignProgram, OwnFolder};
use jiff::Timestamp;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::directing::Directing;
use super::summary::outcome;
use super::{Core, Hub, LoadError, NotDone, Played, Run, RunError, RunSummary, load, lock};
use crate::journal::{self, Folder, Header, Index, Journal, Origin, PastRun, ReadOnly, Reader};
use crate::supervisor::Supervisor;
use interlock_model::event::{Ending, Event, Json};
use interlock_model::field_error::FieldError;
use interlock_model::scenario::{Director, Findings, RunStop, Scenario};
use interlock_model::specification::{Draft, LONGEST_NAME, Specification};

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
}

/// A place kept for a run, given back when the run is registered or cannot be.
pub(super) struct Place<'a> {
    coming: &'a Mutex<HashMap<Uuid, u64>>,
    id: Uuid,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        lock(self.coming).remove(&self.id);
    }
}

impl Registry {
    /// The runs whose journals are in `folder`. It blocks while the index of them is read.
    #[must_use]
    pub fn new(folder: Folder, limits: Limits, supervisor: Supervisor, hub: Hub) -> Self {
        let [simulations, loads] = [SIMULATIONS, LOADS].map(|turns| Arc::new(Semaphore::new(turns)));
        let index = Mutex::new(Index::open(&folder));
        let (runs, coming) = (Mutex::default(), Mutex::default());
        Self { folder, index, limits, supervisor, hub, runs, coming, simulations, loads }
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

    /// Creates a run and starts its processes; it is under way when all of them are there.
    ///
    /// # Errors
    /// When the document is wrong, there are too many runs, or the journal or a process cannot be had. What had been
    /// started by then is ended.
    pub async fn create(&self, draft: Draft) -> Result<Arc<Run>, RunError> {
        let specification = draft.complete().map_err(RunError::Invalid)?;
        self.launch(specification, None, |_| {}).await
    }

    /// Creates a run that ends by itself.
    ///
    /// # Errors
    /// When it is said wrongly when it is to end, and for the reasons for which a run cannot be created.
    pub async fn create_with_an_end(&self, draft: Draft, stop: &RunStop) -> Result<Arc<Run>, RunError> {
        let specification = draft.complete().map_err(RunError::Invalid)?;
        let until = stop.condition(&specification).map_err(RunError::Invalid)?;
        let mut awaited = None;
        let prepare = |core: &mut Core| awaited = until.map(|until| core.wait_to_the_end(&until));
        let run = self.launch(specification, None, prepare).await?;
        run.end_when(stop.after, awaited);
        Ok(run)
    }

    /// Creates a run for a scenario, carries it out, and ends the run.
    ///
    /// # Errors
    /// When the specification does not fit the scenario, and for the reasons for which a run cannot be created.
    pub async fn carry_out(
        &self,
        specification: Specification,
        scenario: &Arc<Scenario>,
        programs: Vec<Option<ForeignProgram>>,
    ) -> Result<(Arc<Run>, Findings), RunError> {
        let run = self.direct(specification, scenario, programs).await?;
        let findings = self.see_through(&run).await;
        Ok((run, findings))
    }

    /// Creates a run for a scenario, to which nothing is done before [`Registry::see_through`].
    ///
    /// # Errors
    /// When the specification does not fit the scenario, and for the reasons for which a run cannot be created.
    pub async fn direct(
        &self,
        specification: Specification,
        scenario: &Arc<Scenario>,
        mut programs: Vec<Option<ForeignProgram>>,
    ) -> Result<Arc<Run>, RunError> {
        let director = Director::new(Arc::clone(scenario), specification.seed);
        let prepare = |core: &mut Core| {
            core.directing = Some(Directing::by(director));
            for (node, program) in programs.iter_mut().enumerate() {
                let Some(program) = program else { continue };
                let path = self.folder_of_programs(core.id).join(node.to_string());
                program.own_folder = Some(OwnFolder { path, keeps: false });
            }
            core.programs = programs;
        };
        self.launch(specification, None, prepare).await
    }

    /// Carries out the scenario of a run, and ends the run.
    pub async fn see_through(&self, run: &Arc<Run>) -> Findings {
        let findings = run.carry_out().await;
        run.end(Ending::Stopped).await;
        self.hub.dismiss(run.id);
        findings.unwrap_or_else(|| Findings::could_not_run("nobody carried it out"))
    }

    /// Creates a run that follows a schedule, and lets so many choices of it happen, or as many as until the processes do
    /// otherwise than the model. It is under way when all processes are there.
    ///
    /// # Errors
    /// When the schedule has not so many choices, and for the reasons for which a run cannot be created.
    pub async fn follow(&self, played: Arc<Played>, until: usize) -> Result<Arc<Run>, RunError> {
        let of = played.schedule.choices.len();
        if until > of {
            return Err(NotDone::NoSuchPlace { to: until, position: 0, of }.into());
        }
        let run = self.launch(played.schedule.specification.clone(), Some(played), |_| {}).await?;
        if run.replay()?.difference.is_none() {
            run.replay_to(until).await?;
        }
        Ok(run)
    }

    async fn launch(
        &self,
        specification: Specification,
        followed: Option<Arc<Played>>,
        prepare: impl FnOnce(&mut Core),
    ) -> Result<Arc<Run>, RunError> {
        let run = self.register(Arc::new(specification), followed).await?;
        run.with(prepare);
        self.hub.admit(&run);
        if let Err(error) = run.start().await {
            run.end(Ending::Failed(error.to_string())).await;
            self.hub.dismiss(run.id);
            return Err(error);
        }
        Ok(run)
    }

    /// A run whose processes are not there yet, in the place that it has from the beginning on.
    pub(super) async fn register(
        &self,
        specification: Arc<Specification>,
        followed: Option<Arc<Played>>,
    ) -> Result<Arc<Run>, RunError> {
        let directory = self.folder.writable()?.to_owned();
        let id = Uuid::now_v7();
        let _place = self.reserve(id, u64::from(specification.nodes))?;
        let created_at = Timestamp::now();
        let document = Json::of(&*specification).map_err(|error| RunError::Unreadable(error.to_string()))?;
        let (name, origin) = (specification.name.clone(), Origin::Live);
        let header = Header { id, name, specification: document.clone(), created_at, origin };
        let most = self.limits.journal_bytes;
        let journal = spawn_blocking(move || Journal::create(&directory, &header, most)).await??;
        let (supervisor, hub) = (self.supervisor.clone(), self.hub.clone());
        let run = Run::new(id, created_at, specification, document, journal, supervisor, hub, followed)
            .map_err(RunError::Timer)?;
        lock(&self.runs).insert(id, Arc::clone(&run));
        Ok(run)
    }

    /// A place for a run of so many nodes: it counts as under way while its journal is being created.
    pub(super) fn reserve(&self, id: Uuid, nodes: u64) -> Result<Place<'_>, RunError> {
        let runs = lock(&self.runs);
        let mut coming = lock(&self.coming);
        let under_way = || runs.values().filter(|run| run.ending().is_none());
        let count = under_way().count() + coming.len();
        if count >= self.limits.runs {
            return Err(RunError::TooManyRuns(count));
        }
        let taken = under_way().map(|run| u64::from(run.specification.nodes)).sum::<u64>();
        let wanted = taken + coming.values().sum::<u64>() + nodes;
        if let Some(most) = self.limits.nodes.filter(|most| wanted > *most) {
            return Err(RunError::TooManyNodes { wanted, most });
        }
        coming.insert(id, nodes);
        Ok(Place { coming: &self.coming, id })
    }

    /// Makes a past run of events that come as NDJSON; see [`super::load()`]. It blocks until all are read.
    ///
    /// # Errors
    /// When a line is no event of a run, or the source or the journal fails. Then nothing of the run remains.
    pub fn load(&self, source: impl BufRead) -> Result<RunSummary, LoadError> {
        let run = load(self.folder.writable()?, self.limits.journal_bytes, source)?;
        lock(&self.index).note(run.header.id, || run.clone());
        Ok(run.into())
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

    /// Keeps the events of a simulation as a run that has ended. It blocks.
    ///
    /// # Errors
    /// When there can be no journal.
    pub fn keep(&self, events: &[Event]) -> Result<RunSummary, LoadError> {
        let mut lines = Vec::new();
        for event in events {
            event.write_json(&mut lines).map_err(io::Error::from)?;
            lines.push(b'\n');
        }
        self.load(&lines[..])
    }

    /// The run of this id, if it is at hand: under way, or ended in this life of the orchestrator.
    #[must_use]
    pub fn find(&self, id: Uuid) -> Option<Arc<Run>> {
        lock(&self.runs).get(&id).cloned()
    }

    /// The runs at hand: under way, or ended in this life of the orchestrator; the oldest first.
    #[must_use]
    pub fn at_hand(&self) -> Vec<Arc<Run>> {
        let mut runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        runs.sort_unstable_by_key(|run| run.id);
        runs
    }

    /// All runs, the newest first. It opens the journals that the index does not know as they are now, so it blocks.
    #[must_use]
    pub fn list(&self) -> Vec<RunSummary> {
        let at_hand = self.note_ended();
        let past = lock(&self.index).runs(|id| at_hand.contains_key(&id) || self.is_live(id), &outcome);
        for unreadable in &past.unreadable {
            tracing::warn!("{unreadable}");
        }
        let past = past.runs.into_iter().map(|past| self.settled(past)).map(RunSummary::from);
        let mut all: Vec<_> = at_hand.values().map(|run| run.summary()).chain(past).collect();
        all.sort_by_key(|run| Reverse((run.created_at, run.id)));
        all
    }

    /// Whether a run is coming or under way, so that its journal is written.
    fn is_live(&self, id: Uuid) -> bool {
        // One that is coming is registered before it gives back its place, so it is looked for there first.
        let is_coming = lock(&self.coming).contains_key(&id);
        is_coming || self.find(id).is_some_and(|run| !run.is_closed())
    }

    /// Takes down in the index what came of runs that have ended. Returns those at hand. It blocks.
    fn note_ended(&self) -> HashMap<Uuid, Arc<Run>> {
        let at_hand = lock(&self.runs).clone();
        let mut index = lock(&self.index);
        for run in at_hand.values().filter(|run| run.is_closed()) {
            index.note(run.id, || run.past());
        }
        at_hand
    }

    /// What the API says of one run. It may read a journal, so it blocks.
    ///
    /// # Errors
    /// When there is no such run, or its journal cannot be read.
    pub fn summary(&self, id: Uuid) -> Result<RunSummary, RunError> {
        match self.find(id) {
            Some(run) => Ok(run.summary()),
            None => self.past(id).map(RunSummary::from),
        }
    }

    /// The journal of a run, opened for reading. It blocks.
    ///
    /// # Errors
    /// When there is no such run, or its journal cannot be read.
    pub fn reader(&self, id: Uuid) -> Result<Reader, RunError> {
        if self.find(id).is_none() {
            self.past(id)?;
        }
        Ok(Reader::open(self.directory(), id)?)
    }

    /// Stops a run if need be and removes its journal.
    ///
    /// # Errors
    /// When there is no such run, or its journal cannot be removed.
    pub async fn delete(&self, id: Uuid) -> Result<(), RunError> {
        let directory = self.folder.writable()?.to_owned();
        let at_hand = self.find(id);
        if let Some(run) = &at_hand {
            run.end(Ending::Stopped).await;
            self.hub.dismiss(id);
            lock(&self.runs).remove(&id);
        }
        let programs = self.folder_of_programs(id);
        spawn_blocking(move || {
            // Most runs have none.
            let _ = fs::remove_dir_all(programs);
            match journal::delete(&directory, id) {
                // There never was one, or somebody else was quicker.
                Err(error) if error.is_not_there() => Err(RunError::UnknownRun(id)),
                deleted => Ok(deleted?),
            }
        })
        .await?
    }

    /// Where the programs of a run that are nodes have their folders.
    fn folder_of_programs(&self, id: Uuid) -> PathBuf {
        self.folder.path().join(format!("{id}.programs"))
    }

    /// Calls a run otherwise. It blocks.
    ///
    /// # Errors
    /// When the name is too long or empty, there is no such run, or its journal cannot be written.
    pub fn rename(&self, id: Uuid, name: String) -> Result<RunSummary, RunError> {
        let directory = self.folder.writable()?;
        let invalid = |detail: String| Err(RunError::Invalid(vec![FieldError::new("/name", detail)]));
        if name.trim().is_empty() {
            return invalid("the name is empty".to_owned());
        }
        if name.chars().count() > LONGEST_NAME {
            return invalid(format!("the name is longer than {LONGEST_NAME} characters"));
        }
        match journal::rename(directory, id, &name) {
            Err(error) if error.is_not_there() => return Err(RunError::UnknownRun(id)),
            renamed => renamed?,
        }
        if let Some(run) = self.find(id) {
            *lock(&run.name) = name;
        }
        self.summary(id)
    }

    /// How a run stands that may be under way if its journal says so: here, or in the playground whose folder is looked at.
    fn settled(&self, run: PastRun) -> PastRun {
        let is_live = self.folder.is_read_only() || self.find(run.header.id).is_some();
        run.settled(is_live)
    }

    /// The run of this id among the journals. It blocks.
    fn past(&self, id: Uuid) -> Result<PastRun, RunError> {
        match lock(&self.index).run(id, &outcome) {
            Err(error) if error.is_not_there() => Err(RunError::UnknownRun(id)),
            past => Ok(self.settled(past?)),
        }
    }

    /// Takes down in the index what came of runs that have ended, and removes the oldest of them until all journals together
    /// are no larger than they may be; says which. It blocks.
    pub fn tidy(&self) -> Vec<Uuid> {
        let at_hand = self.note_ended();
        // Whoever lists the runs next finds more of what came of them.
        lock(&self.index).runs(|id| at_hand.contains_key(&id) || self.is_live(id), &outcome);
        let (Ok(directory), Some(most)) = (self.folder.writable(), self.limits.folder_bytes) else { return Vec::new() };
        let sizes = journal::sizes(directory).unwrap_or_else(|error| {
            tracing::warn!("{error}");
            Vec::new()
        });
        let mut all: u64 = sizes.iter().map(|(_, bytes)| bytes).sum();
        let mut gone = Vec::new();
        for (id, bytes) in sizes {
            if all <= most {
                break;
            }
            if self.is_live(id) {
                continue;
            }
            match journal::delete(directory, id) {
                Ok(()) => {
                    lock(&self.runs).remove(&id);
                    all = all.saturating_sub(bytes);
                    gone.push(id);
                }
                Err(error) => tracing::warn!("{error}"),
            }
        }
        gone
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
