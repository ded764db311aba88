//! The writer thread of a run's journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, Transaction, params};
use rustix::fs::statvfs;
use tokio::sync::watch;

use super::block::Block;
use super::packing::{Packer, insert_loose};
use super::queue::{Batch, Closing, Queue};
use super::{Cause, JournalError, Status, schema};
use interlock_model::event::{Ending, Event, What};

/// Interval between the starts of two transactions, unless many events are pending. A longer interval makes
/// transactions larger and cheaper, but readers see an event later, by at most the interval.
const PACE: Duration = Duration::from_millis(4);

/// Maximum number of events in one transaction. Larger transactions would not be cheaper, and if a transaction
/// fails, all its events are lost.
const TRANSACTION: usize = 1_000;

const INSERT_SNAPSHOT: &str = "INSERT INTO snapshot (seq, state) VALUES (?1, ?2)";

pub(super) struct Writer {
    connection: Connection,
    path: PathBuf,
    limit_bytes: Option<u64>,
    queue: Arc<Queue>,
    committed: watch::Sender<u64>,
    failure: watch::Sender<Option<Arc<str>>>,
    written_bytes: Arc<AtomicU64>,
    /// Number and time of the last committed event.
    last: u64,
    last_us: u64,
    packer: Packer,
}

/// The state of a writer that other threads can observe.
pub(super) struct Watched {
    /// Number of the last committed event.
    pub committed: watch::Receiver<u64>,
    /// Reason why the writer stopped; none while it works.
    pub failure: watch::Receiver<Option<Arc<str>>>,
    /// Size of the journal, in bytes.
    pub written_bytes: Arc<AtomicU64>,
}

