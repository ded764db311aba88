//! A journal whose events are loaded from another source. No list of runs contains the journal until it is
//! complete.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use super::{Cause, Failure, Header, Journal, JournalError, Outcome, PastRun, Status, schema};

/// Suffix of the file name of an incomplete journal. Because of the suffix, no list of runs contains the file.
pub(super) const SUFFIX: &str = ".part";

/// A journal that is being filled. If the value is dropped before the journal is published, the journal is
/// removed.
#[derive(Debug)]
pub struct Loading {
    journal: Journal,
    header: Header,
    path: PathBuf,
    published: bool,
}

/// Error if a loaded journal cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The journal could not be written completely.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The journal cannot be renamed to its final name.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Loading {
    /// Creates an incomplete journal beside its final path; see [`Journal::create`].
    ///
    /// # Errors
    /// The errors of [`Journal::create`].
    pub fn create(directory: &Path, header: Header, limit_bytes: Option<u64>) -> Result<Self, JournalError> {
        let path = schema::path(directory, header.id);
        let mut aside = path.clone().into_os_string();
        aside.push(SUFFIX);
        let journal = Journal::create_file(aside.into(), &header, limit_bytes)?;
        Ok(Self { journal, header, path, published: false })
    }

    /// Returns the journal to which the events are written.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Closes the journal and gives it its final name. From then on, the run is a past run with the outcome
    /// `outcome`.
    ///
    /// # Errors
    /// If the journal could not be written completely, or cannot be renamed. In both cases, all its files are
    /// removed.
    pub fn publish(mut self, outcome: Outcome) -> Result<PastRun, PublishError> {
        self.journal.finish(Status::Stopped, None)?;
        // If the log still exists beside the file, some events are only in the log. After the rename, SQLite would
        // look for the log under the new name, and these events would be lost.
        if schema::beside(self.journal.path()).iter().any(|file| file.exists()) {
            return Err(JournalError::new(&self.path, Cause::InPieces).into());
        }
        fs::rename(self.journal.path(), &self.path)
            .map_err(|error| JournalError::new(&self.path, Cause::Create(error)))?;
        self.published = true;
        let (header, bytes) = (self.header.clone(), schema::size(&self.path));
        Ok(PastRun { header, status: Status::Stopped, because: None, bytes, outcome: Some(outcome) })
    }
}

/// Removes the files that interrupted loads have left behind. The caller must ensure that no other process is
/// loading a run into the folder.
pub(super) fn sweep(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for path in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_left_over)).map(|entry| entry.path()) {
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "cannot remove a partly loaded run");
        }
    }
}

/// Whether a name is the name of an incomplete journal, or of a file that SQLite creates beside an incomplete
/// journal.
fn is_left_over(name: &str) -> bool {
    let not_whole = format!(".{}{SUFFIX}", schema::EXTENSION);
    name.split_once(&not_whole).is_some_and(|(_, beside)| ["", "-wal", "-shm", "-journal"].contains(&beside))
}

impl Drop for Loading {
    fn drop(&mut self) {
        if mem::replace(&mut self.published, true) {
            return;
        }
        // The journal is removed in any case, so an error is irrelevant.
        let _ = self.journal.finish(Status::Failed, None);
        if let Err(error) = schema::remove(self.journal.path()) {
            tracing::warn!(path = %self.journal.path().display(), %error, "cannot remove a partly loaded run");
        }
    }
}
