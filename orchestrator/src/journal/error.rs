//! Errors of journals.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_machine::wording::complaint;

use super::damage::Damage;

/// Error of a file or folder of the journal.
#[derive(Debug, thiserror::Error)]
#[error("journal {}: {cause}", path.display())]
pub struct JournalError {
    /// The file or folder.
    pub path: PathBuf,
    /// The cause.
    pub cause: Cause,
}

/// Cause of an error of a journal.
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
    /// The thread that writes the journal cannot be started.
    #[error("its writer cannot be started: {0}")]
    Thread(io::Error),
    /// SQLite reports an error, for example because the disk is full or the file is not a database.
    #[error("{}", Said(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// The disk has no space for another event.
    #[error("cannot be continued: its disk has no room for more events; {} MiB are free", mib(*free_bytes))]
    DiskFull {
        /// Free space of the disk.
        free_bytes: u64,
    },
    /// The journal has reached its maximum size.
    #[error(
        "is full: it has {} of at most {} MiB (`--journal-limit`), and the next events do not fit",
        mib(*bytes),
        mib(*limit_bytes)
    )]
    Full {
        /// Size of the journal.
        bytes: u64,
        /// Maximum size of the journal.
        limit_bytes: u64,
    },
    /// All events are written, but SQLite cannot merge its log into the journal. Only a single file can be
    /// renamed.
    #[error("cannot be merged into one file: the disk is full, or another program has the journal open")]
    InPieces,
    /// The file is a database, but not a journal of a known version.
    #[error("has version {found}, but this program knows only versions up to {known}")]
    UnknownVersion {
        /// Version of the file; 0 if it was never set.
        found: i64,
        /// Version that this program writes. The program reads earlier versions as well.
        known: i64,
    },
    /// The content of the journal is invalid.
    #[error("{0}")]
    Malformed(String),
    /// An event cannot be converted to JSON, or the stored JSON cannot be converted to an event.
    #[error("event {seq} is unreadable: {}", complaint(cause))]
    Event {
        /// Sequence number of the event.
        seq: u64,
        /// Error of the JSON library.
        cause: serde_json::Error,
    },
    /// An event is too large for a journal.
    #[error("event {seq} has {bytes} bytes, but the maximum is {most}")]
    LargeEvent {
        /// Sequence number of the event.
        seq: u64,
        /// Size of the event as JSON.
        bytes: usize,
        /// Maximum size.
        most: usize,
    },
    /// A block of events is damaged.
    #[error("the block of events that ends with event {last} is damaged: {damage}")]
    Block {
        /// Number of the last event of the block.
        last: u64,
        /// The damage.
        damage: Damage,
    },
    /// An event is missing, or its number is not the expected number.
    #[error("event {found} is in the place of event {expected}")]
    Gap {
        /// Number that must follow.
        expected: u64,
        /// Number that the event has.
        found: u64,
    },
    /// The writer received the snapshot of an event that does not exist.
    #[error("cannot save the state of event {seq}: the last event is {latest}")]
    Snapshot {
        /// Number of the event to which the snapshot belongs.
        seq: u64,
        /// Number of the last event in the journal.
        latest: u64,
    },
}

impl JournalError {
    pub(super) fn new(path: &Path, cause: impl Into<Cause>) -> Self {
        Self { path: path.to_owned(), cause: cause.into() }
    }

    /// Whether the error is that the file does not exist.
    #[must_use]
    pub fn is_not_there(&self) -> bool {
        matches!(&self.cause, Cause::Open(error) | Cause::Delete(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Reason why the writer of a journal stopped. It contains the path of the file.
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
        Self(format!("journal {}: its writer failed", path.display()).into())
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> &Arc<str> {
        &self.0
    }
}

/// Returns a number of bytes in MiB, with one decimal.
fn mib(bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    format!("{}.{}", bytes / MIB, bytes % MIB * 10 / MIB)
}

/// Error of SQLite, displayed with its error code. Without the code, different input or output errors have the
/// same text.
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
