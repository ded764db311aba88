//! Tests of permits: large reads wait for permits, and small reads never wait for large reads.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use futures_util::FutureExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::{spawn_blocking, yield_now};
use uuid::Uuid;

use super::super::connections::serve;
use super::{HOST, PORT, Server, registry, router};

#[tokio::test]
async fn little_is_answered_while_much_is_read() {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    // The old router must be dropped first, because a folder has only one owner at a time.
    server.router = Router::new();
    let registry = registry(&server.folder).await;
    server.router = router(Arc::clone(&registry), Vec::new(), PORT, None);
    let mut turns = all_of(async || registry.reading().await).await;
    let mut pages = all_of(async || registry.paging().await).await;
    let path = |what: &str| format!("/api/v1/runs/{run}/{what}");
    let little = async || {
        for usual in ["events", "events?limit=2000"] {
            assert_eq!(server.get(&path(usual)).await.status, 200, "{usual}");
        }
    };
    for (much, is_page) in [
        ("events?limit=2001", true),
        ("events?kind=created", true),
        ("events?node=1", true),
        ("state?at=1", false),
        ("history", false),
        ("trace?as=shiviz", false),
    ] {
        let path = path(much);
        let mut asked = Box::pin(server.get(&path));
        tokio::select! {
            biased;
            answer = &mut asked => panic!("{much} has not waited: {}", answer.text),
            () = little() => {}
        }
        // Releases one permit of the required kind, while all permits of the other kind are still in use. The read
        // must then succeed.
        let freed = if is_page { pages.pop() } else { turns.pop() };
        drop(freed.expect("all turns are taken"));
        assert_eq!(asked.await.status, 200, "{much}");
        if is_page {
            pages.push(registry.paging().await.expect("a turn"));
        } else {
            turns.push(registry.reading().await.expect("a turn"));
        }
    }
}

/// Clients that watch the state need permits, and wait until a permit is free. Other requests, and streams without
/// states, do not wait for these permits.
#[tokio::test]
async fn a_state_is_folded_in_turn() {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    // The old router must be dropped first, because a folder has only one owner at a time.
    server.router = Router::new();
    let registry = registry(&server.folder).await;
    server.router = router(Arc::clone(&registry), Vec::new(), PORT, None);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, server.router.clone()));
    let turns = all_of(async || registry.folding().await).await;
    let mut states = Box::pin(first_frame(address, run, "?states=true"));
    tokio::select! {
        biased;
        frame = &mut states => panic!("it has not waited: {frame}"),
        frame = first_frame(address, run, "") => assert!(frame.contains(r#"{"type":"events","items":["#), "{frame}"),
    }
    assert_eq!(server.get(&format!("/api/v1/runs/{run}/events")).await.status, 200);
    assert!((&mut states).now_or_never().is_none());
    drop(turns);
    let frame = states.await;
    assert!(frame.contains(r#"{"type":"state","state":{"#), "{frame}");
}

/// Clients that read large events need permits, and wait until a permit is free. Clients that read small events do
/// not wait for these permits.
#[tokio::test]
async fn a_large_event_is_read_in_turn_with_large_pages() {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    let first = server.get(&format!("/api/v1/runs/{run}/events?limit=1")).await.json();
    // The old router must be dropped first, because a folder has only one owner at a time.
    server.router = Router::new();
    let registry = registry(&server.folder).await;
    server.router = router(Arc::clone(&registry), Vec::new(), PORT, None);
    let large = json!({ "seq": 2, "at_us": 0, "kind": "noted", "detail": "x".repeat(2 << 20) });
    let lines = format!("{}\n{large}\n", first["items"][0]);
    let loading = Arc::clone(&registry);
    let loaded = spawn_blocking(move || loading.load(lines.as_bytes())).await.expect("no panic");
    let run = loaded.expect("the events of a run").id;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, server.router.clone()));
    let path = |query: &str| format!("/api/v1/runs/{run}/events?{query}");
    let pages = all_of(async || registry.paging().await).await;
    let mut turns = all_of(async || registry.glancing().await).await;
    let glances = turns.len();
    turns.clear();
    let [second, both] = ["limit=1&since=1", "limit=2"].map(path);
    let [mut second, mut both] = [&second, &both].map(|path| Box::pin(server.get(path)));
    let mut frame = Box::pin(first_frame(address, run, "?since=1"));
    tokio::select! {
        biased;
        answer = &mut second => panic!("the second event has not waited: {}", answer.status),
        answer = &mut both => panic!("both events have not waited: {}", answer.status),
        _ = &mut frame => panic!("the stream has not waited"),
        () = async {
            assert_eq!(server.get(&path("limit=1")).await.status, 200);
            assert!(first_frame(address, run, "").await.contains(r#"{"seq":1,"#));
            // Acquiring all permits for short reads shows that no short read is in progress at this moment. The
            // test repeats this several times.
            for _ in 0..10 {
                for _ in 0..glances {
                    turns.push(registry.glancing().await.expect("a turn"));
                }
                turns.clear();
                yield_now().await;
            }
            assert!(first_frame(address, run, "").await.contains(r#"{"seq":1,"#));
        } => {}
    }
    drop(pages);
    let (second, both, frame) = tokio::join!(second, both, frame);
    assert_eq!((second.status, both.status), (StatusCode::OK, StatusCode::OK));
    assert!(frame.contains(r#"{"type":"events","#), "{}", frame.len());
}

/// Returns the beginning of the first frame of a stream.
async fn first_frame(address: SocketAddr, run: Uuid, query: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!(
        "GET /api/v1/runs/{run}/stream{query} HTTP/1.1\r\nHost: {HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let mut text = String::new();
    while !text.contains(r#"{"type":""#) {
        let mut part = [0; 1024];
        let read = stream.read(&mut part).await.expect("a frame");
        assert_ne!(read, 0, "the stream ended: {text}");
        text.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    text
}

/// Acquires all permits of a kind.
async fn all_of(turn: impl AsyncFn() -> Option<OwnedSemaphorePermit>) -> Vec<OwnedSemaphorePermit> {
    let mut turns = vec![turn().await.expect("a turn")];
    while let Some(turn) = turn().now_or_never() {
        turns.push(turn.expect("a turn"));
    }
    turns
}
