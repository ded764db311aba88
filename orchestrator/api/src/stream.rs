//! The live stream: events over a WebSocket, from any event on.
//!
//! A slow client needs no buffer: it has a position in the journal. A client that is too far behind is notified of
//! the range that it has missed, and the stream continues near the end. The same happens with an event that is larger
//! than the share of a client.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::history::{changes, follow};
use super::path::Path;
use super::problem::Problem;
use super::shares::SHARE;
use super::source::{MOST_IN_PASSING, Source};
use super::waiting::{Budget, NoRoom, Room};
use interlock_orchestrator::journal::{EventQuery, Reader};
use interlock_orchestrator::run::{Change, Follower, Registry, RunError};

/// Maximum number of bytes of the events in one frame, unless one event alone has more.
const FRAME_BYTES: usize = 512 * 1024;
/// Maximum number of events that a client may be behind. Beyond it, the client misses events.
const FURTHEST_BEHIND: u64 = 20_000;
/// Maximum number of clients at a time.
const MOST_CLIENTS: usize = 200;

/// Maximum number of events of a frame with a change for each. Larger frames have one change for all.
const MOST_FOLLOWED: usize = 100;
/// Minimum time between a frame with one change for all its events and the next frame. For so many events, a
/// client sees no difference. Their changes are computed, sent and handled once for all of them.
const GATHERED: Duration = Duration::from_millis(40);
/// Interval between checks whether time alone has changed the state.
const JUDGED: Duration = Duration::from_secs(1);

/// Maximum number of bytes of a frame. The rest of a client's share is for the answer to a ping and for headers of
/// frames.
const LARGEST_FRAME: usize = SHARE - 1024;
/// Maximum number of bytes of an event in a frame, without its changes to the state.
const LARGEST_EVENT: usize = LARGEST_FRAME - FRAME_BYTES;
/// Memory of a followed state, in bytes for each byte of its document.
const STATE_BYTES: usize = 24;

static PLACES: Semaphore = Semaphore::const_new(MOST_CLIENTS);

#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// Only events after this number [default: 0].
    #[serde(default)]
    since: u64,
    /// Whether the stream includes the state and the change that each event makes to it [default: false].
    #[serde(default)]
    states: bool,
}

/// Returns the routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(stream))
}

/// Streams the events of a run as they happen, over a WebSocket. Events are sent as `{"type":"events","items":[…]}`.
/// A client that was too slow gets `{"type":"missed","from":900,"to":1400}`, both numbers included. With
/// `states=true` the stream begins with `{"type":"state","state":{…}}`, which is also sent after missed events.
/// Frames of events then have `changes`: one for each event or, if there are many events, one for all. The server
/// closes the stream when the run has ended and all events have been sent.
#[utoipa::path(get, path = "/runs/{run}/stream", tag = "events", params(("run" = Uuid, Path), StreamQuery),
    responses((status = 101, description = "the stream begins"),
        (status = 426, body = Problem), (status = 429, body = Problem)))]
async fn stream(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Query(StreamQuery { since, states }): Query<StreamQuery>,
    Extension(budget): Extension<Budget>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let Ok(upgrade) = upgrade else { return Ok(not_by_plain_http()) };
    let place = PLACES.try_acquire().map_err(|_| RunError::TooManyClients(MOST_CLIENTS))?;
    let source = Source::open(Arc::clone(&registry), run).await?;
    let told = if states { Told::NotYet } else { Told::Events };
    let teller = Teller { registry, run, since, told, judged: Instant::now(), budget, room: None };
    // Clients have nothing to send, so their messages can be small.
    Ok(upgrade.max_message_size(1024).max_write_buffer_size(SHARE).on_upgrade(move |socket| async move {
        tell(source, teller, socket).await;
        drop(place);
    }))
}

/// Answers a request without an upgrade to a WebSocket (RFC 9110, 15.5.22).
fn not_by_plain_http() -> Response {
    let detail = "this is a WebSocket; send `Connection: Upgrade` and `Upgrade: websocket`, or read pages of events at \
                  …/events";
    let problem = Problem::new(StatusCode::UPGRADE_REQUIRED, "upgrade-required", detail);
    ([(header::UPGRADE, "websocket"), (header::CONNECTION, "upgrade")], problem).into_response()
}

