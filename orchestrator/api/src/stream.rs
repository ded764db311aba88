//! The live stream: events over a WebSocket, from any point on.
//!
//! A client that cannot keep up is never a burden: it holds a place in the journal, not a buffer. A client that is too far
//! behind gets the range that it has missed, and the stream continues near the end. So it does after an event that is
//! larger than the share of a client.

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

/// The most that the events of one frame have in bytes, unless one alone has more.
const FRAME_BYTES: usize = 512 * 1024;
/// A client that is further behind than this misses what is between.
const FURTHEST_BEHIND: u64 = 20_000;
/// The most clients that may listen at a time.
const MOST_CLIENTS: usize = 200;

/// More events in a frame than these are not followed one by one.
const MOST_FOLLOWED: usize = 100;
/// How long after such a frame the next begins: who is told of so many at a time sees no difference, and what the state changed
/// is reckoned, sent and taken once for all of them.
const GATHERED: Duration = Duration::from_millis(40);
/// How often it is looked whether time alone has changed something.
const JUDGED: Duration = Duration::from_secs(1);

/// The most bytes of a frame: the rest of the share of a client is for the answer to a ping and for heads of frames.
const LARGEST_FRAME: usize = SHARE - 1024;
/// The most bytes of an event in a frame, beside what it changes in the state.
const LARGEST_EVENT: usize = LARGEST_FRAME - FRAME_BYTES;
/// The memory of a state that is followed, for each byte of its document.
const STATE_BYTES: usize = 24;

static PLACES: Semaphore = Semaphore::const_new(MOST_CLIENTS);

#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// Only events after this one.
    #[serde(default)]
    since: u64,
    /// Whether the state is told, too, and what each event changes in it.
    #[serde(default)]
    states: bool,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(stream))
}

/// The events of a run as they happen, over a WebSocket: `{"type":"events","items":[…]}`, and
/// `{"type":"missed","from":900,"to":1400}` (both included) when the client was too slow. With `states=true` it begins with
/// `{"type":"state","state":{…}}`, as it does after what was missed, and events come with what they `changes`, each or, if
/// they are many, together. The server closes the stream when the run has ended and all has been told.
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
    // Clients have nothing to say.
    Ok(upgrade.max_message_size(1024).max_write_buffer_size(SHARE).on_upgrade(move |socket| async move {
        tell(source, teller, socket).await;
        drop(place);
    }))
}

/// What is told to who asks as for a document: a stream is a conversation of another kind (RFC 9110, 15.5.22).
fn not_by_plain_http() -> Response {
    let detail = "this is a WebSocket: ask for it with `Connection: Upgrade` and `Upgrade: websocket`, or for pages of events \
                  at …/events";
    let problem = Problem::new(StatusCode::UPGRADE_REQUIRED, "upgrade-required", detail);
    ([(header::UPGRADE, "websocket"), (header::CONNECTION, "upgrade")], problem).into_response()
}

/// The stream of one client: the next frame, from what the journal has.
struct Teller {
    registry: Arc<Registry>,
    run: Uuid,
    since: u64,
    told: Told,
    /// When it was looked last whether time alone has changed something.
    judged: Instant,
    budget: Budget,
    /// The room of the state that the client follows.
    room: Room,
}

/// What a client is told besides events.
enum Told {
    /// Nothing.
    Events,
    /// The state, and it has to be told first.
    NotYet,
    /// What is changed in the state that it knows.
    States(Box<Follower>),
}

/// What is told at a time.
struct Frame {
    text: String,
    /// Whether more is gathered before the next: it tells of many events with what the state changed, and no more are there.
    gathers: bool,
}

impl Frame {
    /// What is told by itself.
    const fn single(text: String) -> Self {
        Self { text, gathers: false }
    }
}

/// What a client is told next.
enum Next {
    Frame(Frame),
    /// There is nothing to tell yet.
    Nothing,
    /// The next event is large. It is read once there is room for it.
    Large,
}

/// Why the server closes a stream.
enum Cut {
    Failed(RunError),
    /// A frame has so many bytes.
    TooLarge(usize),
    NoRoom,
}

/// Sends frames to a client until the run has ended or the client is gone.
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
            tracing::debug!(%error, "a stream ends: its client cannot be reached");
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

/// Returns the next frame, if there is anything to tell, and room for it. The room for a large event is there before the event
/// is read, in turn with large pages: clients that read small pages do not wait for it.
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
                close(socket, close_code::AGAIN, "others read too slowly: come back later").await;
            }
        }
    }
}

impl Teller {
    /// Returns what comes next, which is no event of more than `most` bytes.
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

    /// Passes over these events, which are too many or too large for the client.
    fn missed(&mut self, from: u64, to: u64) -> Frame {
        self.since = to;
        if matches!(self.told, Told::States(_)) {
            self.told = Told::NotYet;
        }
        Frame::single(format!(r#"{{"type":"missed","from":{from},"to":{to}}}"#))
    }

    /// Returns the events that come next, if none has more than `most` bytes; `latest` is the last one that the journal has.
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

/// What time alone has changed in a run of which all is told.
fn judged(registry: &Registry, run: Uuid, follower: &mut Follower) -> Option<Change> {
    let now = registry.find(run)?.with(|core| core.document());
    if now.seq == follower.seq() { follower.judged(&now) } else { None }
}

/// Waits until the client is gone. What it says meanwhile is of no interest, but pings are answered.
async fn hung_up(socket: &mut WebSocket) {
    while let Some(Ok(_)) = socket.recv().await {}
}

async fn close(mut socket: WebSocket, code: u16, reason: &str) {
    // A close frame has room for 123 bytes of reason.
    let reason: String = reason.chars().take(40).collect();
    // The client may be gone already.
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
