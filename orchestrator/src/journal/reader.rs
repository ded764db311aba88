//! Reads a journal: during the run, after the end of the run, and after a crash of the orchestrator.

use std::path::{Path, PathBuf};
use std::vec;

use interlock_algorithm::NodeId;
use rusqlite::{Connection, OptionalExtension};
use uuid::Uuid;

use super::layout::{self, Examine, Examined, Layout, bounded};
use super::{Cause, Header, JournalError, PastRun, connection, schema};
use interlock_model::event::Event;

/// Maximum number of events in a page.
pub const LARGEST_PAGE: usize = 10_000;
/// Maximum number of bytes in a page, unless a single event has more bytes.
pub const LARGEST_PAGE_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of events that are examined for one page, so that queries for rare events are answered soon.
pub const MOST_EXAMINED: u64 = 200_000;
/// Number of events in one query when a caller reads all events. Between the queries, no transaction is open,
/// since an open transaction would prevent the writer from clearing its log.
const CHUNK: u64 = 1_000;

/// Query for events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventQuery {
    /// Number of an event; the page has only later events.
    pub since: u64,
    /// Number of the last event that the page may have; none if there is no limit.
    pub until: Option<u64>,
    /// Maximum number of events, 1 … [`LARGEST_PAGE`]; other values are clamped.
    pub limit: usize,
    /// Maximum total size of the events as JSON, in bytes, at most 8 MiB. A first event that is larger is returned
    /// alone.
    pub bytes: usize,
    /// Kinds of events that the page has; an empty list means all kinds.
    pub kinds: Vec<String>,
    /// Node whose events the page has; none means all events.
    pub node: Option<NodeId>,
}

impl Default for EventQuery {
    fn default() -> Self {
        Self { since: 0, until: None, limit: 1_000, bytes: LARGEST_PAGE_BYTES, kinds: Vec::new(), node: None }
    }
}

impl EventQuery {
    fn wants(&self, event: &layout::Event<'_>) -> Result<bool, Cause> {
        if !self.kinds.is_empty() && !self.kinds.iter().any(|wanted| wanted == event.kind) {
            return Ok(false);
        }
        let Some(wanted) = self.node else { return Ok(true) };
        Ok(event.node()? == Some(wanted.0))
    }
}

/// A page of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Events in order, each as JSON text.
    pub items: Vec<String>,
    /// Number of the last event that was examined, even if the page does not contain it. The next page uses it as
    /// `since`.
    pub next_since: u64,
}

/// A journal opened for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    layout: Layout,
}

impl Reader {
    /// Opens the journal of a run in `directory`.
    ///
    /// If the writer of the journal was killed, the folder must be writable, because SQLite first recovers its
    /// log.
    ///
    /// # Errors
    /// If the run has no journal, the journal cannot be read, or its version is unknown.
    pub fn open(directory: &Path, id: Uuid) -> Result<Self, JournalError> {
        Self::open_file(&schema::path(directory, id))
    }

