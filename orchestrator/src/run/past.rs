//! Past states of a run, computed from its journal.

use interlock_machine::wording::complaint;

use super::RunError;
use crate::journal::{Outcome, Reader};
use interlock_model::event::{Event, Json};
use interlock_model::specification::Specification;
use interlock_observation::metrics::Metrics;
use interlock_observation::state::State;
use interlock_simulation::schedule::{Recorder, Schedule};

/// Maximum number of nodes of a loaded run. With this limit, the document of a state is small enough to be sent.
pub const MOST_LOADED_NODES: u32 = 10_000;
/// Maximum number of events that are shown together.
const MOST_EVENTS: u64 = 100_000;

/// The state of a run after one of its events.
#[derive(Debug)]
pub struct PastView {
    /// The state after that event.
    pub state: State,
}

impl PastView {
    /// Returns the state after event `at`, or after the last event. Blocks while it reads the events since the
    /// last snapshot before `at`.
    ///
    /// # Errors
    /// If the journal cannot be read, or has no such event.
    pub fn at(reader: &Reader, at: Option<u64>) -> Result<Self, RunError> {
        let at = known(reader, at)?;
        let mut state = match reader.snapshot_before(at)? {
            Some((_, text)) => State::from_json(&text).map_err(RunError::unreadable)?,
            None => State::new(&specification(reader)?),
        };
        each(reader, state.seq(), at, |event| {
            state.apply(&event);
            Ok(())
        })?;
        Ok(Self { state })
    }

    /// Returns the schedule that plays the events of a run again, up to event `until` or to the last event. Blocks
    /// while it reads the journal.
    ///
    /// # Errors
    /// If the journal cannot be read, has no such event, or has an event that no schedule can express.
    pub fn schedule(reader: &Reader, until: Option<u64>) -> Result<Schedule, RunError> {
        let until = known(reader, until)?;
        let mut recorder = Recorder::new(specification(reader)?)?;
        each(reader, 0, until, |event| Ok(recorder.observe(&event)?))?;
        Ok(recorder.schedule())
    }

    /// Returns the events of a run, up to event `until` or to the last event. Blocks while it reads the journal.
    ///
    /// # Errors
    /// If the journal cannot be read, has no such event, or has more events than can be shown together.
    pub fn events(reader: &Reader, until: Option<u64>) -> Result<Vec<Event>, RunError> {
        let until = known(reader, until)?;
        if until > MOST_EVENTS {
            return Err(RunError::TooManyEvents(MOST_EVENTS));
        }
        let mut events = Vec::new();
        each(reader, 0, until, |event| {
            events.push(event);
            Ok(())
        })?;
        Ok(events)
    }

    /// Returns the metrics of a run, up to event `until` or to the last event. Blocks while it reads the journal.
    ///
    /// # Errors
    /// If the journal cannot be read, or has no such event.
    pub fn metrics(reader: &Reader, until: Option<u64>) -> Result<Metrics, RunError> {
        let until = known(reader, until)?;
        let specification = specification(reader)?;
        let mut state = State::new(&specification);
        let mut metrics = Metrics::new(&specification);
        each(reader, 0, until, |event| {
            state.apply(&event);
            metrics.observe(&event, state.locks());
            Ok(())
        })?;
        Ok(metrics)
    }
}

/// Returns the number of an event that the journal must have, or of its last event.
fn known(reader: &Reader, seq: Option<u64>) -> Result<u64, RunError> {
    let latest = reader.latest()?;
    match seq {
        Some(seq) if seq > latest => Err(RunError::UnknownEvent(seq, latest)),
        seq => Ok(seq.unwrap_or(latest)),
    }
}

/// Calls a function with each event after event `since` and up to event `until`, in order.
fn each(
    reader: &Reader,
    since: u64,
    until: u64,
    mut take: impl FnMut(Event) -> Result<(), RunError>,
) -> Result<(), RunError> {
    for event in reader.events_after(since) {
        let event = event?;
        if event.seq > until {
            break;
        }
        take(event)?;
    }
    Ok(())
}

/// Returns the outcome of a run with the final state `state`.
pub fn outcome(state: &State) -> Outcome {
    let verdict = state.verdict(state.at_us(), 0).status;
    Outcome { verdict, events: state.seq(), entries: entries(state) }
}

/// Returns the number of entries into critical sections.
pub fn entries(state: &State) -> u64 {
    state.locks().iter().map(|(_, lock)| lock.entries).sum()
}

fn specification(reader: &Reader) -> Result<Specification, RunError> {
    specification_in(&reader.header()?.specification)
}

/// Returns the specification in a journal. The limits of an import apply even to a manipulated journal.
///
/// # Errors
/// If the specification cannot be read, or has too many nodes or locks.
pub fn specification_in(document: &Json) -> Result<Specification, RunError> {
    let specification = Specification::from_json(document.as_str())
        .map_err(|error| RunError::unreadable(complaint(&error).to_string()))?;
    if let Some(error) = specification.oversize() {
        return Err(RunError::unreadable(error.detail));
    }
    let nodes = specification.nodes;
    if (1..=MOST_LOADED_NODES).contains(&nodes) {
        Ok(specification)
    } else {
        Err(RunError::unreadable(format!("{nodes} nodes are outside 1 … {MOST_LOADED_NODES}")))
    }
}
