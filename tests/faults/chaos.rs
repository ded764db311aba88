//! Tests of chaos with real processes, in the way that people start it. A correct variant passes, a faulty variant
//! fails, and no process is left.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::program;

/// Runs chaos with real processes for the duration `length`, but for at least two rounds. Chaos ends earlier if
/// every variant has failed.
fn chaos(length: &str, arguments: &[&str]) -> (Output, Value) {
    let words = ["fuzz", "--chaos", "--live", "--for", length, "--format", "json"];
    let output = Command::new(program()).args(words).args(arguments).output().expect("it runs");
    let told = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output, told)
}

#[test]
fn who_is_right_survives_and_nothing_is_left() {
    let (output, told) = chaos("1s", &["suzuki-kasami/regeneration", "ricart-agrawala/remove-dead"]);
    assert_eq!(output.status.code(), Some(0), "{told:#}");
    for tried in told["tried"].as_array().expect("what was tried") {
        assert_eq!(tried["verdict"], "kept-every-rule", "{told:#}");
        assert!(tried["seeds"].as_u64() >= Some(2) && tried["entries"].as_u64() > Some(0), "{told:#}");
    }
    let (before, after) = (&told["held"]["before"], &told["held"]["after"]);
    assert!(before["descriptors"].as_u64() > Some(2) && before["memory_kib"].as_u64() > Some(0), "{told:#}");
    assert!(after["descriptors"].as_u64() <= before["descriptors"].as_u64(), "{told:#}");
    assert_eq!((&after["children"], &told["left"]), (&0.into(), &Value::Array(Vec::new())), "{told:#}");
}

/// With this variant, every second crash of a waiting process leads to a violation of mutual exclusion. Chaos must
/// therefore find a violation after a few rounds.
#[test]
fn who_is_wrong_is_caught_and_its_scenario_kept() {
    let directory = TempDir::new().expect("a folder");
    let folder = directory.path().to_str().expect("a path");
    let (output, told) = chaos("5m", &["suzuki-kasami/hasty-regeneration", "--save", folder]);
    let tried = &told["tried"][0];
    assert_eq!((output.status.code(), &tried["verdict"]), (Some(0), &"caught".into()), "{told:#}");
    let because = tried["because"].as_str().expect("a reason");
    assert!(because.contains("in the critical section") || because.contains("did not enter"), "{because}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let name = format!("suzuki-kasami-hasty-regeneration-{}", tried["caught_by"]);
    assert!(said.contains(because) && said.contains(&format!("{name}.scenario.json --simulate")), "{said}");
    let events = fs::read_to_string(directory.path().join(format!("{name}.ndjson"))).expect("the events");
    assert!(events.lines().any(|event| event.contains(r#""kind":"entered""#)), "{events}");
    let scenario = directory.path().join(format!("{name}.scenario.json"));
    let again = Command::new(program()).args(["run", "--simulate"]).arg(scenario).output().expect("it runs");
    // The failure depends on the schedule, and in virtual time the schedule is different. The scenario may
    // therefore pass or fail, but it must be playable.
    assert!(matches!(again.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&again.stderr));
}
