//! Tests of nodes whose program is a service, with real servers under confinement. The tests play the hub of these
//! nodes.

use std::fs::read_link;
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use axum::extract::State;
use axum::{Json, Router};
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{PATIENCE, folder, interlock, output};
use crate::support::leave_out;

const START: &str = r#"{"incarnation":1,"batch":1,"items":[{"start":{}}]}"#;

/// Whether the kernel has all mechanisms of confinement.
fn is_confinable() -> bool {
    let is_confinable = output(&mut interlock(&["doctor"])).1.contains("ok        confinement");
    if !is_confinable {
        leave_out("confinement", "Linux 6.12 with seccomp and namespaces");
    }
    is_confinable
}

/// Returns a port at which nobody listens.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Starts a hub that accepts everything. Returns its address, and the messages that it gets.
async fn hub() -> (String, mpsc::Receiver<Value>) {
    async fn hear(State(heard): State<mpsc::Sender<Value>>, Json(body): Json<Value>) {
        let _ = heard.send(body).await;
    }
    let (sender, heard) = mpsc::channel(8);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(hear).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}"), heard)
}

/// The confined node of a service, after its first step.
struct Served {
    node: Child,
    /// Answer to the batch with the first step.
    report: Value,
    own: TempDir,
}

impl Served {
    /// Starts the node of a service, and waits until the service is ready.
    async fn start(command: &[&str], ready: &Value, listen: u16) -> Self {
        let own = TempDir::new().expect("a folder");
        let (hub, mut heard) = hub().await;
        let program = json!({
            "command": command,
            "folder": folder(),
            "path": std::env::var("PATH").expect("a path"),
            "own_folder": { "path": own.path(), "keeps": false },
            "service": { "ready": ready, "within_ms": 30_000 },
            "ports": { "listen": [listen] },
        });
        let initialization = json!({
            "hub": hub, "secret": "a secret", "parent": std::process::id(), "node": 1, "incarnation": 1, "nodes": 2,
            "algorithm": "own", "variant": null, "parameters": {}, "seed": 1, "epoch_ns": 0, "client_loop": null,
            "timers": true, "next_request": 1, "entries": 0, "locks": 1, "program": program,
            "confinement": { "memory_bytes": 1 << 30 },
        });
        let mut command = tokio::process::Command::from(interlock(&["node"]));
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut node = command.spawn().expect("started");
        let line = format!("{initialization}\n");
        node.stdin.as_mut().expect("an input").write_all(line.as_bytes()).await.expect("written");
        let hello = timeout(PATIENCE, heard.recv()).await.expect("in time").expect("a hello");
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let inbox = format!("{}/inbox", hello["url"].as_str().expect("an address"));
        let batch = client.post(inbox).header(AUTHORIZATION, "Bearer a secret").body(START);
        let answer = timeout(PATIENCE, batch.send()).await.expect("in time");
        let report = match answer {
            Ok(answer) => serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("a report"),
            Err(error) => panic!("{error}: {:?}", node.wait_with_output().await),
        };
        Self { node, report, own }
    }

    /// Waits until the node ends by itself. Returns its exit code and its standard error.
    async fn end(mut self) -> (Option<i32>, String) {
        let lifeline = self.node.stdin.take();
        let Output { status, stderr, .. } =
            timeout(PATIENCE, self.node.wait_with_output()).await.expect("in time").expect("it ends");
        drop(lifeline);
        (status.code(), String::from_utf8_lossy(&stderr).into_owned())
    }
}

