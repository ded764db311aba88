//! Start of runs. Before a run starts, it reserves a place among the runs in progress, so that concurrent requests
//! cannot exceed the limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use interlock_machine::wire::{ForeignProgram, OwnFolder};
use jiff::Timestamp;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::Registry;
use crate::identifier::new_identifier;
use crate::journal::{Header, Journal, Origin};
use crate::run::directed_scenario::Directing;
use crate::run::driver::Driver;
use crate::run::{Core, Links, NotDone, Played, Run, RunError, lock};
use interlock_model::event::{Ending, Json};
use interlock_model::specification::{Draft, Specification};
use interlock_simulation::scenario::{Director, Findings, RunStop, Scenario};

/// A place reserved for a run that is starting. It is released when the run is registered or has failed to start.
pub struct Place<'a> {
    coming: &'a Mutex<HashMap<Uuid, u64>>,
    id: Uuid,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        lock(self.coming).remove(&self.id);
    }
}

impl Registry {
    /// Creates a run and starts its processes. Returns when all of them have started.
    ///
    /// # Errors
    /// If the document is invalid, there are too many runs, or the journal or a process is not available. In that
    /// case, all processes that have already been started are ended.
    pub async fn create(&self, draft: Draft) -> Result<Arc<Run>, RunError> {
        let specification = draft.complete().map_err(RunError::Invalid)?;
        self.launch(specification, None, |_| {}).await
    }

    /// Creates a run that ends automatically.
    ///
    /// # Errors
    /// If the condition for its end is invalid, or a run cannot be created: see [`Registry::create`].
    pub async fn create_with_an_end(&self, draft: Draft, stop: &RunStop) -> Result<Arc<Run>, RunError> {
        let specification = draft.complete().map_err(RunError::Invalid)?;
        let until = stop.condition(&specification).map_err(RunError::Invalid)?;
        let mut awaited = None;
        let prepare = |core: &mut Core| awaited = until.map(|until| core.wait_to_the_end(&until));
        let run = self.launch(specification, None, prepare).await?;
        run.end_when(stop.after, awaited);
        Ok(run)
    }

    /// Creates a run for a scenario, executes the scenario, and ends the run.
    ///
    /// # Errors
    /// If the specification does not fit the scenario, or a run cannot be created.
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

    /// Creates a run for a scenario. A call of [`Registry::see_through`] then executes the actions of the
    /// scenario.
    ///
    /// # Errors
    /// If the specification does not fit the scenario, or a run cannot be created.
    pub async fn direct(
        &self,
        specification: Specification,
        scenario: &Arc<Scenario>,
        mut programs: Vec<Option<ForeignProgram>>,
    ) -> Result<Arc<Run>, RunError> {
        let director = Director::new(Arc::clone(scenario), specification.seed);
        let links = Links::open(&specification)?;
        let prepare = |core: &mut Core| {
            core.links = links;
            core.driver = Driver::Scenario(Directing::by(director));
            for (node, program) in programs.iter_mut().enumerate() {
                let Some(program) = program else { continue };
                let path = self.folder_of_programs(core.id()).join(node.to_string());
                program.own_folder = Some(OwnFolder { path, keeps: false });
            }
            core.nodes.set_programs(programs);
        };
        self.launch(specification, None, prepare).await
    }

    /// Executes the scenario of a run, and then ends the run.
    pub async fn see_through(&self, run: &Arc<Run>) -> Findings {
        let findings = run.carry_out().await;
        run.end(Ending::Stopped).await;
        self.hub.dismiss(run.id);
        findings.unwrap_or_else(|| Findings::could_not_run("the scenario had no director"))
    }

    /// Creates a run that follows a schedule, and starts its processes. Executes the first `until` actions of the
    /// schedule, or fewer if the processes differ from the model.
    ///
    /// # Errors
    /// If the schedule has fewer actions, or a run cannot be created: see [`Registry::create`].
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

    /// Reserves a place for a run, and creates the run. Its processes are not started yet.
    pub(in crate::run) async fn register(
        &self,
        specification: Arc<Specification>,
        followed: Option<Arc<Played>>,
    ) -> Result<Arc<Run>, RunError> {
        let directory = self.folder.writable()?.to_owned();
        let id = new_identifier();
        let _place = self.reserve(id, u64::from(specification.nodes))?;
        let created_at = Timestamp::now();
        let document = Json::of(&*specification).map_err(RunError::unreadable)?;
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

    /// Reserves a place for a run with `nodes` nodes. As long as its place is reserved, the run counts as in
    /// progress.
    pub(in crate::run) fn reserve(&self, id: Uuid, nodes: u64) -> Result<Place<'_>, RunError> {
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
}
