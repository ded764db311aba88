//! Tests of paths and methods that do not exist. The answer must suggest the correct path, or list the methods of
//! the path.

use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

use crate::support::Playground;

async fn send(playground: &Playground, method: Method, path: &str) -> Response {
    let client = Client::builder().no_proxy().build().expect("a client");
    let request = client.request(method, format!("{}{path}", playground.url)).json(&json!({}));
    request.send().await.expect("an answer")
}

/// Sends a request that must be rejected with `status`. Returns the `detail` of the problem.
async fn detail(playground: &Playground, method: Method, path: &str, status: u16) -> String {
    let response = send(playground, method.clone(), path).await;
    assert_eq!(response.status().as_u16(), status, "{method} {path}");
    let problem: Value = response.json().await.expect("a problem");
    problem["detail"].as_str().expect("a detail").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_path_is_answered_with_the_path_that_was_meant() {
    let playground = Playground::open();
    for (path, meant) in [
        ("/api/v1/runs/sk/nodes/1/aquire", "/api/v1/runs/sk/nodes/1/acquire"),
        ("/api/v1/runs/latest/nodes/1/restrat", "/api/v1/runs/latest/nodes/1/restart"),
        ("/api/v1/run/sk/nodes/1/acquire", "/api/v1/runs/sk/nodes/1/acquire"),
        ("/api/v1/algoritms/lamport/matrix", "/api/v1/algorithms/lamport/matrix"),
        ("/api/v1/runs/", "/api/v1/runs"),
        ("/api/v2/runs/sk", "/api/v1/runs/sk"),
        ("/api/runs/sk/state", "/api/v1/runs/sk/state"),
        ("/runs/sk/state", "/api/v1/runs/sk/state"),
        ("/runs/", "/api/v1/runs"),
        ("/healthy", "/healthz"),
        ("/refrence", "/reference"),
    ] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let said = detail(&playground, method.clone(), path, 404).await;
            assert!(said.contains(&format!("did you mean `{meant}`?")), "{method} {path}: {said}");
            assert!(said.contains("/reference describes the API"), "{method} {path}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_like_none_leads_to_the_reference() {
    let playground = Playground::open();
    let long = format!("/api/v1/runs/sk/nodes/1/acquire{}", "e".repeat(64));
    let deep = format!("/api{}", "/v1".repeat(1_000));
    for path in ["/api", "/api/", "/api/v1", "/api/v1/", "/nothing", "/api/v1/nodes/1/2/3/4/5/6", &long, &deep] {
        for method in [Method::GET, Method::POST] {
            let said = detail(&playground, method.clone(), path, 404).await;
            assert!(said.ends_with("; /reference describes the API"), "{method} {path}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_a_path_does_not_take_is_answered_with_those_that_it_takes() {
    let playground = Playground::open();
    for (method, path, allow, named) in [
        (Method::PUT, "/api/v1/runs", "GET,HEAD,POST", "allowed: GET, HEAD, POST"),
        (Method::GET, "/api/v1/runs/sk/nodes/1/acquire", "POST", "allowed: POST"),
        (Method::POST, "/api/v1/algorithms", "GET,HEAD", "allowed: GET, HEAD"),
        (Method::POST, "/openapi.json", "GET,HEAD", "allowed: GET, HEAD"),
        (Method::POST, "/reference", "GET,HEAD", "allowed: GET, HEAD"),
        (Method::DELETE, "/", "GET,HEAD", "allowed: GET, HEAD"),
        (Method::POST, "/strings/en.js", "GET,HEAD", "allowed: GET, HEAD"),
    ] {
        let response = send(&playground, method.clone(), path).await;
        assert_eq!(response.headers()["allow"], allow, "{method} {path}");
        let said = detail(&playground, method.clone(), path, 405).await;
        assert!(said.ends_with(named), "{method} {path}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_of_another_type_is_answered_with_the_header_and_the_option_of_curl() {
    let playground = Playground::open();
    let client = Client::builder().no_proxy().build().expect("a client");
    let said = async |path: &str| {
        let request = client.post(playground.api(path)).header("content-type", "text/plain").body("{}");
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 415, "{path}");
        answer.text().await.expect("a problem")
    };
    let json = said("/runs").await;
    assert!(json.contains("`content-type: application/json`") && json.contains("`--json BODY`"), "{json}");
    let events = said("/runs/import").await;
    assert!(events.contains("`content-type: application/x-ndjson`") && !events.contains("--json"), "{events}");
}
