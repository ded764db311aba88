//! SQL queries about a journal.

use std::io;

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use super::{JournalError, Reader, plain};

pub use rusqlite::types::ValueRef as SqlValue;

/// Plain copy of a journal in a temporary file, for SQL queries. The file is removed when the value is dropped.
#[derive(Debug)]
pub struct Queryable {
    connection: Connection,
    /// Folder of the copy. It must be dropped after the connection.
    _folder: TempDir,
}

/// Error of an SQL query.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// The temporary folder cannot be created.
    #[error("cannot create a temporary folder: {0}")]
    Temporary(#[source] io::Error),
    /// The journal cannot be read, or the copy cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The query is invalid, or SQLite cannot execute it.
    #[error("cannot execute the query: {0}")]
    Query(#[from] rusqlite::Error),
    /// The text is not a query, or would change something.
    #[error("the text is not a query that only reads; write one that begins with SELECT or WITH")]
    NotReading,
    /// The caller cannot write a row.
    #[error("cannot write the result: {0}")]
    Output(#[source] io::Error),
}

/// Receiver of the result of a query.
pub trait Answer {
    /// Receives the names of the columns, before the rows.
    ///
    /// # Errors
    /// If the names cannot be written.
    fn begin(&mut self, columns: &[&str]) -> io::Result<()>;

    /// Receives the values of a row.
    ///
    /// # Errors
    /// If the row cannot be written.
    fn row(&mut self, values: &[SqlValue<'_>]) -> io::Result<()>;
}

impl Queryable {
    /// Copies a journal to a temporary file. Blocks.
    ///
    /// # Errors
    /// If the journal cannot be read, or the copy cannot be written.
    pub fn new(reader: &Reader) -> Result<Self, SqlError> {
        let folder = TempDir::with_prefix("interlock-").map_err(SqlError::Temporary)?;
        let path = folder.path().join("journal.sqlite");
        plain::copy_plain(reader, &path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Ok(Self { connection: Connection::open_with_flags(path, flags)?, _folder: folder })
    }

    /// Executes a query that only reads. Neither the result nor the journal is collected in memory. Blocks.
    ///
    /// # Errors
    /// If the query is invalid or does not only read, or if `answer` cannot write the result.
    pub fn query(&self, query: &str, answer: &mut dyn Answer) -> Result<(), SqlError> {
        let mut statement = self.connection.prepare(query)?;
        // An empty text changes nothing, but has no columns.
        if statement.column_count() == 0 || !statement.readonly() {
            return Err(SqlError::NotReading);
        }
        answer.begin(&statement.column_names().collect::<Vec<_>>()).map_err(SqlError::Output)?;
        let count = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..count).map(|column| row.get_ref(column)).collect::<rusqlite::Result<Vec<_>>>()?;
            answer.row(&values).map_err(SqlError::Output)?;
        }
        Ok(())
    }
}
