//! `interlock journal`: reads journals, whether or not a playground is open.

mod rows;

use std::fs;
use std::io::{self, Read, stdin};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use interlock_orchestrator::journal::{self, JournalError, Queryable, Reader, SqlError, copy_plain};
use uuid::Uuid;

use super::serve::directory_of;
use super::{COULD_NOT, OK, USAGE, terminal};
use rows::{Format, Rows};

/// Maximum number of bytes of a query.
const LONGEST_QUERY: u64 = 1 << 20;
/// The word for the journal of the run that began last.
const LATEST: &str = "latest";

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Both actions copy the events of the journal so far to an SQLite file: `export` to FILE, and
`sql` to a temporary file. A copy takes about ten times the space of the journal.

Exit codes:
  0  the result or the file is written
  2  there is no such journal, or the query is invalid
  3  the journal cannot be read, or the result or the file cannot be written";

/// Options of `interlock journal`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct JournalOptions {
    /// Folder for the journals of the runs [default: the folder that `interlock` uses]
    #[arg(long, value_name = "DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// Action
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the result of an SQL query about the events: SELECT … FROM event
    Sql {
        /// Journal: a file, the id of a run, or `latest`
        #[arg(value_name = "JOURNAL")]
        journal: String,
        /// SQL query that only reads [default: standard input]
        #[arg(value_name = "QUERY")]
        query: Option<String>,
        /// Output format
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Write a journal as an SQLite file with one row for each event, for other programs
    Export {
        /// Journal: a file, the id of a run, or `latest`
        #[arg(value_name = "JOURNAL")]
        journal: String,
        /// New file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Error of a command that reads a journal.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    /// There is no folder in which the run could be found.
    #[error("cannot find the folder of the journals: there is no home folder; name a folder with --data-dir")]
    NoHome,
    /// The folder has no journal.
    #[error("there is no journal in {}; name another folder with --data-dir", .0.display())]
    NoJournal(PathBuf),
    /// The journal cannot be read, or its copy cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The query cannot be read.
    #[error("cannot read the query from standard input: {0}")]
    Input(#[source] io::Error),
    /// The query is longer than [`LONGEST_QUERY`].
    #[error("the query is longer than {} MiB", LONGEST_QUERY >> 20)]
    LongQuery,
    /// The query has no result.
    #[error(transparent)]
    Sql(SqlError),
}

impl ReadError {
    fn code(&self) -> u8 {
        match self {
            Self::NoHome
            | Self::NoJournal(_)
            | Self::LongQuery
            | Self::Sql(SqlError::Query(_) | SqlError::NotReading) => USAGE,
            Self::Journal(error) if error.is_not_there() => USAGE,
            _ => COULD_NOT,
        }
    }

    /// Whether the error is only that the reader of standard output has closed the pipe.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Sql(SqlError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Executes the action on a journal.
pub fn run(JournalOptions { data_dir, action }: &JournalOptions) -> ExitCode {
    let done = match action {
        Action::Sql { journal, query, format } => sql(data_dir.as_ref(), journal, query.as_deref(), *format),
        Action::Export { journal, file } => {
            opened(data_dir.as_ref(), journal).and_then(|reader| Ok(copy_plain(&reader, file)?))
        }
    };
    match done {
        Err(error) if !error.is_broken_pipe() => terminal::fail(&error, error.code()),
        _ => ExitCode::from(OK),
    }
}

fn sql(folder: Option<&PathBuf>, journal: &str, query: Option<&str>, format: Format) -> Result<(), ReadError> {
    let reader = opened(folder, journal)?;
    let query = match query {
        Some(query) => query.to_owned(),
        None => read_query(&mut stdin().lock())?,
    };
    let journal = Queryable::new(&reader).map_err(ReadError::Sql)?;
    let mut rows = Rows::new(format);
    let answered = journal.query(&query, &mut rows);
    answered.and_then(|()| rows.end().map_err(SqlError::Output)).map_err(ReadError::Sql)
}

fn read_query(input: &mut impl Read) -> Result<String, ReadError> {
    let mut query = String::new();
    // One more byte than the maximum is requested, so that a longer query is refused instead of cut off.
    input.take(LONGEST_QUERY + 1).read_to_string(&mut query).map_err(ReadError::Input)?;
    if query.len() as u64 > LONGEST_QUERY { Err(ReadError::LongQuery) } else { Ok(query) }
}

/// Opens a journal: a file, the journal of a run, or the journal of the run that began last.
fn opened(folder: Option<&PathBuf>, journal: &str) -> Result<Reader, ReadError> {
    let id = journal.parse::<Uuid>();
    if id.is_err() && journal != LATEST {
        return Ok(Reader::open_file(Path::new(journal))?);
    }
    let folder = directory_of(folder).ok_or(ReadError::NoHome)?;
    let id = match id {
        Ok(id) => id,
        Err(_) if fs::exists(&folder).is_ok_and(|exists| !exists) => return Err(ReadError::NoJournal(folder)),
        Err(_) => match journal::sizes(&folder)?.last() {
            Some((latest, _)) => *latest,
            None => return Err(ReadError::NoJournal(folder)),
        },
    };
    Ok(Reader::open(&folder, id)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_a_maximum_length() {
        assert_eq!(read_query(&mut &b"SELECT 1"[..]).expect("a query"), "SELECT 1");
        let longest = read_query(&mut io::repeat(b' ').take(LONGEST_QUERY)).expect("a query");
        assert_eq!(longest.len() as u64, LONGEST_QUERY);
        assert!(matches!(read_query(&mut io::repeat(b' ')), Err(ReadError::LongQuery)));
        assert!(read_query(&mut &b"\xff"[..]).is_err());
    }
}
