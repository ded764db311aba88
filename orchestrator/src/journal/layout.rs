//! The layouts in which journals store events, and how to read each of them.

use std::borrow::Cow;

use rusqlite::{Connection, params};

use super::block::{self, Beginning, Extent};
use super::damage::Damage;
use super::layout_3::Shortened;
use super::{Cause, schema};

const SELECT_IN_FULL: &str =
    "SELECT seq, node, kind, at_us, event FROM event WHERE seq > ?1 AND seq <= ?2 ORDER BY seq";
const SELECT_SHORTENED: &str =
    "SELECT seq, node, kind, at_us, rest FROM kept WHERE seq > ?1 AND seq <= ?2 ORDER BY seq";
const SELECT_BLOCKS: &str = "SELECT last, events, kinds, bytes, text FROM block WHERE last > ?1 ORDER BY last";

/// How a journal stores events.
#[derive(Debug)]
pub(super) enum Layout {
    /// Layouts 1 and 2: each event is a row with its whole JSON.
    Full,
    /// Layout 3: each event is a row with its shortened JSON. The list contains the names of the kinds of events,
    /// indexed by their numbers.
    Shortened(Vec<Option<String>>),
    /// Layout 4: each row is a block of events.
    Blocks,
}

/// Events that a reader examines, in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Examined<'a> {
    /// An event.
    Event(Event<'a>),
    /// Events up to this number have kinds that are not wanted.
    Unwanted(u64),
}

/// An event as a journal stores it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'a> {
    pub seq: u64,
    pub at_us: u64,
    pub kind: &'a str,
    form: Form<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Form<'a> {
    Full { node: Option<u32>, json: &'a str },
    Shortened(Shortened<'a>),
    InBlock { beginning: Beginning<'a>, json: &'a str },
}

/// Function that examines events. If it returns false, it needs no further events.
pub(super) type Examine<'a> = &'a mut dyn FnMut(Examined<'_>) -> Result<bool, Cause>;

impl<'a> Event<'a> {
    /// Returns the node at which the event happened, if it happened at a node.
    pub fn node(&self) -> Result<Option<u32>, Cause> {
        match &self.form {
            Form::Full { node, .. } => Ok(*node),
            Form::Shortened(shortened) => Ok(shortened.node),
            Form::InBlock { beginning, json } => {
                beginning.node(json).map_err(|cause| Cause::Event { seq: self.seq, cause })
            }
        }
    }

    /// Returns the length of the stored text, in bytes. The JSON of the event is at least as long.
    pub const fn stored_bytes(&self) -> usize {
        match &self.form {
            Form::Full { json, .. } | Form::InBlock { json, .. } => json.len(),
            Form::Shortened(shortened) => shortened.rest.len(),
        }
    }

    /// Returns the event as JSON.
    pub fn json(&self) -> Cow<'a, str> {
        match &self.form {
            Form::Full { json, .. } | Form::InBlock { json, .. } => Cow::Borrowed(json),
            Form::Shortened(shortened) => Cow::Owned(shortened.json()),
        }
    }
}

impl Layout {
    /// Returns the layout of a journal.
    pub fn of(connection: &Connection) -> Result<Self, Cause> {
        Ok(match schema::version(connection)? {
            ..=schema::IN_FULL => Self::Full,
            schema::SHORTENED => Self::Shortened(schema::kinds(connection)?),
            _ => Self::Blocks,
        })
    }

    /// Returns the number of the first event; none if the journal is empty.
    pub fn oldest(&self, connection: &Connection) -> Result<Option<u64>, Cause> {
        self.next_after(connection, 0)
    }

    /// Returns the number of the last event; none if the journal is empty.
    pub fn latest(&self, connection: &Connection) -> Result<Option<u64>, Cause> {
        let select = match self {
            Self::Full => "SELECT max(seq) FROM event",
            Self::Shortened(_) => "SELECT max(seq) FROM kept",
            Self::Blocks => "SELECT max(last) FROM block",
        };
        Ok(connection.query_row(select, [], |row| row.get(0))?)
    }

    /// Returns the number of the first event in the row after event `seq`; none if that event is in the last row.
    fn next_after(&self, connection: &Connection, seq: u64) -> Result<Option<u64>, Cause> {
        let select = match self {
            Self::Full => "SELECT min(seq) FROM event WHERE seq > ?1",
            Self::Shortened(_) => "SELECT min(seq) FROM kept WHERE seq > ?1",
            Self::Blocks => "SELECT min(last) - events + 1 FROM block WHERE last > ?1",
        };
        Ok(connection.prepare_cached(select)?.query_row([bounded(seq)], |row| row.get(0))?)
    }

    /// Calls `examine` with the events after `since`, up to and including `last`. If `kinds` is not empty, events of
    /// other kinds may be omitted.
    pub fn each(
        &self,
        connection: &Connection,
        since: u64,
        last: u64,
        kinds: &[String],
        examine: Examine<'_>,
    ) -> Result<(), Cause> {
        match self {
            Self::Blocks => each_in_blocks(connection, since, last, kinds, examine),
            Self::Full | Self::Shortened(_) => self.each_row(connection, since, last, examine),
        }
    }

    fn each_row(&self, connection: &Connection, since: u64, last: u64, examine: Examine<'_>) -> Result<(), Cause> {
        let mut select = connection.prepare_cached(match self {
            Self::Full => SELECT_IN_FULL,
            _ => SELECT_SHORTENED,
        })?;
        let mut rows = select.query(params![bounded(since), bounded(last)])?;
        let mut expected = since;
        while let Some(row) = rows.next()? {
            expected += 1;
            let event = self.event(row)?;
            if event.seq != expected {
                return Err(Cause::Gap { expected, found: event.seq });
            }
            if !examine(Examined::Event(event))? {
                return Ok(());
            }
        }
        if expected >= last {
            return Ok(());
        }
        // Without this check, a client would request the page after `expected` endlessly if a gap is longer than
        // the part that is read at a time.
        match self.next_after(connection, expected)? {
            Some(found) if found != expected.saturating_add(1) => Err(Cause::Gap { expected: expected + 1, found }),
            _ => Ok(()),
        }
    }

    fn event<'a>(&'a self, row: &'a rusqlite::Row<'_>) -> Result<Event<'a>, Cause> {
        let (seq, node, at_us) = (row.get(0)?, row.get(1)?, row.get(3)?);
        let stored = text(row, 4)?;
        let Self::Shortened(kinds) = self else {
            return Ok(Event { seq, at_us, kind: text(row, 2)?, form: Form::Full { node, json: stored } });
        };
        let kind = kinds.get(row.get::<_, usize>(2)?).and_then(Option::as_deref);
        let kind = kind.ok_or_else(|| Cause::Malformed(format!("event {seq} has an unknown kind")))?;
        Ok(Event { seq, at_us, kind, form: Form::Shortened(Shortened { seq, at_us, kind, node, rest: stored }) })
    }
}

