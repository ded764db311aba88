//! Tests of every fault of a link, one at a time, and of manual actions on messages.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Playground, Run};

async fn by_hand(playground: &Playground, network: Value) -> Run<'_> {
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "seed": 5, "network": network })).await
}

fn count(events: &[Value], key: &str, value: &str) -> usize {
    events.iter().filter(|event| event[key] == value).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_message_leaves_everybody_stuck_and_the_verdict_says_who_waits() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    let rule = json!({ "match": { "to": 0, "message_kind": "REPLY" }, "action": "drop", "count": 1 });
    let rule = run.post("/network/rules", rule).await;
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    let state = run.state().await;
    assert_eq!(state["verdict"]["status"], "stuck", "{state}");
    assert!(state["verdict"]["because"]["sentence"].as_str().is_some_and(|text| text.contains("P0")), "{state}");
    let dropped = run.events("dropped").await;
    assert_eq!((dropped.len(), count(&dropped, "why", "rule")), (1, 1));
    assert_eq!(
        (&dropped[0]["rule"], &dropped[0]["message_kind"], &dropped[0]["to"]),
        (&rule["id"], &json!("REPLY"), &json!(0))
    );
    let violations = run.get("/violations").await;
    assert_eq!(violations["items"][0]["monitor"], "stuck", "{violations}");
}

/// Runs three nodes on lossy links. Returns the names of P0's lost requests.
async fn lost_requests(playground: &Playground) -> Vec<String> {
    let run = by_hand(playground, json!({ "loss": 0.5 })).await;
    for node in 0..3 {
        run.acquire(node, json!({})).await;
    }
    run.wait(json!("stuck")).await;
    let dropped = run.events("dropped").await;
    assert_eq!(count(&dropped, "why", "loss"), dropped.len());
    // On each link, the first message is the request of the link's sender. Later messages depend on time, so only
    // the first messages are returned.
    let names = dropped.iter().map(|event| event["message"].as_str().expect("an id").to_owned());
    let mut requests: Vec<String> = names.filter(|name| name.starts_with("0.") && name.ends_with(".1")).collect();
    requests.sort();
    requests
}

