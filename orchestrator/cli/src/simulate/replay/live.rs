//! Replays a schedule with live processes.

use std::io;
use std::process;
use std::sync::Arc;

use interlock_machine::wire::Confinement;
use interlock_model::event::Event;
use interlock_observation::trace::Story;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use interlock_orchestrator::run::{Difference, Played, RunError};
use interlock_orchestrator::supervisor::raise_descriptor_limit;
use interlock_simulation::schedule::Schedule;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;

use super::lecture::{self, Lecture};
use super::misfits;
use crate::UNDECIDED;
use crate::simulate::refusal::{Misfit, Refusal};

/// Result of replaying a schedule with live processes.
pub struct Live {
    /// Replay of the same schedule in the model, with which the processes are compared.
    pub played: Arc<Played>,
    /// First difference between the processes and the model, if there is one.
    pub difference: Option<Difference>,
    /// Events of the live processes.
    pub events: Vec<Event>,
}

/// Replays a schedule with new processes, which end afterwards.
///
/// # Errors
/// If the schedule is not possible, or processes cannot be started.
pub fn live(schedule: Schedule, file: &str, lecture: Option<Lecture>) -> Result<Live, Refusal> {
    let refuse = |error| match error {
        RunError::Invalid(errors) => misfits(file, "", errors),
        RunError::Misplaced(misplaced) => Misfit::new(file, misplaced.to_string()).into(),
        error => could_not(error),
    };
    let played = Arc::new(Played::new(schedule).map_err(refuse)?);
    let program = raise_descriptor_limit().and_then(|_| std::env::current_exe()).map_err(could_not)?;
    let runtime = Builder::new_current_thread().enable_all().build().map_err(could_not)?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(could_not)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(could_not)?;
        let ephemeral = EphemeralPlayground::open(program, vec!["node".into()], Some(Confinement::default()))
            .await
            .map_err(could_not)?;
        let done = tokio::select! {
            done = play(&ephemeral, Arc::clone(&played), lecture) => Some(done),
            _ = interrupt.recv() => None,
            _ = terminate.recv() => None,
        };
        ephemeral.close().await;
        match done {
            Some(done) => done.map(|(difference, events)| Live { played, difference, events }),
            // A thread may still be waiting for a line on standard input. Only the end of this process can end the
            // thread.
            None => process::exit(UNDECIDED.into()),
        }
    })
}

async fn play(
    ephemeral: &EphemeralPlayground,
    played: Arc<Played>,
    mut lecture: Option<Lecture>,
) -> Result<(Option<Difference>, Vec<Event>), Refusal> {
    let run = ephemeral.registry.follow(Arc::clone(&played), 0).await.map_err(could_not)?;
    let mut story = Story::default();
    let mut told = |from: u64, to: u64| lecture::tell(&mut story, lecture::part(&played.report.events, from, to));
    if lecture.is_some() {
        told(0, played.told_by(0)).map_err(could_not)?;
    }
    let mut so_far = run.replay().map_err(could_not)?;
    while so_far.difference.is_none() && so_far.position < so_far.of {
        let place = so_far.position;
        if let Some(lecture) = &mut lecture {
            lecture::announce(&played.schedule, place).map_err(could_not)?;
            let waiting = *lecture;
            *lecture = spawn_blocking(move || waiting.wait()).await.map_err(could_not)?;
        }
        let to = if lecture.is_some() { place + 1 } else { so_far.of };
        so_far = run.replay_to(to).await.map_err(could_not)?;
        if lecture.is_some() {
            told(played.told_by(place), run.with(|core| core.latest())).map_err(could_not)?;
        }
    }
    let difference = run.end_replay().await.map_err(could_not)?;
    let events = ephemeral.registry.reader(run.id).map_err(could_not)?.events_after(0).collect::<Result<_, _>>();
    Ok((difference, events.map_err(could_not)?))
}

fn could_not(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Refusal {
    Refusal::Live(io::Error::other(error))
}
