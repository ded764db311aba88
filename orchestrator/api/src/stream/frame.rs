//! Frames: the messages of a stream to its client.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use interlock_orchestrator::journal::{EventQuery, Page, Reader};
use interlock_orchestrator::run::{Change, Follower, RunError};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::history::changes;
use crate::shares::SHARE;

/// Maximum number of bytes of the events in one frame, unless one event alone has more.
pub(super) const FRAME_BYTES: usize = 512 * 1024;
/// Maximum number of bytes of a frame. At most [`SHARE`] bytes may be pending for one client. The rest of them is
/// reserved for the answer to a ping, and for headers of frames.
pub(super) const LARGEST_FRAME: usize = SHARE - 1024;
/// Maximum number of bytes of a single event in a frame, without the changes that it makes to the state.
const LARGEST_EVENT: usize = LARGEST_FRAME - FRAME_BYTES;
/// Maximum number of events in a frame that has a separate change for each event. A frame with more events has a
/// single change for all of them.
const MOST_FOLLOWED: usize = 100;
/// Minimum time between a frame with a single change for all its events and the next frame. During this time,
/// further events gather, so their changes are computed, sent and handled only once. At such a rate of events, a
/// client notices no difference.
const GATHERED: Duration = Duration::from_millis(40);

/// A message to a client.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The message as JSON. Clients that receive the same frame share the memory of this text.
    pub text: Utf8Bytes,
    /// Number of the last event that the client has received or missed once it has received this frame.
    pub seq: u64,
    /// Earliest time of the next frame, so that more events gather until then. Present if this frame had many
    /// events with changes and reached the end of the journal.
    pub rest: Option<Instant>,
}

impl Frame {
    /// Returns the frame that contains the state.
    pub fn state(seq: u64, state: &Value) -> Self {
        Self::of(seq, format!(r#"{{"type":"state","state":{state}}}"#))
    }

    /// Returns the frame that reports that the client has missed the events from `from` up to `to`.
    pub fn missed(from: u64, to: u64) -> Self {
        Self::of(to, format!(r#"{{"type":"missed","from":{from},"to":{to}}}"#))
    }

    /// Returns a frame of events. With `changes`, the frame lists the changes that the events make to the state.
    pub fn events(seq: u64, items: &[String], changes: Option<&[Change]>) -> Self {
        let changes = changes.map_or_else(String::new, |changes| format!(r#","changes":{}"#, json!(changes)));
        Self::of(seq, format!(r#"{{"type":"events","items":[{}]{changes}}}"#, items.join(",")))
    }

    fn of(seq: u64, text: String) -> Self {
        Self { text: text.into(), seq, rest: None }
    }
}

/// The next content of a stream, if there is any.
pub(super) enum Next {
    Frame(Frame),
    /// There is nothing to send yet.
    Nothing,
    /// The next event is large. It must only be read after memory for it has been reserved in the budget.
    Large,
    /// The event with this number does not fit into a frame.
    TooLarge(u64),
}

/// The end of a journal, from which streams read their next events.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub reader: &'a Reader,
    /// Number of the last event.
    pub latest: u64,
    /// Size in bytes above which an event counts as large and is not read.
    pub most: usize,
}

impl Source<'_> {
    /// Returns a frame of at most `limit` events after event `since`.
    pub fn events(&self, since: u64, limit: usize) -> Result<Next, RunError> {
        self.framed(since, limit, |page| Ok(Frame::events(page.next_since, &page.items, None)))
    }

    /// Returns a frame of at most `limit` events that follow the state of `follower`, and the changes that the events
    /// make to this state.
    pub fn followed(&self, follower: &mut Follower, limit: usize) -> Result<Next, RunError> {
        let begun = Instant::now();
        self.framed(follower.seq(), limit, |page| {
            let changes = changes(follower, &page.items, MOST_FOLLOWED)?;
            let gathers = page.items.len() > MOST_FOLLOWED && page.next_since >= self.latest;
            let frame = Frame::events(page.next_since, &page.items, Some(&changes));
            Ok(Frame { rest: gathers.then(|| begun + GATHERED), ..frame })
        })
    }

    fn framed(
        &self,
        since: u64,
        limit: usize,
        frame: impl FnOnce(&Page) -> Result<Frame, RunError>,
    ) -> Result<Next, RunError> {
        let query = EventQuery { since, limit, bytes: FRAME_BYTES, ..EventQuery::default() };
        let Some(page) = self.reader.page_within(&query, self.most)? else { return Ok(Next::Large) };
        Ok(match page.items.as_slice() {
            [] => Next::Nothing,
            [event] if event.len() > LARGEST_EVENT => Next::TooLarge(page.next_since),
            _ => Next::Frame(frame(&page)?),
        })
    }
}
