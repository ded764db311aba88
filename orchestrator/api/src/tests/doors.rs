//! Tests of the access checks: each check rejects what it should reject, and accepts what it should accept.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{HOST, PORT, Server, request};
use crate::problem::Problem;
use crate::{LARGEST_BODY, closed, to_the_end};

fn from_host(host: &str) -> Request<Body> {
    Request::builder().uri("/healthz").header(header::HOST, host).body(Body::empty()).expect("a request")
}

fn with(mut request: Request<Body>, name: header::HeaderName, value: &'static str) -> Request<Body> {
    request.headers_mut().append(name, header::HeaderValue::from_static(value));
    request
}

#[tokio::test]
async fn only_our_own_names_are_answered_to() {
    let server = Server::start().await;
    for host in ["127.0.0.1:7700", "localhost:7700", "[::1]:7700"] {
        assert_eq!(server.send(from_host(host)).await.status, 200, "{host}");
    }
    let with_own_name_at_its_end = ["evil.localhost:7700", "evil-localhost:7700", "1127.0.0.1:7700"];
    let others = ["evil.example", "127.0.0.1", "127.0.0.1:7701", "localhost:77000", "localhost:7700.evil.example", ""];
    for host in others.into_iter().chain(with_own_name_at_its_end) {
        server.send(from_host(host)).await.problem(421, "wrong-host");
    }
}

#[tokio::test]
async fn a_missing_a_second_or_an_overruled_host_is_refused() {
    let server = Server::start().await;
    let without = Request::builder().uri("/healthz").body(Body::empty()).expect("a request");
    server.send(without).await.problem(421, "wrong-host");
    let twice = with(from_host(HOST), header::HOST, "evil.example");
    server.send(twice).await.problem(421, "wrong-host");
    let absolute = request(Method::GET, "http://evil.example:7700/healthz", None);
    server.send(absolute).await.problem(421, "wrong-host");
    assert_eq!(server.send(request(Method::GET, "http://localhost:7700/healthz", None)).await.status, 200);
}

#[tokio::test]
async fn only_our_own_pages_may_ask() {
    let server = Server::start().await;
    for origin in ["http://127.0.0.1:7700", "http://localhost:7700", "http://[::1]:7700"] {
        assert_eq!(server.send(with(from_host(HOST), header::ORIGIN, origin)).await.status, 200, "{origin}");
    }
    let with_own_name_at_its_end = ["http://evil.localhost:7700", "http://evil-localhost:7700"];
    let others = ["null", "http://evil.example", "https://localhost:7700", "http://localhost", "http://localhost:7701"];
    for origin in others.into_iter().chain(with_own_name_at_its_end) {
        server.send(with(from_host(HOST), header::ORIGIN, origin)).await.problem(403, "foreign-origin");
    }
}

#[tokio::test]
async fn what_a_page_of_another_site_asks_for_is_refused() {
    let server = Server::start().await;
    for site in ["same-origin", "same-site", "none"] {
        let asked = with(from_host(HOST), header::HeaderName::from_static("sec-fetch-site"), site);
        assert_eq!(server.send(asked).await.status, 200, "{site}");
    }
    let asked = with(from_host(HOST), header::HeaderName::from_static("sec-fetch-site"), "cross-site");
    server.send(asked).await.problem(403, "foreign-origin");
}

const TOKEN: &str = "a-token-of-26-characters.~";
/// Cookie with the session of a browser that has sent the token.
const SESSION: &str = "interlock-7700=699c5663575b809a4d85ddb0e09beb115d287923bd2757585e65884a6710a91a";
/// The same session, in the cookie of a playground on another port.
const OTHER_PORT: &str = "interlock-7701=699c5663575b809a4d85ddb0e09beb115d287923bd2757585e65884a6710a91a";
/// The session cookie among other cookies.
const AMONG_OTHERS: &str = "other=1; interlock-7700=699c5663575b809a4d85ddb0e09beb115d287923bd2757585e65884a6710a91a";

