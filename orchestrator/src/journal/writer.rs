//! The thread that writes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Transaction, params};
use tokio::sync::watch;

use super::queue::{Batch, Closing, Queue};
use super::{Cause, JournalError, Status, schema};
use interlock_model::event::Event;

/// How far apart transactions begin, unless there is much to write: gathering makes them cheaper, and this is how
/// much later an event can be read for it.
const PACE: Duration = Duration::from_millis(4);

/// The most events of a transaction: more would not be cheaper, and if it fails, all of them are missing.
const TRANSACTION: usize = 1_000;

const INSERT_EVENT: &str = "INSERT INTO event (seq, at_us, kind, node, event) VALUES (?1, ?2, ?3, ?4, ?5)";
const INSERT_SNAPSHOT: &str = "INSERT INTO snapshot (seq, state) VALUES (?1, ?2)";

pub(super) struct Writer {
    connection: Connection,
    path: PathBuf,
    queue: Arc<Queue>,
    committed: watch::Sender<u64>,
    failure: watch::Sender<Option<Arc<str>>>,
    /// The last event that is committed.
    last: u64,
    /// The JSON of one event after another.
    text: Vec<u8>,
}

/// Closes the queue however the writer ends, so that no producer waits for it.
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
        queue: Arc<Queue>,
    ) -> (Self, watch::Receiver<u64>, watch::Receiver<Option<Arc<str>>>) {
        let (committed, committed_receiver) = watch::channel(0);
        let (failure, failure_receiver) = watch::channel(None);
        let writer = Self { connection, path, queue, committed, failure, last: 0, text: Vec::new() };
        (writer, committed_receiver, failure_receiver)
    }

    /// Writes until nothing more comes, or until it fails.
    pub fn run(mut self) {
        let leaving = Leaving(Arc::clone(&self.queue));
        let written = self.write_all().and_then(|closing| Ok(conclude(&self.connection, &closing)?));
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

    /// Writes a batch in transactions, each of which is written as a whole or not at all.
    fn write(&mut self, batch: &Batch) -> Result<(), Cause> {
        for events in batch.events.chunks(TRANSACTION) {
            let transaction = self.connection.transaction()?;
            let last = insert_events(&transaction, events, self.last, &mut self.text)?;
            transaction.commit()?;
            self.last = last;
            self.committed.send_replace(last);
        }
        if batch.snapshots.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction()?;
        insert_snapshots(&transaction, &batch.snapshots, self.last)?;
        Ok(transaction.commit()?)
    }

    fn fail(&self, cause: Cause) {
        let reason: Arc<str> = JournalError::new(&self.path, cause).to_string().into();
        tracing::error!(%reason, "the journal has failed");
        self.failure.send_replace(Some(Arc::clone(&reason)));
        // On a disk that is really full this fails too: then the row says `running`, which readers know how to take.
        if let Err(error) = schema::conclude(&self.connection, Status::Failed, Some(&reason)) {
            tracing::warn!(path = %self.path.display(), %error, "the failure could not be written down");
        }
    }

    /// Makes the journal a single file, unless somebody reads it just now: then whoever closes it last does that.
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

fn conclude(connection: &Connection, closing: &Closing) -> rusqlite::Result<()> {
    match closing {
        Closing::Finished { status, because } => schema::conclude(connection, *status, because.as_deref()),
        Closing::Abandoned => Ok(()),
    }
}

/// Inserts events that follow event `last` and returns the last one's number.
fn insert_events(
    transaction: &Transaction<'_>,
    events: &[Event],
    mut last: u64,
    text: &mut Vec<u8>,
) -> Result<u64, Cause> {
    let mut insert = transaction.prepare_cached(INSERT_EVENT)?;
    for event in events {
        let (expected, found) = (last + 1, event.seq);
        if found != expected {
            return Err(Cause::Gap { expected, found });
        }
        text.clear();
        event.write_json(&mut *text).map_err(|cause| Cause::Event { seq: found, cause })?;
        insert.execute(params![
            event.seq,
            event.at_us,
            event.kind(),
            event.node().map(|node| node.0),
            ToSqlOutput::Borrowed(ValueRef::Text(text)),
        ])?;
        last = found;
    }
    Ok(last)
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
