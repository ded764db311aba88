//! Tests of events as JSON pages, as NDJSON and as CSV, with long polling, during a run and after it has ended.

use std::collections::BTreeMap;

use reqwest::{Client, Method, header};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{PATIENCE, PATIENCE_MS, Playground, Run};

async fn finished(playground: &Playground) -> Run<'_> {
    let workload = json!({ "idle": "0", "hold": "0", "entries": 30 });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 4, "workload": workload })).await;
    run.wait(json!("idle")).await;
    run
}

fn seqs(items: &Value) -> Vec<u64> {
    items.as_array().expect("items").iter().map(|event| event["seq"].as_u64().expect("a seq")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_follow_each_other_without_a_gap() {
    let playground = Playground::open();
    let run = finished(&playground).await;
    let (mut since, mut all) = (0, Vec::new());
    loop {
        let page = run.get(&format!("/events?since={since}&limit=700")).await;
        let found = seqs(&page["items"]);
        if found.is_empty() {
            break;
        }
        assert_eq!((page["next_since"].as_u64(), &page["oldest"]), (found.last().copied(), &json!(1)));
        since = page["next_since"].as_u64().expect("a seq");
        all.extend(found);
    }
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    assert_eq!(all, (1..=latest).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn events_have_the_fields_that_scripts_rely_on() {
    let playground = Playground::open();
    let run = finished(&playground).await;
    let sent = &run.events("sent").await[0];
    for field in ["seq", "at_us", "kind", "node", "incarnation", "step", "message", "to", "message_kind", "body"] {
        assert!(sent.get(field).is_some(), "{field} is missing in {sent}");
    }
    assert_eq!(
        sent["body"].as_object().map(|body| body.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["clock".to_owned(), "process".to_owned()])
    );
    let delivered = run.events("delivered").await;
    assert!(delivered.iter().all(|event| event["because"][0]["code"].is_string() || event.get("because").is_none()));
    assert!(delivered.iter().any(|event| event["because"][0]["code"] == "deferred-younger"
        || event["because"][0]["code"] == "deferred-in-section"));
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_choose_by_kind_and_node() {
    let playground = Playground::open();
    let run = finished(&playground).await;
    let page = run.get("/events?kind=entered,%20exited&node=2&limit=10000").await;
    let items = page["items"].as_array().expect("items");
    assert_eq!(items.len(), 60);
    assert!(items.iter().all(|event| event["node"] == 2));
    assert_eq!(page["next_since"], page["latest"], "what was looked at need not be looked at again");
}

#[tokio::test(flavor = "multi_thread")]
async fn ndjson_and_csv_have_all_events() {
    let playground = Playground::open();
    let run = finished(&playground).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    let fetch = |kind: &'static str| {
        let request = Client::new().get(playground.api(&run.path("/events"))).header(header::ACCEPT, kind);
        async move {
            let response = request.send().await.expect("an answer");
            assert!(response.headers()["content-type"].to_str().expect("a type").starts_with(kind));
            response.text().await.expect("the whole answer")
        }
    };
    let ndjson = fetch("application/x-ndjson").await;
    let events: Vec<Value> = ndjson.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(events.len() as u64, latest);
    let csv = fetch("text/csv").await;
    assert!(csv.starts_with("seq,at_us,kind,node,"), "{}", &csv[..80]);
    assert_eq!(csv.lines().count() as u64, latest + 1);
}

/// The CSV has columns for sender, receiver and kind of each message, even of a lost message. It also has a column
/// for the lock that a client requests.
#[tokio::test(flavor = "multi_thread")]
async fn the_columns_say_of_every_message_from_whom_to_whom_and_of_every_request_which() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "locks": 2 })).await;
    let rule = run.post("/network/rules", json!({ "match": { "message_kind": "REPLY" }, "action": "drop" })).await;
    run.acquire(1, json!({ "lock": 1 })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "dropped" } })).await;
    let request = Client::new().get(playground.api(&run.path("/events"))).header(header::ACCEPT, "text/csv");
    let text = request.send().await.expect("an answer").text().await.expect("the whole answer");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(|row| row.expect("a row")).collect();
    let figures = |kind: &str, columns: &[&str]| -> Vec<Vec<String>> {
        let of_kind = rows.iter().filter(|row| row["kind"] == kind);
        of_kind.map(|row| columns.iter().map(|column| row[*column].clone()).collect()).collect()
    };
    assert_eq!(figures("requested", &["node", "lock", "request"]), [["1", "1", "1"]]);
    let ends = ["message", "from", "to", "message_kind"];
    assert_eq!(figures("sent", &ends), [["1.0.1", "1", "0", "REQUEST"], ["0.1.1", "0", "1", "REPLY"]]);
    assert_eq!(figures("delivered", &ends), [["1.0.1", "1", "0", "REQUEST"]]);
    assert_eq!(figures("dropped", &ends), [["0.1.1", "0", "1", "REPLY"]]);
    assert_eq!(figures("dropped", &["rule"]), [[rule["id"].to_string()]]);
    assert_eq!(figures("initialized", &["from", "to", "lock"]), [["", "", ""], ["", "", ""]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_can_wait_for_the_next_event() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "initialized", "node": 0 } })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "initialized", "node": 1 } })).await;
    let latest = run.state().await["seq"].clone();
    let path = format!("/events?since={latest}&kind=entered&wait_ms={PATIENCE_MS}");
    let (page, ()) = tokio::join!(run.get(&path), run.enter(0));
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1), "{page}");
    let path = format!("/events?since={}&kind=entered&wait_ms=30", page["next_since"]);
    assert_eq!(run.get(&path).await["items"], json!([]), "when nothing comes, the page is empty");
}

