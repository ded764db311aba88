//! Tests of `interlock replay --live`, called as users call it.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use interlock_simulation::schedule::ScheduleDraft;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Playground, program};

fn interlock(words: &str, input: &str) -> Output {
    let mut process = Command::new(program())
        .args(words.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // If the program does not read its input, it may already have ended. This write error is therefore ignored.
    let _ = process.stdin.take().expect("its input").write_all(input.as_bytes());
    process.wait_with_output().expect("it ends")
}

fn said(words: &str, input: &str, code: i32) -> String {
    let output = interlock(words, input);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words}: {out}{err}");
    format!("{out}{err}")
}

/// Operating system processes play a counterexample of the model checker, and the violation happens.
#[tokio::test]
async fn a_counterexample_happens_between_live_processes() {
    let folder = TempDir::new().expect("a folder");
    let (file, events) = (folder.path().join("schedule"), folder.path().join("events"));
    said(&format!("explore lamport/explicit-ack --nodes 2 --fifo false --save {}", file.display()), "", 1);
    let told = said(&format!("replay {} --live --events {}", file.display(), events.display()), "", 0);
    assert!(told.contains("the processes did the same as the model") && told.contains("at the same time"), "{told}");
    let seen = fs::read_to_string(events).expect("the events");
    assert!(seen.contains("\"pid\":") && seen.contains("\"concurrent-sections\""), "{seen}");

    let schedule: Value = serde_json::from_slice(&fs::read(file).expect("a file")).expect("a schedule");
    let of = schedule["choices"].as_array().expect("choices").len();
    let playground = Playground::open();
    let run = playground.run(json!({ "replay": schedule, "until": of - 1 })).await;
    assert_eq!(run.verdict().await, "ok");
    let replay = run.post("/replay/step", json!({})).await;
    assert_eq!((&replay["position"], &replay["difference"]), (&json!(of), &Value::Null));
    assert_eq!(run.verdict().await, "violated");
    let violations = run.get("/violations").await;
    assert_eq!(violations["items"][0]["monitor"], "mutual-exclusion", "{violations}");
}

/// The command needs no file, because it replays a run of an open playground.
#[tokio::test]
async fn a_run_of_an_open_playground_is_played_by_its_id() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run = playground
        .run(json!({ "algorithm": "lamport", "variant": "no-ack", "nodes": 2, "workload": null, "network": network }))
        .await;
    run.enter(0).await;
    run.enter(1).await;
    for word in [&*run.id, "latest"] {
        let told = said(&format!("replay {word} --playground {} --as story", playground.url), "", 1);
        assert!(told.contains("P1 is told to request lock 0") || told.contains("P1 requests lock 0"), "{told}");
        assert!(told.contains("at the same time"), "{told}");
    }
    let told = said(&format!("replay {} --playground {} --live", run.id, playground.url), "", 0);
    assert!(told.contains("the processes did the same as the model"), "{told}");

    let nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
    let told = said(&format!("replay {nobody} --playground {}", playground.url), "", 3);
    assert!(told.contains(&format!("reading {nobody}: ")) && told.contains("there is no run"), "{told}");
    // This address has no server.
    let told = said("replay latest --playground http://127.0.0.1:1", "", 3);
    for part in ["no playground answers at http://127.0.0.1:1/", "expected a file", "`interlock claims --list`"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(said("replay nobody", "", 3).contains("or the id of a run"));
}

#[test]
fn what_the_claims_have_found_has_a_name() {
    let listed = said("claims --list", "", 0);
    for words in [
        "RIC-9: the clock must advance",
        "  LAM-4.3   mutual-exclusion lamport/postponed-ack",
        "  MAE-4     negative control: maekawa/version-2",
    ] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    let told = said("replay lam-6.1", "", 1);
    assert!(told.contains("LAM-6.1: lamport/no-ack with 2 nodes") && told.contains("at the same time"), "{told}");
    let told = said("replay LAM-6.1 --live", "", 0);
    assert!(told.contains("2 actions") && told.contains("the processes did the same as the model"), "{told}");
    let told = said("replay LAM-6.3", "", 3);
    assert!(told.contains("this is not the name of a schedule"), "{told}");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("RIC-9");
    fs::write(&file, "no JSON").expect("a file");
    let there = Command::new(program()).args(["replay", "RIC-9"]).current_dir(folder.path()).output().expect("it runs");
    assert_eq!(there.status.code(), Some(2), "a file of that name comes first");
}

