//! Index of the journals of a folder. It describes each journal, so that a list of runs need not open the
//! journals.
//!
//! The index is a file beside the journals. A journal takes precedence over its entry in the index: the entry is
//! valid only if the journal still has the recorded size and modification time. If the index is missing, damaged
//! or of another version, it is created again. If it cannot be written, it is not used.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, OpenFlags, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::past::{self, PastRuns};
use super::past_run::{Outcome, PastRun};
use super::private_file::private;
use super::{Cause, Folder, JournalError, Reader, schema};

/// Name of the index file. Its extension differs from that of journals.
const FILE: &str = "runs.index";
/// Version of the content, kept as SQLite's `user_version`.
const VERSION: i64 = 1;
const TABLE: &str = "CREATE TABLE entry (id TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;";
/// Maximum number of events that one call reads in order to determine unknown outcomes of runs. Later calls
/// determine the remaining outcomes.
const MOST_READ: u64 = 20_000;

/// Index of the journals of a folder.
#[derive(Debug)]
pub struct Index {
    directory: PathBuf,
    /// Connection to the index file; none if this process does not write to the index.
    file: Option<Connection>,
    entries: HashMap<Uuid, Entry>,
    /// Runs whose entries have changed since the index file was last written.
    changed: Vec<Uuid>,
}

/// Entry of the index: the description of a journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    mark: Mark,
    run: PastRun,
    /// Whether the outcome of the run has been determined from the journal. Also true if the attempt failed, so that
    /// it is not repeated.
    is_read: bool,
}

/// Size and time of a journal; a difference shows that the journal has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    bytes: u64,
    /// Time of the last modification, in nanoseconds since 1970.
    changed_ns: u64,
}

/// Function that determines the outcome of a run from its journal; none if the outcome cannot be determined.
type Tell<'a> = &'a dyn Fn(&Reader) -> Option<Outcome>;