async fn exchanged(port: u16, sent: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
    stream.write_all(sent.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("in time").expect("an answer");
    answer
}

#[tokio::test]
async fn redis_serves_under_confinement_and_its_end_ends_its_node() {
    if Command::new("redis-server").arg("--version").output().is_err() {
        return leave_out("services", "redis-server");
    }
    let port = free_port();
    let port_word = port.to_string();
    let command = ["redis-server", "--port", &port_word, "--save", "", "--dir", "."];
    for ready in [
        json!({ "bytes": { "port": port, "send": "PING\r\n", "answer": "+PONG" } }),
        json!({ "command": ["redis-cli", "-p", port_word, "-e", "PING"] }),
    ] {
        let served = Served::start(&command, &ready, port).await;
        assert_eq!(served.report["steps"][0]["input"], json!({ "start": {} }), "{}", served.report);
        // The process that writes the file is a child of the server.
        let told = exchanged(port, "SET lock me NX PX 60000\r\nGET lock\r\nSAVE\r\nBGSAVE\r\nQUIT\r\n").await;
        assert!(told.starts_with("+OK\r\n$2\r\nme\r\n+OK\r\n+Background saving started\r\n"), "{told}");
        assert!(served.own.path().join("dump.rdb").exists(), "its folder is its working directory");
        exchanged(port, "SHUTDOWN NOSAVE\r\n").await;
        let (code, told) = served.end().await;
        assert_eq!(code, Some(3), "{told}");
        assert!(told.contains("P1: ") && told.contains("ready to exit, bye bye"), "{told}");
        assert!(told.contains("interlock node: P1, `redis-server --port") && told.contains(", ended with"), "{told}");
    }
}

/// Python program that prints how each of several acts ended, as JSON. Its argument is a port at which it must not
/// connect.
const ACTS: &str = r"
import ctypes, json, mmap, os, socket, sys

def shared_memory():
    if ctypes.CDLL(None).shmget(0, 4096, 0o1600) < 0:
        raise OSError

def tried(act):
    try:
        act()
        return 'done'
    except OSError:
        return 'refused'

acts = {
    'mmap': lambda: mmap.mmap(-1, 4096),
    'shmget': shared_memory,
    'memfd': lambda: os.memfd_create('a'),
    'connect': lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1]))),
    'unix': lambda: socket.socket(socket.AF_UNIX),
    'udp': lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
}
told = {name: tried(act) for name, act in acts.items()} | {'ipc': os.readlink('/proc/self/ns/ipc')}
";

/// Returns how the acts end in a program that may use the ports which `options` name.
fn acts(stranger: u16, options: &[&str]) -> Value {
    let own = TempDir::new().expect("a folder");
    let (parent, own_folder) = (std::process::id().to_string(), format!("--own-folder={}", own.path().display()));
    let script = format!("{ACTS}\nprint(json.dumps(told))");
    let words = [&["node", "exec", &parent, "--confined", &own_folder], options].concat();
    let mut command = interlock(&words);
    let Output { stdout, stderr, .. } =
        command.args(["--", "python3", "-c", &script, &stranger.to_string()]).output().expect("it runs");
    serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&stderr)))
}

#[test]
fn only_a_program_that_listens_has_shared_memory() {
    if !is_confinable() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let stranger = listener.local_addr().expect("an address").port();
    let ours = read_link("/proc/self/ns/ipc").expect("a namespace");
    let to_stranger = format!("--connect={stranger}");
    for (options, memory, connect) in [
        (&[][..], "refused", "refused"),
        (&[&*to_stranger], "refused", "done"),
        (&["--listen=1024"], "done", "refused"),
    ] {
        let told = acts(stranger, options);
        for (act, how) in [
            ("mmap", memory),
            ("shmget", memory),
            ("connect", connect),
            ("memfd", "refused"),
            ("unix", "refused"),
            ("udp", "refused"),
        ] {
            assert_eq!(told[act], how, "{options:?}: {told}");
        }
        assert_eq!(told["ipc"] != ours.to_str().expect("a path"), memory == "done", "{options:?}: {told}");
    }
}

/// A service starts within the confinement of its node, which must allow all that the service may do.
#[tokio::test]
async fn the_node_of_a_service_allows_what_the_service_may_do() {
    if !is_confinable() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let stranger = listener.local_addr().expect("an address").port().to_string();
    let port = free_port();
    let serve = format!(
        "{ACTS}\nserver = socket.create_server(('127.0.0.1', {port}))\nwhile True:\n    client, _ = server.accept()\n    \
         client.sendall(json.dumps(told).encode())\n    client.close()\n"
    );
    let ready = json!({ "bytes": { "port": port, "send": "", "answer": "}" } });
    let served = Served::start(&["python3", "-c", &serve, &stranger], &ready, port).await;
    let told: Value = serde_json::from_str(&exchanged(port, "").await).expect("JSON");
    for (act, how) in [("mmap", "done"), ("shmget", "done"), ("connect", "refused"), ("unix", "refused")] {
        assert_eq!(told[act], how, "{told}");
    }
    drop(served);
}
