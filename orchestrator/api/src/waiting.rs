//! A budget for the bytes that are pending for clients: answers, frames of streams, and the states that streams
//! follow.
//!
//! An answer is complete before its first byte is sent, and stays in memory until its last byte has been sent. For
//! a slow reader, this takes long. The limits are therefore 8 MiB for one client, and 256 MiB for all clients
//! together.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::problem::Problem;
use super::shares::{InParts, SHARE};

/// Maximum amount that may be pending for all clients together, in KiB: 256 MiB.
const MOST_KIB: u32 = 256 * 1024;
/// Maximum size of answers that are not counted, in KiB. The maximum number of connections bounds the total of
/// such answers.
const SMALL_KIB: u64 = 64;
/// Size of the parts in which an answer is passed to the connection, in bytes.
const PART: usize = 64 * 1024;
/// Time that a stream waits for a reservation. It is longer than the half minute after which a slow reader is
/// disconnected.
const PATIENCE: Duration = Duration::from_secs(35);

/// The budget, of which each client reserves a part.
#[derive(Clone, Debug)]
pub struct Budget {
    left: Arc<Semaphore>,
    most_kib: u32,
    /// Time that a stream waits for a reservation.
    patience: Duration,
}

/// A reservation in the budget, released when it is dropped; none for an amount so small that it is not counted.
pub type Room = Option<OwnedSemaphorePermit>;

/// The rest of the budget is too small for a reservation.
#[derive(Clone, Copy, Debug)]
pub struct NoRoom;

impl Budget {
    /// Returns the budget of a playground.
    pub fn new() -> Self {
        Self::of(MOST_KIB, PATIENCE)
    }

    fn of(most_kib: u32, patience: Duration) -> Self {
        Self { left: Arc::new(Semaphore::new(most_kib as usize)), most_kib, patience }
    }

    /// Reserves `bytes` bytes, if the budget has enough left now. An amount larger than the whole budget counts as
    /// the whole budget.
    ///
    /// # Errors
    /// If the rest of the budget is too small.
    pub fn room(&self, bytes: usize) -> Result<Room, NoRoom> {
        let Some(kib) = self.counted(bytes as u64) else { return Ok(None) };
        Arc::clone(&self.left).try_acquire_many_owned(kib).map(Some).map_err(|_| NoRoom)
    }

    /// Waits until the budget has enough left, and then reserves `bytes` bytes.
    ///
    /// # Errors
    /// If the rest of the budget is still too small after `patience`. By then, slow readers have been disconnected.
    pub async fn room_in_time(&self, bytes: usize) -> Result<Room, NoRoom> {
        let Some(kib) = self.counted(bytes as u64) else { return Ok(None) };
        match timeout(self.patience, Arc::clone(&self.left).acquire_many_owned(kib)).await {
            Ok(Ok(room)) => Ok(Some(room)),
            _ => Err(NoRoom),
        }
    }

    /// Reduces the reservation `room` to `bytes` bytes, and releases the rest.
    pub fn shrunk(&self, room: Room, bytes: usize) -> Room {
        let mut room = room?;
        match self.counted(bytes as u64) {
            Some(kib) if (kib as usize) < room.num_permits() => room.split(kib as usize),
            Some(_) => Some(room),
            None => None,
        }
    }

    /// Returns the number of KiB that `bytes` bytes take from the budget; none for an amount so small that it is not
    /// counted.
    fn counted(&self, bytes: u64) -> Option<u32> {
        let kib = bytes.div_ceil(1024);
        (kib > SMALL_KIB).then(|| u32::try_from(kib).unwrap_or(u32::MAX).min(self.most_kib))
    }
}

/// Reserves the size of an answer in the budget until its reader has received it. If the budget does not have
/// enough left, answers with a problem instead.
pub async fn bound(State(budget): State<Budget>, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(budget.clone());
    let response = next.run(request).await;
    let is_in_parts = response.extensions().get::<InParts>().is_some();
    let bytes = if is_in_parts { SHARE as u64 } else { response.body().size_hint().exact().unwrap_or_default() };
    if bytes > SHARE as u64 {
        return too_large(bytes);
    }
    match budget.room(usize::try_from(bytes).unwrap_or(usize::MAX)) {
        Ok(None) => response,
        Ok(Some(place)) => response.map(|body| Body::new(Waiting { body, rest: Bytes::new(), _place: place })),
        Err(NoRoom) => no_room(),
    }
}

fn too_large(bytes: u64) -> Response {
    let mib = bytes.div_ceil(1024).div_ceil(1024);
    let detail = format!("cannot send this answer: it has {mib} MiB, and one client has at most 8; ask for less");
    tracing::warn!("{detail}");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail).into_response()
}

