//! Tests in which the orchestrator is killed at random times, while runs are created, imported, read and deleted.
//! Afterwards no process is left, everything that the orchestrator confirmed is still true, and the next
//! orchestrator opens the same folder normally.
//!
//! `INTERLOCK_CRASHES` is the number of kills (by default a few), and `INTERLOCK_SEED` is the seed of their random
//! times.

mod load;
mod room;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use interlock_machine::draw::{draw, evenly};
use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;
use uuid::Uuid;

use crate::support::{PATIENCE, Playground, children, leave_out, program, time_until_gone};
use load::{Facts, Load};

/// Maximum time from the opening of a playground to the kill of its orchestrator, in ms.
const LONGEST_LIFE_MS: u64 = 600;
/// Number of events in one request.
const PAGE: u64 = 10_000;

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Opens a playground in `folder` with `command`, kills the playground under load, and checks the folder and the
/// processes afterwards. Repeats this `times` times.
async fn crash(folder: &Path, times: u64, command: impl Fn() -> Command) {
    let seed = number("INTERLOCK_SEED", 1);
    let events = Arc::new(load::example());
    let mut facts = Facts::default();
    for life in 0..times {
        let mut playground = Playground::start(command(), folder, &["--no-demo"]);
        facts.hold(&playground).await.unwrap_or_else(|wrong| panic!("seed {seed}, after {life} lives: {wrong}"));
        let load = Load::begin(&playground, Arc::clone(&events), std::mem::take(&mut facts));
        sleep(Duration::from_millis(evenly(draw(&[seed, life]), 0, LONGEST_LIFE_MS))).await;
        let nodes = children(playground.pid());
        playground.end(Signal::KILL);
        facts = load.end().await;
        time_until_gone(&nodes);
    }
    let playground = Playground::start(command(), folder, &["--no-demo"]);
    facts.hold(&playground).await.unwrap_or_else(|wrong| panic!("seed {seed}, after all lives: {wrong}"));
    assert!(facts.are_many(times), "hardly anything has happened: {facts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_said_is_lost_and_nobody_is_left() {
    let folder = TempDir::new().expect("a folder");
    crash(folder.path(), number("INTERLOCK_CRASHES", 8), || Command::new(program())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_where_there_are_hardly_any_descriptors() {
    let folder = TempDir::new().expect("a folder");
    let command = || {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n 300 && exec \"$0\" \"$@\""]).arg(program());
        command
    };
    crash(folder.path(), number("INTERLOCK_CRASHES", 8) / 2, command).await;
}

/// A folder on a separate small disk, if the system allows one. Dropping this value removes the disk.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount(bytes: u64) -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let size = format!("size={bytes}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(folder.path()).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // If the disk cannot be unmounted, it stays mounted. This error is ignored.
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).output();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_where_the_disk_is_full() {
    let Some(disk) = SmallDisk::mount(3 << 20) else {
        return leave_out("mount", "a disk of its own, which only root mounts");
    };
    crash(disk.0.path(), number("INTERLOCK_CRASHES", 8) / 2, || Command::new(program())).await;
}

/// Returns all events of a run. If their numbers have a gap, returns an error.
async fn events_of(playground: &Playground, run: Uuid) -> Result<Vec<Value>, String> {
    let mut events: Vec<Value> = Vec::new();
    loop {
        let page = playground.get(&format!("/runs/{run}/events?since={}&limit={PAGE}", events.len())).await;
        let items = page["items"].as_array().ok_or_else(|| format!("{run} has no events: {page}"))?;
        if items.is_empty() {
            return Ok(events);
        }
        for event in items {
            if event["seq"] != events.len() + 1 {
                return Err(format!("{run}: event {} stands where {} is expected", event["seq"], events.len() + 1));
            }
            events.push(event.clone());
        }
    }
}

/// Negative control of the check: if a confirmed run is missing, the check fails.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_lost_is_found_to_be() {
    let folder = TempDir::new().expect("a folder");
    let mut playground = Playground::open_in(folder.path(), &["--no-demo"]);
    let load = Load::begin(&playground, Arc::new(load::example()), Facts::default());
    load.until(PATIENCE, |facts| facts.imported() >= 2 && facts.created() >= 1).await;
    playground.end(Signal::TERM);
    let facts = load.end().await;
    let playground = Playground::open_in(folder.path(), &["--no-demo"]);
    assert_eq!(facts.hold(&playground).await, Ok(()));
    let one = facts.an_import().expect("one was loaded");
    playground.request(reqwest::Method::DELETE, &format!("/runs/{one}"), None).await;
    let lost = facts.hold(&playground).await.expect_err("one is gone");
    assert!(lost.contains(&one.to_string()), "{lost}");
}