impl Index {
    /// Returns the index of the journals of a folder. Blocks while the index is read.
    #[must_use]
    pub fn open(folder: &Folder) -> Self {
        let path = folder.path().join(FILE);
        let (file, entries) = if folder.is_read_only() {
            // The index belongs to the owner of the folder, so this process only reads it. If it is unreadable,
            // this process reads the journals instead.
            (None, read(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map(|(_, entries)| entries).unwrap_or_default())
        } else {
            kept(&path)
        };
        Self { directory: folder.path().to_owned(), file, entries, changed: Vec::new() }
    }

    /// Returns the runs of the folder, the newest first, except runs for which `at_hand` returns true. The result
    /// also contains the errors of unreadable journals. Opens the journals whose entries are missing or out of
    /// date. Blocks.
    pub fn runs(&mut self, at_hand: impl Fn(Uuid) -> bool, tell: Tell<'_>) -> PastRuns {
        let mut past = PastRuns::default();
        let files = past::journals(&self.directory).unwrap_or_else(|error| {
            past.unreadable.push(error);
            Vec::new()
        });
        self.forget_all_but(&files);
        let mut left = MOST_READ;
        // The newest journals are read first, because their outcomes are the most interesting and the number of
        // events to read is limited.
        for path in files.iter().rev().filter(|path| !past::named(path).is_some_and(&at_hand)) {
            match self.look(path, &mut left, tell) {
                Ok(run) => past.runs.push(run),
                Err(error) => past.unreadable.push(error),
            }
        }
        self.save();
        past.runs.sort_by_key(|run| Reverse((run.header.created_at, run.header.id)));
        past
    }

    /// Returns the run `id`. Blocks.
    ///
    /// # Errors
    /// If no run has this id, or its journal cannot be read.
    pub fn run(&mut self, id: Uuid, tell: Tell<'_>) -> Result<PastRun, JournalError> {
        let mut as_many_as_there_are = u64::MAX;
        let run = self.look(&schema::path(&self.directory, id), &mut as_many_as_there_are, tell)?;
        self.save();
        Ok(run)
    }

    /// Records the description of a run whose writer has closed its journal. Blocks.
    pub fn note(&mut self, id: Uuid, run: impl FnOnce() -> PastRun) {
        let Some(mark) = mark(&schema::path(&self.directory, id)) else { return };
        if self.entries.get(&id).is_none_or(|entry| entry.mark != mark || !entry.is_read) {
            self.put(id, Entry { mark, run: run(), is_read: true });
            self.save();
        }
    }

    fn look(&mut self, path: &Path, left: &mut u64, tell: Tell<'_>) -> Result<PastRun, JournalError> {
        // The mark is determined before the journal is read. So if the journal changes during the read, the mark
        // differs the next time.
        let (id, mark) = (past::named(path), mark(path));
        let known = id.and_then(|id| self.entries.get(&id)).filter(|entry| Some(entry.mark) == mark);
        if let Some(entry) = known.filter(|entry| entry.is_read || *left == 0) {
            return Ok(entry.run.clone());
        }
        let reader = Reader::open_file(path)?;
        let mut run = past::read(&reader, path)?;
        let is_read = *left > 0;
        if is_read {
            *left = left.saturating_sub(reader.events_since_snapshot()?.max(1));
            run.outcome = tell(&reader);
        }
        if let (Some(id), Some(mark)) = (id, mark) {
            self.put(id, Entry { mark, run: run.clone(), is_read });
        }
        Ok(run)
    }

    fn put(&mut self, id: Uuid, entry: Entry) {
        self.entries.insert(id, entry);
        self.changed.push(id);
    }

    /// Removes the entries of runs whose journals no longer exist.
    fn forget_all_but(&mut self, files: &[PathBuf]) {
        let there: HashSet<Uuid> = files.iter().filter_map(|path| past::named(path)).collect();
        let gone = self.entries.extract_if(|id, _| !there.contains(id)).map(|(id, _)| id);
        self.changed.extend(gone);
    }

    /// Writes the changed entries to the index file. A failure is harmless, since the entries can be determined
    /// again from the journals.
    fn save(&mut self) {
        let changed = mem::take(&mut self.changed);
        let (Some(file), false) = (&mut self.file, changed.is_empty()) else { return };
        if let Err(error) = write(file, &changed, &self.entries) {
            tracing::warn!(%error, "cannot write the index of the runs");
        }
    }
}

fn mark(path: &Path) -> Option<Mark> {
    let [log, ..] = schema::beside(path);
    let of = |path: &Path| {
        let file = fs::metadata(path).ok()?;
        let changed = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((file.len(), u64::try_from(changed.as_nanos()).ok()?))
    };
    let (journal, log) = (of(path)?, of(&log).unwrap_or_default());
    Some(Mark { bytes: journal.0 + log.0, changed_ns: journal.1.max(log.1) })
}

/// Opens the index and reads its entries. If that fails, replaces the index with an empty index.
fn kept(path: &Path) -> (Option<Connection>, HashMap<Uuid, Entry>) {
    match read(path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Ok((connection, entries)) => return (Some(connection), entries),
        Err(error) => tracing::debug!(path = %path.display(), %error, "the index of the runs is rebuilt"),
    }
    match create(path) {
        Ok(connection) => (Some(connection), HashMap::new()),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "cannot use an index of the runs");
            (None, HashMap::new())
        }
    }
}

/// Reads the entries of an index. Invalid entries are omitted, so their journals are read again.
fn read(path: &Path, how: OpenFlags) -> Result<(Connection, HashMap<Uuid, Entry>), Cause> {
    let connection = Connection::open_with_flags(path, how | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    let found = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found != VERSION {
        return Err(Cause::UnknownVersion { found, known: VERSION });
    }
    let mut select = connection.prepare("SELECT entry FROM entry")?;
    let texts = select.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    drop(select);
    let entries = texts.iter().filter_map(|text| serde_json::from_str::<Entry>(text).ok());
    Ok((connection, entries.map(|entry| (entry.run.header.id, entry)).collect()))
}

fn create(path: &Path) -> Result<Connection, Cause> {
    match schema::remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Cause::Delete(error)),
        _ => {}
    }
    private().open(path).map_err(Cause::Create)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch(TABLE)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    Ok(connection)
}

fn write(file: &mut Connection, changed: &[Uuid], entries: &HashMap<Uuid, Entry>) -> rusqlite::Result<()> {
    let transaction = file.transaction()?;
    for id in changed {
        match entries.get(id).map(serde_json::to_string) {
            Some(Ok(entry)) => {
                let mut put = transaction.prepare_cached("INSERT OR REPLACE INTO entry (id, entry) VALUES (?1, ?2)")?;
                put.execute(params![id.to_string(), entry])?;
            }
            _ => {
                transaction.prepare_cached("DELETE FROM entry WHERE id = ?1")?.execute([id.to_string()])?;
            }
        }
    }
    transaction.commit()
}
