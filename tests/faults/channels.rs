//! Tests of channels above the links, with live processes.

use serde_json::{Value, json};

use crate::support::{Playground, Run};

/// Creates a run of Ricart and Agrawala's algorithm with three processes. The clients request only when the test
/// commands it.
async fn three<'a>(playground: &'a Playground, channel: &str) -> Run<'a> {
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "seed": 5, "channel": channel })).await
}

fn names<'a>(events: &'a [Value], kind: &str) -> Vec<&'a str> {
    let these = events.iter().filter(|event| event["message_kind"] == kind);
    these.filter_map(|event| event["message"].as_str()).collect()
}

/// One message is lost, and one is duplicated. The channel retransmits the lost message under the name of a copy.
/// Each receiver accepts each message once.
#[tokio::test(flavor = "multi_thread")]
async fn over_a_reliable_channel_what_is_lost_is_sent_again_and_what_is_doubled_is_taken_once() {
    let playground = Playground::open();
    let run = three(&playground, "reliable").await;
    let lose = json!({ "match": { "from": 0, "to": 1, "message_kind": "REQUEST" }, "action": "drop", "count": 1 });
    let double =
        json!({ "match": { "from": 0, "to": 2, "message_kind": "REQUEST" }, "action": "duplicate", "count": 1 });
    run.post("/network/rules", lose).await;
    run.post("/network/rules", double).await;
    run.enter(0).await;
    run.release(0).await;
    run.wait(json!("idle")).await;
    assert_eq!(names(&run.events("dropped").await, "REQUEST"), ["0.1.1"]);
    let sent = run.events("sent").await;
    assert!(names(&sent, "REQUEST").contains(&"0.1.1.1"), "{sent:?}");
    let mut taken: Vec<Value> = run.events("taken").await;
    taken.sort_by_key(|event| event["node"].as_u64());
    let by: Vec<_> = taken.iter().map(|event| (event["message_kind"].as_str(), event["node"].as_u64())).collect();
    let [reply, request] = ["REPLY", "REQUEST"].map(Some);
    assert_eq!(by, [(reply, Some(0)), (reply, Some(0)), (request, Some(1)), (request, Some(2))]);
    let metrics = run.metrics().await;
    assert_eq!((&metrics["messages"], &metrics["violations"]), (&json!(4), &json!(0)), "{metrics}");
    assert!(metrics["channel"]["retransmissions"].as_u64() >= Some(1), "{metrics}");
    assert!(metrics["channel"]["kept_back"].as_u64() >= Some(1), "the copy came and was not taken: {metrics}");
}

/// A partition drops all messages until it heals. The run must nevertheless not be stuck or need a manual action,
/// because the channel retransmits the messages after the partition has healed.
#[tokio::test(flavor = "multi_thread")]
async fn a_reliable_channel_gets_through_once_a_partition_is_mended() {
    let playground = Playground::open();
    let run = three(&playground, "reliable").await;
    let partition = run.post("/network/partitions", json!({ "groups": [[0], [1, 2]] })).await;
    run.acquire(0, json!({})).await;
    run.wait(json!({ "event": { "kind": "dropped", "message": "0.1.1.2" } })).await;
    assert_eq!(run.verdict().await, "ok", "something still moves");
    let path = run.path(&format!("/network/partitions/{}", partition["id"]));
    playground.request(reqwest::Method::DELETE, &path, None).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
}

/// Retransmissions to a crashed process have no effect. A process that waits for an answer of the crashed process
/// is stuck, and this is reported once.
#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_the_dead_is_stuck_though_its_channel_goes_on() {
    let playground = Playground::open();
    let run = three(&playground, "reliable").await;
    run.post("/nodes/2/crash", json!({})).await;
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    for _ in 0..2 {
        let since = &run.state().await["seq"];
        run.get(&format!("/events?kind=dropped&since={since}&wait_ms=60000")).await;
    }
    assert_eq!(run.get("/violations").await["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(run.verdict().await, "stuck");
}

/// As in the paper, acceptors store their promises. A restarted acceptor must receive the messages that were sent
/// to its earlier incarnation.
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_hears_over_a_reliable_channel_what_its_earlier_life_has_missed() {
    let playground = Playground::open();
    let parameters = json!({ "proposers": "none" });
    let document = json!({ "algorithm": "paxos", "nodes": 3, "channel": "reliable", "parameters": parameters });
    let run = playground.run(document).await;
    for node in [1, 2] {
        run.post(&format!("/nodes/{node}/crash"), json!({})).await;
    }
    run.post("/nodes/0/propose", json!({ "value": "a" })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "dropped", "to": 1 } })).await;
    run.post("/nodes/1/restart", json!({ "state": "stored" })).await;
    run.wait(json!({ "decided": { "value": "a" } })).await;
    let taken = run.events("taken").await;
    assert!(taken.iter().any(|event| (&event["node"], &event["incarnation"]) == (&json!(1), &json!(2))), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fifo_channel_puts_in_order_what_comes_in_another() {
    let playground = Playground::open();
    let document = json!({
        "algorithm": "lamport", "nodes": 2, "channel": "fifo", "network": { "hold": true }, "variant": "explicit-ack",
    });
    let run = playground.run(document).await;
    run.acquire(0, json!({ "wait_ms": 0 })).await;
    run.acquire(1, json!({ "wait_ms": 0 })).await;
    run.deliver("REQUEST 1→0").await;
    // P0 has acknowledged the request of P1. On a FIFO channel, P1 must receive P0's own request before this
    // acknowledgement. P0's request is still held, so P1 cannot enter yet.
    run.deliver("ACK 0→1").await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "message": "0.1.2" } })).await;
    assert!(!names(&run.events("taken").await, "ACK").contains(&"0.1.2"), "its turn has not come");
    run.deliver("REQUEST 0→1").await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "taken", "message": "0.1.2" } })).await;
    let taken = run.events("taken").await;
    let to_p1: Vec<_> = taken.iter().filter(|event| event["node"] == 1).map(|event| &event["message"]).collect();
    assert_eq!(to_p1, ["0.1.1", "0.1.2"]);
}
