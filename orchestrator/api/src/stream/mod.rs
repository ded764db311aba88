//! The live stream: the events of a run over a WebSocket, beginning after any event.
//!
//! A slow client needs no buffer, because its position in the journal is enough. If a client is too far behind, the
//! stream reports the range of events that the client misses, and continues near the end. An event that is larger
//! than the amount that may be pending for one client (8 MiB) is also reported as missed.

mod frame;
mod shared;
mod teller;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::{sleep, sleep_until};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use self::frame::{FRAME_BYTES, Frame, LARGEST_FRAME, Next};
use self::shared::Watched;
use self::teller::Teller;
use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use super::shares::SHARE;
use super::source::Source;
use super::waiting::{Budget, NoRoom, Room};
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{Registry, RunError};

/// Maximum number of clients that receive streams at the same time.
const MOST_CLIENTS: usize = 200;
/// Interval between checks whether the mere passing of time has changed the state.
const JUDGED: Duration = Duration::from_secs(1);

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

/// Returns the route for the stream.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(stream)).layer(Extension(Watched::default()))
}

/// Streams the events of a run as they happen, over a WebSocket. Events are sent as `{"type":"events","items":[…]}`.
/// A client that was too slow gets `{"type":"missed","from":900,"to":1400}`, both numbers included. With
/// `states=true` the stream begins with `{"type":"state","state":{…}}`, which is sent again after missed events, or
/// if the client reads much more slowly than others. Frames of events then have `changes`: one for each event or, if
/// there are many events, one for all. The server closes the stream when the run has ended and all events have been
/// sent.
#[utoipa::path(get, path = "/runs/{run}/stream", tag = "events", params(("run" = Uuid, Path), StreamQuery),
    responses((status = 101, description = "the stream begins"),
        (status = 426, body = Problem), (status = 429, body = Problem)))]
async fn stream(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Query(StreamQuery { since, states }): Query<StreamQuery>,
    Extension(budget): Extension<Budget>,
    Extension(watched): Extension<Watched>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let Ok(upgrade) = upgrade else { return Ok(not_by_plain_http()) };
    let place = PLACES.try_acquire().map_err(|_| RunError::TooManyClients(MOST_CLIENTS))?;
    let source = Source::open(Arc::clone(&registry), run).await?;
    let teller = Teller::new(registry, run, since, states.then(|| watched.of(run)), budget);
    // Clients have nothing to send, so their messages can be small.
    Ok(upgrade.max_message_size(1024).max_write_buffer_size(SHARE).on_upgrade(move |socket| async move {
        tell(source, teller, socket).await;
        drop(place);
    }))
}

/// Answers a request that does not ask for an upgrade to a WebSocket (RFC 9110, 15.5.22).
fn not_by_plain_http() -> Response {
    let detail = "this is a WebSocket; send `Connection: Upgrade` and `Upgrade: websocket`, or read pages of events at \
                  …/events";
    let problem = Problem::new(StatusCode::UPGRADE_REQUIRED, "upgrade-required", detail);
    ([(header::UPGRADE, "websocket"), (header::CONNECTION, "upgrade")], problem).into_response()
}

/// Reason why the server closes a stream.
enum Cut {
    Failed(RunError),
    /// A frame is too large. The value is its size in bytes.
    TooLarge(usize),
    NoRoom,
}

/// Sends frames to a client until the run has ended or the client has disconnected.
async fn tell(mut source: Source, mut teller: Teller, mut socket: WebSocket) {
    loop {
        let due;
        (due, teller) = match next(&mut source, teller).await {
            Ok(next) => next,
            Err(cut) => return cut.close(socket).await,
        };
        let Some((Frame { text, rest, .. }, room)) = due else {
            let more = tokio::select! {
                more = source.more_than(teller.since()) => more,
                () = hung_up(&mut socket) => return,
                () = sleep(JUDGED), if teller.folds() => true,
            };
            if !more {
                return close(socket, close_code::NORMAL, "the run has ended").await;
            }
            continue;
        };
        // If the client reads too slowly, its connection is closed, and this send fails.
        let sent = socket.send(Message::Text(text)).await;
        drop(room);
        if let Err(error) = sent {
            tracing::debug!(%error, "a stream ends: its client does not answer");
            return;
        }
        if let Some(rest) = rest {
            tokio::select! {
                () = sleep_until(rest) => {}
                () = hung_up(&mut socket) => return,
            }
        }
    }
}

/// Returns the next frame, if there is anything to send, and its reservation in the budget. For a large event, the
/// reservation is made before the event is read. Reading a large event needs a permit for paging, like reading a large
/// page. Small pages need a different permit, so their readers do not wait for large events.
async fn next(source: &mut Source, mut teller: Teller) -> Result<(Option<(Frame, Room)>, Teller), Cut> {
    let mut next;
    if let Some(frame) = teller.computed() {
        next = Next::Frame(frame);
    } else {
        let folds = teller.folds();
        let read = move |reader: &Reader| Ok((teller.next(reader, FRAME_BYTES)?, teller));
        let read = if folds { source.fold(read).await } else { source.glance(read).await };
        (next, teller) = read.map_err(Cut::Failed)?;
    }
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

/// Waits until the client has disconnected. Pings of the client are answered, and its other messages are ignored.
async fn hung_up(socket: &mut WebSocket) {
    while let Some(Ok(_)) = socket.recv().await {}
}

async fn close(mut socket: WebSocket, code: u16, reason: &str) {
    // The reason in a close frame has at most 123 bytes.
    let reason: String = reason.chars().take(40).collect();
    // The client may have disconnected already.
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
