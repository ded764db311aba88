//! Tests of the live stream. From any start, the stream must contain every event once and in order. It must report
//! missed events, and end with the run.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::history::{changed, shown};
use crate::support::{Playground, Run};

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// Minimum time between a frame with many events and the next frame.
const GATHERED: Duration = Duration::from_millis(40);

async fn listen(run: &Run<'_>, since: u64) -> Socket {
    listen_to(run, &format!("since={since}")).await
}

async fn listen_to(run: &Run<'_>, query: &str) -> Socket {
    let url = run.playground.api(&run.path(&format!("/stream?{query}"))).replace("http://", "ws://");
    tokio_tungstenite::connect_async(url).await.expect("a stream").0
}

/// Reads a stream until the server closes it. Returns the frames, and the code with which the server closed the
/// stream.
async fn to_the_end(mut socket: Socket) -> (Vec<Value>, Option<CloseCode>) {
    let mut frames = Vec::new();
    while let Some(message) = socket.next().await {
        match message.expect("a frame") {
            Message::Text(text) => frames.push(serde_json::from_str(&text).expect("JSON")),
            Message::Close(frame) => return (frames, frame.map(|frame| frame.code)),
            _ => {}
        }
    }
    (frames, None)
}

fn seqs(frames: &[Value]) -> Vec<u64> {
    let events = frames.iter().filter(|frame| frame["type"] == "events");
    let items = events.flat_map(|frame| frame["items"].as_array().expect("items"));
    items.map(|event| event["seq"].as_u64().expect("a seq")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_hears_everything_from_where_it_wants_until_the_end() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0", "entries": 20 });
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 3, "workload": workload })).await;
    let from_the_start = tokio::spawn(to_the_end(listen(&run, 0).await));
    run.wait(json!("idle")).await;
    let from_the_middle = tokio::spawn(to_the_end(listen(&run, 100).await));
    run.post("/stop", json!({})).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    for (listener, first) in [(from_the_start, 1), (from_the_middle, 101)] {
        let (frames, code) = listener.await.expect("the frames");
        assert_eq!(seqs(&frames), (first..=latest).collect::<Vec<_>>());
        assert_eq!(code, Some(CloseCode::Normal));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_too_far_behind_is_told_what_was_missed() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0", "entries": 300 });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": workload })).await;
    run.wait(json!("idle")).await;
    run.post("/stop", json!({})).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    assert!(latest > 21_000, "{latest} events are too few for this test");
    let (frames, _) = to_the_end(listen(&run, 0).await).await;
    assert_eq!((&frames[0]["type"], &frames[0]["from"]), (&json!("missed"), &json!(1)));
    let next = frames[0]["to"].as_u64().expect("a seq") + 1;
    assert_eq!(seqs(&frames), (next..=latest).collect::<Vec<_>>());
}

/// Returns the state after the last frame: the state of the first frame with all changes applied.
fn told(frames: &[Value]) -> Value {
    let mut state = Value::Null;
    for frame in frames {
        match frame["type"].as_str() {
            Some("state") => state = frame["state"].clone(),
            Some("events") => {
                frame["changes"].as_array().expect("changes").iter().for_each(|one| changed(&mut state, one));
            }
            _ => {}
        }
    }
    state
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_the_state_is_told_what_changes_in_it() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0", "entries": 100 });
    let run = playground.run(json!({ "algorithm": "suzuki-kasami", "nodes": 4, "workload": workload })).await;
    let from_the_start = tokio::spawn(to_the_end(listen_to(&run, "states=true").await));
    run.wait(json!("idle")).await;
    let from_the_middle = tokio::spawn(to_the_end(listen_to(&run, "since=100&states=true").await));
    run.post("/stop", json!({})).await;
    let state = run.state().await;
    for (listener, since) in [(from_the_start, 0), (from_the_middle, 100)] {
        let (frames, code) = listener.await.expect("the frames");
        assert_eq!(code, Some(CloseCode::Normal));
        assert_eq!((&frames[0]["type"], &frames[0]["state"]["seq"]), (&json!("state"), &json!(since)));
        assert_eq!(seqs(&frames).len() as u64, state["seq"].as_u64().expect("a seq") - since);
        assert_eq!(shown(told(&frames)), state);
    }
}

