//! Tests with other programs of the same machine, which connect to a node or to the network of its run and send
//! nothing.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{Playground, pids, program};

/// Number of silent connections: more than the number of files that the processes may open.
const SILENT: usize = 1_200;
const OPEN_FILES: &str = "400";
/// Time limit for opening a connection. If a listener accepts no connections, opening stays pending.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns the ports on which a process listens.
fn ports(pid: u32) -> Vec<u16> {
    let proc = Path::new("/proc").join(pid.to_string());
    let sockets: Vec<String> = fs::read_dir(proc.join("fd"))
        .expect("its descriptors")
        .filter_map(|entry| Some(fs::read_link(entry.ok()?.path()).ok()?.display().to_string()))
        .collect();
    let table = fs::read_to_string(proc.join("net/tcp")).expect("its sockets");
    let port = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let listens = fields.get(3) == Some(&"0A") && sockets.contains(&format!("socket:[{}]", fields.get(9)?));
        listens.then(|| u16::from_str_radix(fields[1].rsplit(':').next()?, 16).ok()).flatten()
    };
    table.lines().filter_map(port).collect()
}

/// Raises the limit of open files, so that this process can open all connections of a test.
fn raise_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("raised");
}

async fn silent(port: u16) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    while streams.len() < SILENT {
        match timeout(PATIENCE, TcpStream::connect(("127.0.0.1", port))).await {
            Ok(stream) => streams.push(stream.expect("a connection")),
            Err(_) => break,
        }
    }
    streams
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_hold_up_no_run() {
    raise_limit();
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n \"$0\" && exec \"$@\"", OPEN_FILES]).arg(program());
    let playground = Playground::start(command, folder.path(), &["--no-demo"]);
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    run.enter(0).await;
    run.release(0).await;
    let nodes = pids(&run.state().await);
    let mut streams = Vec::new();
    let api: u16 = playground.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    for pid in [nodes[0], playground.pid()] {
        let ports: Vec<u16> = ports(pid).into_iter().filter(|port| *port != api).collect();
        assert_eq!(ports.len(), 1, "process {pid} listens on {ports:?}");
        streams.push(silent(ports[0]).await);
    }
    assert_eq!(streams.iter().map(Vec::len).collect::<Vec<_>>(), [SILENT; 2]);
    run.enter(1).await;
    run.release(1).await;
    // The test then needs new file descriptors for a new process and a new run, and the network must accept the
    // connections of both.
    run.post("/nodes/1/crash", json!({})).await;
    run.post("/nodes/1/restart", json!({})).await;
    let other = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    other.enter(2).await;
    for pid in [nodes[0], playground.pid()] {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).expect("its descriptors").count();
        assert!(open < 350, "process {pid} has {open} open files");
    }
}
