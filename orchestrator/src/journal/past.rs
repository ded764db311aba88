//! The runs of which there are journals.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Cause, JournalError, PastRun, Reader, connection, schema};

/// The journals of a folder.
#[derive(Debug, Default)]
pub struct PastRuns {
    /// The runs, the newest first.
    pub runs: Vec<PastRun>,
    /// What could not be read, and why.
    pub unreadable: Vec<JournalError>,
}

/// Removes the journal of a run that nobody writes any more.
///
/// # Errors
/// When there is none, or when it cannot be removed.
pub fn delete(directory: &Path, id: Uuid) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    schema::remove(&path).map_err(|error| JournalError::new(&path, Cause::Delete(error)))
}

/// Gives a run another name in its journal, which may be written meanwhile.
///
/// # Errors
/// When there is none, or it cannot be written.
pub fn rename(directory: &Path, id: Uuid, name: &str) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    connection::rename(&path, name).map_err(|cause| JournalError::new(&path, cause))
}

/// How large the journals of a folder are with what SQLite keeps beside them, in bytes, the oldest run first.
///
/// # Errors
/// When the folder cannot be listed.
pub fn sizes(directory: &Path) -> Result<Vec<(Uuid, u64)>, JournalError> {
    // Names begin with the time at which they were given (RFC 9562, 5.7), so they are in its order.
    Ok(journals(directory)?.iter().filter_map(|path| Some((named(path)?, schema::size(path)))).collect())
}

/// The run that a journal is named after.
pub(super) fn named(path: &Path) -> Option<Uuid> {
    path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse().ok())
}

/// The journals of a folder, by name.
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
        let detail = format!("holds run {}, which is not its name", run.header.id);
        Err(JournalError::new(path, Cause::Malformed(detail)))
    }
}