fn no_room() -> Response {
    let detail = "cannot send this answer: large answers that are not read yet use up the budget; read those to their ends, and ask again";
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail);
    ([(header::RETRY_AFTER, HeaderValue::from_static("5"))], problem).into_response()
}

/// An answer that keeps its reservation until its last part has been passed to the connection.
struct Waiting {
    body: Body,
    /// The rest of the current frame of the body.
    rest: Bytes,
    _place: OwnedSemaphorePermit,
}

impl HttpBody for Waiting {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return other,
            }
        }
        let part = self.rest.len().min(PART);
        // The part is copied. A slice would keep the whole answer in memory as long as the connection has not sent
        // the slice.
        let part = Bytes::copy_from_slice(&self.rest.split_to(part));
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower().saturating_add(rest));
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use axum::body::to_bytes;
    use axum::routing::get;
    use axum::{Extension, Router, middleware};
    use futures_util::stream;
    use tower::ServiceExt;

    use super::*;

    const KIB: usize = 1024;

    fn router(budget: Budget) -> Router {
        let text = |kib: usize| (0..=u8::MAX).cycle().take(kib * KIB).collect::<Vec<u8>>();
        let router = Router::new()
            .route("/small", get(async move || text(64)))
            .route("/large", get(async move || text(600)))
            .route("/share", get(async move || text(8 * KIB)))
            .route("/huge", get(async move || text(8 * KIB + 1)))
            .route(
                "/parts",
                get(async move || (Extension(InParts), Body::from_stream(stream::iter([Ok::<_, io::Error>(text(1))])))),
            );
        router.layer(middleware::from_fn_with_state(budget, bound))
    }

    async fn ask(router: &Router, path: &str) -> Response {
        let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
        router.clone().oneshot(request).await.expect("a router always answers")
    }

    async fn read(response: Response) -> Vec<u8> {
        to_bytes(response.into_body(), usize::MAX).await.expect("a body").to_vec()
    }

    #[tokio::test]
    async fn an_answer_keeps_its_place_until_it_is_read() {
        let router = router(Budget::of(1_000, PATIENCE));
        let waiting = ask(&router, "/large").await;
        let refused = ask(&router, "/large").await;
        assert_eq!((refused.status(), waiting.status()), (StatusCode::TOO_MANY_REQUESTS, StatusCode::OK));
        assert_eq!(refused.headers()[header::RETRY_AFTER], "5");
        assert_eq!(read(ask(&router, "/small").await).await.len(), 64 * KIB, "small answers need no place");
        let expected: Vec<u8> = (0..=u8::MAX).cycle().take(600 * KIB).collect();
        assert!(read(waiting).await == expected);
        let next = ask(&router, "/large").await;
        assert_eq!(next.status(), StatusCode::OK);
        drop(next);
        assert_eq!(ask(&router, "/large").await.status(), StatusCode::OK, "its reader hung up");
    }

    #[tokio::test]
    async fn a_client_gets_its_share_and_no_more() {
        let router = router(Budget::new());
        assert_eq!(read(ask(&router, "/share").await).await.len(), SHARE);
        let refused = ask(&router, "/huge").await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        let detail = String::from_utf8(read(refused).await).expect("a text");
        assert!(detail.contains("it has 9 MiB, and one client has at most 8"), "{detail}");
    }

    #[tokio::test]
    async fn a_document_in_parts_needs_a_whole_share() {
        let router = router(Budget::of(16 * 1024, PATIENCE));
        let (one, other) = (ask(&router, "/parts").await, ask(&router, "/parts").await);
        assert_eq!((one.status(), other.status()), (StatusCode::OK, StatusCode::OK));
        assert_eq!(ask(&router, "/large").await.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(one);
        assert_eq!(ask(&router, "/large").await.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_stream_waits_for_room_until_slow_readers_are_cut_off() {
        let budget = Budget::of(1_000, Duration::from_millis(20));
        let taken = budget.room(600 * KIB).expect("there is room");
        assert!(taken.is_some() && budget.room(600 * KIB).is_err());
        assert!(budget.room_in_time(64 * KIB).await.expect("little needs no room").is_none());
        assert!(budget.room_in_time(600 * KIB).await.is_err());
        let (later, ()) = tokio::join!(budget.room_in_time(600 * KIB), async { drop(taken) });
        let later = later.expect("there is room again");
        assert!(later.is_some());
        let later = budget.shrunk(later, 100 * KIB);
        assert!(later.is_some() && budget.room(901 * KIB).is_err() && budget.room(900 * KIB).is_ok());
        assert!(budget.shrunk(later, 64 * KIB).is_none() && budget.room(1_000 * KIB).is_ok());
    }
}