fn each_in_blocks(
    connection: &Connection,
    since: u64,
    last: u64,
    kinds: &[String],
    examine: Examine<'_>,
) -> Result<(), Cause> {
    let mut select = connection.prepare_cached(SELECT_BLOCKS)?;
    let mut rows = select.query([bounded(since)])?;
    let mut unpacked = String::new();
    let mut done = since;
    while done < last {
        let Some(row) = rows.next()? else { break };
        let block = Extent { last: row.get(0)?, events: row.get(1)? };
        let damaged = |damage| Cause::Block { last: block.last, damage };
        let first = block.first().map_err(damaged)?;
        // The first block may begin before the first event that is wanted.
        if first > done + 1 || first <= done && done > since {
            return Err(Cause::Gap { expected: done + 1, found: first });
        }
        let until = block.last.min(last);
        let continues = if may_contain(text(row, 2)?, kinds) {
            // SQLite reads the text of a block from the disk only here.
            block::unpack(row.get(3)?, row.get_ref(4)?, &mut unpacked).map_err(damaged)?;
            each_of(block, &unpacked, (done, until), examine)?
        } else {
            examine(Examined::Unwanted(until))?
        };
        if !continues {
            break;
        }
        done = until;
    }
    Ok(())
}

/// Whether a block whose events have the kinds `present` may contain an event of a wanted kind. An empty list means
/// that all kinds are wanted.
fn may_contain(present: &str, wanted: &[String]) -> bool {
    wanted.is_empty() || present.split(' ').any(|kind| wanted.iter().any(|wanted| wanted == kind))
}

/// Calls `examine` with the events of a block after event `since`, up to and including `until`. Returns whether
/// `examine` needs further events.
fn each_of(block: Extent, text: &str, (since, until): (u64, u64), examine: Examine<'_>) -> Result<bool, Cause> {
    let damaged = |damage| Cause::Block { last: block.last, damage };
    let mut events = block::split(text);
    for expected in block.first().map_err(damaged)?..=until {
        let json = events.next().flatten().ok_or_else(|| damaged(Damage::Sequence(block.events)))?;
        if expected <= since {
            continue;
        }
        let beginning = Beginning::of(json).ok_or_else(|| damaged(Damage::Sequence(block.events)))?;
        let Beginning { seq, at_us, kind, .. } = beginning;
        if seq != expected {
            return Err(Cause::Gap { expected, found: seq });
        }
        if !examine(Examined::Event(Event { seq, at_us, kind, form: Form::InBlock { beginning, json } }))? {
            return Ok(false);
        }
    }
    if until == block.last && events.next().is_some() {
        return Err(damaged(Damage::Sequence(block.events)));
    }
    Ok(true)
}

fn text<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<&'a str, Cause> {
    Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
}

/// Converts a sequence number to the integer type of the database. A number that is too large becomes the maximum
/// of that type, which no event reaches.
pub(super) fn bounded(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
