//! Imports: routes that create a run from events. The body is processed while it arrives, so the memory never
//! contains the whole body.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGEST_LOAD;
use super::problem::Problem;
use interlock_orchestrator::run::{Registry, RunError, RunSummary};

/// Path of the import, below the base path of the API.
pub const PATH: &str = "/runs/import";
/// Media type of imports.
pub const TYPE: &str = "application/x-ndjson";
/// Maximum number of pieces of the body that are in memory until the reader processes them.
const PIECES: usize = 16;
/// Time limit for the arrival of the next piece of a body.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns the route for imports.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(import))
}

/// Creates a stopped run from events, one JSON event per line, as in the NDJSON of `GET /runs/{run}/events`. The
/// file of `interlock simulate --events FILE` has this format as well. The first event is `created` with the
/// specification, of 1 … 10,000 nodes, where nodes² × locks is at most 40,000,000. `seq` counts from 1 without
/// gaps, and all nodes, senders and receivers are nodes of the run. The server does not check whether the events
/// are consistent with each other. The monitors examine the events: if they find a violation that the events do
/// not report, a `violated` event is appended. Unknown fields are dropped. An import has at most 1 GiB, 16 MiB per
/// line, and 20 s until the next piece arrives. At most four imports run at the same time. If a line is rejected
/// or the body is incomplete, no part of the run is kept.
#[utoipa::path(post, path = "/runs/import", tag = "runs",
    request_body(content = String, content_type = "application/x-ndjson"),
    responses((status = 201, body = RunSummary), (status = 429, body = Problem),
        (status = 409, body = Problem), (status = 507, body = Problem)))]
async fn import(State(registry): State<Arc<Registry>>, body: Body) -> Result<Response, Problem> {
    let turn = registry.loading()?;
    let (pieces, received) = mpsc::channel(PIECES);
    let loading = spawn_blocking(move || {
        let _turn = turn;
        registry.load(Pieces { received, piece: Bytes::new(), ended: false })
    });
    // If the client disconnects, this function is dropped, and the channel is closed. The loading thread then
    // removes the events that it has stored.
    let fed = feed(body, pieces, LARGEST_LOAD, PATIENCE).await;
    let loaded = loading.await.map_err(RunError::from)?;
    fed?;
    let run = loaded?;
    let location = format!("/api/v1/runs/{}", run.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(run)).into_response())
}

/// A piece of the body; none marks the end of the body. If the channel is closed without this mark, the body was
/// incomplete.
type Piece = Option<Bytes>;

/// Sends the pieces of a body to the reader. Fails if the body has more than `most` bytes, or if a piece does not
/// arrive in time. Receives the whole body even if the reader has already rejected it, because a client does not
/// read the answer while it sends the body.
async fn feed(body: Body, pieces: mpsc::Sender<Piece>, most: u64, patience: Duration) -> Result<(), Problem> {
    let mut stream = body.into_data_stream();
    let mut size = 0;
    loop {
        let next = timeout(patience, stream.next()).await.map_err(|_| Problem::too_slow(patience))?;
        let Some(piece) = next else { break };
        let piece = piece.map_err(|error| {
            Problem::new(StatusCode::BAD_REQUEST, "malformed", format!("cannot read the whole body: {error}"))
        })?;
        size += piece.len() as u64;
        if size > most {
            return Err(Problem::larger_than(most));
        }
        // An error means that the reader has already rejected the body; the answer to the request reports the
        // rejection.
        let _ = pieces.send(Some(piece)).await;
    }
    let _ = pieces.send(None).await;
    Ok(())
}

/// The pieces of the body as a `BufRead`, for a thread that may block.
struct Pieces {
    received: mpsc::Receiver<Piece>,
    piece: Bytes,
    ended: bool,
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.piece.is_empty() && !self.ended {
            match self.received.blocking_recv() {
                Some(Some(piece)) => self.piece = piece,
                Some(None) => self.ended = true,
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        Ok(&self.piece)
    }

    fn consume(&mut self, amount: usize) {
        let _ = self.piece.split_to(amount);
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn a_body_of_which_nothing_more_comes_is_given_up() {
        let begun = || stream::iter([io::Result::Ok("begun")]);
        for (body, is_whole) in
            [(Body::from_stream(begun()), true), (Body::from_stream(begun().chain(stream::pending())), false)]
        {
            let (pieces, mut received) = mpsc::channel(PIECES);
            let fed = feed(body, pieces, 100, Duration::from_millis(50)).await;
            assert_eq!(fed.is_ok(), is_whole);
            let mut last = Some(Bytes::new());
            while let Some(piece) = received.recv().await {
                last = piece;
            }
            assert_eq!(last.is_none(), is_whole, "an end is reported only if all was read");
        }
    }

    #[tokio::test]
    async fn a_body_that_is_too_large_has_no_end() {
        for (most, is_whole) in [(5, true), (4, false)] {
            let (pieces, mut received) = mpsc::channel(PIECES);
            let fed = feed(Body::from("12345"), pieces, most, PATIENCE).await;
            assert_eq!(fed.is_ok(), is_whole);
            let mut last = Some(Bytes::new());
            while let Some(piece) = received.recv().await {
                last = piece;
            }
            assert_eq!(last.is_none(), is_whole, "an end is reported only if all was read");
        }
    }
}
