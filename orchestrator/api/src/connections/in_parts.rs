//! Sends large answers in parts, and lets other tasks run between two parts. Sending megabytes in one system call
//! takes milliseconds, during which no other client is served.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::yield_now;

/// Maximum number of bytes in one write. A system call for this number of bytes takes some tens of microseconds.
const PART: usize = 64 * 1024;

/// A connection that sends at most one part in each write.
pub struct InParts<S> {
    stream: S,
    /// Completes when other tasks have had the opportunity to run; none if this connection may send immediately.
    turn_of_others: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<S> InParts<S> {
    /// Returns a connection over which nothing has been sent yet.
    pub const fn new(stream: S) -> Self {
        Self { stream, turn_of_others: None }
    }

    /// Waits until other tasks have had the opportunity to run.
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(turn) = &mut self.turn_of_others {
            ready!(turn.as_mut().poll(context));
            self.turn_of_others = None;
        }
        Poll::Ready(())
    }

    /// Returns the result of a write of at most `all` bytes. If bytes remain, the next write first lets other
    /// tasks run.
    fn sent(&mut self, sent: io::Result<usize>, all: usize) -> Poll<io::Result<usize>> {
        if sent.as_ref().is_ok_and(|&sent| sent < all) {
            self.turn_of_others = Some(Box::pin(yield_now()));
        }
        Poll::Ready(sent)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for InParts<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for InParts<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context));
        let part = &bytes[..bytes.len().min(PART)];
        let sent = ready!(Pin::new(&mut self.stream).poll_write(context, part));
        self.sent(sent, bytes.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A vectored write that contains only an empty slice would return 0, which means that the connection
        // accepts no more bytes.
        let slices = &slices[slices.iter().take_while(|slice| slice.is_empty()).count()..];
        let all = slices.iter().map(|slice| slice.len()).sum();
        let mut room = PART;
        let fits = |slice: &&IoSlice<'_>| room.checked_sub(slice.len()).inspect(|rest| room = *rest).is_some();
        let fitting = &slices[..slices.iter().take_while(fits).count()];
        if let ([], [first, ..]) = (fitting, slices) {
            return self.poll_write(context, first);
        }
        ready!(self.poll_turn(context));
        let sent = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, fitting));
        self.sent(sent, all)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// Number of bytes that the tests send.
    const MUCH: usize = 100 * PART + 1;

    /// Returns how often another task ran while `sending` wrote its bytes. The buffer of the connection must be so
    /// large that a write never waits for free space.
    async fn turns_of_others(sending: impl Future<Output = ()> + Send + 'static) -> usize {
        let turns = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&turns);
        let other = tokio::spawn(async move {
            loop {
                counted.fetch_add(1, Ordering::Relaxed);
                yield_now().await;
            }
        });
        tokio::spawn(sending).await.expect("it is sent");
        other.abort();
        turns.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn others_have_their_turn_between_two_parts() {
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(MUCH).collect();
        let (near, mut far) = duplex(2 * MUCH);
        let sent = text.clone();
        let turns =
            turns_of_others(async move { InParts::new(near).write_all(&sent).await.expect("it is sent") }).await;
        assert!(turns >= MUCH / PART, "{turns}");
        let mut got = Vec::new();
        far.read_to_end(&mut got).await.expect("it is read");
        assert!(got == text, "{} bytes of {MUCH}, or others", got.len());
        // Negative control: if all bytes are written at once, no other task runs.
        let (mut near, far) = duplex(2 * MUCH);
        let at_once = turns_of_others(async move { near.write_all(&text).await.expect("it is sent") }).await;
        assert!(at_once < 3, "{at_once}");
        drop(far);
    }

    #[tokio::test]
    async fn what_is_in_pieces_is_sent_in_their_order_and_no_more_than_a_part_at_a_time() {
        let lengths = [0, 2 * PART, 10, 0, PART, 7, 3 * PART, PART - 20, 30];
        let (near, mut far) = duplex(10 * PART);
        let mut sender = InParts::new(near);
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(lengths.iter().sum()).collect();
        let mut cut = Vec::new();
        let mut rest = &text[..];
        for length in lengths {
            let (head, tail) = rest.split_at(length);
            cut.push(IoSlice::new(head));
            rest = tail;
        }
        let mut cut = &mut cut[..];
        while !cut.is_empty() {
            let sent = sender.write_vectored(cut).await.expect("it is sent");
            assert!((1..=PART).contains(&sent), "{sent}");
            IoSlice::advance_slices(&mut cut, sent);
        }
        drop(sender);
        let mut got = Vec::new();
        far.read_to_end(&mut got).await.expect("it is read");
        assert!(got == text, "{} bytes of {}, or others", got.len(), text.len());
    }
}
