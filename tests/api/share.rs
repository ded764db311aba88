//! Tests of the limit for one client: at most 8 MiB of data may be pending for it. Data beyond this limit is sent
//! in parts or reported as missed, or the server ends the stream with a reason.

use futures_util::StreamExt;
use reqwest::{Client, header};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::support::Playground;

/// Maximum size of an event of a stream, in bytes.
const LARGEST: usize = (8 << 20) - 1024 - (512 << 10);

/// Imports a run whose first event is followed by notes. `lengths` has the length of each note, in bytes.
async fn with_events(playground: &Playground, lengths: &[usize]) -> String {
    let small = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let created = small.events("created").await[0].to_string();
    let lines = (2..).zip(lengths).map(|(seq, length)| {
        let event = |detail: String| json!({ "seq": seq, "at_us": 0, "kind": "noted", "detail": detail }).to_string();
        event("x".repeat(length - event(String::new()).len()))
    });
    let lines: Vec<String> = [created].into_iter().chain(lines).collect();
    load(playground, lines.join("\n")).await
}

async fn load(playground: &Playground, lines: String) -> String {
    let request =
        Client::new().post(playground.api("/runs/import")).header(header::CONTENT_TYPE, "application/x-ndjson");
    let run: Value = request.body(lines).send().await.expect("an answer").json().await.expect("JSON");
    run["id"].as_str().unwrap_or_else(|| panic!("{run}")).to_owned()
}

/// Reads a stream to its end. Returns each frame as its type and the numbers of its events. Also returns the code
/// and the reason with which the server closes the stream.
async fn said(playground: &Playground, run: &str, query: &str) -> (Vec<(String, Vec<u64>)>, u16, String) {
    let url = playground.api(&format!("/runs/{run}/stream{query}")).replace("http://", "ws://");
    let mut config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default();
    (config.max_message_size, config.max_frame_size) = (None, None);
    let (mut socket, _) =
        tokio_tungstenite::connect_async_with_config(url, Some(config), false).await.expect("a stream");
    let mut frames = Vec::new();
    while let Some(message) = socket.next().await {
        match message.expect("a frame") {
            Message::Text(text) => {
                let frame: Value = serde_json::from_str(&text).expect("JSON");
                let seqs = match frame["type"].as_str() {
                    Some("missed") => vec![frame["from"].clone(), frame["to"].clone()],
                    Some("events") => {
                        frame["items"].as_array().expect("items").iter().map(|e| e["seq"].clone()).collect()
                    }
                    _ => Vec::new(),
                };
                let seqs = seqs.iter().map(|seq| seq.as_u64().expect("a seq")).collect();
                frames.push((frame["type"].as_str().expect("a type").to_owned(), seqs));
            }
            Message::Close(Some(frame)) => return (frames, frame.code.into(), frame.reason.to_string()),
            _ => {}
        }
    }
    panic!("no end after {frames:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_event_is_streamed_and_a_larger_one_is_missed() {
    let playground = Playground::open();
    let run = with_events(&playground, &[LARGEST, LARGEST + 1, 100]).await;
    let frame = |kind: &str, seqs: &[u64]| (kind.to_owned(), seqs.to_vec());
    let (frames, code, _) = said(&playground, &run, "").await;
    let expected = [frame("events", &[1]), frame("events", &[2]), frame("missed", &[3, 3]), frame("events", &[4])];
    assert_eq!((frames.as_slice(), code), (&expected[..], 1000));
    let (frames, code, _) = said(&playground, &run, "?since=1&states=true").await;
    let state = || frame("state", &[]);
    let expected = [state(), frame("events", &[2]), frame("missed", &[3, 3]), state(), frame("events", &[4])];
    assert_eq!((frames.as_slice(), code), (&expected[..], 1000));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_is_larger_than_a_share_ends_the_stream_with_a_reason() {
    let playground = Playground::open();
    let small = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let created = small.events("created").await[0].to_string();
    for (mib, code, reason) in [(7, 1000, "the run has ended"), (9, 1009, "a frame is larger than 8 MiB")] {
        let view = json!({ "clock": 0, "variables": { "text": "x".repeat(mib << 20) } });
        let event = json!({ "seq": 2, "at_us": 0, "kind": "initialized", "node": 0, "incarnation": 1, "step": 1, "view": view });
        let run = load(&playground, format!("{created}\n{event}")).await;
        let (frames, found, why) = said(&playground, &run, "?since=2&states=true").await;
        assert_eq!((frames.len(), found, why.as_str()), (usize::from(mib < 8), code, reason));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_are_larger_than_a_share_come_whole() {
    let playground = Playground::open();
    let run = with_events(&playground, &[12 << 20, 5 << 20]).await;
    let get = async |path: &str| {
        let url = playground.api(&format!("/runs/{run}/{path}"));
        let answer = Client::builder().no_proxy().build().expect("a client").get(url).send().await.expect("an answer");
        (answer.content_length().is_some(), answer.text().await.expect("the whole answer"))
    };
    let (has_length, page) = get("events?since=1&limit=10").await;
    let page: Value = serde_json::from_str(&page).expect("JSON");
    assert_eq!((has_length, page["items"].as_array().map(Vec::len), &page["next_since"]), (false, Some(1), &json!(2)));
    let (has_length, page) = get("events?since=2&limit=10").await;
    assert!(has_length && page.len() > 5 << 20, "{}", page.len());
    let (has_length, trace) = get("trace?as=events").await;
    assert!(!has_length && trace.lines().count() == 3 && trace.len() > 17 << 20, "{}", trace.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_that_is_larger_than_a_share_comes_whole() {
    let playground = Playground::open();
    for (notes, is_larger) in [(4_000, false), (9_000, true)] {
        let run = with_events(&playground, &vec![1_040; notes]).await;
        let url = playground.api(&format!("/runs/{run}/schedule"));
        let answer = Client::builder().no_proxy().build().expect("a client").get(url).send().await.expect("an answer");
        let (has_length, schedule) = (answer.content_length().is_some(), answer.text().await.expect("a schedule"));
        let choices = serde_json::from_str::<Value>(&schedule).expect("JSON")["choices"].as_array().map(Vec::len);
        assert_eq!((has_length, schedule.len() > 8 << 20, choices), (!is_larger, is_larger, Some(notes)));
    }
}
