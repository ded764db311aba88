//! Reads a journal: during the run, after the end of the run, and after a crash of the orchestrator.

use std::path::{Path, PathBuf};
use std::vec;

use interlock_algorithm::NodeId;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::shorthand::Kept;
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

const SELECT: &str = "SELECT seq, node, kind, at_us, rest FROM kept WHERE seq > ?1 AND seq <= ?2 ORDER BY seq";
/// The query [`SELECT`] for journals of the earlier layout, which stores the whole JSON of events.
const SELECT_IN_FULL: &str =
    "SELECT seq, node, kind, at_us, event FROM event WHERE seq > ?1 AND seq <= ?2 ORDER BY seq";

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
    fn wants(&self, kind: &str, node: Option<u32>) -> bool {
        let kind_fits = self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind);
        kind_fits && self.node.is_none_or(|wanted| node == Some(wanted.0))
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

/// How events are stored.
#[derive(Debug)]
enum Layout {
    /// The whole JSON of each event is stored.
    Full,
    /// Events are stored in the compact form. The list contains the names of the kinds of events, indexed by their
    /// numbers.
    Short(Vec<Option<String>>),
}

/// An event as the journal stores it.
struct Row<'a> {
    seq: u64,
    node: Option<u32>,
    kind: &'a str,
    columns: &'a rusqlite::Row<'a>,
    is_full: bool,
}

impl Layout {
    fn of(connection: &Connection) -> Result<Self, Cause> {
        let in_full = schema::version(connection)? <= schema::IN_FULL;
        Ok(if in_full { Self::Full } else { Self::Short(schema::kinds(connection)?) })
    }

    const fn table(&self) -> &'static str {
        match self {
            Self::Full => "event",
            Self::Short(_) => "kept",
        }
    }

    const fn select(&self) -> &'static str {
        match self {
            Self::Full => SELECT_IN_FULL,
            Self::Short(_) => SELECT,
        }
    }

    fn row<'a>(&'a self, row: &'a rusqlite::Row<'a>) -> Result<Row<'a>, Cause> {
        let (seq, node) = (row.get(0)?, row.get(1)?);
        let kind = match self {
            Self::Full => text(row, 2)?,
            Self::Short(kinds) => {
                let known = kinds.get(row.get::<_, usize>(2)?).and_then(Option::as_deref);
                known.ok_or_else(|| Cause::Malformed(format!("event {seq} has an unknown kind")))?
            }
        };
        Ok(Row { seq, node, kind, columns: row, is_full: matches!(self, Self::Full) })
    }
}

impl Row<'_> {
    /// Returns the length of the stored text, in bytes. The JSON of the event is at least as long.
    fn kept_bytes(&self) -> Result<usize, Cause> {
        Ok(text(self.columns, 4)?.len())
    }

    /// Returns the event as JSON.
    fn json(&self) -> Result<String, Cause> {
        let Self { seq, node, kind, columns, is_full } = *self;
        let rest = text(columns, 4)?;
        if is_full {
            return Ok(rest.to_owned());
        }
        Ok(Kept { seq, at_us: columns.get(3)?, kind, node, rest }.json())
    }
}

fn text<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<&'a str, Cause> {
    Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
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
        self.number(&format!("SELECT ifnull(min(seq), 0) FROM {}", self.layout.table()))
    }

    /// Returns the number of the last event, or 0 if there is no event.
    ///
    /// # Errors
    /// If the number cannot be read.
    pub fn latest(&self) -> Result<u64, JournalError> {
        self.number(&format!("SELECT ifnull(max(seq), 0) FROM {}", self.layout.table()))
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
        self.each(query.since, last, |row| {
            if query.wants(row.kind, row.node) {
                let is_next_page = |bytes: usize| bytes > room && !page.items.is_empty();
                let kept = row.kept_bytes()?;
                if is_next_page(kept) {
                    return Ok(false);
                }
                left = left.filter(|left| kept <= *left);
                if left.is_none() {
                    return Ok(false);
                }
                let text = row.json()?;
                if is_next_page(text.len()) {
                    return Ok(false);
                }
                room = room.saturating_sub(text.len());
                left = left.map(|left| left.saturating_sub(text.len()));
                page.items.push(text);
            }
            page.next_since = row.seq;
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
        self.each(since, since.saturating_add(CHUNK), |row| {
            let text = row.json()?;
            events.push(Event::from_json(text.as_bytes()).map_err(|cause| Cause::Event { seq: row.seq, cause })?);
            room = room.saturating_sub(text.len());
            Ok(room > 0)
        })?;
        Ok(events)
    }

    /// Calls `see` with each event after `since`, up to and including `last`, until `see` returns false.
    fn each(
        &self,
        since: u64,
        last: u64,
        mut see: impl FnMut(&Row<'_>) -> Result<bool, Cause>,
    ) -> Result<(), JournalError> {
        let mut each = || {
            let mut select = self.connection.prepare_cached(self.layout.select())?;
            let mut rows = select.query(params![bounded(since), bounded(last)])?;
            let mut expected = since;
            while let Some(row) = rows.next()? {
                expected += 1;
                let row = self.layout.row(row)?;
                if row.seq != expected {
                    return Err(Cause::Gap { expected, found: row.seq });
                }
                if !see(&row)? {
                    return Ok(());
                }
            }
            if expected < last { self.ends_after(expected) } else { Ok(()) }
        };
        each().map_err(|cause| self.error(cause))
    }

    /// Returns an error if the event after event `seq` does not have the next number. Without the check, a client
    /// would request the page after `seq` endlessly if a gap is longer than one chunk.
    fn ends_after(&self, seq: u64) -> Result<(), Cause> {
        let next = format!("SELECT min(seq) FROM {} WHERE seq > ?1", self.layout.table());
        let found: Option<u64> = self.connection.prepare_cached(&next)?.query_row([bounded(seq)], |row| row.get(0))?;
        match found {
            Some(found) if found != seq.saturating_add(1) => Err(Cause::Gap { expected: seq + 1, found }),
            _ => Ok(()),
        }
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

/// Converts a sequence number to the integer type of the database. A number that is too large becomes the maximum
/// of that type, which no event reaches.
fn bounded(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
