//! Tests that reading a journal needs no disk space.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::{Client, Method, header};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Playground, program, time_until_gone};

/// Returns a command that runs the program as if the disk were full: no file can grow, and writing to standard
/// error fails.
fn without_room() -> Command {
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\" 2>/dev/full";
    command.args(["-c", script]).arg(program());
    command
}

/// Kills the playground in the middle of a run, and returns the id of the run. The last events of the run are then
/// still in the write-ahead log beside the journal.
async fn killed(folder: &Path) -> String {
    let mut playground = Playground::open_in(folder, &["--no-demo"]);
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "workload": { "idle": 0, "hold": 0 } })).await;
    run.wait(json!({ "entries": 20 })).await;
    let (id, nodes) = (run.id.clone(), crate::support::pids(&run.state().await));
    playground.end(Signal::KILL);
    time_until_gone(&nodes);
    id
}

/// Returns the path of a file that SQLite keeps beside the journal of a run. `suffix` follows the name of the
/// journal.
fn beside(folder: &Path, run: &str, suffix: &str) -> PathBuf {
    folder.join(format!("{run}.sqlite{suffix}"))
}

/// Returns the paths of the API that read a run, with their parameters filled in.
async fn readers(playground: &Playground) -> Vec<String> {
    let document = playground.get("/openapi.json").await;
    let paths = document["paths"].as_object().expect("paths");
    let read = paths.iter().filter(|(path, methods)| {
        path.contains("/runs/{run}") && path.matches('{').count() == 1 && methods.get("get").is_some()
    });
    let below = |path: &str| path.trim_start_matches("/api/v1").to_owned();
    // A stream is not a single document, so its path is left out.
    let paths: Vec<String> = read.map(|(path, _)| below(path)).filter(|path| !path.ends_with("/stream")).collect();
    let forms = ["story", "events", "shiviz", "itf", "perfetto", "svg"];
    let with_form = |path: String| -> Vec<String> {
        if path.ends_with("/trace") {
            forms.iter().map(|form| format!("{path}?as={form}")).collect()
        } else {
            vec![path]
        }
    };
    paths.into_iter().flat_map(with_form).collect()
}

/// Asserts that all documents about a run can be read.
async fn is_readable(playground: &Playground, run: &str) {
    let readers = readers(playground).await;
    assert!(readers.len() > 15, "{readers:?}");
    for path in readers {
        let path = path.replace("{run}", run);
        let (status, answer) = playground.request(Method::GET, &path, None).await;
        // The network and the replay exist only while a run is in progress.
        let is_of_the_network = path.contains("/network") || path.ends_with("/replay");
        assert!(status.is_success() || (is_of_the_network && status.is_client_error()), "{path}: {status} {answer}");
    }
    let all =
        Client::builder().no_proxy().build().expect("a client").get(playground.api(&format!("/runs/{run}/events")));
    let all = all.header(header::ACCEPT, "application/x-ndjson").send().await.expect("an answer");
    let lines = all.text().await.expect("all events").lines().count();
    let latest = playground.get(&format!("/runs/{run}/state")).await["seq"].clone();
    assert!(lines > 20 && latest == lines, "{lines} events of {latest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_on_a_full_disk_is_read_and_deleted() {
    let folder = TempDir::new().expect("a folder");
    let run = killed(folder.path()).await;
    assert!(beside(folder.path(), &run, "-wal").exists(), "the run should end in the middle");
    for option in ["--no-demo", "--read-only"] {
        let playground = Playground::start(without_room(), folder.path(), &[option]);
        assert_eq!(playground.get("/runs").await["items"][0]["id"], run, "{option}");
        is_readable(&playground, &run).await;
    }
    // Simulates a copy of the folder that has the journal and its log, but not the index of the log.
    fs::remove_file(beside(folder.path(), &run, "-shm")).expect("it was there");
    let playground = Playground::start(without_room(), folder.path(), &["--no-demo"]);
    is_readable(&playground, &run).await;
    let path = format!("/runs/{run}");
    playground.refused(Method::PATCH, &path, Some(json!({ "name": "other" })), 507).await;
    let (status, answer) = playground.request(Method::DELETE, &path, None).await;
    assert_eq!((status.as_u16(), answer), (204, Value::String(String::new())));
    assert_eq!(playground.get("/runs").await["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_read_the_same_journal_on_a_full_disk_at_once() {
    let folder = TempDir::new().expect("a folder");
    let run = killed(folder.path()).await;
    let playground = Playground::start(without_room(), folder.path(), &["--no-demo"]);
    let (client, url) =
        (Client::builder().no_proxy().build().expect("a client"), playground.api(&format!("/runs/{run}/events")));
    let read = (0..40).map(|_| tokio::spawn(client.get(&url).send())).collect::<Vec<_>>();
    for answer in read {
        let answer = answer.await.expect("no panic").expect("an answer");
        assert_eq!(answer.status(), 200, "{}", answer.text().await.expect("a text"));
    }
}
