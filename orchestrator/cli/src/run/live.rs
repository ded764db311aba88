//! Live runs of scenarios, in which the nodes are processes of the operating system.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use interlock_algorithm::NodeId;
use interlock_machine::wire::{Confinement, ForeignProgram, Protocol};
use interlock_model::event::Event;
use interlock_model::specification::Specification;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use interlock_orchestrator::run::{Registry, RunError};
use interlock_orchestrator::supervisor::raise_descriptor_limit;
use interlock_simulation::scenario::{Findings, Outcome};
use interlock_simulation::schedule::{Recorder, Schedule};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Named;
use super::played::Played;

/// Playground in which scenarios run live, one after the other.
pub struct Stage {
    runtime: Runtime,
    ephemeral: EphemeralPlayground,
    interrupt: Signal,
    terminate: Signal,
}

impl Stage {
    /// Opens the playground. Its nodes are processes of this program, with the given confinement.
    pub fn open(confinement: Option<Confinement>) -> Result<Self, Box<dyn Error>> {
        raise_descriptor_limit()?;
        let program = std::env::current_exe()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (ephemeral, interrupt, terminate) = runtime.block_on(async {
            let signals = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            let ephemeral = EphemeralPlayground::open(program, vec!["node".into()], confinement).await?;
            Ok::<_, Box<dyn Error>>((ephemeral, signals.0, signals.1))
        })?;
        Ok(Self { runtime, ephemeral, interrupt, terminate })
    }

    /// Plays a scenario. Its processes end with the run.
    pub fn play(&mut self, named: &Named, seed: u64) -> Played {
        let specification = match named.scenario.specification(Some(seed), true) {
            Ok(specification) => specification,
            Err(errors) => return Played::could_not(seed, named.said(&errors)),
        };
        let Self { runtime, ephemeral, interrupt, terminate } = self;
        runtime.block_on(async {
            tokio::select! {
                played = play(&ephemeral.registry, specification, named) => {
                    played.unwrap_or_else(|error| Played::could_not(seed, error.to_string()))
                }
                _ = interrupt.recv() => interrupted(seed),
                _ = terminate.recv() => interrupted(seed),
            }
        })
    }

    /// Closes the playground, and ends all of its processes.
    pub fn close(self) {
        self.runtime.block_on(self.ephemeral.close());
    }
}

async fn play(registry: &Registry, specification: Specification, named: &Named) -> Result<Played, RunError> {
    let programs = NodeId::all(specification.nodes).map(|node| program(&specification, node, named)).collect();
    let (run, findings) = registry.carry_out(specification.clone(), &named.scenario, programs).await?;
    let events: Vec<Event> = registry.reader(run.id)?.events_after(0).collect::<Result<_, _>>()?;
    let metrics = Some(run.with(|core| core.metrics().document()));
    // The run can be deleted: everything that the results need has been read.
    registry.delete(run.id).await?;
    let schedule = recorded(&specification, &events);
    let lasted = Duration::from_micros(events.last().map_or(0, |event| event.at_us));
    Ok(Played { seed: specification.seed, findings, events, schedule, metrics, lasted, is_interrupted: false })
}

/// Returns the program that acts as a node, or none if the node is not a program of the user. The program starts in
/// the folder of the scenario file, so that relative paths do not depend on the current folder.
fn program(specification: &Specification, node: NodeId, named: &Named) -> Option<ForeignProgram> {
    let of_service = || Some((specification.service(node)?.service.command.as_slice(), Protocol::default()));
    let (command, protocol) = specification.program(node).or_else(of_service)?;
    let folder = Path::new(&named.file).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    Some(ForeignProgram { command: command.to_vec(), folder, path, protocol, ..ForeignProgram::default() })
}

fn interrupted(seed: u64) -> Played {
    let played = Played::could_not(seed, "interrupted");
    let findings = Findings { outcome: Outcome::CutShort, ..played.findings };
    Played { findings, is_interrupted: true, ..played }
}

/// Returns a schedule that reproduces the events, or none if a schedule cannot express them.
fn recorded(specification: &Specification, events: &[Event]) -> Option<Schedule> {
    let mut recorder = Recorder::new(specification.clone()).ok()?;
    events.iter().try_for_each(|event| recorder.observe(event)).ok()?;
    Some(recorder.schedule())
}
