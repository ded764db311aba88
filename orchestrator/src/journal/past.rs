//! Operations on the journals of a folder, which belong to past runs and to runs in progress.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Cause, JournalError, PastRun, Reader, connection, schema};

/// Runs that have a journal in a folder.
#[derive(Debug, Default)]
pub struct PastRuns {
    /// Runs, the newest first.
    pub runs: Vec<PastRun>,
    /// Errors of unreadable journals.
    pub unreadable: Vec<JournalError>,
}

/// Removes the journal of a run. The caller must ensure that no writer uses the journal.
///
/// # Errors
/// If the run has no journal, or the journal cannot be removed.
pub fn delete(directory: &Path, id: Uuid) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    schema::remove(&path).map_err(|error| JournalError::new(&path, Cause::Delete(error)))
}

/// Renames a run in its journal, even while a writer uses the journal.
///
/// # Errors
/// If the run has no journal, or the journal cannot be written.
pub fn rename(directory: &Path, id: Uuid, name: &str) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    connection::rename(&path, name).map_err(|cause| JournalError::new(&path, cause))
}

/// Returns the sizes of the journals of a folder in bytes, ordered from the oldest run to the newest. A size
/// includes the files that SQLite creates beside the journal.
///
/// # Errors
/// If the folder cannot be listed.
pub fn sizes(directory: &Path) -> Result<Vec<(Uuid, u64)>, JournalError> {
    // An id begins with the time of its creation (RFC 9562, 5.7). So the files, which are sorted by name, are also
    // sorted by the creation of their runs.
    Ok(journals(directory)?.iter().filter_map(|path| Some((named(path)?, schema::size(path)))).collect())
}

/// Returns the id of the run that the name of a journal contains; none if the name is not an id.
pub(super) fn named(path: &Path) -> Option<Uuid> {
    path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse().ok())
}

/// Returns the journals of a folder, sorted by name.
pub(super) fn journals(directory: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let list = || fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    let mut paths = list().map_err(|error| JournalError::new(directory, Cause::List(error)))?;
    paths.retain(|path| path.extension() == Some(OsStr::new(schema::EXTENSION)));
    paths.sort();
    Ok(paths)
}

/// Reads the facts about the run from a journal. Fails if the name of the file does not match the id of the run.
pub(super) fn read(reader: &Reader, path: &Path) -> Result<PastRun, JournalError> {
    let run = reader.run()?;
    if named(path) == Some(run.header.id) {
        Ok(run)
    } else {
        let detail = format!("contains run {}, which does not match its name", run.header.id);
        Err(JournalError::new(path, Cause::Malformed(detail)))
    }
}