    /// Opens the journal at `path`.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_file(path: &Path) -> Result<Self, JournalError> {
        let open = || {
            let connection = connection::open(path)?;
            Layout::of(&connection).map(|layout| (connection, layout))
        };
        let (connection, layout) = open().map_err(|cause| JournalError::new(path, cause))?;
        Ok(Self { connection, path: path.to_owned(), layout })
    }

    /// Returns the header of the journal.
    ///
    /// # Errors
    /// If the header cannot be read.
    pub fn header(&self) -> Result<Header, JournalError> {
        self.run().map(|run| run.header)
    }

    /// Returns the stored facts about the run: the header, the status, and the size. If the orchestrator was
    /// killed, the status is `running`.
    ///
    /// # Errors
    /// If the facts cannot be read.
    pub fn run(&self) -> Result<PastRun, JournalError> {
        schema::run(&self.connection, &self.path).map_err(|cause| self.error(cause))
    }

    /// Returns the number of the first event, or 0 if there is no event.
    ///
    /// # Errors
    /// If the number cannot be read.
    pub fn oldest(&self) -> Result<u64, JournalError> {
        self.layout.oldest(&self.connection).map(Option::unwrap_or_default).map_err(|cause| self.error(cause))
    }

    /// Returns the number of the last event, or 0 if there is no event.
    ///
    /// # Errors
    /// If the number cannot be read.
    pub fn latest(&self) -> Result<u64, JournalError> {
        self.layout.latest(&self.connection).map(Option::unwrap_or_default).map_err(|cause| self.error(cause))
    }

    /// Returns a page of events as JSON text. A call examines at most [`MOST_EXAMINED`] events, and the size of
    /// the page is limited. So a page can be short or empty although more events follow. All events have been
    /// examined if `next_since` is the last event, or the `until` of the query.
    ///
    /// # Errors
    /// If the events cannot be read, or an event is missing.
    pub fn page(&self, query: &EventQuery) -> Result<Page, JournalError> {
        self.page_within(query, usize::MAX).map(Option::unwrap_or_default)
    }

    /// Returns a page like [`page`](Self::page), or none if the events of the page have more than `most` bytes in
    /// total. Events beyond this limit are not decoded.
    ///
    /// # Errors
    /// The errors of [`page`](Self::page).
    pub fn page_within(&self, query: &EventQuery, most: usize) -> Result<Option<Page>, JournalError> {
        let limit = query.limit.clamp(1, LARGEST_PAGE);
        let mut room = query.bytes.min(LARGEST_PAGE_BYTES);
        let last = query.until.unwrap_or(u64::MAX).min(query.since.saturating_add(MOST_EXAMINED));
        let mut page = Page { items: Vec::new(), next_since: query.since };
        let mut left = Some(most);
        self.each(query.since, last, &query.kinds, &mut |examined| {
            let event = match examined {
                Examined::Unwanted(seq) => {
                    page.next_since = seq;
                    return Ok(true);
                }
                Examined::Event(event) => event,
            };
            if query.wants(&event)? {
                let is_next_page = |bytes: usize| bytes > room && !page.items.is_empty();
                let stored = event.stored_bytes();
                if is_next_page(stored) {
                    return Ok(false);
                }
                left = left.filter(|left| stored <= *left);
                if left.is_none() {
                    return Ok(false);
                }
                let text = event.json();
                if is_next_page(text.len()) {
                    return Ok(false);
                }
                room = room.saturating_sub(text.len());
                left = left.map(|left| left.saturating_sub(text.len()));
                page.items.push(text.into_owned());
            }
            page.next_since = event.seq;
            Ok(page.items.len() < limit)
        })?;
        Ok(left.map(|_| page))
    }

    /// Returns an iterator over the events after event `seq`, in order, for example to compute a state. The
    /// iterator reads the events in chunks. So it also returns events that the writer adds during the iteration.
    #[must_use]
    pub fn events_after(&self, seq: u64) -> Events<'_> {
        Events { reader: self, since: seq, chunk: Vec::new().into_iter(), ended: false }
    }

    /// Returns the last snapshot of the state up to event `seq`, with the number of the event after which it was
    /// taken. Returns none if there is no such snapshot.
    ///
    /// # Errors
    /// If the snapshot cannot be read.
    pub fn snapshot_before(&self, seq: u64) -> Result<Option<(u64, String)>, JournalError> {
        self.connection
            .query_row(
                "SELECT seq, state FROM snapshot WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1",
                [bounded(seq)],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()
            .map_err(|error| self.error(error))
    }

    /// Returns the number of events after the last snapshot. To compute the present state, a caller must read
    /// these events.
    ///
    /// # Errors
    /// If the number cannot be read.
    pub fn events_since_snapshot(&self) -> Result<u64, JournalError> {
        Ok(self.latest()?.saturating_sub(self.number("SELECT ifnull(max(seq), 0) FROM snapshot")?))
    }

    fn chunk(&self, since: u64) -> Result<Vec<Event>, JournalError> {
        let mut events = Vec::new();
        let mut room = LARGEST_PAGE_BYTES;
        self.each(since, since.saturating_add(CHUNK), &[], &mut |examined| {
            let Examined::Event(event) = examined else { return Ok(true) };
            let text = event.json();
            events.push(Event::from_json(text.as_bytes()).map_err(|cause| Cause::Event { seq: event.seq, cause })?);
            room = room.saturating_sub(text.len());
            Ok(room > 0)
        })?;
        Ok(events)
    }

    /// Calls `examine` as [`Layout::each`] does.
    pub(super) fn each(
        &self,
        since: u64,
        last: u64,
        kinds: &[String],
        examine: Examine<'_>,
    ) -> Result<(), JournalError> {
        self.layout.each(&self.connection, since, last, kinds, examine).map_err(|cause| self.error(cause))
    }

    fn number(&self, select: &str) -> Result<u64, JournalError> {
        self.connection.query_row(select, [], |row| row.get(0)).map_err(|error| self.error(error))
    }

    fn error(&self, cause: impl Into<Cause>) -> JournalError {
        JournalError::new(&self.path, cause)
    }
}

/// Iterator over all events of a journal after a given event. It ends after the first error.
#[derive(Debug)]
pub struct Events<'a> {
    reader: &'a Reader,
    since: u64,
    chunk: vec::IntoIter<Event>,
    ended: bool,
}

impl Iterator for Events<'_> {
    type Item = Result<Event, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.chunk.len() == 0 && !self.ended {
            match self.reader.chunk(self.since) {
                Ok(events) => self.chunk = events.into_iter(),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        let event = self.chunk.next();
        match &event {
            Some(event) => self.since = event.seq,
            None => self.ended = true,
        }
        event.map(Ok)
    }
}
