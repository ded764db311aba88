//! Tests of recorded runs: they are replayed, and impossible recordings are rejected.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{interlock, simulate};

/// Records a run with many faults. Returns the path of the recording, and the events.
fn recorded(folder: &Path) -> (String, String) {
    let (schedule, events) = (folder.join("schedule"), folder.join("events"));
    let output = simulate(&format!(
        "--algorithm ricart-agrawala --nodes 4 --entries 30 --latency exp:3 --idle exp:9 --duplicate 0.1 --loss 0.05 \
         --crash 3@40 --restart 3@60 --partition 0,1/2,3@70 --rule drop,kind=REPLY,skip=9,count=1 --heal @90 \
         --record {} --events {}",
        schedule.display(),
        events.display()
    ));
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    (schedule.display().to_string(), fs::read_to_string(events).expect("the events"))
}

#[test]
fn a_recording_is_played_again_to_the_byte_and_an_edited_one_is_not() {
    let folder = TempDir::new().expect("a folder");
    let (schedule, events) = recorded(folder.path());
    let again = folder.path().join("again");
    let replayed = |schedule: &str| {
        let output = interlock(&format!("replay {schedule} --format json --events {}", again.display()));
        (output, fs::read_to_string(&again).expect("the events"))
    };
    let (output, told) = replayed(&schedule);
    assert!(told == events, "the events differ");
    let figures: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((figures["algorithm"].as_str(), figures["nodes"].as_u64()), (Some("ricart-agrawala"), Some(4)));

    let mut lines: Vec<String> =
        fs::read_to_string(&schedule).expect("a schedule").lines().map(str::to_owned).collect();
    let last = lines.iter().rposition(|line| line.contains("\"deliver\"")).expect("a delivery");
    assert!(lines.len() > 30 && last > 1, "{} lines", lines.len());
    lines.remove(last);
    fs::write(&schedule, lines.join("\n")).expect("a schedule");
    let (_, told) = replayed(&schedule);
    assert!(told != events, "a delivery less makes no difference");
}

#[test]
fn what_cannot_be_played_is_refused_with_its_place() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let refused = |document: &str| {
        fs::write(&file, document).expect("a file");
        let output = interlock(&format!("replay {}", file.display()));
        assert_eq!(output.status.code(), Some(2), "{document}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let run = json!({ "algorithm": "lamport", "nodes": 2 });
    let with = |choices: Value| json!({ "specification": run, "choices": choices }).to_string();
    let acquire = json!({ "do": { "acquire": { "node": 0 } } });
    for (document, why) in [
        (
            with(json!([acquire, { "do": { "deliver": "1.0.1" } }])),
            "action 1, {\"deliver\":\"1.0.1\"}: message 1.0.1 is neither",
        ),
        (with(json!([acquire, { "do": { "deliver": "1.0.1" } }])), "possible now: {\"acquire\":{\"node\":1"),
        (with(json!([{ "do": { "acquire": { "node": 2 } } }])), "at /choices/0/do/acquire/node: there is no node 2"),
        (with(json!([{ "do": { "aquire": { "node": 0 } } }])), "did you mean `acquire`?"),
        ("{\"choices\": []}".to_owned(), "specification"),
        ("no JSON".to_owned(), "not JSON"),
    ] {
        let said = refused(&document);
        assert!(said.contains(why), "{document}: {said}");
    }
    let output = interlock(&format!("replay {}", folder.path().join("nothing").display()));
    assert_eq!(output.status.code(), Some(3));
}
