//! Repair of journals whose writer was killed. A process repairs the journals of a folder when it claims the
//! folder.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use uuid::Uuid;

use super::error::Cause;
use super::schema;

/// Offset and size of the layout version (`user_version`) in the header of an SQLite file, in bytes.
const PLACE_OF_VERSION: u64 = 60;
const BYTES_OF_VERSION: usize = 4;

/// Rolls back half-written changes of journals, since a read-only process cannot do that. Also removes journals
/// without content, since no client knows about their runs yet. The caller must ensure that no other process is
/// writing to the folder.
pub(super) fn mend(directory: &Path) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_journal(&path)
            && is_half_done(&path)
            && let Err(cause) = mend_one(&path)
        {
            tracing::warn!(path = %path.display(), %cause, "cannot undo an unfinished write");
        }
    }
}

/// Whether the name of a file is that of a journal. Other files are not repaired.
fn is_journal(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str());
    path.extension().is_some_and(|extension| extension == schema::EXTENSION)
        && name.is_some_and(|name| Uuid::try_parse(name).is_ok())
}

/// Whether the journal has a change to roll back, or its file has no content yet.
fn is_half_done(path: &Path) -> bool {
    schema::to_be_taken_back(path).exists()
        || version_in_head(path).is_ok_and(|version| version == [0; BYTES_OF_VERSION])
}

fn version_in_head(path: &Path) -> io::Result<[u8; BYTES_OF_VERSION]> {
    let mut version = [0; BYTES_OF_VERSION];
    match File::open(path)?.read_exact_at(&mut version, PLACE_OF_VERSION) {
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(error),
        _ => Ok(version),
    }
}

fn mend_one(path: &Path) -> Result<(), Cause> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // When a connection with write access reads for the first time, SQLite rolls back half-written changes.
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    drop(connection);
    if tables == 0 { schema::remove(path).map_err(Cause::Open) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Creates a database with one row and a half-written update of the row, in the state in which a killed writer
    /// leaves it.
    fn half_written(path: &Path) {
        let connection = Connection::open(path).expect("a database");
        connection
            .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA user_version = 3")
            .expect("written");
        let aside = path.with_extension("aside");
        let journal = schema::to_be_taken_back(path);
        connection
            .execute_batch("PRAGMA cache_size = 1; BEGIN; UPDATE t SET x = zeroblob(100000)")
            .expect("half written");
        connection.cache_flush().expect("flushed");
        fs::copy(path, &aside).expect("copied");
        fs::copy(&journal, aside.with_extension("log")).expect("copied");
        drop(connection);
        fs::rename(&aside, path).expect("put back");
        fs::rename(aside.with_extension("log"), journal).expect("put back");
    }

    fn read(path: &Path) -> rusqlite::Result<i64> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.query_row("SELECT x FROM t", [], |row| row.get(0))
    }

    #[test]
    fn what_was_half_written_is_taken_back_so_that_it_can_be_read() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join(format!("{}.sqlite", Uuid::now_v7()));
        half_written(&path);
        assert!(read(&path).is_err(), "whoever only reads cannot take it back");
        mend(folder.path());
        assert_eq!(read(&path), Ok(1));
    }

    #[test]
    fn what_nobody_had_begun_to_write_goes_and_all_else_stays() {
        let folder = TempDir::new().expect("a folder");
        let at = |name: String| folder.path().join(name);
        let [empty, bare, foreign, kept] = [
            at(format!("{}.sqlite", Uuid::now_v7())),
            at(format!("{}.sqlite", Uuid::now_v7())),
            at("notes.sqlite".to_owned()),
            at(format!("{}.sqlite", Uuid::now_v7())),
        ];
        fs::write(&empty, "").expect("a file");
        let wal = |path: &Path| {
            let connection = Connection::open(path).expect("a database");
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).expect("WAL");
            connection
        };
        drop(wal(&bare));
        fs::write(&foreign, "").expect("a file");
        // A database of another program: like an empty journal, it has version 0, but it has tables, so it must
        // not be removed.
        wal(&kept).execute_batch("CREATE TABLE t (x)").expect("written");
        mend(folder.path());
        assert_eq!([&empty, &bare, &foreign, &kept].map(|path| path.exists()), [false, false, true, true]);
    }
}