/// Each request waits for events with numbers up to `until`. The run has already passed this number, so no event
/// can match later, and the server must answer at once. A fuzzer found that such a request was never answered and
/// kept a processor busy.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_come_any_more_is_not_waited_for() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "initialized", "node": 1 } })).await;
    for (asked, next_since) in
        [("until=0&wait_ms=2", 0), ("since=2&until=1&wait_ms=60000", 2), ("kind=entered&until=2&wait_ms=60000", 2)]
    {
        let answer = timeout(PATIENCE / 2, run.get(&format!("/events?{asked}"))).await;
        let page = answer.unwrap_or_else(|_| panic!("{asked} is not answered"));
        assert_eq!((&page["items"], &page["next_since"]), (&json!([]), &json!(next_since)), "{asked}");
    }
}

/// Each format has its own media type. A finished run has the same formats as a run in progress. An unknown format
/// is rejected.
#[tokio::test(flavor = "multi_thread")]
async fn what_happened_can_be_had_in_the_forms_of_other_tools() {
    let playground = Playground::open();
    let run = finished(&playground).await;
    for (form, kind, part) in [
        ("story", "text/plain; charset=utf-8", "because: "),
        ("events", "application/x-ndjson", "{\"seq\":1,"),
        ("shiviz", "text/plain; charset=utf-8", "(?<host>"),
        ("itf", "application/json", "\"format\":\"ITF\""),
        ("perfetto", "application/json", "\"name\":\"in the section of lock 0\""),
        ("svg", "image/svg+xml", "<svg xmlns="),
    ] {
        let url = playground.api(&run.path(&format!("/trace?as={form}")));
        let response = Client::new().get(url).send().await.expect("an answer");
        assert_eq!(response.headers()[header::CONTENT_TYPE], kind);
        let text = response.text().await.expect("text");
        assert!(text.contains(part), "{form}: {text}");
    }
    run.refused(Method::GET, "/trace?as=dot", None, 400).await;
    run.refused(Method::GET, "/trace?as=svg&until=1000000", None, 404).await;
}
