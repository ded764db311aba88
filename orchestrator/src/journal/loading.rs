//! A journal that is filled from elsewhere: nobody sees it before it is whole.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use super::{Cause, Failure, Header, Journal, JournalError, Outcome, PastRun, Status, schema};

/// What is put behind the name of a journal that is not whole yet, so that no list has it.
pub(super) const SUFFIX: &str = ".part";

/// A journal that is being filled. Unless it is published it is removed when it is dropped.
#[derive(Debug)]
pub struct Loading {
    journal: Journal,
    header: Header,
    path: PathBuf,
    published: bool,
}

/// Why a journal that was filled cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It could not be written to its end.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// It cannot be given its name.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Loading {
    /// Creates it beside where it will be; see [`Journal::create`].
    ///
    /// # Errors
    /// As [`Journal::create`].
    pub fn create(directory: &Path, header: Header, limit_bytes: Option<u64>) -> Result<Self, JournalError> {
        let path = schema::path(directory, header.id);
        let mut aside = path.clone().into_os_string();
        aside.push(SUFFIX);
        let journal = Journal::create_file(aside.into(), &header, limit_bytes)?;
        Ok(Self { journal, header, path, published: false })
    }

    /// Where the events go.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Closes the journal and gives it its name: from now on it is one of the past runs, of which `outcome` came.
    ///
    /// # Errors
    /// When it could not be written as a whole or cannot be renamed; then nothing of it remains.
    pub fn publish(mut self, outcome: Outcome) -> Result<PastRun, PublishError> {
        self.journal.finish(Status::Stopped, None)?;
        // What is only in the log beside it would be lost with the name that the log goes by.
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

/// Removes what loading left behind that was broken off with its process. Nobody else may be loading there.
pub(super) fn sweep(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for path in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_left_over)).map(|entry| entry.path()) {
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "what was loaded in part stays");
        }
    }
}

/// Whether a name is that of a journal that is not whole, or of what SQLite keeps beside one.
fn is_left_over(name: &str) -> bool {
    let not_whole = format!(".{}{SUFFIX}", schema::EXTENSION);
    name.split_once(&not_whole).is_some_and(|(_, beside)| ["", "-wal", "-shm", "-journal"].contains(&beside))
}

impl Drop for Loading {
    fn drop(&mut self) {
        if mem::replace(&mut self.published, true) {
            return;
        }
        // Whatever is wrong with it is of no interest any more.
        let _ = self.journal.finish(Status::Failed, None);
        if let Err(error) = schema::remove(self.journal.path()) {
            tracing::warn!(path = %self.journal.path().display(), %error, "what was loaded in part stays");
        }
    }
}
