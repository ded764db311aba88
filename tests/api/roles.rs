//! Tests of nodes and messages that are named by their current role: the holder, or a REPLY from the holder.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_node_is_who_it_is_at_the_time() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "suzuki-kasami", "nodes": 3 })).await;
    let problem = run.refused(Method::POST, "/nodes/holder/crash", Some(json!({})), 409).await;
    assert_eq!(problem["detail"], "no node is the holder now");
    run.enter(2).await;
    run.acquire(1, json!({})).await;
    assert_eq!(run.get("/nodes/holder").await["node"], 2);
    assert_eq!(run.get("/nodes/waiting").await["node"], 1);
    assert_eq!(run.get("/nodes/token").await["node"], 2);
    assert_eq!(run.post("/nodes/holder/pause", json!({})).await["node"], 2);
    assert_eq!(run.post("/nodes/holder/resume", json!({})).await["node"], 2);
    assert_eq!(run.post("/nodes/holder/release", json!({})).await["node"], 2);
    run.wait(json!({ "entered": { "node": 1 } })).await;
    assert_eq!(run.post("/nodes/holder/crash", json!({})).await["node"], 1, "it is somebody else by now");
    let problem = run.refused(Method::POST, "/nodes/token/crash", Some(json!({})), 409).await;
    assert_eq!(problem["detail"], "no node has the token now");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_over_says_who_it_was_at_the_end() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.enter(1).await;
    run.post("/stop", json!({})).await;
    assert_eq!(run.get("/nodes/holder").await["node"], 1);
    run.refused(Method::POST, "/nodes/holder/crash", Some(json!({})), 409).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_described() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": network })).await;
    run.acquire(0, json!({})).await;
    let deliver = |described: &str| format!("/network/messages/{described}/deliver");
    assert_eq!(run.post(&deliver("REQUEST to 2"), json!({})).await["message"], "0.2.1");
    run.wait_since(&json!(0), json!({ "event": { "kind": "held", "from": 2, "to": 0 } })).await;
    assert_eq!(run.post(&deliver("REPLY from 2 to waiting"), json!({})).await["message"], "2.0.1");
    for (described, status, why) in [
        ("REPLY from 2", 409, "there is no such message in transit"),
        ("REPLY from holder", 409, "no node is the holder now"),
        ("REPLY from nobody", 404, "`REPLY from nobody` is not a message id"),
        ("REPLLY", 404, "`REPLLY` is not a message id"),
    ] {
        let problem = run.refused(Method::POST, &deliver(described), Some(json!({})), status).await;
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{described}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_cut_and_rules_made_for_who_it_is_at_the_time() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 4 })).await;
    run.enter(2).await;
    let cut = run.post("/network/partitions", json!({ "groups": "holder|others" })).await;
    assert_eq!(cut["groups"], json!([[2], [0, 1, 3]]));
    let cut = run.post("/network/partitions", json!({ "groups": [["holder", 0], ["others"]], "lost": "hold" })).await;
    assert_eq!(cut["groups"], json!([[2, 0], [1, 3]]));
    let rule = json!({ "match": { "from": "holder", "to": "0" }, "action": "drop" });
    assert_eq!(run.post("/network/rules", rule).await["match"], json!({ "from": 2, "to": 0 }));
    let slow = json!({ "delay": "const:7" });
    let path = format!("/runs/{}/network/links/holder/1", run.id);
    let (_, link) = playground.request(Method::PUT, &path, Some(slow)).await;
    assert_eq!((&link["from"], &link["to"]), (&json!(2), &json!(1)));
}

/// If no node has the named role, the error has a pointer to the role in the document.
#[tokio::test(flavor = "multi_thread")]
async fn what_names_nobody_is_refused() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let problem = run.refused(Method::POST, "/nodes/holdr/crash", Some(json!({})), 404).await;
    let detail = "there is no node `holdr`: write a whole number, or one of `holder`, `leader`, `waiting`, \
                  `token`; did you mean `holder`?";
    assert_eq!(problem["detail"], detail);
    let rule = |from: Value| json!({ "match": { "from": from }, "action": "drop" });
    for (path, body, status, pointer, why) in [
        ("/network/rules", rule(json!("holdr")), 422, "/match/from", "`holdr` is not a node; did you mean `holder`?"),
        ("/network/rules", rule(json!("token")), 422, "/match/from", "has no token"),
        ("/network/rules", rule(json!("holder")), 409, "", "no node is the holder now"),
        ("/network/rules", rule(json!("7")), 422, "/match/from", "there is no node 7"),
        ("/network/rules", rule(json!(true)), 422, "/match/from", "`true` is not a whole number"),
        ("/network/partitions", json!({ "groups": "0|boss" }), 422, "/groups/1/0", "`boss` is not a node"),
        ("/network/partitions", json!({ "groups": [[0], ["othres"]] }), 422, "/groups/1/0", "did you mean `others`?"),
        ("/network/partitions", json!({ "groups": "0,1,2" }), 422, "/groups", "at least two groups"),
        ("/network/partitions", json!({ "groups": "0|holder" }), 409, "", "no node is the holder now"),
        ("/network/partitions", json!({ "groups": "holder|others", "lots": 1 }), 409, "", "no node is the holder now"),
    ] {
        let problem = run.refused(Method::POST, path, Some(body.clone()), status).await;
        let (told, at) = match status {
            422 => (&problem["errors"][0]["detail"], problem["errors"][0]["pointer"].as_str()),
            _ => (&problem["detail"], Some("")),
        };
        assert_eq!(at, Some(pointer), "{body}: {problem}");
        assert!(told.as_str().is_some_and(|told| told.contains(why)), "{body}: {problem}");
    }
}
