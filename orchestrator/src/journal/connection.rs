//! Connections to existing journals, even on a full disk.
//!
//! SQLite stores the index of its write-ahead log in a file beside the journal. If the writer was killed, the
//! first reader rebuilds that file, which is impossible on a full disk. A reader that may not write to the file
//! instead builds the index in its own memory.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::private_file::private;
use super::{Cause, schema};

/// Lock for attempts to open journals. All connections of this process to the same journal share its index file.
/// So while a reader opens a journal with an index in memory, no other attempt may be in progress.
static ATTEMPTS: RwLock<()> = RwLock::new(());

/// Renames the run of a journal.
pub(super) fn rename(path: &Path, name: &str) -> Result<(), Cause> {
    // Opening the journal first rejects a journal of an unknown version.
    drop(open(path)?);
    Ok(change(path, |connection| connection.execute("UPDATE run SET name = ?1", [name]).map(drop))?)
}

/// Opens a journal for reading, even while a writer uses it, and even after its writer was killed.
///
/// If the writer was killed, SQLite rebuilds the index of its log beside the journal. So the folder must be
/// writable in this case, but the disk may be full. The journal of a finished run is a single file, which can also
/// be read in a read-only folder.
pub(super) fn open(path: &Path) -> Result<Connection, Cause> {
    // Reads the metadata without opening the file. When a process closes a file, all its locks on that file are
    // released, including the locks of a writer in this process.
    if !fs::metadata(path).map_err(Cause::Open)?.is_file() {
        return Err(Cause::Open(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let connection = read(path)?;
    let found = schema::version(&connection)?;
    let is_known = (schema::WITHOUT_ORIGIN..=schema::VERSION).contains(&found);
    if is_known { Ok(connection) } else { Err(Cause::UnknownVersion { found, known: schema::VERSION }) }
}

fn read(path: &Path) -> rusqlite::Result<Connection> {
    let usual = {
        let _together = ATTEMPTS.read().unwrap_or_else(PoisonError::into_inner);
        readable(Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
    };
    match usual {
        Err(error) if may_lack_room(&error) => {
            let _alone = ATTEMPTS.write().unwrap_or_else(PoisonError::into_inner);
            without_room(path).map_err(|_| error)
        }
        usual => usual,
    }
}

/// Executes a change on a journal.
fn change<T>(path: &Path, change: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let _together = ATTEMPTS.read().unwrap_or_else(PoisonError::into_inner);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    change(&Connection::open_with_flags(path, flags)?)
}

/// Opens a journal, and builds the index of its log in the memory of the reader.
fn without_room(path: &Path) -> rusqlite::Result<Connection> {
    let [_, index, _] = schema::beside(path);
    // SQLite requires that the index file exists. So an empty file is created, which needs no disk space. An error
    // is harmless: usually the file already exists.
    let _ = private().open(index);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    readable(Connection::open_with_flags(format!("{}?readonly_shm=1", uri(path)), flags)?)
}

/// Returns the connection if a first read succeeds. That read makes SQLite open the log and its index.
fn readable(connection: Connection) -> rusqlite::Result<Connection> {
    schema::version(&connection).map(|_| connection)
}

/// Whether an error may have been caused by a full disk.
fn may_lack_room(error: &rusqlite::Error) -> bool {
    let codes = [ErrorCode::SystemIoFailure, ErrorCode::DiskFull, ErrorCode::CannotOpen];
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}

/// Returns a path as a URI. Only characters without a special meaning are left unescaped.
fn uri(path: &Path) -> String {
    path.as_os_str().as_bytes().iter().fold("file:".to_owned(), |mut uri, &byte| {
        if byte.is_ascii_alphanumeric() || b"/-._".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// Creates a database and its log in the state in which a killed writer leaves them.
    fn killed(folder: &Path, name: &OsStr) -> std::path::PathBuf {
        let (whole, path) = (folder.join("whole"), folder.join(name));
        let writer = Connection::open(&whole).expect("a database");
        writer.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).expect("a log");
        writer.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (7); PRAGMA user_version = 3").expect("written");
        for (from, to) in [(whole.clone(), path.clone())]
            .into_iter()
            .chain(schema::beside(&whole).into_iter().zip(schema::beside(&path)))
        {
            if from.exists() {
                fs::copy(from, to).expect("copied");
            }
        }
        path
    }

    fn x(connection: &Connection) -> rusqlite::Result<i64> {
        connection.query_row("SELECT x FROM t", [], |row| row.get(0))
    }

    #[test]
    fn a_journal_with_an_unusual_name_is_read_without_its_index() {
        let folder = TempDir::new().expect("a folder");
        let path = killed(folder.path(), OsStr::from_bytes(b"100% a?b#c&d \xff.sqlite"));
        let [_, index, _] = schema::beside(&path);
        for is_there in [true, false] {
            if !is_there {
                fs::remove_file(&index).expect("it was there");
            }
            let (one, other) = (without_room(&path).expect("opened"), without_room(&path).expect("opened"));
            assert_eq!((x(&one), x(&other)), (Ok(7), Ok(7)));
        }
        assert_eq!(fs::metadata(&index).expect("an index").len(), 0, "nothing was written to it");
    }

    #[test]
    fn a_journal_that_is_being_written_is_read_from_the_index_of_its_writer() {
        let folder = TempDir::new().expect("a folder");
        let path = killed(folder.path(), OsStr::new("a.sqlite"));
        let writer = Connection::open(&path).expect("a writer");
        assert_eq!(x(&writer), Ok(7));
        let reader = without_room(&path).expect("opened");
        writer.execute("UPDATE t SET x = 8", []).expect("written");
        assert_eq!((x(&reader), x(&read(&path).expect("opened"))), (Ok(8), Ok(8)));
    }

    #[test]
    fn an_error_that_no_room_would_repair_is_reported_at_once() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("a.sqlite");
        fs::write(&path, [b'x'; 5_000]).expect("written");
        let error = read(&path).expect_err("not a database");
        assert!(!may_lack_room(&error), "{error}");
        assert!(schema::beside(&path).iter().all(|file| !file.exists()));
    }
}
