//! Tests of slow readers. The memory for their pending data must be bounded, regardless of the number of readers
//! and the size of the run.

use std::fs;

use futures_util::StreamExt;
use reqwest::{Client, header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::Playground;

const READERS: usize = 20;
/// Number of events in the run. Each event has `LENGTH` bytes, so all events together have 10 MiB.
const EVENTS: usize = 40;
const LENGTH: usize = 256 * 1024;
/// Maximum growth of the playground's memory while all readers are connected, in KiB.
const MOST: u64 = 96 * 1024;

/// Imports a run with large events, and returns its id.
async fn large(playground: &Playground) -> String {
    let small = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let mut lines = small.events("created").await[0].to_string() + "\n";
    for seq in 2..=EVENTS {
        lines +=
            &(json!({ "seq": seq, "at_us": seq, "kind": "noted", "detail": "x".repeat(LENGTH) }).to_string() + "\n");
    }
    let request =
        Client::new().post(playground.api("/runs/import")).header(header::CONTENT_TYPE, "application/x-ndjson");
    let run: Value = request.body(lines).send().await.expect("an answer").json().await.expect("JSON");
    run["id"].as_str().expect("an id").to_owned()
}

/// Returns the resident memory of the playground, in KiB.
fn memory(playground: &Playground) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", playground.pid())).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Requests all events over a new connection, and waits for the first byte of the answer.
async fn asked(playground: &Playground, run: &str, accept: &str) -> TcpStream {
    let address = playground.url.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let path = format!("/api/v1/runs/{run}/events?limit=10000");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    stream.read_u8().await.expect("an answer");
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_who_do_not_read_cost_little_and_who_reads_gets_everything() {
    let playground = Playground::open();
    let run = large(&playground).await;
    let before = memory(&playground);
    let mut idle = Vec::new();
    let mut listening = Vec::new();
    for _ in 0..READERS {
        idle.push(asked(&playground, &run, "application/x-ndjson").await);
        let url = playground.api(&format!("/runs/{run}/stream?since=0")).replace("http://", "ws://");
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a stream");
        socket.next().await.expect("a frame").expect("a frame");
        listening.push(socket);
    }
    let cost = memory(&playground).saturating_sub(before);
    println!("{READERS} idle exports and {READERS} idle streams cost {cost} KiB");
    assert!(cost < MOST, "{READERS} idle readers cost {cost} KiB");
    let mut reader = asked(&playground, &run, "application/x-ndjson").await;
    let (mut part, mut bytes) = (vec![0; 64 * 1024], 0);
    loop {
        let read = reader.read(&mut part).await.expect("it goes on");
        if read == 0 {
            break;
        }
        bytes += read;
    }
    assert!(bytes > (EVENTS - 1) * LENGTH, "only {bytes} bytes came");
    drop((idle, listening));
}

/// Together, the pages of the API must contain all events without a gap. No page may be much larger than 8 MiB.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_large_events_have_a_bound() {
    let playground = Playground::open();
    let run = large(&playground).await;
    let (mut since, mut seqs) = (0, Vec::new());
    while since < EVENTS as u64 {
        let path = playground.api(&format!("/runs/{run}/events?limit=10000&since={since}"));
        let text = reqwest::get(path).await.expect("an answer").text().await.expect("a page");
        assert!(text.len() <= 9 << 20, "a page has {} bytes", text.len());
        let page: Value = serde_json::from_str(&text).expect("JSON");
        seqs.extend(page["items"].as_array().expect("items").iter().map(|event| event["seq"].as_u64().expect("a seq")));
        since = page["next_since"].as_u64().expect("a seq");
    }
    assert_eq!(seqs, (1..=EVENTS as u64).collect::<Vec<_>>());
}
