//! Tests with names, notes and output of programs that contain hostile text: it could control a terminal or reorder
//! what is shown. No command may print such text unescaped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use reqwest::{Client, header};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Playground, program};

/// Hostile text: it sets the title of a terminal, rings its bell, changes its colour, and reverses the text that
/// follows.
const HOSTILE: &str = "a\u{1b}]0;b\u{7}\u{9b}31mc\u{202e}d\u{2066}e\u{7f}";
/// The escaped form of the reversal, in text and in JSON.
const SHOWN: [&str; 2] = ["u{202e}d", "u202ed"];
/// Python program that runs a command in a new terminal.
const IN_A_TERMINAL: &str = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

fn is_harmless(text: &str) -> bool {
    let directional = ['\u{61c}', '\u{200e}', '\u{200f}'];
    let is_harmful = |character: char| {
        character.is_control() && !"\r\n".contains(character)
            || directional.contains(&character)
            || ('\u{202a}'..='\u{202e}').contains(&character)
            || ('\u{2066}'..='\u{2069}').contains(&character)
    };
    !text.contains(is_harmful)
}

/// Checks that a command prints the hostile text only in its escaped form.
#[track_caller]
fn check(words: &[&str], Output { stdout, stderr, .. }: &Output) {
    let said = [stdout, stderr].map(|text| String::from_utf8(text.clone()).expect("text")).concat();
    assert!(is_harmless(&said), "{words:?}: {said:?}");
    assert!(SHOWN.iter().any(|shown| said.contains(shown)), "{words:?}: {said:?}");
}

fn output(folder: &Path, words: &[&str]) -> Output {
    Command::new(program()).args(words).current_dir(folder).output().expect("it runs")
}

fn in_a_terminal(words: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.args(["-c", IN_A_TERMINAL]).arg(program()).args(words).output().expect("it runs")
}

