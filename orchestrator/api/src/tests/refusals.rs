//! Tests of requests that the API rejects: for things that do not exist, with a wrong method, or with invalid
//! values.

use axum::http::Method;
use serde_json::json;
use uuid::Uuid;

use super::{Server, request};

#[tokio::test]
async fn an_empty_name_is_refused_wherever_a_run_gets_one() {
    let server = Server::start().await;
    let draft = json!({ "algorithm": "lamport", "nodes": 2, "name": " " });
    let exploration = json!({ "specification": draft, "requests": 1 });
    let replay = json!({ "replay": { "specification": draft, "choices": [] } });
    for (path, body, pointer) in [
        ("runs", &draft, "/name"),
        ("runs", &replay, "/replay/specification/name"),
        ("simulations", &draft, "/name"),
        ("scenarios", &draft, "/name"),
        ("explorations", &exploration, "/specification/name"),
    ] {
        let answer = server.post(&format!("/api/v1/{path}"), body).await;
        let errors = json!([{ "pointer": pointer, "detail": "the name is empty" }]);
        assert_eq!((answer.status.as_u16(), &answer.json()["errors"]), (422, &errors), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let other = Uuid::now_v7();
    let table = [
        ("/nowhere".to_owned(), "not-found"),
        ("/api/v1".to_owned(), "not-found"),
        ("/api/v1/runs/".to_owned(), "not-found"),
        ("/api/v2/runs".to_owned(), "not-found"),
        ("/api/v1/algorithms/ricart".to_owned(), "not-found"),
        ("/api/v1/runs/seven".to_owned(), "not-found"),
        ("/api/v1/runs/..%2f..%2fetc%2fpasswd".to_owned(), "not-found"),
        (format!("/api/v1/runs/{other}"), "not-found"),
        (format!("/api/v1/runs/{other}/state"), "not-found"),
        (format!("/api/v1/runs/{other}/metrics"), "not-found"),
        (format!("/api/v1/runs/{other}/network"), "not-found"),
        (format!("/api/v1/runs/{run}/nodes/5"), "not-found"),
        (format!("/api/v1/runs/{run}/nodes/-1"), "not-found"),
        (format!("/api/v1/runs/{run}/state?at=1000000"), "not-found"),
    ];
    for (path, kind) in table {
        server.get(&path).await.problem(404, kind);
    }
    for path in ["nodes/5/crash", "nodes/5/acquire", "network/messages/x/drop"] {
        let answer = server.post(&format!("/api/v1/runs/{run}/{path}"), &json!({})).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn another_method_is_refused_and_the_right_ones_are_named() {
    let server = Server::start().await;
    let table = [
        (Method::PUT, "/api/v1/runs", "GET,HEAD,POST"),
        (Method::POST, "/api/v1/algorithms", "GET,HEAD"),
        (Method::DELETE, "/healthz", "GET,HEAD"),
        (Method::POST, "/openapi.json", "GET,HEAD"),
        (Method::GET, "/api/v1/runs/0193/stop", "POST"),
    ];
    for (method, path, allowed) in table {
        let answer = server.send(request(method, path, None)).await;
        answer.problem(405, "method-not-allowed");
        assert_eq!(answer.header("allow"), allowed, "{path}");
    }
}

#[tokio::test]
async fn unknown_and_impossible_parameters_of_a_query_are_refused() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    for path in [
        "/api/v1/runs?page=2".to_owned(),
        "/api/v1/runs?limit=0".to_owned(),
        "/api/v1/runs?limit=1001".to_owned(),
        "/api/v1/runs?limit=ten".to_owned(),
        "/api/v1/runs?limit=1&limit=2".to_owned(),
        "/api/v1/algorithms?family=election".to_owned(),
        "/healthz?verbose".to_owned(),
        format!("/api/v1/runs/{run}/state?seq=1"),
        format!("/api/v1/runs/{run}/state?at=-1"),
        format!("/api/v1/runs/{run}/network/messages?status=lost"),
        format!("/api/v1/runs/{run}/events?kind=entered,lost"),
    ] {
        server.get(&path).await.problem(400, "invalid-query");
    }
    let problem = server.get("/api/v1/runs?page=2").await.problem(400, "invalid-query");
    assert_eq!(problem["errors"][0]["pointer"], "?page");
    assert_eq!(problem["errors"][0]["allowed"], json!(["limit", "after"]));
    server.post(&format!("/api/v1/runs/{run}/stop?now=1"), &json!({})).await.problem(400, "invalid-query");
    let head = server.send(request(Method::HEAD, "/api/v1/runs?limit=1", None)).await;
    assert_eq!(head.status, 200);
}

#[tokio::test]
async fn a_run_may_be_named_by_its_name_or_as_the_latest() {
    let server = Server::start().await;
    server.get("/api/v1/runs/latest").await.problem(404, "not-found");
    let run = server.failed_run().await;
    let by_id = server.get(&format!("/api/v1/runs/{run}")).await.json();
    let name = by_id["name"].as_str().expect("a name").replace(' ', "%20");
    for path in ["latest", &name] {
        assert_eq!(server.get(&format!("/api/v1/runs/{path}")).await.json(), by_id, "{path}");
        assert_eq!(server.get(&format!("/api/v1/runs/{path}/events")).await.status, 200, "{path}");
    }
    let nobody = server.get("/api/v1/runs/latst/state").await.problem(404, "not-found");
    assert!(nobody["detail"].as_str().is_some_and(|said| said.contains("did you mean `latest`?")), "{nobody}");
    assert_eq!(server.get(&format!("/api/v1/runs?after={run}")).await.json()["items"], json!([]));
    // `after` must be the id of a run from the previous page. Unlike in a path, a name is not valid here.
    for other in ["latest", &name] {
        let refused = server.get(&format!("/api/v1/runs?after={other}")).await.problem(400, "invalid-query");
        assert!(refused["detail"].as_str().is_some_and(|said| said.contains("is not the id of a run")), "{refused}");
    }
    server.failed_run().await;
    let several = server.get(&format!("/api/v1/runs/{name}")).await.problem(404, "not-found");
    assert!(several["detail"].as_str().is_some_and(|said| said.contains("2 runs have the name")), "{several}");
}

#[tokio::test]
async fn what_is_wrong_in_a_path_or_query_is_said_in_plain_words() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        (
            format!("/api/v1/runs/{run}/nodes/P1"),
            404,
            "there is no node `P1`: write a whole number, or one of `holder`, `leader`, `waiting`, `token`; did you \
             mean `1`?",
        ),
        (format!("/api/v1/runs/{run}/nodes/99999999999"), 404, "`99999999999` is not a whole number in 0 … 4294967295"),
        ("/api/v1/runs?limit=ten".to_owned(), 400, "?limit: \"ten\" is not a whole number"),
        ("/api/v1/runs?limit=1&limit=2".to_owned(), 400, "?limit: it is given twice"),
        ("/api/v1/runs?limt=1".to_owned(), 400, "did you mean `limit`?"),
        (format!("/api/v1/runs/{run}/state?at=-1"), 400, "?at: \"-1\" is not a whole number"),
        (format!("/api/v1/runs/{run}/network/messages?status=hold"), 400, "did you mean `held`?"),
        (format!("/api/v1/runs/{run}/events?kind=enterd"), 400, "did you mean `entered`?"),
        ("/api/v1/algorithms/centralized".to_owned(), 404, "did you mean `centralised`?"),
        ("/api/v1/examples/philosopher".to_owned(), 404, "did you mean `philosophers`?"),
    ];
    for (path, status, detail) in table {
        let kind = if status == 404 { "not-found" } else { "invalid-query" };
        let problem = server.get(&path).await.problem(status, kind);
        assert!(problem["detail"].as_str().is_some_and(|said| said.contains(detail)), "{path}: {problem}");
    }
}
