//! The layout of a journal on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Row, params};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::private_file::private;
use super::{Cause, Header, Origin, PastRun, Status};
use interlock_model::event::Json;

/// Version of the layout, stored as SQLite's `user_version`.
pub(super) const VERSION: i64 = 4;
/// Version of the layout that stores the shortened JSON of each event.
pub(super) const SHORTENED: i64 = 3;
/// Last version of the layout that stores the whole JSON of each event.
pub(super) const IN_FULL: i64 = 2;
/// First version of the layout, which does not store the origin of a run. All runs of that time were live runs.
pub(super) const WITHOUT_ORIGIN: i64 = 1;
/// File name extension of a journal.
pub(super) const EXTENSION: &str = "sqlite";

/// Size of the pages of a journal, in bytes. Most blocks have some KiB, and would leave larger pages half empty.
const PAGE_BYTES: u32 = 2_048;

const RUN: &str = "
    CREATE TABLE run (
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        specification TEXT NOT NULL,
        created_at TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('running', 'stopped', 'failed')),
        because TEXT,
        origin TEXT NOT NULL CHECK (origin IN ('live', 'loaded'))
    ) STRICT;";
// A secondary index would take the writer more time than everything else.
const BLOCK: &str = "
    CREATE TABLE block (
        last INTEGER PRIMARY KEY,
        events INTEGER NOT NULL,
        kinds TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        text ANY NOT NULL
    ) STRICT;";
const SNAPSHOT: &str = "
    CREATE TABLE snapshot (
        seq INTEGER PRIMARY KEY,
        state TEXT NOT NULL
    ) STRICT;";
/// The events of a journal of layout 2.
const EVENT: &str = "
    CREATE TABLE event (
        seq INTEGER PRIMARY KEY,
        at_us INTEGER NOT NULL,
        kind TEXT NOT NULL,
        node INTEGER,
        event TEXT NOT NULL
    ) STRICT;";

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Running, Self::Stopped, Self::Failed].into_iter().find(|status| status.as_str() == text)
    }
}

impl Origin {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Loaded => "loaded",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Live, Self::Loaded].into_iter().find(|origin| origin.as_str() == text)
    }
}

/// Returns the path of the journal of a run.
pub(super) fn path(directory: &Path, id: Uuid) -> PathBuf {
    directory.join(format!("{id}.{EXTENSION}"))
}

/// Creates a journal. If that fails, removes the file.
pub(super) fn create(path: &Path, header: &Header, limit_bytes: Option<u64>) -> Result<Connection, Cause> {
    // The file is created here and not by SQLite, because SQLite does not report why it cannot create a file.
    private().open(path).map_err(Cause::Create)?;
    let created = fill(path, header, limit_bytes);
    if created.is_err() {
        // An error of the removal is ignored, since the caller needs the error that came first.
        let _ = remove(path);
    }
    created
}

fn fill(path: &Path, header: &Header, limit_bytes: Option<u64>) -> Result<Connection, Cause> {
    let mut connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    if let Some(bytes) = limit_bytes {
        let pages = bytes / u64::from(PAGE_BYTES);
        limit_pages(&connection, u32::try_from(pages).unwrap_or(u32::MAX))?;
    }
    let transaction = connection.transaction()?;
    [RUN, BLOCK, SNAPSHOT].iter().try_for_each(|table| transaction.execute_batch(table))?;
    insert_run(&transaction, header, Status::Running, None)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(connection)
}

/// Creates the tables of layout 2, with the facts about a run.
pub(super) fn fill_plain(connection: &Connection, run: &PastRun) -> rusqlite::Result<()> {
    [RUN, EVENT, SNAPSHOT].iter().try_for_each(|table| connection.execute_batch(table))?;
    insert_run(connection, &run.header, run.status, run.because.as_deref())?;
    connection.pragma_update(None, "user_version", IN_FULL)
}

