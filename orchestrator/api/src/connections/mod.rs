//! Connections: their maximum number, and the time limits after which a silent client or a slow reader is
//! disconnected.
//!
//! A client that opens a connection and is silent, or stops in the middle of a request, is disconnected after a
//! minute. A client whose request is being answered, for example with a stream, stays connected as long as it
//! reads at a minimum pace. A slow reader is disconnected because its unread bytes occupy memory of this process.
//! Answers are sent in parts, and other clients are served between the parts.

mod heeded;
mod in_parts;

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use heeded::{Heeded, Pace};
use in_parts::InParts;

/// Maximum number of connections. Further connections wait until another connection is closed.
const MOST: usize = 1_024;
/// Time limit for receiving the head of a request, and for the silence between two requests.
const PATIENCE: Duration = Duration::from_mins(1);
/// Size of the kernel's send buffer of a connection, in bytes.
const SEND_BUFFER: usize = 256 * 1024;
/// Minimum pace of a reader: 16 KiB per second, over half a minute.
const PACE: Pace = Pace { over: Duration::from_secs(30), bytes: 30 * 16 * 1024 };
/// Pause before the next attempt to accept a connection, if the process had no free file descriptor.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves all clients until the returned future is dropped. Connections that are open at that moment are still
/// served until they are closed.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    serve_with(listener, router, MOST, Patience { to_say: PATIENCE, pace: PACE }).await
}

/// Time limits and minimum pace of clients.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Time limit for receiving the head of a request.
    to_say: Duration,
    /// Minimum pace of a reader.
    pace: Pace,
}

async fn serve_with(listener: TcpListener, router: Router, most: usize, patience: Patience) -> Infallible {
    let places = Arc::new(Semaphore::new(most));
    loop {
        // This cannot fail, since the semaphore is never closed.
        let place = Arc::clone(&places).acquire_owned().await.ok();
        let stream = accepted(&listener).await;
        let router = router.clone();
        tokio::spawn(async move {
            // An error means that the client has disconnected, so no answer is needed.
            let _ = answer(stream, router, patience).await;
            drop(place);
        });
    }
}

async fn accepted(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) if is_of_one(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Returns whether an error concerns only one connection, because its client has closed it.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn answer(stream: TcpStream, router: Router, patience: Patience) -> hyper::Result<()> {
    // Sends packets without delay. Most answers are small, and a client waits for each answer.
    let _ = stream.set_nodelay(true);
    // The kernel wakes a writer when a third of the buffer is free. With a larger buffer, this would happen too
    // rarely to measure the pace of a reader.
    let _ = set_socket_send_buffer_size(&stream, SEND_BUFFER);
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(patience.to_say);
    let stream = TokioIo::new(InParts::new(Heeded::new(stream, patience.pace)));
    server.serve_connection(stream, TowerToHyperService::new(router)).with_upgrades().await
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::{Instant, timeout};

    use super::*;

    const SHORT: Duration = Duration::from_millis(100);
    /// Number of bytes that exceeds all buffers between the server and the client.
    const MUCH: usize = 64 << 20;
    /// Minimum pace of a reader in the tests, in bytes per second.
    const LEAST: usize = 1 << 20;

    async fn open(most: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let slowly = get(async || {
            sleep(3 * SHORT).await;
            "at last"
        });
        let much = get(async || "x".repeat(MUCH));
        let some = get(async || "x".repeat(MUCH / 8));
        let router = Router::new().route("/", get(async || "at once")).route("/slowly", slowly);
        let router = router.route("/much", much).route("/some", some);
        tokio::spawn(serve_with(
            listener,
            router,
            most,
            Patience { to_say: SHORT, pace: Pace { over: 10 * SHORT, bytes: LEAST } },
        ));
        address
    }

    /// Sends the text `words`, and returns everything that the server sends until it closes the connection.
    async fn said(address: SocketAddr, words: &str) -> String {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(words.as_bytes()).await.expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("a text");
        answer
    }

    #[tokio::test]
    async fn who_says_nothing_or_half_loses_the_place_and_who_waits_for_an_answer_does_not() {
        let address = open(10).await;
        assert_eq!(said(address, "").await, "");
        let half = said(address, "GET / HTTP/1.1\r\nHost: here\r\n").await;
        assert!(!half.contains("at once"), "{half}");
        let idle_after = said(address, "GET / HTTP/1.1\r\nHost: here\r\n\r\n").await;
        assert!(idle_after.ends_with("at once"), "{idle_after}");
        let slowly = said(address, "GET /slowly HTTP/1.1\r\nHost: here\r\n\r\n").await;
        assert!(slowly.ends_with("at last"), "{slowly}");
    }

    async fn asked_for(path: &str, address: SocketAddr) -> TcpStream {
        let mut reader = TcpStream::connect(address).await.expect("a connection");
        let request = format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
        reader.write_all(request.as_bytes()).await.expect("it is sent");
        reader.readable().await.expect("an answer");
        reader
    }

    /// Reads `bytes_a_second` bytes per second until the connection ends, and returns the total number of bytes.
    /// After a late read, the next reads follow without pauses, so the pace does not depend on the load of the
    /// machine.
    async fn read_at(bytes_a_second: usize, mut reader: TcpStream) -> usize {
        let (begun, mut part, mut got) = (Instant::now(), [0; 4 << 10], 0);
        loop {
            let due = begun.elapsed().as_secs_f64() * f64::from(u32::try_from(bytes_a_second).expect("a pace"));
            while f64::from(u32::try_from(got).expect("a few bytes")) < due {
                match reader.read(&mut part).await {
                    Ok(0) | Err(_) => return got,
                    Ok(read) => got += read,
                }
            }
            sleep(SHORT / 10).await;
        }
    }

    #[tokio::test]
    async fn a_reader_that_keeps_the_pace_gets_everything_and_a_slower_one_loses_its_place() {
        let address = open(1).await;
        let silent = asked_for("/much", address).await;
        // The server accepts only one connection at a time, so the steady reader is served only after the silent
        // reader has been disconnected.
        let steady = async { read_at(200 * LEAST, asked_for("/much", address).await).await };
        let got = timeout(Duration::from_mins(1), steady).await.expect("the silent one has lost its place");
        assert!(got > MUCH, "only {got} bytes came");
        drop(silent);
        let near = async { read_at(2 * LEAST, asked_for("/some", address).await).await };
        let got = timeout(Duration::from_mins(1), near).await.expect("it comes to its end");
        assert!(got > MUCH / 8, "only {got} bytes came");
        // The reader receives some bytes every 10 ms, but fewer than the minimum pace requires.
        let slow = async { read_at(LEAST * 2 / 5, asked_for("/much", address).await).await };
        let got = timeout(Duration::from_mins(1), slow).await.expect("it has lost its place");
        assert!(got < MUCH, "all {got} bytes came");
    }

    #[tokio::test]
    async fn who_comes_when_all_places_are_taken_waits_until_one_is_free() {
        let address = open(1).await;
        let silent = TcpStream::connect(address).await.expect("a connection");
        let answer = said(address, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").await;
        assert!(answer.ends_with("at once"), "{answer}");
        drop(silent);
    }
}