#[test]
fn a_recorded_simulation_is_played_live_to_its_last_event() {
    let folder = TempDir::new().expect("a folder");
    let (schedule, first, again) =
        (folder.path().join("schedule"), folder.path().join("first"), folder.path().join("again"));
    let output = interlock(
        &format!(
            "simulate --algorithm ricart-agrawala --nodes 4 --entries 12 --latency exp:3 --idle exp:9 --duplicate 0.1 \
             --loss 0.05 --crash 3@40 --restart 3@60 --heal @90 --record {} --events {}",
            schedule.display(),
            first.display()
        ),
        "",
    );
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let told = said(&format!("replay {} --live --events {}", schedule.display(), again.display()), "", 0);
    assert!(told.contains("the processes did the same as the model"), "{told}");
    let read = |file| {
        let text = fs::read_to_string(file).expect("the events");
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event"));
        lines
            .map(|mut event| {
                event.as_object_mut().expect("an object").remove("pid");
                event
            })
            .collect::<Vec<_>>()
    };
    let (first, again) = (read(first), read(again));
    assert!(first.len() >= 50 && first == again, "{} events, {} live", first.len(), again.len());
}

#[test]
fn choice_by_choice_it_tells_what_comes_of_each() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let schedule = json!({
        "specification": { "algorithm": "ricart-agrawala", "nodes": 2 },
        "choices": [{ "do": { "acquire": { "node": 0 } } }, { "do": { "deliver": "0.1.1" } }],
    });
    fs::write(&file, schedule.to_string()).expect("a file");
    let draft: ScheduleDraft = serde_json::from_value(schedule).expect("a schedule");
    assert!(draft.complete().is_ok());
    let words = format!("replay {} --step", file.display());
    let told = said(&words, "\n\n", 0);
    for words in ["1 of 2: {\"acquire\"", "    P0 requests lock 0 and sends REQUEST to P1 (0.1.1)", "2 of 2: "] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let live = said(&format!("{words} --live"), "\n", 0);
    let lines =
        |told: &str| told.lines().filter(|line| line.starts_with("    ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(told.lines().filter(|line| line.starts_with("    P")).count(), 2, "{told}");
    assert_eq!(lines(&live), lines(&told), "the same live, also when nobody is left to press Enter");
}

#[test]
fn what_cannot_be_played_live_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let refused = |document: Value| {
        fs::write(&file, document.to_string()).expect("a file");
        said(&format!("replay {} --live", file.display()), "", 2)
    };
    let lamport = json!({ "algorithm": "lamport", "nodes": 2 });
    let told = refused(json!({ "specification": lamport, "choices": [{ "do": { "deliver": "1.0.1" } }] }));
    assert!(told.contains("action 0, {\"deliver\":\"1.0.1\"}: message 1.0.1 is neither"), "{told}");
    let composite = json!({ "algorithm": "dijkstra-ring", "variant": "composite", "nodes": 3 });
    let told = refused(json!({ "specification": composite, "choices": [] }));
    assert!(told.contains("/specification/variant") && told.contains("only a simulation can run it"), "{told}");
    let many = json!({ "algorithm": "lamport", "nodes": 1_001 });
    assert!(refused(json!({ "specification": many, "choices": [] })).contains("1001 nodes are outside 1 … 1000"));
}

/// A counterexample of starvation repeats some actions forever. Live processes can play it for any number of
/// rounds.
#[test]
fn what_goes_on_for_ever_is_played_live_round_after_round() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    for (algorithm, found, choices) in [
        (
            "raymond/no-further-request --nodes 4",
            "the shortest schedule has 9 actions and then 2 that repeat",
            9 + 20 * 2,
        ),
        ("suzuki-kasami/lifo-queue --states 100000", "a schedule has 10 actions and then 10 that repeat", 10 + 20 * 10),
    ] {
        let words = format!("{algorithm} --requests unlimited --property starvation-free");
        let told = said(&format!("explore {words} --save {}", file.display()), "", 1);
        assert!(told.contains(found), "{told}");
        let told = said(&format!("replay {} --live --rounds 20", file.display()), "", 0);
        let played = told.contains(&format!("{choices} actions, "));
        assert!(played && told.contains("the processes did the same as the model"), "{told}");
    }
    // The output lists the states, and marks the state to which a counterexample returns. The first counterexample
    // has such a state. The second never returns to a state, because its messages are always different.
    for (algorithm, start) in
        [("raymond/no-further-request --nodes 4", json!(11)), ("suzuki-kasami/lifo-queue --states 100000", Value::Null)]
    {
        let words = format!("{algorithm} --requests unlimited --property starvation-free");
        said(&format!("explore {words} --save {}", file.display()), "", 1);
        let output = interlock(&format!("replay {} --rounds 3 --as itf", file.display()), "");
        let states: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(states["loop"], start, "{algorithm}");
    }

    let choices = ["0.1.1", "1.2.1", "2.0.1"].map(|message| json!({ "do": { "deliver": message } }));
    let specification = json!({ "algorithm": "le-lann", "nodes": 3, "timers": false });
    for (choices, code) in [(&choices[..], 0), (&choices[..2], 2)] {
        let schedule = json!({ "specification": specification, "choices": choices, "repeat": { "from": 0 } });
        fs::write(&file, schedule.to_string()).expect("a file");
        let told = said(&format!("replay {} --live --rounds 3", file.display()), "", code);
        assert_eq!(told.contains("9 actions, "), code == 0, "{told}");
    }
}
