//! Plain copies of journals, for SQL queries. A plain copy is a journal of layout 2: each event is a row with its
//! whole JSON, which every program with SQLite can read.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::layout::{Event, Examined};
use super::private_file::private;
use super::{Cause, JournalError, Reader, schema};

/// Number of events that are read together. Between the reads, no transaction is open, since an open transaction
/// would prevent a writer from clearing its log.
const CHUNK: u64 = 10_000;

const INSERT: &str = "INSERT INTO event (seq, at_us, kind, node, event) VALUES (?1, ?2, ?3, ?4, ?5)";

/// Writes a plain copy of a journal to a new file. The copy has the events that the journal has at the beginning of
/// the call, and no snapshots. Blocks.
///
/// # Errors
/// If the journal cannot be read, or the copy cannot be written. In both cases, the copy is removed.
pub fn copy_plain(reader: &Reader, path: &Path) -> Result<(), JournalError> {
    private().open(path).map_err(|cause| JournalError::new(path, Cause::Create(cause)))?;
    let copied = copy(reader, path);
    if copied.is_err() {
        // An error of the removal is ignored, since the caller needs the error that came first.
        let _ = fs::remove_file(path);
    }
    copied
}

fn copy(reader: &Reader, path: &Path) -> Result<(), JournalError> {
    let run = reader.run()?;
    let (mut since, latest) = (reader.oldest()?.saturating_sub(1), reader.latest()?);
    let refused = |cause| JournalError::new(path, cause);
    let begin = || -> Result<_, Cause> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        // An incomplete copy is removed, so it need not be protected against a crash.
        connection.pragma_update_and_check(None, "journal_mode", "OFF", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.execute_batch("BEGIN")?;
        schema::fill_plain(&connection, &run)?;
        Ok(connection)
    };
    let connection = begin().map_err(refused)?;
    while since < latest {
        let until = latest.min(since.saturating_add(CHUNK));
        let mut failed = None;
        reader.each(since, until, &[], &mut |examined| {
            let Examined::Event(event) = examined else { return Ok(true) };
            let node = event.node()?;
            failed = insert(&connection, &event, node).err();
            Ok(failed.is_none())
        })?;
        if let Some(error) = failed {
            return Err(refused(error.into()));
        }
        since = until;
    }
    connection.execute_batch("COMMIT").map_err(|error| refused(error.into()))
}

fn insert(connection: &Connection, event: &Event<'_>, node: Option<u32>) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(INSERT)?;
    insert.execute(params![event.seq, event.at_us, event.kind, node, event.json()]).map(drop)
}