/// The stream of one client: reads the next frame from the journal.
struct Teller {
    registry: Arc<Registry>,
    run: Uuid,
    since: u64,
    told: Told,
    /// Time of the last check whether time alone has changed the state.
    judged: Instant,
    budget: Budget,
    /// Room in the budget for the state that the client follows.
    room: Room,
}

/// Content of a stream besides events.
enum Told {
    /// Events only.
    Events,
    /// The state, which has not been sent yet.
    NotYet,
    /// Changes to the state that the client has.
    States(Box<Follower>),
}

/// A message to the client.
struct Frame {
    text: String,
    /// Whether to wait for more events before the next frame. True if this frame had many events with changes and
    /// reached the end of the journal.
    gathers: bool,
}

impl Frame {
    /// Returns a frame after which the stream does not wait.
    const fn single(text: String) -> Self {
        Self { text, gathers: false }
    }
}

/// The next thing to send to a client.
enum Next {
    Frame(Frame),
    /// There is nothing to send yet.
    Nothing,
    /// The next event is large. It is read once there is room for it.
    Large,
}

/// Reason why the server closes a stream.
enum Cut {
    Failed(RunError),
    /// A frame has this many bytes, which is too large.
    TooLarge(usize),
    NoRoom,
}

/// Sends frames to a client until the run has ended or the client has disconnected.
async fn tell(mut source: Source, mut teller: Teller, mut socket: WebSocket) {
    let folds = !matches!(teller.told, Told::Events);
    loop {
        let begun = Instant::now();
        let due;
        (due, teller) = match next(&mut source, teller, folds).await {
            Ok(next) => next,
            Err(cut) => return cut.close(socket).await,
        };
        let Some((Frame { text, gathers }, room)) = due else {
            let more = tokio::select! {
                more = source.more_than(teller.since) => more,
                () = hung_up(&mut socket) => return,
                () = sleep(JUDGED), if folds => true,
            };
            if !more {
                return close(socket, close_code::NORMAL, "the run has ended").await;
            }
            continue;
        };
        // A client that reads too slowly loses its connection.
        let sent = socket.send(Message::Text(text.into())).await;
        drop(room);
        if let Err(error) = sent {
            tracing::debug!(%error, "a stream ends: its client does not answer");
            return;
        }
        if gathers {
            tokio::select! {
                () = sleep_until(begun + GATHERED) => {}
                () = hung_up(&mut socket) => return,
            }
        }
    }
}

/// Returns the next frame, if there is anything to send, and the room that it occupies in the budget. For a large
/// event the room is reserved before the event is read. A read of a large event needs a permit, as a large page
/// does, so clients that read small pages do not wait for it.
async fn next(source: &mut Source, mut teller: Teller, folds: bool) -> Result<(Option<(Frame, Room)>, Teller), Cut> {
    let read = move |reader: &Reader| Ok((teller.next(reader, FRAME_BYTES)?, teller));
    let read = if folds { source.fold(read).await } else { source.glance(read).await };
    let mut next;
    (next, teller) = read.map_err(Cut::Failed)?;
    let mut share = None;
    if matches!(next, Next::Large) {
        share = teller.budget.room_in_time(SHARE).await.map_err(|NoRoom| Cut::NoRoom)?;
        let read = move |reader: &Reader| Ok((teller.next(reader, usize::MAX)?, teller));
        (next, teller) = source.read_in_background(read).await.map_err(Cut::Failed)?;
    }
    let Next::Frame(frame) = next else { return Ok((None, teller)) };
    let bytes = frame.text.len();
    if bytes > LARGEST_FRAME {
        return Err(Cut::TooLarge(bytes));
    }
    let room = match share {
        Some(_) => teller.budget.shrunk(share, bytes),
        None => teller.budget.room_in_time(bytes).await.map_err(|NoRoom| Cut::NoRoom)?,
    };
    Ok((Some((frame, room)), teller))
}

