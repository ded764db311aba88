//! Stored runs: lists, reads, renames and removes them, and automatically deletes the oldest.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::Registry;
use crate::journal::{self, PastRun, Reader};
use crate::run::summary::outcome;
use crate::run::{LoadError, Run, RunError, RunSummary, load, lock};
use interlock_model::event::{Ending, Event};
use interlock_model::field_error::FieldError;
use interlock_model::specification::name_fault;

/// Maximum number of ended runs in memory. Only the latest runs stay in memory; earlier runs exist only as
/// journals.
const MOST_ENDED: usize = 32;

impl Registry {
    /// Creates a past run from events in NDJSON; see [`crate::run::load()`]. Blocks until all events are read.
    ///
    /// # Errors
    /// If a line is not a valid event of a run, or if the source or the journal fails. In that case, no part of
    /// the run is kept.
    pub fn load(&self, source: impl BufRead) -> Result<RunSummary, LoadError> {
        let run = load(self.folder.writable()?, self.limits.journal_bytes, source)?;
        lock(&self.index).note(run.header.id, || run.clone());
        Ok(run.into())
    }

    /// Stores the events of a simulation as a run that has ended. Blocks.
    ///
    /// # Errors
    /// If the journal cannot be created.
    pub fn keep(&self, events: &[Event]) -> Result<RunSummary, LoadError> {
        let mut lines = Vec::new();
        for event in events {
            event.write_json(&mut lines).map_err(io::Error::from)?;
            lines.push(b'\n');
        }
        self.load(&lines[..])
    }

    /// Returns all runs, the newest first. Blocks, since it opens the journals whose index entries are missing or
    /// out of date.
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

    /// Whether a run is starting or in progress, which means that a writer uses its journal.
    fn is_live(&self, id: Uuid) -> bool {
        // When a starting run becomes a registered run, it is in both collections for a moment. So it cannot be
        // missed if `coming` is checked first.
        let is_coming = lock(&self.coming).contains_key(&id);
        is_coming || self.find(id).is_some_and(|run| !run.is_closed())
    }

    /// Records the outcomes of ended runs in the index. Returns all runs in memory. Blocks.
    pub(super) fn note_ended(&self) -> HashMap<Uuid, Arc<Run>> {
        let at_hand = lock(&self.runs).clone();
        let mut index = lock(&self.index);
        for run in at_hand.values().filter(|run| run.is_closed()) {
            index.note(run.id, || run.past());
        }
        at_hand
    }

    /// Removes all but the latest of the ended runs from memory, since each run in memory contains its whole
    /// state.
    fn let_go(&self, at_hand: &HashMap<Uuid, Arc<Run>>) {
        let mut ended: Vec<Uuid> = at_hand.values().filter(|run| run.is_closed()).map(|run| run.id).collect();
        ended.sort_unstable();
        let too_many = ended.len().saturating_sub(MOST_ENDED);
        for id in &ended[..too_many] {
            self.hub.dismiss(*id);
            lock(&self.runs).remove(id);
        }
    }

    /// Returns the summary of one run. Blocks, since it may read a journal.
    ///
    /// # Errors
    /// If the run does not exist, or its journal cannot be read.
    pub fn summary(&self, id: Uuid) -> Result<RunSummary, RunError> {
        match self.find(id) {
            Some(run) => Ok(run.summary()),
            None => self.past(id).map(RunSummary::from),
        }
    }

    /// Opens the journal of a run for reading. Blocks.
    ///
    /// # Errors
    /// If the run does not exist, or its journal cannot be read.
    pub fn reader(&self, id: Uuid) -> Result<Reader, RunError> {
        if self.find(id).is_none() {
            self.past(id)?;
        }
        Ok(Reader::open(self.directory(), id)?)
    }

    /// Stops a run if it is in progress, and removes its journal.
    ///
    /// # Errors
    /// If the run does not exist, or its journal cannot be removed.
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
            // An error is ignored: most runs have no users' programs, and so no such folder.
            let _ = fs::remove_dir_all(programs);
            match journal::delete(&directory, id) {
                // The journal never existed, or another client has removed it in the meantime.
                Err(error) if error.is_not_there() => Err(RunError::UnknownRun(id)),
                deleted => Ok(deleted?),
            }
        })
        .await?
    }

    /// Returns the folder that contains the working folders of the users' programs of a run.
    pub(super) fn folder_of_programs(&self, id: Uuid) -> PathBuf {
        self.folder.path().join(format!("{id}.programs"))
    }

    /// Renames a run. Blocks.
    ///
    /// # Errors
    /// If the name is too long or empty, the run does not exist, or its journal cannot be written.
    pub fn rename(&self, id: Uuid, name: String) -> Result<RunSummary, RunError> {
        let directory = self.folder.writable()?;
        if let Some(fault) = name_fault(&name) {
            return Err(RunError::Invalid(vec![FieldError::new("/name", fault)]));
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

    /// Returns a run with its true status. A run with the stored status `running` is live if it is in memory. In a
    /// read-only folder it may also be live in the playground that owns the folder.
    fn settled(&self, run: PastRun) -> PastRun {
        let is_live = self.folder.is_read_only() || self.find(run.header.id).is_some();
        run.settled(is_live)
    }

    /// Returns the run `id`, read from its journal or from the index. Blocks.
    fn past(&self, id: Uuid) -> Result<PastRun, RunError> {
        match lock(&self.index).run(id, &outcome) {
            Err(error) if error.is_not_there() => Err(RunError::UnknownRun(id)),
            past => Ok(self.settled(past?)),
        }
    }

    /// Records the outcomes of ended runs in the index, and removes all but the latest of them from memory.
    /// Deletes the oldest journals until the total size is within the limit, and returns the ids of the deleted
    /// runs. Blocks.
    pub fn tidy(&self) -> Vec<Uuid> {
        let at_hand = self.note_ended();
        self.let_go(&at_hand);
        // Each call determines some unknown outcomes, so the next list of runs contains more outcomes.
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
}
