//! Connections: how many there are at a time, and for how long one may say nothing.
//!
//! Whoever opens one and is silent, or begins a request and does not go on, has a place for a minute and no longer; a request
//! that is being answered, a stream for example, has its place for as long as that takes.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// The most connections at a time; further ones wait.
const MOST: usize = 1_024;
/// How long the head of a request may take, and how long nothing may come between two requests.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long it takes at least until there may be a descriptor again where there was none.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers whoever comes, until it is dropped; connections that are open then go on until they are closed.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    serve_with(listener, router, MOST, PATIENCE).await
}

async fn serve_with(listener: TcpListener, router: Router, most: usize, patience: Duration) -> Infallible {
    let places = Arc::new(Semaphore::new(most));
    loop {
        // It is never closed.
        let place = Arc::clone(&places).acquire_owned().await.ok();
        let stream = accepted(&listener).await;
        let router = router.clone();
        tokio::spawn(async move {
            // Whoever breaks off need not be told.
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
                tracing::warn!(%error, "no connection can be had");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Whether an error is that of one connection, which its peer has given up.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn answer(stream: TcpStream, router: Router, patience: Duration) -> hyper::Result<()> {
    // Answers are small, and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(patience);
    server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades().await
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const SHORT: Duration = Duration::from_millis(100);

    async fn open(most: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let slowly = get(async || {
            sleep(3 * SHORT).await;
            "at last"
        });
        let router = Router::new().route("/", get(async || "at once")).route("/slowly", slowly);
        tokio::spawn(serve_with(listener, router, most, SHORT));
        address
    }

    /// What is answered until the server closes the connection.
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

    #[tokio::test]
    async fn who_comes_when_all_places_are_taken_waits_until_one_is_free() {
        let address = open(1).await;
        let silent = TcpStream::connect(address).await.expect("a connection");
        let answer = said(address, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").await;
        assert!(answer.ends_with("at once"), "{answer}");
        drop(silent);
    }
}
