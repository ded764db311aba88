//! Tests of `interlock claims` in the way that people and scripts use it: its list, its results and its exit codes.

use std::process::{Command, Output, Stdio};
use std::thread;

use interlock_evidence::claims::{self, How};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::concurrently::concurrently;
use crate::support::{children, program, time_until_gone};

fn shown(arguments: &[&str]) -> Output {
    Command::new(program()).arg("claims").args(arguments).output().expect("it runs")
}

fn json(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {:?} {:?}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

/// Runs `interlock claims` with `arguments`, and returns the result of each checked claim. All claims must hold; a
/// failure lists only the claims that do not hold.
fn held(arguments: &[&str]) -> Vec<Value> {
    let output = shown(&[arguments, &["--format", "json"]].concat());
    let all = json(&output);
    let others: Vec<&Value> = all.iter().filter(|one| one["verdict"] != "holds").collect();
    assert!(others.is_empty(), "{others:#?}");
    assert_eq!(output.status.code(), Some(0));
    all
}

#[test]
fn an_unknown_claim_is_a_matter_of_usage_and_the_nearest_are_named() {
    let output = shown(&["LAN-1"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`LAN-1`") && said.contains("LAM-1"), "{said}");
    assert!(output.stdout.is_empty());
    for arguments in [&["CEN-2", "--how", "L"][..], &["--how", "Z"], &["--format", "xml"]] {
        assert_eq!(shown(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_claim_by_live_processes_holds() {
    let all = held(&["LAM-4", "--how", "L"]);
    let [one] = &all[..] else { panic!("one showing: {all:#?}") };
    let mut fields: Vec<&String> = one.as_object().expect("an object").keys().collect();
    fields.sort_unstable();
    assert_eq!(fields, ["claim", "expected", "how", "id", "measured", "seconds", "verdict"]);
    assert_eq!((&one["id"], &one["how"]), (&"LAM-4".into(), &"L".into()));
    assert!(one["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{one}");
    assert!(one["measured"].as_str().is_some_and(|measured| measured.contains("[0, 1] inside")), "{one}");
}

#[test]
fn a_claim_by_a_property_holds() {
    let all = held(&["MAE-1"]);
    assert_eq!(all[0]["how"], "P");
}

/// Number of concurrent programs that check claims with live processes. Live processes spend most of their time
/// waiting, so the programs hardly slow each other down.
const AT_A_TIME: usize = 4;

#[test]
fn every_claim_by_live_processes_holds() {
    let chosen = claims::select(&[], None, &[How::Live]).expect("claims");
    let mut live: Vec<&str> = chosen.iter().map(|(claim, _)| claim.id).collect();
    assert!(live.len() >= 40, "{live:?}");
    let all = concurrently(AT_A_TIME, &live, |id| held(&[id, "--how", "L"])).concat();
    let mut ids: Vec<&str> = all.iter().filter_map(|one| one["id"].as_str()).collect();
    ids.sort_unstable();
    live.sort_unstable();
    assert_eq!(ids, live);
}

/// The test runs a sample of claims of each family. The nightly check runs `interlock claims` for all claims, in an
/// optimised build.
#[test]
fn claims_by_simulation_hold() {
    assert!(held(&["CEN", "BUL", "DLK-1", "DLK-3", "DLK-5", "PAX", "--how", "S"]).len() > 4);
}

/// The test runs all claims except DIJ-2, DIJ-4, DIJ-7 and LAM-3, which take long in an unoptimised build. The
/// nightly check runs `interlock claims` in an optimised build.
#[test]
fn claims_by_exploration_hold() {
    let quick = "CEN BAK DIJ-1 DIJ-3 LEL LAM-4 LAM-5 LAM-6 LAM-8 RIC CAR SUZ RAT MAE RAY SAN NAI ORD RNG DLK PAX LOG";
    let quick: Vec<&str> = quick.split(' ').collect();
    assert_eq!(held(&[&quick[..], &["--how", "X"]].concat()).len(), 41);
}

#[test]
fn people_get_a_table_of_120_columns() {
    let output = shown(&["LAM-4", "MAE-1"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    assert!(text.starts_with("id") && text.contains("LAM-4") && text.contains("holds"));
}

#[test]
fn who_breaks_it_off_leaves_no_process_and_no_file_behind() {
    let folder = TempDir::new().expect("a folder");
    let mut process = Command::new(program())
        .args(["claims", "--how", "L", "--format", "json"])
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let nodes = loop {
        let nodes = children(process.id());
        if !nodes.is_empty() {
            break nodes;
        }
        assert!(process.try_wait().expect("its status").is_none(), "it ended before it had started a process");
        thread::yield_now();
    };
    let pid = i32::try_from(process.id()).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::INT).expect("the signal is sent");
    assert_eq!(process.wait().expect("it ends").code(), Some(4));
    time_until_gone(&nodes);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").collect();
    assert!(left.is_empty(), "{left:?}");
}