/// Imports a run whose events have hostile text in every field that may contain text. Returns the id of the run.
async fn load(playground: &Playground) -> String {
    let small = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let mut created = small.events("created").await[0].clone();
    small.post("/stop", json!({})).await;
    created["specification"]["name"] = HOSTILE.into();
    let events = [
        created,
        json!({ "seq": 2, "at_us": 2, "kind": "noted", "detail": HOSTILE }),
        json!({ "seq": 3, "at_us": 3, "kind": "sent", "node": 0, "incarnation": 1, "step": 1, "message": "0.1.1", "to": 1,
            "message_kind": HOSTILE, "body": { HOSTILE: HOSTILE }, "because": [HOSTILE] }),
        json!({ "seq": 4, "at_us": 4, "kind": "misbehaved", "node": 1, "detail": HOSTILE }),
    ];
    let lines = events.map(|event| event.to_string()).join("\n");
    let request =
        Client::new().post(playground.api("/runs/import")).header(header::CONTENT_TYPE, "application/x-ndjson");
    let run: Value = request.body(lines).send().await.expect("an answer").json().await.expect("JSON");
    run["id"].as_str().unwrap_or_else(|| panic!("{run}")).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_beside_a_playground_show_hostile_text_without_its_effect() {
    let playground = Playground::open();
    let run = load(&playground).await;
    let here = playground.directory.as_path();
    for words in [
        &["ps"][..],
        &["ps", "--format", "json"],
        &["watch", &run, "--all"],
        &["watch", &run, "--all", "--format", "json"],
        &["prune", "--dry-run", "--keep", "0"],
        &["do", HOSTILE, "pause", HOSTILE],
        &["export", &run, "--to", "story"],
        &["export", &run, "--to", "shiviz"],
        &["export", &run, "--to", "svg"],
        &["export", &run, "--to", "csv"],
    ] {
        let words = [words, &["--playground", &playground.url]].concat();
        check(&words, &output(here, &words));
    }
    for form in ["ndjson", "csv", "story", "shiviz", "itf", "perfetto", "svg"] {
        let words = ["export", &run, "--to", form, "--playground", &playground.url];
        check(&words, &in_a_terminal(&words));
    }
    // If the output is not a terminal, the exported NDJSON is exactly the NDJSON of the API.
    let words = ["export", &run, "--to", "ndjson", "--playground", &playground.url];
    let written = String::from_utf8(output(here, &words).stdout).expect("text");
    let request = Client::new().get(playground.api(&format!("/runs/{run}/events")));
    let answer = request.header(header::ACCEPT, "application/x-ndjson").send().await.expect("an answer");
    assert_eq!(answer.text().await.expect("text"), written);
    assert!(written.contains('\u{202e}'), "{written}");
}

#[test]
fn runs_and_checks_of_programs_show_their_words_without_effect() {
    let here = TempDir::new().expect("a folder");
    let says = format!("printf '%s\\n' '{HOSTILE}' >&2; printf '%s\\n' '{HOSTILE}'; exit 1");
    let scenario = json!({
        "name": HOSTILE,
        "algorithm": "own",
        "nodes": [{ "command": ["sh", "-c", says], "count": 1 }],
        "expect": [{ "never": "violation" }],
    });
    let broken = json!({ "name": HOSTILE, "algorithm": HOSTILE, "steps": [{ "pause": HOSTILE }] });
    let missed =
        json!({ "name": HOSTILE, "algorithm": "lamport", "nodes": 2, "expect": [{ "metric": "entries == 7" }] });
    let algorithm = json!({ "algorithm": HOSTILE });
    let choice = json!({ "at_us": 1, "do": { "pause": { "node": HOSTILE } } });
    let schedule = json!({ "specification": { "algorithm": "lamport" }, "choices": [choice] });
    for (name, document) in
        [("own", scenario), ("broken", broken), ("missed", missed), ("algorithm", algorithm), ("schedule", schedule)]
    {
        fs::write(here.path().join(format!("{name}.json")), document.to_string()).expect("written");
    }
    let hostile_file = format!("{HOSTILE}.yaml");
    fs::write(here.path().join(&hostile_file), "algorithm: lamport\nexpect: [{ metric: entries == 7 }]\n")
        .expect("written");
    for words in [
        &["run", "own.json", "--seeds", "1..1"][..],
        &["run", "broken.json"],
        &["run", "missed.json", "--simulate"],
        &["run", "missed.json", "--simulate", "--format", "json"],
        &["run", "missed.json", "--simulate", "--shrink"],
        &["run", "missed.json", "--simulate", "--artifacts", HOSTILE],
        &["run", &hostile_file, "--simulate"],
        &["run", HOSTILE],
        &["simulate", "--specification", "algorithm.json"],
        &["replay", HOSTILE],
        &["replay", "schedule.json"],
        &["doctor", "--data-dir", HOSTILE],
        &["node", "check", "--", "sh", "-c", &says],
    ] {
        check(words, &output(here.path(), words));
    }
}

#[test]
fn a_playground_complains_of_hostile_text_without_its_effect() {
    let here = TempDir::new().expect("a folder");
    let event = json!({ "seq": 1, "at_us": 0, "kind": HOSTILE });
    fs::write(here.path().join("events"), format!("{event}\n")).expect("written");
    let ready = format!("/proc/{HOSTILE}");
    let words = ["serve", "--data-dir", "data", "--port", "0", "--load", "events", HOSTILE, "--ready-file", &ready];
    let mut command = Command::new(program());
    command.args(words).current_dir(here.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut playground = command.spawn().expect("it runs");
    let mut said = String::new();
    let mut lines = BufReader::new(playground.stderr.take().expect("its words"));
    while !said.contains("the ready file") {
        assert_ne!(lines.read_line(&mut said).expect("text"), 0, "{said}");
    }
    playground.kill().expect("it was running");
    playground.wait().expect("it ends");
    assert!(is_harmless(&said) && said.matches(SHOWN[0]).count() >= 3, "{said:?}");
}

#[test]
fn the_report_of_a_run_is_xml_without_the_effect() {
    let here = TempDir::new().expect("a folder");
    let missed =
        json!({ "name": HOSTILE, "algorithm": "lamport", "nodes": 2, "expect": [{ "metric": "entries == 7" }] });
    fs::write(here.path().join("missed.json"), missed.to_string()).expect("written");
    output(here.path(), &["run", "missed.json", "--simulate", "--junit", "report.xml"]);
    let report = fs::read_to_string(here.path().join("report.xml")).expect("a report");
    assert!(is_harmless(&report) && report.contains(SHOWN[0]), "{report}");
}