#[tokio::test(flavor = "multi_thread")]
async fn loss_by_chance_is_a_function_of_the_seed() {
    let playground = Playground::open();
    let (first, second) = (lost_requests(&playground).await, lost_requests(&playground).await);
    assert_eq!(first, second);
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicates_are_messages_of_their_own_and_harm_nobody_here() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    run.post("/network/rules", json!({ "match": { "message_kind": "REQUEST" }, "action": "duplicate" })).await;
    run.enter(0).await;
    run.release(0).await;
    run.wait(json!("idle")).await;
    let copies = run.events("duplicated").await;
    assert_eq!((copies.len(), count(&copies, "by", "rule")), (2, 2));
    assert_eq!(run.events("delivered").await.iter().filter(|event| event["message_kind"] == "REQUEST").count(), 4);
    let metrics = run.metrics().await;
    let requests = &metrics["messages_by_kind"]["REQUEST"];
    assert_eq!(requests, 2, "copies made by the network are not messages of the algorithm: {metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partition_cuts_until_it_is_mended() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    let partition = run.post("/network/partitions", json!({ "groups": [[0], [1, 2]] })).await;
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    assert_eq!(count(&run.events("dropped").await, "why", "partition"), 2);
    let path = run.path(&format!("/network/partitions/{}", partition["id"]));
    assert!(playground.request(Method::DELETE, &path, None).await.0.is_success());
    let since = run.state().await["seq"].clone();
    run.acquire(1, json!({})).await;
    run.wait_since(&since, json!({ "event": { "kind": "delivered", "node": 0, "from": 1 } })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_one_way_partition_lets_the_other_way_pass() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    run.post("/network/partitions", json!({ "groups": [[1, 2], [0]], "direction": "forward" })).await;
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    assert_eq!(run.events("delivered").await.len(), 2, "the requests arrive");
    let dropped = run.events("dropped").await;
    assert_eq!(count(&dropped, "why", "partition"), 2, "the replies do not: {dropped:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn delays_are_kept_and_a_slow_link_is_slow_alone() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "delay": "const:5" })).await;
    let path = run.path("/network/links/0/1");
    let (status, answer) = playground.request(Method::PUT, &path, Some(json!({ "delay": "const:60" }))).await;
    assert!(status.is_success(), "{answer}");
    run.enter(0).await;
    let events = run.events("sent,delivered").await;
    let at = |kind: &str, id: &str| {
        let event = events.iter().find(|event| event["kind"] == kind && event["message"] == id).expect("an event");
        event["at_us"].as_u64().expect("a time")
    };
    for (id, delay) in [("0.1.1", 60_000), ("0.2.1", 5_000)] {
        let took = at("delivered", id) - at("sent", id);
        assert!((delay..delay + 50_000).contains(&took), "{id} took {took} µs instead of {delay}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_of_message_is_slow_alone() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "delay": "const:0" })).await;
    let request = async |method: Method, rest: &str, body: Value| {
        let (status, answer) = playground.request(method, &run.path(rest), Some(body)).await;
        assert!(status.is_success(), "{answer}");
        answer
    };
    let slow = json!({ "REPLY": "const:600" });
    let setting = request(Method::PATCH, "/network/default", json!({ "delays": slow })).await;
    assert_eq!(setting["delays"], slow);
    let link = request(Method::PUT, "/network/links/0/1", json!({ "delays": { "REQUEST": "const:300" } })).await;
    assert_eq!(link["delays"]["REQUEST"], "const:300");
    let setup = run.get("/network").await;
    assert_eq!((&setup["default"], &setup["links"]), (&setting, &json!([link])));
    let body = json!({ "delays": { "TOKEN": "const:5" } });
    for (method, rest) in [(Method::PATCH, "/network/default"), (Method::PUT, "/network/links/0/1")] {
        let problem = run.refused(method, rest, Some(body.clone()), 422).await;
        assert_eq!(problem["errors"][0]["pointer"], "/delays/TOKEN", "{problem}");
        assert_eq!(
            problem["errors"][0]["allowed"],
            json!(["REQUEST", "REPLY", "JOIN", "WELCOME", "TELL"]),
            "{problem}"
        );
    }
    run.enter(0).await;
    let sent = run.events("sent").await;
    let mut took: Vec<(&str, u64)> = sent
        .iter()
        .map(|event| {
            let [due, at] = ["due_us", "at_us"].map(|time| event[time].as_u64().expect("a time"));
            (event["message"].as_str().expect("a name"), (due - at) / 300_000 * 300)
        })
        .collect();
    took.sort_unstable();
    assert_eq!(took, [("0.1.1", 300), ("0.2.1", 0), ("1.0.1", 600), ("2.0.1", 600)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn held_messages_wait_for_a_hand() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "hold": true })).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "held" } })).await;
    assert_eq!(run.verdict().await, "waiting-for-you");
    run.deliver("REQUEST 0→1").await;
    run.deliver("REPLY 1→0").await;
    let held = run.held().await;
    let (_, request) = held.iter().find(|(name, _)| name == "REQUEST 0→2").expect("the other request");
    let copy = run.post(&format!("/network/messages/{request}/duplicate"), json!({})).await;
    assert_eq!(copy["message"], format!("{request}.1"), "{copy}");
    run.post(&format!("/network/messages/{request}/drop"), json!({})).await;
    assert_eq!(run.state().await["messages"]["held"], 1);
    run.deliver("REQUEST 0→2").await;
    run.deliver("REPLY 2→0").await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.refused(Method::POST, &format!("/network/messages/{request}/deliver"), Some(json!({})), 404).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_on_its_way_can_be_held_once() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "delay": "const:600000" })).await;
    run.acquire(0, json!({})).await;
    let held = run.post("/network/messages/0.1.1/hold", json!({})).await;
    assert_eq!(held["message"], "0.1.1", "{held}");
    assert_eq!(run.state().await["messages"]["held"], 1);
    run.refused(Method::POST, "/network/messages/0.1.1/hold", Some(json!({})), 409).await;
    run.refused(Method::POST, "/network/messages/0.1.9/hold", Some(json!({})), 404).await;
    run.deliver("REQUEST 0→1").await;
    assert_eq!(run.state().await["messages"]["held"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_on_its_way_can_be_delivered_early() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "delay": "const:600000" })).await;
    run.acquire(0, json!({})).await;
    let waiting = run.get("/network/messages?status=on-the-way").await;
    assert_eq!(waiting["items"].as_array().map(Vec::len), Some(2), "{waiting}");
    let since = run.state().await["seq"].clone();
    run.post("/network/messages/0.1.1/deliver", json!({})).await;
    run.wait_since(&since, json!({ "event": { "kind": "sent", "node": 1 } })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn healing_takes_all_faults_away_and_sets_the_held_free() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({ "hold": true, "delay": "const:1" })).await;
    run.post("/network/rules", json!({ "action": "drop", "skip": 100 })).await;
    run.post("/network/partitions", json!({ "groups": [[1], [2]] })).await;
    run.acquire(0, json!({})).await;
    run.post("/nodes/1/pause", json!({})).await;
    run.post("/heal", json!({})).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    let network = run.get("/network").await;
    assert_eq!((&network["rules"], &network["partitions"], &network["links"]), (&json!([]), &json!([]), &json!([])));
    assert_eq!((&network["default"]["hold"], &network["default"]["delay"]), (&json!(false), &json!("const:1")));
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_the_network_are_events() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    let path = run.path("/network/default");
    let (status, answer) = playground.request(Method::PATCH, &path, Some(json!({ "loss": 0.25 }))).await;
    assert!(status.is_success() && answer["loss"] == 0.25, "{answer}");
    let change = &run.events("configured").await[0]["change"];
    assert_eq!((&change["subject"], &change["value"]["loss"]), (&json!("default"), &json!(0.25)));
}

