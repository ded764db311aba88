//! Tests of protected resources over HTTP: reads, writes, rejected writes, lost updates, and what the monitors
//! report about them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Playground, Run};

async fn put(run: &Run<'_>, resource: &str, body: Value) -> Value {
    let path = run.path(&format!("/resources/{resource}"));
    let (status, answer) = run.playground.request(Method::PUT, &path, Some(body)).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

async fn codes(run: &Run<'_>) -> Vec<String> {
    let found = run.get("/violations").await;
    let codes = found["items"].as_array().into_iter().flatten().map(|one| one["code"].as_str().unwrap_or_default());
    codes.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_lock_writes_and_what_is_overwritten_is_told_with_its_amount() {
    let playground = Playground::open();
    let workload = json!({ "nodes": [], "account": { "balance": 1_000 } });
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3, "workload": workload })).await;
    run.enter(1).await;
    let account = json!({
        "name": "account", "lock": 0, "value": 1_000, "expected": 1_000, "version": 0, "refused": 0, "fencing": false,
        "fence": null, "accesses": [{ "node": 1, "read": 1_000, "wrote": null }],
    });
    assert_eq!(run.get("/resources").await, json!({ "items": [account] }));
    assert_eq!(run.get("/resources/account").await, account);
    let written = put(&run, "account", json!({ "value": 1_005, "read": 1_000, "node": "holder" })).await;
    assert_eq!((&written["value"], &written["version"]), (&json!(1_005), &json!(1)), "{written}");
    assert_eq!(run.events("put").await[0]["node"], 1, "the holder");
    assert_eq!(codes(&run).await, [] as [&str; 0]);

    let written = put(&run, "account", json!({ "value": 1_007, "read": 1_000 })).await;
    assert_eq!((&written["value"], &written["expected"]), (&json!(1_007), &json!(1_012)), "{written}");
    assert_eq!(codes(&run).await, ["lost-write"]);
    let found = &run.get("/violations").await["items"][0];
    assert_eq!(found["arguments"]["missing"], 5, "{found}");
    assert!(found["sentence"].as_str().is_some_and(|sentence| sentence.ends_with("5 are missing.")), "{found}");

    run.release(1).await;
    assert_eq!(run.get("/resources/account").await["value"], 1_007, "clients leave it alone");
    put(&run, "account", json!({ "value": 1_008, "read": 1_007, "node": 1 })).await;
    assert_eq!(codes(&run).await, ["lost-write", "unguarded-write"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_late_is_refused_and_that_is_an_event() {
    let playground = Playground::open();
    let workload = json!({ "nodes": [], "account": { "balance": 1_000, "fencing": true } });
    let specification = json!({ "algorithm": "replicated-lock", "nodes": 3, "workload": workload });
    let run = playground.run(specification).await;
    let mut fences = Vec::new();
    for node in [0, 1] {
        run.enter(node).await;
        fences.extend(run.events("entered").await.last().map(|entered| entered["fence"].clone()));
        run.release(node).await;
    }
    let late = json!({ "value": 9, "read": 1_000, "fence": fences[0] });
    let problem = run.refused(Method::PUT, "/resources/account", Some(late), 409).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("is older than") && detail.ends_with("write with the token of that entry"), "{problem}");
    let bare = run.refused(Method::PUT, "/resources/account", Some(json!({ "value": 9 })), 409).await;
    assert!(bare["detail"].as_str().is_some_and(|detail| detail.contains("has no fencing token")), "{bare}");
    put(&run, "account", json!({ "value": 9, "fence": fences[1], "version": 0 })).await;
    let again = json!({ "value": 9, "fence": fences[1], "version": 0 });
    run.refused(Method::PUT, "/resources/account", Some(again), 412).await;
    let kinds = run.events("put,rejected").await;
    let kinds: Vec<&Value> = kinds.iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["put", "rejected", "put", "rejected", "put", "put", "rejected"]);
    let account = run.get("/resources/account").await;
    assert_eq!((&account["value"], &account["refused"]), (&json!(9), &json!(3)), "{account}");
    assert_eq!(account, run.state().await["resources"][0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_written() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 2 })).await;
    assert_eq!(run.get("/resources").await, json!({ "items": [] }));
    let problem = run.refused(Method::GET, "/resources/account", None, 404).await;
    assert!(
        problem["detail"].as_str().is_some_and(|detail| detail.contains("only a workload with an `account`")),
        "{problem}"
    );
    let directory = json!({ "locks": "directory", "nodes": [] });
    let run =
        playground.run(json!({ "algorithm": "centralised", "nodes": 2, "locks": 3, "workload": directory })).await;
    let put = Some(json!({ "value": 1 }));
    let problem = run.refused(Method::PUT, "/resources/file-3", put, 404).await;
    assert!(
        problem["detail"].as_str().is_some_and(|detail| detail.ends_with("the run has file-1, file-2")),
        "{problem}"
    );
    let problem = run.refused(Method::PUT, "/resources/file-1", Some(json!({ "value": "much" })), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/value", "{problem}");
    let nobody = Some(json!({ "value": 1, "node": 2 }));
    run.refused(Method::PUT, "/resources/file-1", nobody, 404).await;
    run.post("/stop", json!({})).await;
    run.refused(Method::PUT, "/resources/file-1", Some(json!({ "value": 1 })), 409).await;
    assert_eq!(run.get("/resources/file-1").await["value"], 0, "the past can be looked at");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_a_directory_add_lines_to_its_files() {
    let playground = Playground::open();
    let workload = json!({ "locks": "directory:20%", "idle": "1", "hold": "1", "entries": 5 });
    let specification =
        json!({ "algorithm": "suzuki-kasami", "nodes": 4, "locks": 4, "seed": 1, "workload": workload });
    let run = playground.run(specification).await;
    run.wait(json!("idle")).await;
    let files = run.get("/resources").await;
    let lines: Vec<_> = files["items"].as_array().into_iter().flatten().map(|file| &file["value"]).collect();
    let lines: u64 = lines.into_iter().filter_map(Value::as_u64).sum();
    let left = run.events("exited").await.iter().filter(|event| event["lock"] != 0).count();
    assert_eq!((lines, codes(&run).await), (left as u64, vec![]));
    assert!(lines >= 20, "20 rounds: {lines}");
}