fn insert_run(connection: &Connection, header: &Header, status: Status, because: Option<&str>) -> rusqlite::Result<()> {
    let insert = "INSERT INTO run (id, name, specification, created_at, status, because, origin)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (id, created_at) = (header.id.to_string(), header.created_at.to_string());
    let (specification, origin) = (header.specification.as_str(), header.origin.as_str());
    let row = params![id, header.name, specification, created_at, status.as_str(), because, origin];
    connection.execute(insert, row).map(drop)
}

/// Returns the size of the database of a writer in bytes, including data that is still in SQLite's log.
pub(super) fn bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let pages: u64 = connection.prepare_cached("PRAGMA page_count")?.query_row([], |row| row.get(0))?;
    Ok(pages * u64::from(PAGE_BYTES))
}

/// Limits the size of the database. SQLite does not accept a limit below the present size, or a limit of 0.
fn limit_pages(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()))
}

/// Writes the final status of the run, and the reason for it.
pub(super) fn conclude(connection: &Connection, status: Status, because: Option<&str>) -> rusqlite::Result<()> {
    // The limit applies only to events. It is lifted here, so that the reason for the end can be written even if
    // the limit has been reached.
    limit_pages(connection, u32::MAX - 1)?;
    connection.execute("UPDATE run SET status = ?1, because = ?2", params![status.as_str(), because]).map(|_| ())
}

/// Returns the version of a journal's layout.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Reads the facts about the run from the table `run`, which has one row.
pub(super) fn run(connection: &Connection, path: &Path) -> Result<PastRun, Cause> {
    let select = if version(connection)? == WITHOUT_ORIGIN {
        "SELECT id, name, specification, created_at, status, because, 'live' FROM run"
    } else {
        "SELECT id, name, specification, created_at, status, because, origin FROM run"
    };
    connection.query_row_and_then(select, [], |row| {
        let specification = RawValue::from_string(row.get(2)?).map_err(|_| malformed("specification"))?;
        let (status, origin): (String, String) = (row.get(4)?, row.get(6)?);
        Ok(PastRun {
            header: Header {
                id: parsed(row, 0, "id")?,
                name: row.get(1)?,
                specification: Json::from(&*specification),
                created_at: parsed(row, 3, "created_at")?,
                origin: Origin::parse(&origin).ok_or_else(|| malformed("origin"))?,
            },
            status: Status::parse(&status).ok_or_else(|| malformed("status"))?,
            because: row.get(5)?,
            bytes: size(path),
            outcome: None,
        })
    })
}

/// Returns the names of the kinds of events in a journal of layout 3, indexed by their numbers.
pub(super) fn kinds(connection: &Connection) -> rusqlite::Result<Vec<Option<String>>> {
    let mut kinds = Vec::new();
    let mut select = connection.prepare("SELECT id, name FROM kind WHERE id BETWEEN 0 AND 1000")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let place: usize = row.get(0)?;
        kinds.resize(kinds.len().max(place + 1), None);
        kinds[place] = row.get(1)?;
    }
    Ok(kinds)
}

fn parsed<T: std::str::FromStr>(row: &Row<'_>, column: usize, name: &str) -> Result<T, Cause> {
    row.get::<_, String>(column)?.parse().map_err(|_| malformed(name))
}

fn malformed(column: &str) -> Cause {
    Cause::Malformed(format!("the run's {column} is invalid"))
}

/// Returns the paths of the files that SQLite creates beside a journal.
pub(super) fn beside(path: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|suffix| with_suffix(path, suffix))
}

/// Returns the path of SQLite's rollback journal. That file exists if a writer was killed in the middle of a
/// change.
pub(super) fn to_be_taken_back(path: &Path) -> PathBuf {
    with_suffix(path, "-journal")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    beside.into()
}

/// Returns the size of a journal in bytes, including the files that SQLite creates beside it.
pub(super) fn size(path: &Path) -> u64 {
    let files = beside(path).into_iter().chain([path.to_owned()]);
    files.filter_map(|file| fs::metadata(file).ok()).map(|file| file.len()).sum()
}

/// Removes a journal and the files that SQLite creates beside it.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    // The database is removed first, so that the remaining files of an interrupted removal are not listed as a
    // journal.
    fs::remove_file(path)?;
    for file in beside(path) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