fn get_with(path: &str, headers: &[(header::HeaderName, &'static str)]) -> Request<Body> {
    headers.iter().fold(request(Method::GET, path, None), |asked, (name, value)| with(asked, name.clone(), value))
}

#[tokio::test]
async fn who_has_a_token_lets_in_only_those_who_show_it() {
    let mut server = Server::start().await;
    server.router = closed(Router::new().route("/there", get(async || "you are in")), PORT, TOKEN.parse().ok());
    for refused in [
        &[][..],
        &[(header::AUTHORIZATION, "Bearer a-token-of-26-characters.-")],
        &[(header::AUTHORIZATION, "Bearer a-token-of-26-characters.~2")],
        &[(header::AUTHORIZATION, "Basic a-token-of-26-characters.~")],
        &[(header::COOKIE, "interlock-7700=a-token-of-26-characters.~")],
        &[(header::COOKIE, OTHER_PORT)],
    ] {
        let answer = server.send(get_with("/there", refused)).await;
        answer.problem(401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert!(!answer.text.contains(TOKEN), "{}", answer.text);
    }
    for shown in [
        (header::AUTHORIZATION, "Bearer a-token-of-26-characters.~"),
        (header::COOKIE, SESSION),
        (header::COOKIE, AMONG_OTHERS),
    ] {
        assert_eq!(server.send(get_with("/there", &[shown])).await.text, "you are in");
    }
    // The answer to a rejected request does not reveal whether the path exists.
    server.get("/nowhere").await.problem(401, "unauthorized");
}

#[tokio::test]
async fn the_address_with_the_token_leads_to_the_one_without_it() {
    let mut server = Server::start().await;
    server.router = closed(Router::new().route("/there", get(async || "you are in")), PORT, TOKEN.parse().ok());
    let answer = server.get(&format!("/there?a=1&token={TOKEN}&b=2")).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/there?a=1&b=2"));
    let cookie = answer.header("set-cookie");
    assert_eq!(cookie, format!("{SESSION}; Path=/; HttpOnly; SameSite=Strict"));
    server.get("/there?token=another-token-of-this-length").await.problem(401, "unauthorized");
    let posted = server.post(&format!("/there?token={TOKEN}"), &json!({})).await;
    posted.problem(401, "unauthorized");
}

#[tokio::test]
async fn doors_are_closed_to_upgrades_and_unknown_paths_too() {
    let server = Server::start().await;
    let upgrade = with(from_host("evil.example"), header::UPGRADE, "websocket");
    server.send(with(upgrade, header::CONNECTION, "upgrade")).await.problem(421, "wrong-host");
    let nowhere = Request::builder().uri("/nowhere").header(header::HOST, "evil.example").body(Body::empty());
    server.send(nowhere.expect("a request")).await.problem(421, "wrong-host");
}

#[tokio::test]
async fn a_body_must_be_declared_as_json() {
    let server = Server::start().await;
    let body = json!({"algorithm": "nobody"}).to_string();
    let post = |content_type: Option<&str>, body: &str| {
        let request = Request::builder().method(Method::POST).uri("/api/v1/runs").header(header::HOST, HOST);
        let request =
            content_type.into_iter().fold(request, |request, kind| request.header(header::CONTENT_TYPE, kind));
        request.body(Body::from(body.to_owned())).expect("a request")
    };
    for content_type in ["application/json", "Application/JSON; charset=utf-8"] {
        server.send(post(Some(content_type), &body)).await.problem(422, "invalid-run");
    }
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", ""] {
        server.send(post(Some(content_type), &body)).await.problem(415, "unsupported-media-type");
        server.send(post(Some(content_type), "")).await.problem(415, "unsupported-media-type");
    }
    server.send(post(None, &body)).await.problem(415, "unsupported-media-type");
    // An empty body needs no media type: it is read as `{}`.
    server.send(post(None, "")).await.problem(422, "invalid-run");
}

/// For an unknown path, the answer is 404 even if the media type is wrong: `curl -d` sends the media type of a
/// form.
#[tokio::test]
async fn an_unknown_path_is_reported_whatever_the_body_is() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let send = |method: Method, path: &str| {
        let request = Request::builder().method(method).uri(path).header(header::HOST, HOST);
        request
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from("x"))
            .expect("a request")
    };
    let path = format!("/api/v1/runs/{run}/nodes/0");
    let unknown = server.send(send(Method::POST, &format!("{path}/aquire"))).await.problem(404, "not-found");
    assert!(unknown["detail"].as_str().is_some_and(|said| said.contains("did you mean `")), "{unknown}");
    server.send(send(Method::PUT, &format!("{path}/acquire"))).await.problem(405, "method-not-allowed");
    server.send(send(Method::POST, &format!("{path}/acquire"))).await.problem(415, "unsupported-media-type");
    // The access checks run first, so that a page of another site cannot find out which paths exist.
    let foreign = Request::builder().method(Method::POST).uri("/nowhere").header(header::HOST, HOST);
    let foreign = foreign.header(header::ORIGIN, "http://elsewhere").body(Body::empty()).expect("a request");
    server.send(foreign).await.problem(403, "foreign-origin");
}

