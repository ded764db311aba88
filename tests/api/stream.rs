//! The live stream: every event once and in order, from any point; what was missed is told; the end is the end.

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::support::{Playground, Run};

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn listen(run: &Run<'_>, since: u64) -> Socket {
    let url = run.playground.api(&run.path(&format!("/stream?since={since}"))).replace("http://", "ws://");
    tokio_tungstenite::connect_async(url).await.expect("a stream").0
}

/// The frames until the server closes the stream, and with which code it does.
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
