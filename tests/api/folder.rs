//! Tests of the data folder: it has one owner, other playgrounds may only read it, and other users have no access.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use reqwest::Method;
use rustix::process::Signal;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Playground, program};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_playground_is_refused_and_told_who_has_the_folder() {
    let mut first = Playground::open();
    let run = first.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let mut second = Command::new(program());
    let refused = second.args(["serve", "--port", "0", "--no-demo", "--data-dir"]).arg(&first.directory).output();
    let refused = refused.expect("it runs");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains(&format!("open at {} (process {})", first.url, first.pid())), "{said}");
    assert_eq!(run.get("").await["status"], "running");
    // After the owner was killed, another playground can own the folder.
    first.end(Signal::KILL);
    first.open_again();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_looks_sees_the_runs_of_another_and_changes_nothing() {
    let owner = Playground::open();
    let run = owner.run(json!({ "algorithm": "lamport", "nodes": 2, "name": "mine" })).await;
    let onlooker = Playground::open_in(&owner.directory, &["--read-only"]);
    let seen = onlooker.get("/runs").await;
    assert_eq!((&seen["items"][0]["name"], &seen["items"][0]["status"]), (&json!("mine"), &json!("running")), "{seen}");
    assert_eq!(seen["items"].as_array().map(Vec::len), Some(1), "no demonstration: {seen}");
    assert_eq!(onlooker.get(&run.path("/state")).await["nodes"].as_array().map(Vec::len), Some(2));
    for (method, path, body) in [
        (Method::DELETE, run.path(""), None),
        (Method::POST, "/runs".to_owned(), Some(json!({ "algorithm": "lamport", "nodes": 2 }))),
        (Method::POST, run.path("/nodes/0/acquire"), Some(json!({}))),
    ] {
        let problem = onlooker.refused(method, &path, body, 409).await;
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("is read-only")), "{problem}");
    }
    assert_eq!(run.get("").await["status"], "running");
    run.enter(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_delete_one_is_told_that_it_is_gone() {
    let playground = Playground::open();
    for _ in 0..5 {
        let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
        run.post("/stop", json!({})).await;
        let path = run.path("");
        let delete = || playground.request(Method::DELETE, &path, None);
        let ((one, _), (other, _)) = tokio::join!(delete(), delete());
        let mut both = [one.as_u16(), other.as_u16()];
        both.sort_unstable();
        assert_eq!(both, [204, 404]);
        assert_eq!(playground.get("/runs").await["items"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_are_for_their_owner_alone() {
    let above = TempDir::new().expect("a folder");
    let folder = above.path().join("runs");
    let playground = Playground::open_in(&folder, &["--no-demo"]);
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    run.enter(0).await;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    assert!(files.iter().any(|file| file.extension().is_some_and(|ending| ending == "sqlite")), "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}