/// If both the method and the media type are wrong, the answer reports the method.
#[tokio::test]
async fn the_type_of_a_body_goes_by_the_path() {
    let server = Server::start().await;
    let send = |method: Method, kind: &'static str| {
        let request = Request::builder().method(method).uri("/api/v1/runs/import").header(header::HOST, HOST);
        request.header(header::CONTENT_TYPE, kind).body(Body::from("x")).expect("a request")
    };
    server.send(send(Method::PUT, "application/x-ndjson")).await.problem(405, "method-not-allowed");
    server.send(send(Method::POST, "application/x-ndjson")).await.problem(422, "invalid-events");
    server.send(send(Method::POST, "application/json")).await.problem(415, "unsupported-media-type");
}

#[tokio::test]
async fn a_large_body_is_refused_with_and_without_its_length() {
    let server = Server::start().await;
    let fits = format!("{{{}}}", " ".repeat(LARGEST_BODY - 2));
    let too_large = format!("{fits} ");
    let post = |body: &str| request(Method::POST, "/api/v1/runs", Some(body.to_owned()));
    server.send(post(&fits)).await.problem(422, "invalid-run");
    server.send(post(&too_large)).await.problem(413, "too-large");
    let announced = with(request(Method::GET, "/healthz", None), header::CONTENT_LENGTH, "1048577");
    server.send(announced).await.problem(413, "too-large");
}

#[tokio::test]
async fn every_answer_has_its_headers() {
    let server = Server::start().await;
    for request in [from_host(HOST), from_host("evil.example"), request(Method::GET, "/nowhere", None)] {
        let answer = server.send(request).await;
        assert!(answer.header("content-security-policy").starts_with("default-src 'self';"));
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn what_is_begun_goes_on_when_the_client_hangs_up() {
    let (go_on, told) = oneshot::channel::<()>();
    let (done, finished) = oneshot::channel();
    let mut work = Box::pin(to_the_end(async move {
        let _ = told.await;
        let _ = done.send(());
        Ok(())
    }));
    let hung_up = timeout(Duration::ZERO, &mut work).await;
    assert!(hung_up.is_err());
    drop(work);
    go_on.send(()).expect("the work goes on");
    assert!(finished.await.is_ok());
}

#[tokio::test]
async fn a_panic_in_what_was_begun_is_a_problem() {
    async fn broken() -> Result<(), Problem> {
        Ok(to_the_end(async { panic!("a task is broken") }).await?)
    }
    let mut server = Server::start().await;
    server.router = closed(Router::new().route("/broken", get(broken)), PORT, None);
    server.get("/broken").await.problem(500, "broken");
}

#[tokio::test]
async fn a_panic_is_a_problem_and_what_is_cached_stays_so() {
    async fn broken() {
        panic!("a handler is broken");
    }
    async fn cached() -> impl IntoResponse {
        [(header::CACHE_CONTROL, "max-age=60")]
    }
    let mut server = Server::start().await;
    server.router = closed(Router::new().route("/broken", get(broken)).route("/cached", get(cached)), PORT, None);
    server.get("/broken").await.problem(500, "broken");
    let answer = server.get("/cached").await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "max-age=60"));
}
