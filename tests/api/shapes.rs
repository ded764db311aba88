//! Tests of the shapes on which scripts rely. The shapes are frozen: fields may be added, and every other change
//! needs a record in `docs/decisions/`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Playground;

/// Returns the names of the fields of an object, in alphabetical order.
fn fields(value: &Value) -> Vec<&str> {
    let mut fields: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

/// Panics if `value` lacks a field that `expected` contains.
fn has(value: &Value, expected: &[&str]) {
    for field in expected {
        assert!(value.get(field).is_some(), "{field} is missing in {value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_algorithm_is_required_and_the_rest_has_defaults_that_are_shown() {
    let playground = Playground::open();
    let (status, run) = playground.request(Method::POST, "/runs", Some(json!({ "algorithm": "lamport" }))).await;
    assert_eq!(status, 201);
    let shown = [
        "because",
        "created_at",
        "entries",
        "events",
        "id",
        "journal",
        "name",
        "origin",
        "specification",
        "status",
        "verdict",
    ];
    assert_eq!(fields(&run), shown);
    let specification = &run["specification"];
    let defaults = json!({
        "version": 1, "name": "Lamport", "algorithm": "lamport", "variant": "any-later-message",
        "parameters": { "release": "sender" },
        "nodes": 5, "locks": 1, "channel": "raw", "links": [], "workload": null, "timers": true, "slow_after_ms": 2000,
        "network": { "delay": "const:0", "fifo": true, "loss": 0.0, "duplicate": 0.0, "hold": false },
    });
    for (field, value) in defaults.as_object().expect("an object") {
        assert_eq!(&specification[field], value, "{field}");
    }
    assert!(specification["seed"].as_u64().is_some_and(|seed| seed < 1 << 53), "{specification}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_document_is_taken_and_comes_back_as_it_was() {
    let playground = Playground::open();
    let document = json!({
        "version": 1, "name": "lecture 7", "algorithm": "ricart-agrawala", "variant": "lamport-clock",
        "parameters": {}, "nodes": 5, "locks": 1, "seed": 42, "channel": "raw",
        "network": { "delay": "const:5", "fifo": true, "loss": 0.0, "duplicate": 0.0, "hold": false },
        "links": [{ "from": 0, "to": 3, "delay": "uniform:1..20", "loss": 0.2 }],
        "workload": { "idle": "exp:200", "hold": "const:50", "entries": null, "nodes": "all" },
        "timers": true, "slow_after_ms": 500,
    });
    let run = playground.run(document.clone()).await;
    assert_eq!(run.get("").await["specification"], document);
    let runs = playground.get("/runs").await;
    assert_eq!(fields(&runs), ["items", "next"]);
    assert_eq!((&runs["items"][0]["id"], &runs["next"]), (&json!(run.id), &Value::Null));
    let (status, _) = playground.request(Method::DELETE, &run.path(""), None).await;
    assert_eq!(status, 204);
    playground.refused(Method::GET, &run.path(""), None, 404).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_tells_locks_nodes_messages_and_the_verdict() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.enter(0).await;
    run.acquire(1, json!({})).await;
    run.wait_since(
        &json!(0),
        json!({ "event": { "kind": "delivered", "node": 0, "from": 1, "message_kind": "REQUEST" } }),
    )
    .await;
    let state = run.state().await;
    assert_eq!(fields(&state), ["at_us", "locks", "messages", "nodes", "run", "seq", "verdict"]);
    let lock = &state["locks"][0];
    assert_eq!(fields(lock), ["entries", "holders", "lock", "waiting"]);
    assert_eq!((&lock["holders"], &lock["entries"]), (&json!([0]), &json!(1)));
    assert_eq!(fields(&lock["waiting"][0]), ["node", "request", "since_us"]);
    let node = ["holds", "incarnation", "node", "phase", "pid", "process", "view", "wants"];
    assert_eq!(fields(&state["nodes"][1]), node);
    let phases: Vec<_> = state["nodes"].as_array().expect("nodes").iter().map(|node| &node["phase"]).collect();
    assert_eq!(phases, ["in-section", "wanting"]);
    assert_eq!(fields(&state["messages"]), ["held", "in_flight"]);
    assert_eq!(fields(&state["verdict"]), ["because", "status", "violations"]);
    assert_eq!(state["nodes"][1]["view"]["waits_for"], json!([0]), "{state}");

    let before = run.get("/state?at=1").await;
    assert_eq!((&before["seq"], &before["nodes"][0]["process"]), (&json!(1), &json!("starting")));
    assert_eq!((&before["locks"][0]["holders"], &before["locks"][0]["entries"]), (&json!([]), &json!(0)));
    let latest = state["seq"].as_u64().expect("a seq");
    run.refused(Method::GET, &format!("/state?at={}", latest + 1_000), None, 404).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_answer_with_the_request_and_whether_it_was_granted() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    let (status, answer) = playground.request(Method::POST, &run.path("/nodes/0/acquire"), Some(json!({}))).await;
    assert_eq!((status.as_u16(), fields(&answer)), (202, vec!["entered", "node", "request", "seq"]));
    run.wait(json!({ "entered": { "node": 0 } })).await;
    let body = json!({ "lock": 0, "hold": null, "wait_ms": 50 });
    let (status, answer) = playground.request(Method::POST, &run.path("/nodes/1/acquire"), Some(body)).await;
    assert_eq!((status.as_u16(), &answer["entered"]), (200, &json!(false)), "{answer}");
    for (verb, body) in [("pause", json!({ "for_ms": null })), ("resume", json!({})), ("crash", json!({}))] {
        assert_eq!(fields(&run.post(&format!("/nodes/1/{verb}"), body).await), ["node", "seq"], "{verb}");
    }
    run.post("/nodes/1/restart", json!({ "state": "none" })).await;
    let late = run.refused(Method::POST, "/wait", Some(json!({ "until": "stuck", "timeout_ms": 1 })), 408).await;
    assert_eq!(fields(&late), ["detail", "status", "title", "type", "verdict"]);
    let begun = run.post("/wait", json!({ "until": { "event": { "kind": "started" } }, "since": 0 })).await;
    assert_eq!(fields(&begun), ["event", "met", "seq"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_network_and_the_metrics_have_their_fields() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    assert_eq!(fields(&run.get("/network").await), ["default", "links", "partitions", "rules"]);
    let partition = run.post("/network/partitions", json!({ "groups": [[0, 1], [2]], "direction": "both" })).await;
    assert_eq!(fields(&partition), ["direction", "groups", "id", "lost"]);
    let rule = json!({ "match": { "from": 2, "to": 0, "message_kind": "REPLY" }, "action": "delay:50", "skip": 2, "count": 1 });
    let answer = run.post("/network/rules", rule).await;
    assert_eq!(fields(&answer), ["action", "count", "id", "match", "skip"]);
    let (status, _) =
        playground.request(Method::DELETE, &run.path(&format!("/network/rules/{}", answer["id"])), None).await;
    assert_eq!(status, 204);
    let metrics = run.metrics().await;
    let expected = [
        "entries",
        "messages",
        "messages_per_entry",
        "messages_by_kind",
        "client_delay",
        "synchronisation_delay",
        "response_time",
        "throughput",
        "fairness",
        "bypass_max",
        "bypass_from_request_max",
        "order_inversions",
        "timestamp_inversions",
        "real_time_inversions",
        "entries_between",
        "longest_gap",
        "aborts",
        "elections",
        "decisions",
        "handled_per_node",
        "violations",
        "stuck",
    ];
    has(&metrics, &expected);
    has(&metrics["client_delay"], &["mean", "p50", "p99", "max"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_tells_sources_assumptions_and_variants() {
    let playground = Playground::open();
    let algorithms = playground.get("/algorithms").await;
    for entry in algorithms["items"].as_array().expect("items") {
        has(
            entry,
            &[
                "name",
                "title",
                "family",
                "source",
                "summary",
                "variants",
                "assumes",
                "structure",
                "sentences",
                "message_kinds",
                "parameters",
            ],
        );
        has(&entry["source"], &["authors", "title", "year"]);
    }
    let entry = playground.get("/algorithms/ricart-agrawala").await;
    assert_eq!(entry["source"]["year"], 1981);
    assert_eq!(entry["sentences"]["deferred-younger"], "Deferred: its own request is older.");
    playground.refused(Method::GET, "/algorithms/dijkstra-1965", None, 404).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_openapi_3_1_and_names_every_route() {
    let playground = Playground::open();
    let document = playground.get("//openapi.json").await;
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{}", document["openapi"]);
    let paths = document["paths"].as_object().expect("paths");
    for path in [
        "/api/v1/algorithms",
        "/api/v1/runs",
        "/api/v1/runs/{run}",
        "/api/v1/runs/{run}/state",
        "/api/v1/runs/{run}/events",
        "/api/v1/runs/{run}/stream",
        "/api/v1/runs/{run}/wait",
        "/api/v1/runs/{run}/nodes/{node}/acquire",
        "/api/v1/runs/{run}/network/links/{from}/{to}",
        "/api/v1/runs/{run}/network/messages/{message}/deliver",
        "/healthz",
        "/metrics",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    assert_eq!(playground.get("//healthz").await["status"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_can_read_the_counts_and_the_histograms() {
    let playground = Playground::open();
    let name = "a \"run\"";
    let run = playground.run(json!({ "name": name, "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.enter(0).await;
    run.release(0).await;
    run.enter(1).await;
    let text = playground.get("//metrics").await;
    let text = text.as_str().expect("a text");
    let labels = format!("run=\"{}\",name=\"a \\\"run\\\"\",algorithm=\"ricart-agrawala\"", run.id);
    let value = |series: &str| -> &str {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{series} ")));
        line.unwrap_or_else(|| panic!("{series}: {text}"))
    };
    let whole = |series: &str| value(&format!("{series}{{{labels}}}"));
    assert_eq!((whole("interlock_entries_total"), whole("interlock_run_under_way")), ("2", "1"));
    let up_to = |le: &str| value(&format!("interlock_response_time_seconds_bucket{{{labels},le=\"{le}\"}}"));
    let response_ms = run.metrics().await["response_time"]["mean"].as_f64().expect("a time");
    assert_eq!((up_to("+Inf"), whole("interlock_response_time_seconds_count")), ("1", "1"), "one section is over");
    assert_eq!(up_to("10"), if response_ms <= 10_000.0 { "1" } else { "0" });
    let sum: f64 = whole("interlock_response_time_seconds_sum").parse().expect("a number");
    assert!((sum * 1_000.0 - response_ms).abs() < 1e-6, "{response_ms}");
    assert_eq!(whole("interlock_client_delay_seconds_count"), "2");
    let types = text.lines().filter(|line| line.starts_with("# TYPE")).count();
    assert_eq!(types, 10, "{text}");
}