/// Closes the queue when it is dropped, so that no producer waits for a writer that has ended, even after a panic.
struct Leaving(Arc<Queue>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

impl Writer {
    pub fn new(
        connection: Connection,
        path: PathBuf,
        limit_bytes: Option<u64>,
        queue: Arc<Queue>,
    ) -> Result<(Self, Watched), Cause> {
        let (committed, committed_receiver) = watch::channel(0);
        let (failure, failure_receiver) = watch::channel(None);
        let written_bytes = Arc::new(AtomicU64::new(schema::bytes(&connection)?));
        let watched = Watched {
            committed: committed_receiver,
            failure: failure_receiver,
            written_bytes: Arc::clone(&written_bytes),
        };
        let packer = Packer::new();
        let (last, last_us) = (0, 0);
        let writer =
            Self { connection, path, limit_bytes, queue, committed, failure, written_bytes, last, last_us, packer };
        Ok((writer, watched))
    }

    /// Writes events until the queue is closed or the journal fails.
    pub fn run(mut self) {
        let leaving = Leaving(Arc::clone(&self.queue));
        let written = self.write_all().and_then(|closing| Ok(conclude(&self.connection, &closing)?));
        self.measure();
        if let Err(cause) = written {
            drop(leaving);
            self.fail(cause);
        }
        self.close();
    }

    fn write_all(&mut self) -> Result<Closing, Cause> {
        let mut batch = Batch::default();
        let mut earliest = Instant::now();
        loop {
            let closing = self.queue.take(&mut batch, earliest);
            earliest = Instant::now() + PACE;
            self.write(&batch)?;
            batch.clear();
            self.queue.committed();
            if let Some(closing) = closing {
                return Ok(closing);
            }
        }
    }

    /// Writes a batch in several transactions. Each transaction is written completely or not at all.
    fn write(&mut self, batch: &Batch) -> Result<(), Cause> {
        for events in batch.events.chunks(TRANSACTION) {
            let transaction = self.connection.transaction()?;
            let last = self.packer.insert(&transaction, events)?;
            transaction.commit()?;
            (self.last, self.last_us) = (last, events.last().map_or(self.last_us, |event| event.at_us));
            self.measure();
            self.committed.send_replace(last);
        }
        if batch.snapshots.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction()?;
        insert_snapshots(&transaction, &batch.snapshots, self.last)?;
        transaction.commit()?;
        self.measure();
        Ok(())
    }

    /// Updates the published size of the journal.
    fn measure(&self) {
        if let Ok(bytes) = schema::bytes(&self.connection) {
            self.written_bytes.store(bytes, Ordering::Relaxed);
        }
    }

    fn fail(&mut self, cause: Cause) {
        let cause = self.full(cause);
        let reason: Arc<str> = JournalError::new(&self.path, cause).to_string().into();
        tracing::error!(%reason, "the journal has failed");
        // If the disk itself is full, the failure cannot be written either. In that case the stored status stays
        // `running`, and readers conclude that the orchestrator was killed.
        if let Err(error) = self.write_failure(&reason) {
            tracing::warn!(path = %self.path.display(), %error, "cannot write the failure to the journal");
        }
        self.failure.send_replace(Some(reason));
    }

    /// Returns the cause to report. SQLite reports the same error for a full disk and for a journal at its limit. For
    /// this error, returns the limit that was reached. For all other errors, returns `cause`.
    fn full(&self, cause: Cause) -> Cause {
        match &cause {
            Cause::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
                let bytes = self.written_bytes.load(Ordering::Relaxed);
                exhausted(bytes, self.limit_bytes, free_bytes(&self.path)).unwrap_or(cause)
            }
            _ => cause,
        }
    }

    /// Writes the failure of the run as its last event, so that a reader finds the reason after the other events.
    fn write_failure(&mut self, reason: &str) -> Result<(), Cause> {
        schema::conclude(&self.connection, Status::Failed, Some(reason))?;
        let what = What::Ended { why: Ending::Failed(reason.to_owned()) };
        let seq = self.last + 1;
        let mut ended = Block::default();
        ended.push(&Event { seq, at_us: self.last_us, what })?;
        let transaction = self.connection.transaction()?;
        insert_loose(&transaction, seq, &ended)?;
        transaction.commit()?;
        self.last = seq;
        self.measure();
        self.committed.send_replace(self.last);
        Ok(())
    }

    /// Merges SQLite's log into the journal, so that the journal is a single file. If readers have the journal open,
    /// SQLite merges the log when the last reader closes the journal.
    fn close(self) {
        let connection = &self.connection;
        let settled = connection
            .busy_timeout(Duration::ZERO)
            .and_then(|()| connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(())))
            .or_else(|_| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        if let Err(error) = settled.and_then(|()| self.connection.close().map_err(|(_, error)| error)) {
            tracing::warn!(path = %self.path.display(), %error, "the log stays beside the journal");
        }
    }
}

/// Returns the free space of the disk that contains a file, in bytes.
fn free_bytes(path: &Path) -> Option<u64> {
    let disk = statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns the limit that was reached: the limit of the journal or the disk, whichever has less space left.
pub(super) fn exhausted(bytes: u64, limit_bytes: Option<u64>, free_bytes: Option<u64>) -> Option<Cause> {
    match (limit_bytes, free_bytes) {
        (None, None) => None,
        (Some(limit_bytes), free_bytes) if free_bytes.is_none_or(|free| limit_bytes.saturating_sub(bytes) <= free) => {
            Some(Cause::Full { bytes, limit_bytes })
        }
        (_, free_bytes) => Some(Cause::DiskFull { free_bytes: free_bytes.unwrap_or_default() }),
    }
}

fn conclude(connection: &Connection, closing: &Closing) -> rusqlite::Result<()> {
    match closing {
        Closing::Finished { status, because } => schema::conclude(connection, *status, because.as_deref()),
        Closing::Abandoned => Ok(()),
    }
}

fn insert_snapshots(transaction: &Transaction<'_>, snapshots: &[(u64, String)], latest: u64) -> Result<(), Cause> {
    for (seq, state) in snapshots {
        if *seq > latest {
            return Err(Cause::Snapshot { seq: *seq, latest });
        }
        transaction.prepare_cached(INSERT_SNAPSHOT)?.execute(params![seq, state])?;
    }
    Ok(())
}
