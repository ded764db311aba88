//! The live stream: events over a WebSocket, from any point on.
//!
//! A client that cannot keep up is never a burden: it holds a place in the journal, not a buffer. When it falls too
//! far behind, it is told what it has missed and goes on near the end.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::events::Source;
use super::path::Path;
use super::problem::Problem;
use crate::journal::EventQuery;
use crate::run::{Registry, RunError};

/// The most events in one frame.
const MOST_IN_A_FRAME: usize = 500;
/// A client that is further behind than this misses what is between.
const FURTHEST_BEHIND: u64 = 20_000;
/// How long a client may take to read a frame before it is given up.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most clients that may listen at a time.
const MOST_CLIENTS: usize = 200;

static PLACES: Semaphore = Semaphore::const_new(MOST_CLIENTS);

#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// Only events after this one.
    #[serde(default)]
    since: u64,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(stream))
}

/// The events of a run as they happen, over a WebSocket: `{"type":"events","items":[…]}`, and
/// `{"type":"missed","from":900,"to":1400}` (both included) when the client was too slow. The server closes the stream
/// when the run has ended and all has been told.
#[utoipa::path(get, path = "/runs/{run}/stream", tag = "events", params(("run" = Uuid, Path), StreamQuery),
    responses((status = 101, description = "the stream begins")))]
async fn stream(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Query(query): Query<StreamQuery>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let place = PLACES.try_acquire().map_err(|_| RunError::TooManyClients(MOST_CLIENTS))?;
    let source = Source::open(registry, run).await?;
    // Clients have nothing to say.
    Ok(upgrade.max_message_size(1024).on_upgrade(move |socket| async move {
        tell(socket, source, query.since).await;
        drop(place);
    }))
}

async fn tell(mut socket: WebSocket, mut source: Source, mut since: u64) {
    loop {
        match next(&mut source, &mut since).await {
            Ok(Some(text)) => {
                let sent = timeout(PATIENCE, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            Ok(None) => {
                let more = tokio::select! {
                    more = source.more_than(since) => more,
                    () = hung_up(&mut socket) => return,
                };
                if !more {
                    return close(socket, close_code::NORMAL, "the run has ended").await;
                }
            }
            Err(error) => return close(socket, close_code::ERROR, &error.to_string()).await,
        }
    }
}

/// The next frame, if there is anything to tell.
async fn next(source: &mut Source, since: &mut u64) -> Result<Option<String>, RunError> {
    let latest = source.latest().await?;
    if latest > since.saturating_add(FURTHEST_BEHIND) {
        let (from, to) = (*since + 1, latest - FURTHEST_BEHIND / 2);
        *since = to;
        return Ok(Some(format!(r#"{{"type":"missed","from":{from},"to":{to}}}"#)));
    }
    let query = EventQuery { since: *since, limit: MOST_IN_A_FRAME, ..EventQuery::default() };
    let page = source.page(query).await?;
    *since = page.next_since;
    let items = page.items.join(",");
    Ok((!page.items.is_empty()).then(|| format!(r#"{{"type":"events","items":[{items}]}}"#)))
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
