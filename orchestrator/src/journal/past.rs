//! The runs that have journals.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Cause, JournalError, PastRun, Reader, connection, schema};

/// The journals of a folder.
#[derive(Debug, Default)]
pub struct PastRuns {
    /// Runs, the newest first.
    pub runs: Vec<PastRun>,
    /// Errors of unreadable journals.
    pub unreadable: Vec<JournalError>,
}

/// Removes the journal of a run. The journal must no longer have a writer.
///
/// # Errors
/// If the run has no journal, or it cannot be removed.
pub fn delete(directory: &Path, id: Uuid) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    schema::remove(&path).map_err(|error| JournalError::new(&path, Cause::Delete(error)))
}

/// Renames a run in its journal, even while the journal is being written.
///
/// # Errors
/// If the run has no journal, or it cannot be written.
pub fn rename(directory: &Path, id: Uuid, name: &str) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    connection::rename(&path, name).map_err(|cause| JournalError::new(&path, cause))
}

/// Returns the sizes of the journals of a folder in bytes, including the files that SQLite keeps beside them, the
/// oldest run first.
///
/// # Errors
/// If the folder cannot be listed.
pub fn sizes(directory: &Path) -> Result<Vec<(Uuid, u64)>, JournalError> {
    // An id begins with the time of its creation (RFC 9562, 5.7), so the order of file names is the order of
    // creation.
    Ok(journals(directory)?.iter().filter_map(|path| Some((named(path)?, schema::size(path)))).collect())
}

/// Returns the run after which a journal is named.
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

/// Reads the head of a journal.
pub(super) fn read(reader: &Reader, path: &Path) -> Result<PastRun, JournalError> {
    let run = reader.run()?;
    if named(path) == Some(run.header.id) {
        Ok(run)
    } else {
        let detail = format!("contains run {}, which does not match its name", run.header.id);
        Err(JournalError::new(path, Cause::Malformed(detail)))
    }
}
