//! Tests of long documents, which are generated while the client receives them. The document must be complete. The
//! amount that has been generated but not sent must not exceed `SHARE`.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::response::Response;
use uuid::Uuid;

use super::super::shares::{InParts, PART, Parts, SHARE, WHOLE, Written, document};
use super::super::source::Source;
use super::{Server, registry};
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{Registry, RunError};

/// Patience with which a writer soon ends if its client is slow.
const SHORT: Duration = Duration::from_millis(1);
/// Patience with which a writer waits for a slow client.
const LONG: Duration = Duration::from_mins(1);

/// Returns a server, and a registry and a run whose journal the tests use as a source.
async fn source() -> (Server, Arc<Registry>, Uuid) {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    // The old router must be dropped first, because a folder has only one owner at a time.
    server.router = axum::Router::new();
    let registry = registry(&server.folder).await;
    (server, registry, run)
}

/// Returns the byte that a test document has at the offset `place`.
fn byte(place: u64) -> u8 {
    u8::try_from(place % 251).expect("small")
}

/// A document of this many bytes, written in pieces of unequal length. Counts the writers that have begun, and the
/// bytes that the latest writer has written.
struct Pattern {
    bytes: u64,
    begun: AtomicU64,
    written: AtomicU64,
}

impl Pattern {
    fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self { bytes: bytes as u64, begun: AtomicU64::new(0), written: AtomicU64::new(0) })
    }

    fn write(&self, out: &mut Parts) -> Result<(), RunError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.written.store(0, Ordering::Relaxed);
        let mut place = 0;
        while place < self.bytes {
            let piece: Vec<u8> = (place..self.bytes.min(place + 1 + place % 9_999)).map(byte).collect();
            out.write_all(&piece).map_err(RunError::unreadable)?;
            place += piece.len() as u64;
            self.written.store(place, Ordering::Relaxed);
        }
        Ok(())
    }

    fn writer(self: &Arc<Self>) -> impl Fn(&Reader, &mut Parts) -> Result<(), RunError> + Send + Sync + use<> {
        let this = Arc::clone(self);
        move |_: &Reader, out: &mut Parts| this.write(out)
    }

    fn is(&self, found: &[u8]) -> bool {
        found.len() as u64 == self.bytes && (0..).zip(found).all(|(place, found)| *found == byte(place))
    }
}

#[tokio::test]
async fn a_writer_that_gave_up_its_client_is_followed_by_another() {
    let (_server, registry, run) = source().await;
    for (patience, writers) in [(SHORT, 2..), (LONG, 1..)] {
        let pattern = Pattern::new(9 * PART + 7);
        let source = Source::open(Arc::clone(&registry), run).await.expect("a journal");
        let mut written = Written::begin(source, Arc::new(pattern.writer()), patience);
        let mut found = Vec::new();
        while let Some(part) = written.next().await.expect("a part") {
            found.extend_from_slice(&part);
            // In the first part of the document, the test reads the next part only after the impatient writer has
            // ended.
            while patience == SHORT && found.len() <= 6 * PART && !written.is_at_rest() {
                tokio::time::sleep(SHORT).await;
            }
        }
        assert!(pattern.is(&found), "{} bytes of {}, or others", found.len(), pattern.bytes);
        let begun = pattern.begun.load(Ordering::Relaxed);
        assert!(writers.contains(&begun) && (patience == SHORT || begun == 1), "{begun} writers");
    }
}

#[tokio::test]
async fn a_document_up_to_the_bound_is_whole_and_a_longer_one_is_no_further_than_a_share() {
    let (_server, registry, run) = source().await;
    for (bytes, is_whole) in [(0, true), (WHOLE, true), (WHOLE + PART, false), (3 * SHARE, false)] {
        let pattern = Pattern::new(bytes);
        let source = Source::open(Arc::clone(&registry), run).await.expect("a journal");
        let answer = document(source, "text/plain", pattern.writer()).await.expect("an answer");
        assert_eq!(answer.headers()["content-type"], "text/plain");
        assert_eq!(answer.body().size_hint().exact(), is_whole.then_some(bytes as u64));
        assert_eq!(answer.extensions().get::<InParts>().is_none(), is_whole);
        let ahead = pattern.written.load(Ordering::Relaxed);
        assert!(ahead <= SHARE as u64, "{ahead} bytes are written for a client that has taken none");
        let found = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        assert!(pattern.is(&found), "{} bytes of {bytes}, or others", found.len());
    }
}

#[tokio::test]
async fn an_error_at_the_beginning_is_a_problem_and_a_later_one_breaks_off() {
    let (_server, registry, run) = source().await;
    for (bytes, is_problem) in [(0, true), (SHARE, false)] {
        let pattern = Pattern::new(bytes);
        let write = move |_: &Reader, out: &mut Parts| {
            pattern.write(out)?;
            Err(RunError::Ended)
        };
        let source = Source::open(Arc::clone(&registry), run).await.expect("a journal");
        let answer = document(source, "text/plain", write).await;
        assert_eq!(answer.is_err(), is_problem);
        let body = answer.map_or(Body::empty(), Response::into_body);
        assert_eq!(to_bytes(body, usize::MAX).await.is_err(), !is_problem);
    }
}
