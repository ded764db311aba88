//! Documents that are larger than the share of one client.
//!
//! A trace of 100,000 events has tens of megabytes. It is written in parts while its client takes them. A writer
//! waits one second for a slow client, then ends. When the client wants more, the document is written again from its
//! first byte. So at most [`SHARE`] bytes of a document wait for its client, and a slow client delays no other.

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

/// Maximum number of bytes that wait for one client: 8 MiB.
pub const SHARE: usize = 8 << 20;
/// Number of bytes that a writer passes on at a time.
pub(super) const PART: usize = 512 << 10;
/// Number of parts that wait between a writer and its client.
const WAITING: usize = 4;
/// Documents up to this length are sent as a whole, with their length. For a longer one, the share holds this
/// beginning, the parts that wait, and the part that is being written.
pub(super) const WHOLE: usize = SHARE - (WAITING + 2) * PART;
/// Time that a writer waits for its client.
const PATIENCE: Duration = Duration::from_secs(1);

/// Marks an answer that needs a whole share of the budget.
#[derive(Clone, Copy, Debug)]
pub struct InParts;

/// Writes a document from a journal. The bytes are the same each time.
pub(super) type Write = Arc<dyn Fn(&Reader, &mut Parts) -> Result<(), RunError> + Send + Sync>;

/// Answers with a document that `write` writes from a journal, the same each time.
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

/// The task that writes a document. It returns its ending, and the journal.
type Writer = JoinHandle<(Result<Ending, RunError>, Source)>;

/// A document, part by part.
pub(super) struct Written {
    write: Write,
    patience: Duration,
    parts: mpsc::Receiver<Bytes>,
    /// Number of bytes that the client has taken.
    taken: u64,
    writer: Writer,
}

/// Ending of a writer.
enum Ending {
    /// The document is complete.
    Whole,
    /// The client takes no bytes, and the document is incomplete.
    Paused,
}

impl Written {
    pub(super) fn begin(source: Source, write: Write, patience: Duration) -> Self {
        let (parts, writer) = begin(source, Arc::clone(&write), 0, patience);
        Self { write, patience, parts, taken: 0, writer }
    }

    /// Returns the next part; none after the last one.
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

/// Starts to write a document without its first `skip` bytes.
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

/// Destination of a document. Writing fails once the client takes no more bytes.
pub struct Parts {
    /// Number of bytes of the document that the client has.
    skip: u64,
    part: Vec<u8>,
    sender: mpsc::Sender<Bytes>,
    patience: Duration,
    /// The runtime that measures the patience.
    time: Handle,
    /// Whether the patience is over, or the client has disconnected.
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

    /// Passes on the last part.
    fn end(&mut self) {
        if !self.part.is_empty() {
            // A client that has disconnected needs no last part, and a slow one gets it from the next writer.
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
