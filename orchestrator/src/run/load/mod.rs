//! Loading of a run: reads events from NDJSON and writes them to a new journal.
//!
//! The module `check` checks each line. It does not check whether the events are consistent with each other: a
//! message may be handled although it was never sent, for example. The state ignores inconsistent events, because
//! a user may want to examine exactly such a run. The monitors judge the events as in a live run. If they find
//! violations that the events do not report, these are appended after the last event. The state in which the run
//! was stopped is judged as well, unless actions of its script or scenario remained. If a log ends without a stop,
//! its last state is not judged.

mod check;
mod judging;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Read};
use std::path::Path;

use jiff::Timestamp;

use self::check::Check;
use self::judging::Judging;
use super::past::outcome;
use super::snapshot_pace::SnapshotPace;
use crate::identifier::new_identifier;
use crate::journal::{Header, JournalError, Loading, Origin, PastRun, PublishError, ReadOnly};
use interlock_model::event::{Event, Json, What};
use interlock_model::field_error::FieldError;
use interlock_model::specification::Specification;
use interlock_observation::state::State;

/// Maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;
/// Number of events in one batch for the journal.
const BATCH: usize = 1_000;

/// Error of loading a run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A line is not an event, or not an event that is valid after the previous lines.
    #[error("line {line}: {}", told(.error))]
    Refused {
        /// Number of the line, from 1.
        line: u64,
        /// The error of the line.
        error: FieldError,
    },
    /// This playground is read-only: it only shows the runs of its folder.
    #[error(transparent)]
    ReadOnly(#[from] ReadOnly),
    /// The source of the lines cannot be read.
    #[error("cannot read all events: {0}")]
    Read(#[from] io::Error),
    /// The journal cannot be created.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal cannot be written or published.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

fn told(FieldError { pointer, detail, allowed }: &FieldError) -> String {
    let place = if pointer.is_empty() { String::new() } else { format!("{pointer}: ") };
    let right = if allowed.is_empty() { String::new() } else { format!(" (possible: {})", allowed.join(", ")) };
    format!("{place}{detail}{right}")
}

/// Creates a run in `directory` from events, one per line. The required memory does not grow with the number of
/// events. Blocks.
///
/// # Errors
/// If a line is not a valid event of a run, or if the source or the journal fails. In that case, no part of the
/// run is kept.
pub fn load(directory: &Path, limit_bytes: Option<u64>, source: impl BufRead) -> Result<PastRun, LoadError> {
    let mut lines = Lines { source, line: 0, text: Vec::new() };
    let mut check = Check::default();
    let created = lines.next_event(&mut check)?.ok_or_else(|| lines.refusal(check::nothing()))?;
    let (specification, document) = check.specification(&created).map_err(|error| lines.refusal(error))?;
    let name = specification.name.clone();
    let header = Header {
        id: new_identifier(),
        name,
        specification: document,
        created_at: Timestamp::now(),
        origin: Origin::Loaded,
    };
    let mut filling = Filling::new(Loading::create(directory, header, limit_bytes)?, &specification);
    filling.take(created, lines.text.len());
    // A failed journal discards all further events, so there is no need to read them.
    while !filling.has_failed()
        && let Some(event) = lines.next_event(&mut check)?
    {
        filling.take(event, lines.text.len());
    }
    Ok(filling.finish()?)
}

/// The lines of an import.
struct Lines<S> {
    source: S,
    line: u64,
    text: Vec<u8>,
}

impl<S: BufRead> Lines<S> {
    /// Returns the event of the next non-empty line.
    fn next_event(&mut self, check: &mut Check) -> Result<Option<Event>, LoadError> {
        loop {
            self.text.clear();
            self.line += 1;
            let most = LONGEST_LINE + 1;
            let read = self.source.by_ref().take(most).read_until(b'\n', &mut self.text)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == most {
                let detail = format!("the line is longer than {} MiB", LONGEST_LINE / 1024 / 1024);
                return Err(self.refusal(FieldError::new("", detail)));
            }
            if !self.text.trim_ascii().is_empty() {
                return check.take(&self.text).map(Some).map_err(|error| self.refusal(error));
            }
        }
    }
}

impl<S> Lines<S> {
    const fn refusal(&self, error: FieldError) -> LoadError {
        LoadError::Refused { line: self.line, error }
    }
}

/// A journal into which events are loaded, and the state for its snapshots.
struct Filling {
    loading: Loading,
    state: State,
    judging: Judging,
    batch: Vec<Event>,
    /// Total size of the loaded events, in bytes.
    bytes: u64,
    snapshots: SnapshotPace,
}

impl Filling {
    fn new(loading: Loading, specification: &Specification) -> Self {
        Self {
            loading,
            state: State::new(specification),
            judging: Judging::new(specification),
            batch: Vec::with_capacity(BATCH),
            bytes: 0,
            snapshots: SnapshotPace::default(),
        }
    }

    fn has_failed(&self) -> bool {
        self.loading.journal().failure().borrow().is_some()
    }

    fn take(&mut self, event: Event, bytes: usize) {
        self.judging.observe(&event, &self.state);
        self.state.apply(&event);
        self.batch.push(event);
        self.bytes += bytes as u64;
        if self.batch.len() == BATCH {
            self.loading.journal().append(&mut self.batch);
            self.keep_state();
        }
    }

    /// Adds a snapshot if one is due.
    fn keep_state(&mut self) {
        if self.snapshots.is_due(self.state.seq(), || self.bytes)
            && let Ok(state) = self.state.to_json()
        {
            self.snapshots.taken(self.state.seq(), self.bytes + state.len() as u64);
            self.loading.journal().snapshot(self.state.seq(), state);
        }
    }

    fn finish(mut self) -> Result<PastRun, PublishError> {
        for violation in self.judging.end() {
            let (seq, at_us) = (self.state.seq() + 1, self.state.at_us());
            let event = Event { seq, at_us, what: What::Violated { violation } };
            self.state.apply(&event);
            self.batch.push(event);
        }
        self.loading.journal().append(&mut self.batch);
        self.loading.publish(outcome(&self.state))
    }
}

/// Returns the specification if the event is the first event of a run.
fn document(event: &Event) -> Option<&Json> {
    match &event.what {
        What::Created { specification, .. } => Some(specification),
        _ => None,
    }
}
