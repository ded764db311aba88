//! Tests of clients that read slowly or not at all. The total of their pending data must be bounded.

use std::fs;
use std::time::{Duration, Instant};

use reqwest::{Client, header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::{USUAL_S, length};
use crate::support::Playground;

/// Number of events of the large run. Each event is one frame.
const EVENTS: usize = 10;
/// Maximum memory of the playground, in MiB. It covers the budget of 256 MiB, data that is being written, and the
/// program itself.
const MOST_MIB: u64 = 512;
/// Speed of a slow client, in bytes per second.
const PACE: usize = 2 << 10;
/// Total size of the pings that a client sends without ever reading, in bytes.
const PINGS: usize = 64 << 20;
/// Maximum memory for the pongs to a client that never reads, in MiB. It covers the limit for one client, and data that
/// is being written.
const MOST_FOR_PONGS_MIB: u64 = 24;

/// Imports a run whose events have `bytes` bytes each, and returns the id of the run.
async fn large(playground: &Playground, bytes: usize) -> String {
    let small = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let mut lines = small.events("created").await[0].to_string() + "\n";
    let detail = "x".repeat(bytes);
    for seq in 2..=EVENTS + 1 {
        lines += &(json!({ "seq": seq, "at_us": seq, "kind": "noted", "detail": detail }).to_string() + "\n");
    }
    let request =
        Client::new().post(playground.api("/runs/import")).header(header::CONTENT_TYPE, "application/x-ndjson");
    let run: Value = request.body(lines).send().await.expect("an answer").json().await.expect("JSON");
    run["id"].as_str().expect("an id").to_owned()
}

/// Returns the peak memory of the playground, in MiB.
fn peak_mib(playground: &Playground) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", playground.pid())).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

/// Sends a request over a connection with a small receive buffer.
async fn asked(playground: &Playground, path: &str, more: &str) -> TcpStream {
    let address = playground.url.strip_prefix("http://").expect("an address");
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(address.parse().expect("an address")).await.expect("a connection");
    let request = format!("GET /api/v1{path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    stream
}

/// Requests a stream of the run over a connection with a small receive buffer.
async fn listening(playground: &Playground, run: &str) -> TcpStream {
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    asked(playground, &format!("/runs/{run}/stream"), upgrade).await
}

/// Reads at the speed of a slow client until the server closes the connection. Drops `unanswered` when the first
/// bytes have arrived.
async fn read_slowly(mut stream: TcpStream, unanswered: mpsc::Sender<()>) {
    let (mut unanswered, mut part) = (Some(unanswered), [0; PACE]);
    while let Ok(1..) = stream.read(&mut part).await {
        unanswered.take();
        sleep(Duration::from_secs(1)).await;
    }
}

/// Sends pings until all are sent, or until the playground stops reading.
async fn ping(mut stream: TcpStream) {
    let ping = [&[0x89, 0xfd, 0, 0, 0, 0][..], &[b'x'; 125]].concat().repeat(500);
    for _ in 0..PINGS / ping.len() {
        let sent = timeout(Duration::from_secs(2), stream.write_all(&ping)).await;
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pongs_for_a_client_that_reads_nothing_have_a_bound() {
    let playground = Playground::open();
    let quiet = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let stream = listening(&playground, &quiet.id).await;
    // The server reads pings only while it has no event to send, so the client must first have received events.
    stream.readable().await.expect("the first events");
    let before = peak_mib(&playground);
    ping(stream).await;
    let more = peak_mib(&playground) - before;
    assert!(more < MOST_FOR_PONGS_MIB, "{more} MiB");
}

/// The test lasts `INTERLOCK_ENDURANCE_SECONDS` seconds, or the usual time if this variable is not set. A test that is
/// longer than usual has more clients, and its events have six times as many bytes.
#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_together_wait_for_no_more_than_the_budget() {
    let playground = Playground::open();
    let usual = length() <= Duration::from_secs(USUAL_S);
    let ([streams, stories, pages], mib) = if usual { ([30, 10, 70], 1) } else { ([190, 60, 200], 6) };
    let run = large(&playground, mib << 20).await;
    let before = peak_mib(&playground);
    let mut clients = Vec::new();
    let (unanswered, mut answers) = mpsc::channel(1);
    let begun = Instant::now();
    for _ in 0..streams {
        clients.push(tokio::spawn(read_slowly(listening(&playground, &run).await, unanswered.clone())));
    }
    for (number, path) in [(stories, "trace?as=story"), (pages, "events?limit=10000")] {
        for _ in 0..number {
            let stream = asked(&playground, &format!("/runs/{run}/{path}"), "").await;
            clients.push(tokio::spawn(read_slowly(stream, unanswered.clone())));
        }
    }
    drop(unanswered);
    // The amount of pending data is greatest when each client has received the beginning of its answer. This call
    // returns only after that moment.
    assert_eq!(answers.recv().await, None);
    sleep(length().saturating_sub(begun.elapsed())).await;
    clients.iter().for_each(JoinHandle::abort);
    let peak = peak_mib(&playground);
    eprintln!("{streams} streams, {stories} stories, {pages} pages: from {before} to {peak} MiB at most");
    assert!(peak < MOST_MIB, "{peak} MiB");
    // After the slow clients have disconnected, another client must get its answer.
    assert_eq!(playground.get(&format!("/runs/{run}/events?limit=1")).await["items"][0]["seq"], 1);
}
