//! Tests of how the harness reports an answer of the API to an unmet wait. They use a small server with fixed
//! answers instead of a playground.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use interlock_harness::{Error, Playground, json};

/// Starts a server with one run, and returns its base URL. The server answers every wait request with the error
/// status `status`.
fn server(status: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.expect("a connection"), status).expect("a request");
        }
    });
    url
}

fn answer(mut stream: TcpStream, status: u16) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = Vec::new();
    for line in reader.by_ref().lines() {
        head.push(line?.to_lowercase());
        if head.last().is_some_and(String::is_empty) {
            break;
        }
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    reader.read_exact(&mut vec![0; length.unwrap_or_default()])?;
    let path = head[0].split(' ').nth(1).unwrap_or_default();
    let (status, body) = match path {
        "/api/v1/runs" => (201, json!({ "id": "7" }).to_string()),
        "/api/v1/runs/7/state" => (200, json!({ "seq": 9, "verdict": { "status": "stuck" } }).to_string()),
        "/api/v1/runs/7/wait" if status == 0 => (500, "no problem details".to_owned()),
        "/api/v1/runs/7/wait" => {
            let problem = json!({ "type": "/problems/x", "title": "x", "status": status, "detail": "it is stuck" });
            (status, problem.to_string())
        }
        _ => (200, String::new()),
    };
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

#[test]
fn what_can_come_no_longer_is_told_as_what_does_not_come() -> Result<(), Error> {
    for status in [408, 409] {
        let run = Playground::at(&server(status)).run(json!({ "algorithm": "lamport" }))?;
        let error = run.wait("idle", Duration::from_secs(1)).expect_err("it does not come");
        assert!(matches!(error, Error::Unmet { .. }), "{error}");
        let told = "\"idle\" did not happen within 1s\nit is stuck\nverdict: stuck\nthe last of 9 events:";
        assert_eq!(error.to_string(), told);
    }
    Ok(())
}

#[test]
fn other_refusals_stay_refusals_also_where_another_server_answers() -> Result<(), Error> {
    let run = Playground::at(&server(429)).run(json!({ "algorithm": "lamport" }))?;
    let error = run.wait("idle", Duration::from_secs(1)).expect_err("it is refused");
    assert_eq!(error.problem().map(|problem| problem.status), Some(429));
    let run = Playground::at(&server(0)).run(json!({ "algorithm": "lamport" }))?;
    let error = run.wait("idle", Duration::from_secs(1)).expect_err("it is refused");
    let problem = error.problem().expect("a refusal");
    assert_eq!((problem.status, problem.detail.as_str()), (500, "no problem details"));
    Ok(())
}
