//! The runs of which there are journals.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Cause, Header, JournalError, Reader, Status, schema};

/// Why a run has ended whose journal does not say so.
const ENDED_WITHOUT_STOPPING: &str = "the orchestrator ended without stopping it";

/// What a journal says of its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRun {
    /// The head of the journal.
    pub header: Header,
    /// How the run stands.
    pub status: Status,
    /// Why it stands so, if there is a reason.
    pub because: Option<String>,
    /// How large its journal is, with what SQLite keeps beside it, in bytes.
    pub bytes: u64,
}

/// The journals of a folder.
#[derive(Debug, Default)]
pub struct PastRuns {
    /// The runs, the newest first.
    pub runs: Vec<PastRun>,
    /// What could not be read, and why.
    pub unreadable: Vec<JournalError>,
}

/// Reads the heads of all journals in `directory`; what cannot be read is reported beside the others.
///
/// A run that is not live and whose journal says `running` is one whose orchestrator was killed: it is reported as
/// stopped, with that reason.
#[must_use]
pub fn past_runs(directory: &Path, is_live: impl Fn(Uuid) -> bool) -> PastRuns {
    let mut past = PastRuns::default();
    let files = journals(directory).unwrap_or_else(|error| {
        past.unreadable.push(JournalError::new(directory, Cause::List(error)));
        Vec::new()
    });
    for path in files {
        match read(&path) {
            Ok(run) => past.runs.push(settled(run, &is_live)),
            Err(error) => past.unreadable.push(error),
        }
    }
    past.runs.sort_by_key(|run| Reverse((run.header.created_at, run.header.id)));
    past
}

/// Reads the head of the journal of one run.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn past_run(directory: &Path, id: Uuid, is_live: impl Fn(Uuid) -> bool) -> Result<PastRun, JournalError> {
    read(&schema::path(directory, id)).map(|run| settled(run, is_live))
}

/// Removes the journal of a run that nobody writes any more.
///
/// # Errors
/// When there is none, or when it cannot be removed.
pub fn delete(directory: &Path, id: Uuid) -> Result<(), JournalError> {
    let path = schema::path(directory, id);
    schema::remove(&path).map_err(|error| JournalError::new(&path, Cause::Delete(error)))
}

/// How large the journals of a folder are with what SQLite keeps beside them, in bytes, the oldest run first.
///
/// # Errors
/// When the folder cannot be listed.
pub fn sizes(directory: &Path) -> Result<Vec<(Uuid, u64)>, JournalError> {
    let listed = journals(directory).map_err(|error| JournalError::new(directory, Cause::List(error)))?;
    // Names begin with the time at which they were given (RFC 9562, 5.7), so they are in its order.
    Ok(listed.iter().filter_map(|path| Some((named(path)?, schema::size(path)))).collect())
}

/// The run that a journal is named after.
fn named(path: &Path) -> Option<Uuid> {
    path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse().ok())
}

fn journals(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<_> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new(schema::EXTENSION)));
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<PastRun, JournalError> {
    let run = Reader::open_file(path)?.run()?;
    if named(path) == Some(run.header.id) {
        Ok(run)
    } else {
        let detail = format!("holds run {}, which is not its name", run.header.id);
        Err(JournalError::new(path, Cause::Malformed(detail)))
    }
}

fn settled(run: PastRun, is_live: impl Fn(Uuid) -> bool) -> PastRun {
    if run.status == Status::Running && !is_live(run.header.id) {
        PastRun { status: Status::Stopped, because: Some(ENDED_WITHOUT_STOPPING.to_owned()), ..run }
    } else {
        run
    }
}