impl Cut {
    async fn close(self, socket: WebSocket) {
        match self {
            Self::Failed(error) => close(socket, close_code::ERROR, &error.to_string()).await,
            Self::TooLarge(bytes) => {
                tracing::warn!("closed a stream: a frame has {bytes} bytes, and one client has at most 8 MiB");
                close(socket, close_code::SIZE, "a frame is larger than 8 MiB").await;
            }
            Self::NoRoom => {
                tracing::warn!("closed a stream: slow readers use up the budget of 256 MiB");
                close(socket, close_code::AGAIN, "other clients read too slowly; try again later").await;
            }
        }
    }
}

impl Teller {
    /// Returns the next thing to send. If the next event has more than `most` bytes, it is not read: the result is
    /// [`Next::Large`].
    fn next(&mut self, reader: &Reader, most: usize) -> Result<Next, RunError> {
        let latest = reader.latest()?;
        if latest > self.since.saturating_add(FURTHEST_BEHIND) {
            let (from, to) = (self.since + 1, latest - FURTHEST_BEHIND / 2);
            return Ok(Next::Frame(self.missed(from, to)));
        }
        if matches!(self.told, Told::NotYet) {
            let (state, follower) = follow(reader, self.run, self.since)?;
            let text = format!(r#"{{"type":"state","state":{state}}}"#);
            self.room = None;
            self.room = self.budget.room(text.len().saturating_mul(STATE_BYTES)).map_err(|NoRoom| RunError::NoRoom)?;
            self.told = Told::States(Box::new(follower));
            return Ok(Next::Frame(Frame::single(text)));
        }
        self.events(reader, latest, most)
    }

    /// Skips these events, which are too many or too large for the client.
    fn missed(&mut self, from: u64, to: u64) -> Frame {
        self.since = to;
        if matches!(self.told, Told::States(_)) {
            self.told = Told::NotYet;
        }
        Frame::single(format!(r#"{{"type":"missed","from":{from},"to":{to}}}"#))
    }

    /// Returns the next events, or [`Next::Large`] if one of them has more than `most` bytes; `latest` is the last
    /// event in the journal.
    fn events(&mut self, reader: &Reader, latest: u64, most: usize) -> Result<Next, RunError> {
        let query =
            EventQuery { since: self.since, limit: MOST_IN_PASSING, bytes: FRAME_BYTES, ..EventQuery::default() };
        let Some(page) = reader.page_within(&query, most)? else { return Ok(Next::Large) };
        if let [event] = page.items.as_slice()
            && event.len() > LARGEST_EVENT
        {
            return Ok(Next::Frame(self.missed(page.next_since, page.next_since)));
        }
        self.since = page.next_since;
        let items = page.items.join(",");
        let Told::States(follower) = &mut self.told else {
            let text = || Frame::single(format!(r#"{{"type":"events","items":[{items}]}}"#));
            return Ok(if page.items.is_empty() { Next::Nothing } else { Next::Frame(text()) });
        };
        let changes = match page.items.as_slice() {
            [] if self.judged.elapsed() >= JUDGED => {
                self.judged = Instant::now();
                judged(&self.registry, self.run, follower).into_iter().collect()
            }
            [] => Vec::new(),
            events => changes(follower, events, MOST_FOLLOWED)?,
        };
        let gathers = page.items.len() > MOST_FOLLOWED && page.next_since >= latest;
        let text = || format!(r#"{{"type":"events","items":[{items}],"changes":{}}}"#, json!(changes));
        Ok(if changes.is_empty() { Next::Nothing } else { Next::Frame(Frame { text: text(), gathers }) })
    }
}

/// Returns the change that time alone has made, in a run all of whose events were sent.
fn judged(registry: &Registry, run: Uuid, follower: &mut Follower) -> Option<Change> {
    let now = registry.find(run)?.with(|core| core.document());
    if now.seq == follower.seq() { follower.judged(&now) } else { None }
}

/// Waits until the client has disconnected. Its messages are ignored, but pings are answered.
async fn hung_up(socket: &mut WebSocket) {
    while let Some(Ok(_)) = socket.recv().await {}
}

async fn close(mut socket: WebSocket, code: u16, reason: &str) {
    // A close frame has room for a reason of 123 bytes.
    let reason: String = reason.chars().take(40).collect();
    // The client may have disconnected already.
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