/// If a rule with a time limit is removed manually, nothing else may happen when the time limit is reached.
#[tokio::test(flavor = "multi_thread")]
async fn a_rule_lasts_for_its_time_and_not_longer() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    let replies =
        |action: &str, lasts: Value| json!({ "match": { "message_kind": "REPLY" }, "action": action, "for": lasts });
    let short = run.post("/network/rules", replies("delay:2", json!("300ms"))).await;
    let removed = run.post("/network/rules", replies("hold", json!(100))).await;
    let path = run.path(&format!("/network/rules/{}", removed["id"]));
    assert_eq!(playground.request(Method::DELETE, &path, None).await.0, 204);
    let lasting = run.post("/network/rules", replies("delay:1", Value::Null)).await;
    let slowed_by = async || run.events("sent").await.last().expect("a reply")["rule"].clone();
    run.enter(0).await;
    assert_eq!(slowed_by().await, short["id"]);
    let until = json!({ "event": { "kind": "configured" } });
    let changes = async || run.events("configured").await;
    while changes().await.len() < 5 {
        let latest = changes().await.last().expect("a change")["seq"].clone();
        run.wait_since(&latest, until.clone()).await;
    }
    let changes = changes().await;
    assert_eq!(
        (&changes[4]["change"]["id"], &changes[4]["change"]["value"]),
        (&json!(short["id"].to_string()), &Value::Null)
    );
    let since = changes[4]["at_us"].as_u64().expect("a time") - changes[0]["at_us"].as_u64().expect("a time");
    assert!(since >= 300_000, "{since}");
    run.release(0).await;
    run.enter(1).await;
    assert_eq!(slowed_by().await, lasting["id"]);
    assert_eq!(run.get("/network/rules").await["items"], json!([lasting]));
    run.refused(Method::POST, "/network/rules", Some(replies("drop", json!("2h"))), 422).await;
}

/// At its time limit, a partition that drops messages releases no messages. It must therefore not prevent the
/// verdict that the run is stuck.
#[tokio::test(flavor = "multi_thread")]
async fn a_partition_with_an_end_does_not_hide_that_a_run_is_stuck() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    run.post("/network/rules", json!({ "match": { "message_kind": "REPLY" }, "action": "drop" })).await;
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    run.post("/network/partitions", json!({ "groups": "0|others", "lost": "hold", "for": "60m" })).await;
    assert_eq!(run.verdict().await, "stuck");
    let shown = run.state().await["verdict"]["phenomenon"].clone();
    assert_eq!((&shown["name"], &shown["nodes"][0]), (&json!("message-lost"), &json!(0)));
}

/// At the time limit of a partition, the messages that the partition held are delivered. Until then, the run must
/// not be stuck or need a manual action.
#[tokio::test(flavor = "multi_thread")]
async fn a_partition_with_an_end_mends_itself() {
    let playground = Playground::open();
    let run = by_hand(&playground, json!({})).await;
    let groups = |lasts: Value| json!({ "groups": "0|others", "lost": "hold", "for": lasts });
    let held = json!({ "event": { "kind": "held", "message_kind": "REQUEST", "to": 2 } });
    let long = run.post("/network/partitions", groups(json!("60m"))).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&json!(0), held.clone()).await;
    assert_ne!(run.verdict().await, "waiting-for-you");
    let path = run.path(&format!("/network/partitions/{}", long["id"]));
    assert_eq!(playground.request(Method::DELETE, &path, None).await.0, 204);
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.release(0).await;
    let since = run.state().await["seq"].clone();
    let lasting = run.post("/network/partitions", groups(Value::Null)).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&since, held).await;
    assert_eq!(run.verdict().await, "waiting-for-you");
    let path = run.path(&format!("/network/partitions/{}", lasting["id"]));
    assert_eq!(playground.request(Method::DELETE, &path, None).await.0, 204);
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.release(0).await;
    run.post("/network/partitions", groups(json!("100ms"))).await;
    run.enter(0).await;
    assert_eq!(run.get("/network/partitions").await["items"], json!([]));
}
