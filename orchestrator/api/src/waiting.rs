//! A budget for the bytes of answers that wait for their readers.
//!
//! Pages, traces and states are whole before the first byte is sent, and stay until the last is taken. A slow reader keeps
//! its answer for a long time, so the bytes of all answers together are bounded.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;

/// The most that waits for all readers together, in KiB: 256 MiB.
const MOST_KIB: u32 = 256 * 1024;
/// Smaller answers are not counted: the number of connections bounds them.
const SMALL_KIB: u64 = 64;
/// The part of an answer that is given to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// What is left of the budget.
#[derive(Clone, Debug)]
pub struct Budget {
    left: Arc<Semaphore>,
    most_kib: u32,
}

impl Budget {
    /// The budget of a playground.
    pub fn new() -> Self {
        Self::of(MOST_KIB)
    }

    fn of(most_kib: u32) -> Self {
        Self { left: Arc::new(Semaphore::new(most_kib as usize)), most_kib }
    }

    /// The place of an answer of this size; an answer that is larger than the whole budget takes all of it.
    fn place(&self, kib: u64) -> Option<OwnedSemaphorePermit> {
        let kib = u32::try_from(kib).unwrap_or(u32::MAX).min(self.most_kib);
        Arc::clone(&self.left).try_acquire_many_owned(kib).ok()
    }
}

/// Passes on an answer if there is room for it until its reader has taken it; otherwise answers with a problem.
pub async fn bound(State(budget): State<Budget>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let kib = response.body().size_hint().exact().unwrap_or_default().div_ceil(1024);
    if kib <= SMALL_KIB {
        return response;
    }
    match budget.place(kib) {
        Some(place) => response.map(|body| Body::new(Waiting { body, rest: Bytes::new(), _place: place })),
        None => no_room(),
    }
}

fn no_room() -> Response {
    let detail = "cannot send this answer: large answers that are not read yet use up the budget; read those to their ends, and ask again";
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail);
    ([(header::RETRY_AFTER, HeaderValue::from_static("5"))], problem).into_response()
}

/// An answer that keeps its place until its last part is given to the connection.
struct Waiting {
    body: Body,
    /// The rest of the frame that is being sent.
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
        // A copy: a part that waits in the connection would keep the whole answer.
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
    use axum::body::to_bytes;
    use axum::routing::get;
    use axum::{Router, middleware};
    use tower::ServiceExt;

    use super::*;

    const KIB: usize = 1024;

    fn router(budget: Budget) -> Router {
        let text = |kib: usize| (0..=u8::MAX).cycle().take(kib * KIB).collect::<Vec<u8>>();
        let router = Router::new()
            .route("/small", get(async move || text(64)))
            .route("/large", get(async move || text(600)))
            .route("/huge", get(async move || text(5_000)));
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
        let router = router(Budget::of(1_000));
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
    async fn an_answer_beyond_the_budget_is_given_alone() {
        let router = router(Budget::of(1_000));
        let huge = ask(&router, "/huge").await;
        assert_eq!(huge.body().size_hint().exact(), Some(5_000 * KIB as u64));
        assert_eq!(ask(&router, "/large").await.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(read(huge).await.len(), 5_000 * KIB);
        assert_eq!(ask(&router, "/huge").await.status(), StatusCode::OK);
    }
}