/// The server computes each frame once for all clients, even if their streams began at different events. Each
/// client still receives every event once, and changes that lead to the run's state.
#[tokio::test(flavor = "multi_thread")]
async fn many_clients_are_told_the_same_wherever_they_began() {
    let playground = Playground::open();
    let workload = json!({ "idle": "1ms", "hold": "1ms" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": workload })).await;
    let mut listeners = Vec::new();
    for client in 0..12_u64 {
        let latest = run.state().await["seq"].as_u64().expect("a seq");
        // Some streams begin at the latest event, some shortly before it, and some long before it.
        let since = latest.saturating_sub([0, 3, 500][usize::try_from(client % 3).expect("a number")]);
        let socket = listen_to(&run, &format!("since={since}&states=true")).await;
        listeners.push((since, tokio::spawn(to_the_end(socket))));
        run.wait(json!({ "entries": 30 })).await;
    }
    run.post("/stop", json!({})).await;
    let state = run.state().await;
    let latest = state["seq"].as_u64().expect("a seq");
    let mut whole = 0;
    for (since, listener) in listeners {
        let (frames, code) = listener.await.expect("the frames");
        assert_eq!(code, Some(CloseCode::Normal));
        assert_eq!((&frames[0]["type"], &frames[0]["state"]["seq"]), (&json!("state"), &json!(since)));
        whole += u64::from(seqs(&frames) == (since + 1..=latest).collect::<Vec<_>>());
        assert_eq!(shown(told(&frames)), state, "since {since}");
    }
    assert_eq!(whole, 12, "each has every event once");
}

/// The changes of the state are computed, sent and applied once for each frame. After a frame with many events,
/// the stream must therefore collect further events for some time before it sends the next frame.
#[tokio::test(flavor = "multi_thread")]
async fn many_events_are_gathered_for_who_wants_the_state() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0", "entries": 10 });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 4, "workload": workload })).await;
    run.wait(json!("idle")).await;
    for what in ["pause", "resume", "pause", "resume"] {
        let latest = run.state().await["seq"].as_u64().expect("a seq");
        let since = latest.checked_sub(150).expect("enough events for this test");
        let begin = Instant::now();
        let mut socket = listen_to(&run, &format!("since={since}&states=true")).await;
        until(&mut socket, latest).await;
        run.post(&format!("/nodes/0/{what}"), json!({})).await;
        until(&mut socket, latest + 1).await;
        let elapsed = begin.elapsed();
        assert!(elapsed >= GATHERED, "{elapsed:?}");
    }
}

/// Reads frames until event `seq` has been received.
async fn until(socket: &mut Socket, seq: u64) {
    loop {
        let message = socket.next().await.expect("a frame").expect("a frame");
        let frame: Value = serde_json::from_str(message.to_text().expect("text")).expect("JSON");
        if seqs(&[frame]).contains(&seq) {
            return;
        }
    }
}

/// No event reports that a process has waited for a long time. The verdict must change nevertheless, because time
/// has passed.
#[tokio::test(flavor = "multi_thread")]
async fn time_alone_changes_the_verdict() {
    let playground = Playground::open();
    let slow =
        json!({ "algorithm": "centralised", "nodes": 3, "network": { "delay": "const:10m" }, "slow_after_ms": 100 });
    let run = playground.run(slow).await;
    let mut socket = listen_to(&run, "states=true").await;
    run.acquire(1, json!({})).await;
    let mut frames: Vec<Value> = Vec::new();
    let is_of_time = |frame: &&Value| frame["items"] == json!([]);
    while frames.iter().filter(is_of_time).count() < 3 {
        let message = socket.next().await.expect("a frame").expect("a frame");
        frames.push(serde_json::from_str(message.to_text().expect("text")).expect("JSON"));
    }
    let state = told(&frames);
    assert_eq!(state["verdict"]["status"], "slow", "{state}");
    assert_eq!(state["seq"], run.state().await["seq"]);
    let times = frames.iter().filter(is_of_time).map(|frame| frame["changes"][0]["at_us"].as_u64().expect("a time"));
    let times: Vec<u64> = times.collect();
    assert!(times.is_sorted_by(|one, next| one + 900_000 <= *next), "once a second is enough: {times:?}");
}
