//! Tests of rejected requests: wrong host, wrong origin, wrong media type, too large.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::support::Playground;

/// Sends the text `request`, unchanged, over a new connection. Returns the status and the full text of the answer.
fn say(playground: &Playground, request: &str) -> (u16, String) {
    let address = playground.url.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("the request is sent");
    let mut answer = String::new();
    // A read error is ignored: if the server rejects a request, it may close the connection before the whole
    // request is sent.
    let _ = stream.read_to_string(&mut answer);
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer)
}

fn get(playground: &Playground, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(request, "{name}: {value}\r\n");
    }
    say(playground, &(request + "\r\n"))
}

fn own_host(playground: &Playground) -> String {
    playground.url.strip_prefix("http://").expect("an address").to_owned()
}

#[test]
fn only_who_asks_for_this_playground_by_its_own_name_is_let_in() {
    let playground = Playground::open();
    let own = own_host(&playground);
    let port = own.rsplit(':').next().expect("a port").to_owned();
    for host in [own.clone(), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(get(&playground, "/healthz", &[("Host", &host)]).0, 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1", "localhost", "", "127.0.0.1:1", &format!("evil.example:{port}")] {
        for path in ["/healthz", "/", "/api/v1/runs", "/openapi.json"] {
            assert_eq!(get(&playground, path, &[("Host", host)]).0, 421, "{host} {path}");
        }
    }
    assert!([400, 421].contains(&get(&playground, "/healthz", &[("Host", &own), ("Host", "evil.example")]).0));
}

#[test]
fn pages_of_other_origins_are_turned_away_at_every_door() {
    let playground = Playground::open();
    let host = own_host(&playground);
    let own = format!("http://{host}");
    assert_eq!(get(&playground, "/api/v1/runs", &[("Host", &host), ("Origin", &own)]).0, 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""] {
        for path in ["/api/v1/runs", "/", "/api/v1/runs/01900000-0000-7000-8000-000000000000/stream"] {
            let upgrade = [
                ("Host", host.as_str()),
                ("Origin", origin),
                ("Connection", "Upgrade"),
                ("Upgrade", "websocket"),
                ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ];
            assert_eq!(get(&playground, path, &upgrade).0, 403, "{origin} {path}");
        }
    }
}

fn post(playground: &Playground, kind: &str, body: &str) -> (u16, String) {
    let (host, length) = (own_host(playground), body.len());
    let head =
        format!("POST /api/v1/runs HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\nContent-Length: {length}\r\n");
    say(playground, &format!("{head}{kind}\r\n{body}"))
}

#[test]
fn only_json_is_read_and_not_without_end() {
    let playground = Playground::open();
    let body = json!({ "algorithm": "lamport" }).to_string();
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        assert_eq!(post(&playground, kind, &body).0, 415, "{kind}");
    }
    let json = "Content-Type: application/json; charset=utf-8\r\n";
    for malformed in
        ["{", "nonsense", "{\"algorithm\": \"lamport\"} {}", "[1", "\u{7f}", "{\"algorithm\": \"lamport\"}}"]
    {
        let (status, answer) = post(&playground, json, malformed);
        assert!(status == 400 && answer.contains("/problems/malformed"), "{malformed}: {answer}");
    }
    for wrong in ["null", "[]", "\"lamport\"", "3"] {
        assert_eq!(post(&playground, json, wrong).0, 422, "{wrong}");
    }
    let deep = "[".repeat(100_000);
    assert!([400, 422].contains(&post(&playground, json, &deep).0));
    let huge = format!("{{\"name\": \"{}\"}}", "x".repeat(2 << 20));
    let (status, answer) = post(&playground, json, &huge);
    assert!(status == 413 && answer.contains("/problems/too-large"), "{status}");
    assert_eq!(post(&playground, json, &body).0, 201, "and the playground goes on");
}

#[test]
fn every_answer_says_what_a_page_may_do() {
    let playground = Playground::open();
    let host = own_host(&playground);
    for path in ["/", "/api/v1/runs", "/nothing-here.js", "/healthz"] {
        let answer = get(&playground, path, &[("Host", &host)]).1.to_lowercase();
        for expected in [
            "content-security-policy: default-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(answer.contains(expected), "{path} lacks {expected}: {answer}");
        }
    }
}

#[test]
fn nobody_from_outside_can_be_let_in() {
    for host in ["0.0.0.0", "192.168.1.1", "::", "example.org"] {
        let output = std::process::Command::new(crate::support::program())
            .args(["serve", "--no-demo", "--port", "0", "--host", host])
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{host}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("127.0.0.1"), "{host}");
    }
}
