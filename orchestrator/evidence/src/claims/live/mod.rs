//! Live processes for claims. They run in a playground without an HTTP server, which opens when the first run is
//! created. The journals of the runs are in a temporary folder.

mod stage;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

pub use stage::{Expected, Move, Stage};

use super::finding::CouldNotRun;
use interlock_machine::wire::Confinement;
use interlock_model::specification::Draft;
use interlock_observation::metrics::MetricsDocument;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use interlock_simulation::scenario::{Findings, Scenario, Until};

/// Creates live runs for claims. Several runs may exist at the same time.
pub struct Playground {
    program: PathBuf,
    arguments: Vec<OsString>,
    door: Mutex<Door>,
}

/// Whether the playground has been opened or closed.
enum Door {
    /// No run has been created yet.
    Untouched,
    /// Runs can be created.
    Open(Arc<Opened>),
    /// The playground is closed.
    Closed,
}

/// Resources of an open playground.
struct Opened {
    runtime: Runtime,
    ephemeral: EphemeralPlayground,
}

impl Playground {
    /// Creates a playground that starts its nodes as `program` with `arguments`. No process is started before the
    /// first run.
    #[must_use]
    pub const fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Self { program, arguments, door: Mutex::new(Door::Untouched) }
    }

    /// Creates a run from a document with the format of a `POST /runs` body. The processes of the run end when the
    /// [`Stage`] is dropped.
    ///
    /// # Errors
    /// If the document does not describe a run, or if its processes, sockets or files cannot be created.
    #[expect(clippy::needless_pass_by_value, reason = "callers write the document in the call")]
    pub fn stage(&self, document: Value) -> Result<Stage, CouldNotRun> {
        let draft = Draft::read(&document).map_err(|error| CouldNotRun::refused(vec![error]))?;
        let opened = self.opened()?;
        let run = opened.runtime.block_on(opened.ephemeral.registry.create(draft)).map_err(CouldNotRun::because)?;
        Ok(Stage::new(opened, run))
    }

    /// Runs an algorithm and returns its metrics when the run is idle. The client of each node enters `entries` times
    /// and requests again soon after each exit. Messages overtake each other, unless the algorithm needs FIFO links.
    ///
    /// # Errors
    /// If the run cannot be created, does not end, or violates a property.
    pub fn drained(&self, algorithm: &str, nodes: u32, entries: u32) -> Result<MetricsDocument, CouldNotRun> {
        let document = json!({
            "algorithm": algorithm, "nodes": nodes, "network": { "delay": "uniform:0..3" },
            "workload": { "idle": "exp:2", "hold": "exp:1", "entries": entries },
        });
        let stage = self.stage(document)?;
        stage.wait(&Until::Idle)?;
        let metrics = stage.metrics();
        match metrics.violations {
            0 => Ok(metrics),
            count => Err(CouldNotRun::because(format!("{count} properties were violated on the way"))),
        }
    }

    /// Runs a scenario and then removes its run.
    ///
    /// # Errors
    /// If the scenario is invalid, or if its processes, sockets or files cannot be created.
    pub fn carry_out(&self, scenario: Value) -> Result<Findings, CouldNotRun> {
        let scenario = Arc::new(Scenario::read(scenario).map_err(CouldNotRun::refused)?);
        let specification = scenario.specification(None, true).map_err(CouldNotRun::refused)?;
        let opened = self.opened()?;
        opened.runtime.block_on(async {
            let registry = &opened.ephemeral.registry;
            let carried_out = registry.carry_out(specification, &scenario, Vec::new()).await;
            let (run, findings) = carried_out.map_err(CouldNotRun::because)?;
            registry.delete(run.id).await.map_err(CouldNotRun::because)?;
            Ok(findings)
        })
    }

    fn opened(&self) -> Result<Arc<Opened>, CouldNotRun> {
        let mut door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        match &*door {
            Door::Open(opened) => Ok(Arc::clone(opened)),
            Door::Closed => Err(CouldNotRun::because("the playground is closed")),
            Door::Untouched => {
                let opened = Arc::new(Opened::new(self.program.clone(), self.arguments.clone())?);
                *door = Door::Open(Arc::clone(&opened));
                Ok(opened)
            }
        }
    }

    /// Ends all active runs, waits until all their processes have ended, and removes their journals. After that, no
    /// runs can be created.
    pub fn close(&self) {
        let mut door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        if let Door::Open(opened) = std::mem::replace(&mut *door, Door::Closed) {
            opened.runtime.block_on(opened.ephemeral.close());
        }
    }
}

impl Opened {
    fn new(program: PathBuf, arguments: Vec<OsString>) -> Result<Self, CouldNotRun> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(CouldNotRun::because)?;
        let ephemeral = runtime
            .block_on(EphemeralPlayground::open(program, arguments, Some(Confinement::default())))
            .map_err(CouldNotRun::because)?;
        Ok(Self { runtime, ephemeral })
    }
}
