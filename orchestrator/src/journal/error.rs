//! What can go wrong with a journal.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_machine::wording::complaint;

/// Something is wrong with a file or folder of the journal.
#[derive(Debug, thiserror::Error)]
#[error("journal {}: {cause}", path.display())]
pub struct JournalError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file cannot be created.
    #[error("cannot be created: {0}")]
    Create(io::Error),
    /// The file cannot be opened.
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    /// The folder cannot be listed.
    #[error("cannot be listed: {0}")]
    List(io::Error),
    /// The file cannot be removed.
    #[error("cannot be removed: {0}")]
    Delete(io::Error),
    /// The thread that writes cannot be started.
    #[error("its writer cannot be started: {0}")]
    Thread(io::Error),
    /// SQLite refused something: a full disk, a file that is no database, …
    #[error("{}", Said(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// The disk has no room for another event.
    #[error("cannot be continued: its disk is full; {} MiB of it are free", mib(*free_bytes))]
    DiskFull {
        /// How much of the disk is free.
        free_bytes: u64,
    },
    /// The journal has reached its limit.
    #[error(
        "is full: it has {} of the {} MiB that it may have (`--journal-limit`), and the next events find no room",
        mib(*bytes),
        mib(*limit_bytes)
    )]
    Full {
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        limit_bytes: u64,
    },
    /// It is written, but not into one file, and only one can be given another name.
    #[error("could not be made one file: there is no room, or somebody reads it")]
    InPieces,
    /// The file is a database, but not a journal of a version that is known.
    #[error("has version {found}, and only versions up to {known} are known here")]
    UnknownVersion {
        /// The version that it has; 0 if it was never given one.
        found: i64,
        /// The version that this program writes; it reads those before it, too.
        known: i64,
    },
    /// The journal says something that makes no sense.
    #[error("{0}")]
    Malformed(String),
    /// An event cannot be written as JSON or read from it.
    #[error("event {seq} is unreadable: {}", complaint(cause))]
    Event {
        /// Which.
        seq: u64,
        /// What the JSON library says.
        cause: serde_json::Error,
    },
    /// An event is missing, or stands in the wrong place.
    #[error("event {found} stands where event {expected} is due")]
    Gap {
        /// The number that is due.
        expected: u64,
        /// The number that was found.
        found: u64,
    },
    /// A state was to be kept of an event that is not there.
    #[error("there is no event {seq} whose state could be kept: the last one is {latest}")]
    Snapshot {
        /// Of which event.
        seq: u64,
        /// The last event there is.
        latest: u64,
    },
}

impl JournalError {
    pub(super) fn new(path: &Path, cause: impl Into<Cause>) -> Self {
        Self { path: path.to_owned(), cause: cause.into() }
    }

    /// Whether there is no such file.
    #[must_use]
    pub fn is_not_there(&self) -> bool {
        matches!(&self.cause, Cause::Open(error) | Cause::Delete(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Why a journal could not go on. It names the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(Arc<str>);

impl Failure {
    pub(super) const fn new(reason: Arc<str>) -> Self {
        Self(reason)
    }

    pub(super) fn without(path: &Path, seq: u64) -> Self {
        Self(format!("journal {}: was finished without event {seq}", path.display()).into())
    }

    pub(super) fn broken(path: &Path) -> Self {
        Self(format!("journal {}: its writer broke down", path.display()).into())
    }

    /// The reason.
    #[must_use]
    pub fn reason(&self) -> &Arc<str> {
        &self.0
    }
}

/// A number of bytes in MiB, with one place after the point.
fn mib(bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    format!("{}.{}", bytes / MIB, bytes % MIB * 10 / MIB)
}

/// What SQLite says, with its code: the text alone does not tell one input or output error from another.
struct Said<'a>(&'a rusqlite::Error);

impl fmt::Display for Said<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            rusqlite::Error::SqliteFailure(error, Some(message)) => {
                write!(formatter, "{message} (SQLite code {})", error.extended_code)
            }
            error => error.fmt(formatter),
        }
    }
}
