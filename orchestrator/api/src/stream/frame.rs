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
/// Maximum number of bytes of a frame. The rest of a client's share is for the answer to a ping and for headers of
/// frames.
pub(super) const LARGEST_FRAME: usize = SHARE - 1024;
/// Maximum number of bytes of an event in a frame, without its changes to the state.
const LARGEST_EVENT: usize = LARGEST_FRAME - FRAME_BYTES;
/// Maximum number of events of a frame with a change for each. Larger frames have one change for all.
const MOST_FOLLOWED: usize = 100;
/// Minimum time between a frame with one change for all its events and the next frame. For so many events, a
/// client sees no difference. Their changes are computed, sent and handled once for all of them.
const GATHERED: Duration = Duration::from_millis(40);

/// A message to a client.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The message as JSON. Clients that get the same frame share its text.
    pub text: Utf8Bytes,
    /// Number of the last event that the client then has or has missed.
    pub seq: u64,
    /// Time before which the client gets no further frame, so that more events gather. Present if this frame had many
    /// events with changes and reached the end of the journal.
    pub rest: Option<Instant>,
}

impl Frame {
    /// Returns the frame that tells the client the state.
    pub fn state(seq: u64, state: &Value) -> Self {
        Self::of(seq, format!(r#"{{"type":"state","state":{state}}}"#))
    }

    /// Returns the frame that tells the client that it has missed events up to `to`.
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

/// The next thing to send to a client.
pub(super) enum Next {
    Frame(Frame),
    /// There is nothing to send yet.
    Nothing,
    /// The next event is large. It is read once there is room for it.
    Large,
    /// The event with this number does not fit into a frame.
    TooLarge(u64),
}

/// The end of a journal that streams read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub reader: &'a Reader,
    /// Number of the last event.
    pub latest: u64,
    /// Number of bytes beyond which an event counts as large and is not read.
    pub most: usize,
}

impl Source<'_> {
    /// Returns a frame of at most `limit` events after event `since`.
    pub fn events(&self, since: u64, limit: usize) -> Result<Next, RunError> {
        self.framed(since, limit, |page| Ok(Frame::events(page.next_since, &page.items, None)))
    }

    /// Returns a frame of the next events of a follower, at most `limit`, with their changes to the state.
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
