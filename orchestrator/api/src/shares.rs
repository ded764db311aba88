//! Documents that are larger than the amount that may be pending for one client.
//!
//! A trace of 100,000 events has tens of megabytes. A writer generates it in parts while the client receives them.
//! If the client is slow, the writer waits for one second and then ends. When the client continues to read, a new
//! writer generates the document again and skips the bytes that the client already has. At most [`SHARE`] bytes of
//! a document are therefore pending for one client, and a slow client delays no other client.

use std::io;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::problem::Problem;
use super::source::Source;
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::RunError;

/// Maximum number of bytes that may be pending for one client: 8 MiB.
pub const SHARE: usize = 8 << 20;
/// Number of bytes in a part, which a writer sends as a unit.
pub(super) const PART: usize = 512 << 10;
/// Maximum number of parts in the channel between a writer and its client.
const WAITING: usize = 4;
/// Number of bytes that are collected before the first byte is sent. A document that is not longer is sent as a
/// whole, with its length. The collected beginning of a longer document, the parts in the channel, and the part that
/// is being written have at most [`SHARE`] bytes together.
pub(super) const WHOLE: usize = SHARE - (WAITING + 2) * PART;
/// Time that a writer waits for a slow client before it ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Marks an answer that is sent in parts. In the budget, such an answer reserves the whole amount that may be pending
/// for one client.
#[derive(Clone, Copy, Debug)]
pub struct InParts;

/// Function that writes a document from a journal. Every call must produce the same bytes.
pub(super) type Write = Arc<dyn Fn(&Reader, &mut Parts) -> Result<(), RunError> + Send + Sync>;

/// Answers with a document that `write` generates from a journal. Every call of `write` must produce the same
/// bytes.
///
/// # Errors
/// If the beginning of the document cannot be written.
pub async fn document(
    source: Source,
    media_type: &'static str,
    write: impl Fn(&Reader, &mut Parts) -> Result<(), RunError> + Send + Sync + 'static,
) -> Result<Response, Problem> {
    let mut written = Written::begin(source, Arc::new(write), PATIENCE);
    let (mut head, mut bytes) = (Vec::new(), 0);
    while bytes <= WHOLE {
        let Some(part) = written.next().await? else {
            return Ok(([(header::CONTENT_TYPE, media_type)], head.concat()).into_response());
        };
        bytes += part.len();
        head.push(part);
    }
    let rest = stream::try_unfold(written, async |mut written| {
        let part = written.next().await.map_err(io::Error::other)?;
        Ok(part.map(|part| (part, written)))
    });
    let parts = stream::iter(head).map(Ok::<_, io::Error>).chain(rest);
    let mut answer = Body::from_stream(parts).into_response();
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    answer.extensions_mut().insert(InParts);
    Ok(answer)
}

/// The task that writes a document. It returns how the writing ended, and returns the journal for the next writer.
type Writer = JoinHandle<(Result<Ending, RunError>, Source)>;

/// A document that is generated part by part.
pub(super) struct Written {
    write: Write,
    patience: Duration,
    parts: mpsc::Receiver<Bytes>,
    /// Number of bytes that the client has received.
    taken: u64,
    writer: Writer,
}

/// How a writer ended.
enum Ending {
    /// The document is complete.
    Whole,
    /// The client received nothing for too long, and the document is incomplete.
    Paused,
}

impl Written {
    pub(super) fn begin(source: Source, write: Write, patience: Duration) -> Self {
        let (parts, writer) = begin(source, Arc::clone(&write), 0, patience);
        Self { write, patience, parts, taken: 0, writer }
    }

    /// Returns the next part; none after the end of the document. If the writer has ended before the end of the
    /// document, starts another writer.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, RunError> {
        loop {
            if let Some(part) = self.parts.recv().await {
                self.taken += part.len() as u64;
                return Ok(Some(part));
            }
            let (ending, source) = (&mut self.writer).await?;
            match ending? {
                Ending::Whole => return Ok(None),
                Ending::Paused => {
                    (self.parts, self.writer) = begin(source, Arc::clone(&self.write), self.taken, self.patience);
                }
            }
        }
    }
}

impl Written {
    /// Returns whether the writer has ended, so that no further part is written before another call of
    /// [`next`](Self::next).
    #[cfg(test)]
    pub(super) fn is_at_rest(&self) -> bool {
        self.writer.is_finished()
    }
}

/// Starts to write a document, but sends only the bytes after the first `skip` bytes.
fn begin(mut source: Source, write: Write, skip: u64, patience: Duration) -> (mpsc::Receiver<Bytes>, Writer) {
    let (sender, parts) = mpsc::channel(WAITING);
    let parts_of_client = Parts { skip, part: Vec::new(), sender, patience, time: Handle::current(), is_over: false };
    let writer = tokio::spawn(async move {
        let mut parts_of_client = parts_of_client;
        let write = move |reader: &Reader| {
            let written = write(reader, &mut parts_of_client).map(|()| parts_of_client.end());
            if parts_of_client.is_over { Ok(Ending::Paused) } else { written.map(|()| Ending::Whole) }
        };
        (source.read(write).await, source)
    });
    (parts, writer)
}

/// Destination of a document. Writing fails after the client has received nothing for too long.
pub struct Parts {
    /// Number of bytes of the document that the client already has, and that are therefore not sent again.
    skip: u64,
    part: Vec<u8>,
    sender: mpsc::Sender<Bytes>,
    patience: Duration,
    /// The runtime whose clock measures the patience.
    time: Handle,
    /// Whether the client was too slow or has disconnected.
    is_over: bool,
}

impl Parts {
    fn pass(&mut self) -> io::Result<()> {
        let part = Bytes::from(mem::take(&mut self.part));
        let passed = self.time.block_on(timeout(self.patience, self.sender.send(part)));
        if matches!(passed, Ok(Ok(()))) {
            return Ok(());
        }
        self.is_over = true;
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Sends the last part.
    fn end(&mut self) {
        if !self.part.is_empty() {
            // If the client has disconnected, it needs no last part. If the client is slow, the next writer sends
            // this part.
            let _ = self.pass();
        }
    }
}

impl io::Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(bytes.len());
        self.skip -= skipped as u64;
        let rest = &bytes[skipped..];
        let taken = rest.len().min(PART - self.part.len());
        self.part.extend_from_slice(&rest[..taken]);
        if self.part.len() == PART {
            self.pass()?;
        }
        Ok(skipped + taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
