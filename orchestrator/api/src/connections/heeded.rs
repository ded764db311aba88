//! Disconnects a reader that is too slow. Otherwise, the bytes that the slow reader has not received would occupy
//! memory of this process for a long time.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Minimum pace of a reader.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Period over which the pace is measured. Only the time during which a write waits for the reader counts.
    pub over: Duration,
    /// Minimum number of bytes that the reader receives during the period `over`.
    pub bytes: usize,
}

/// A connection that is closed if its reader is slower than a [`Pace`].
pub struct Heeded<S> {
    stream: S,
    pace: Pace,
    /// Number of bytes that the reader has received since the beginning of the period.
    taken: usize,
    /// Time that writes have waited since the beginning of the period.
    waited: Duration,
    /// The write that waits for the reader, if any: the time at which the wait began, and a timer. If the timer fires
    /// before the reader has received enough bytes, the reader is too slow.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    /// End of the last wait.
    last: Option<Instant>,
}

impl<S> Heeded<S> {
    /// Returns a connection over which nothing has been sent yet.
    pub const fn new(stream: S, pace: Pace) -> Self {
        Self { stream, pace, taken: 0, waited: Duration::ZERO, waiting: None, last: None }
    }

    /// Returns the result of a write. If the reader was too slow, returns an error instead, which closes the
    /// connection. `bytes` extracts the number of sent bytes from the result.
    fn measured<T>(
        &mut self,
        context: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Poll<io::Result<T>> {
        let now = Instant::now();
        if let Poll::Ready(result) = sent {
            if let Some((since, _)) = self.waiting.take() {
                self.waited += now.duration_since(since);
                self.last = Some(now);
            }
            self.taken = self.taken.saturating_add(result.as_ref().map_or(0, bytes));
            return Poll::Ready(result);
        }
        if self.waiting.is_none() {
            // If no write had to wait for the reader during the last whole period, the measurement starts again.
            if self.last.is_none_or(|last| now.duration_since(last) >= self.pace.over) {
                self.begin();
            }
            self.wait(now);
        }
        loop {
            let Some((_, over)) = &mut self.waiting else { return Poll::Pending };
            ready!(over.as_mut().poll(context));
            if self.taken < self.pace.bytes {
                let (taken, seconds) = (self.taken, self.pace.over.as_secs());
                tracing::warn!("closed a connection: its reader took {taken} bytes in {seconds} s");
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.begin();
            self.wait(Instant::now());
        }
    }

    const fn begin(&mut self) {
        (self.taken, self.waited) = (0, Duration::ZERO);
    }

    fn wait(&mut self, now: Instant) {
        let left = self.pace.over.saturating_sub(self.waited);
        self.waiting = Some((now, Box::pin(tokio::time::sleep_until(now + left))));
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Heeded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Heeded<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.measured(context, sent, |&bytes| bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.measured(context, sent, |&bytes| bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(context);
        self.measured(context, sent, |()| 0)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
