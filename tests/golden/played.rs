//! Golden results of the program: simulations, schedules, explorations and scenarios, each from the command that
//! people use.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{Entry, LockUse};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::kept::{Golden, digest};
use crate::support::program;

/// Runs `interlock` in `folder` with the arguments `words`.
fn interlock(folder: &Path, words: &[&str]) -> Output {
    Command::new(program()).current_dir(folder).args(words).output().expect("it runs")
}

/// Appends a line to the golden file: the exit code, and one digest of the files and of both output streams.
fn note(golden: &mut Golden, name: &str, folder: &Path, output: &Output, files: &[&str]) {
    let code = output.status.code().expect("an exit code");
    let mut digests = vec![digest(&output.stdout), digest(&output.stderr)];
    digests.extend(files.iter().map(|file| fs::read(folder.join(file)).map_or_else(|_| "-".to_owned(), digest)));
    // One digest of all files together is enough to detect a difference, and keeps the golden file short.
    golden.line(&format!("{code} {}  {name}", digest(digests.join(" "))));
}

/// Returns two runs that together use every layer. One of the runs has faults.
fn specifications(entry: &Entry, variant: &str) -> [(&'static str, Value); 2] {
    let locks = entry.locks != LockUse::None;
    let workload = |idle: &str| locks.then(|| json!({ "idle": idle, "hold": "uniform:1..3", "entries": 4 }));
    let mut begun: Vec<Value> = Vec::new();
    if entry.commands.contains(&"elect") {
        begun.push(json!({ "at": 10, "do": { "elect": { "node": 1 } } }));
    }
    if entry.commands.contains(&"propose") {
        begun.extend((0..2).map(|node| json!({ "at": 10, "do": { "propose": { "node": node, "value": "v" } } })));
    }
    let faults = [
        json!({ "at": 5, "do": { "tell": { "from": 0, "to": 1 } } }),
        json!({ "at": 15, "do": { "rule": { "match": { "to": 2 }, "action": "drop", "count": 2 } } }),
        json!({ "at": 20, "do": { "crash": { "node": 1 } } }),
        json!({ "at": 60, "do": { "restart": { "node": 1, "state": "stored" } } }),
        json!({ "at": 80, "do": { "pause": { "node": 2 } } }),
        json!({ "at": 95, "do": { "partition": { "groups": [[0], [1, 2, 3]], "lost": "hold" } } }),
        json!({ "at": 120, "do": { "heal": {} } }),
    ];
    let plain = json!({ "algorithm": entry.name, "variant": variant, "nodes": 4, "seed": 3,
        "network": { "delay": "uniform:1..6" }, "workload": workload("exp:10"), "script": begun });
    begun.extend(faults);
    let lossy = json!({ "algorithm": entry.name, "variant": variant, "nodes": 4, "seed": 4, "channel": "reliable",
        "detector": { "heartbeat": { "interval": 10, "timeout": 40 } }, "script": begun,
        "network": { "delay": "uniform:1..6", "loss": 0.1, "duplicate": 0.1 }, "workload": workload("exp:20") });
    [("plain", plain), ("faulty", lossy)]
}

/// Simulates a run and records its schedule. If `replays` is true, also replays this schedule.
fn simulate(golden: &mut Golden, name: &str, specification: &Value, replays: bool) {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    fs::write(at.join("run.json"), specification.to_string()).expect("a file");
    let words = "simulate --specification run.json --until 150 --format json --events events --record schedule";
    let output = interlock(at, &words.split(' ').collect::<Vec<_>>());
    note(golden, name, at, &output, &["events", "schedule"]);
    if replays {
        let replayed = interlock(at, &["replay", "schedule", "--simulate", "--format", "json", "--events", "again"]);
        note(golden, &format!("{name} replayed"), at, &replayed, &["again"]);
    }
}

#[test]
fn every_variant_is_simulated_as_before() {
    let mut golden = Golden::new("simulations.txt");
    for entry in ENTRIES {
        for variant in entry.variants {
            for (setting, specification) in specifications(entry, variant.name) {
                let name = format!("{}/{} {setting}", entry.name, variant.name);
                simulate(&mut golden, &name, &specification, variant.name == entry.variants[0].name);
            }
        }
    }
    golden.check();
}

#[test]
fn every_choice_of_a_script_does_as_before() {
    let mut golden = Golden::new("choices.txt");
    let scenes: Vec<Value> = serde_json::from_str(include_str!("../differential/scenes.json")).expect("scenes");
    for (place, scene) in scenes.iter().enumerate() {
        let mut run = scene["run"].clone();
        run["timers"] = json!(false);
        run["network"]["hold"] = json!(true);
        let script = scene["script"].as_array().expect("a script").iter();
        run["script"] = script.map(|choice| json!({ "at": 0, "do": choice })).collect();
        simulate(&mut golden, &format!("scene {place}"), &run, true);
    }
    golden.check();
}

/// Explorations whose documents together contain every field: verdicts, schedules, stories, tables, reasons for an
/// early end.
const EXPLORATIONS: [&str; 12] = [
    "ricart-agrawala --nodes 2 --requests 2",
    "ricart-agrawala/sequence-numbers --nodes 2 --tell 1 --property order",
    "lamport/no-ack --nodes 2",
    "lamport --nodes 3 --fifo false",
    "ricart-agrawala --nodes 3 --states 500",
    "bakery --nodes 2 --crash 1 --restart none --fifo true --detector perfect",
    "bakery --nodes 2 --crash 1 --restart none --fifo true",
    "maekawa/forgetful-succession --crash 1 --detector perfect",
    "dijkstra-ring/composite --nodes 3 --requests 0 --beginning arbitrary --daemon distributed",
    "dijkstra-ring/composite --nodes 4 --requests 0 --set k=2 --beginning 0,1,0,1 --daemon synchronous",
    "bully --nodes 3 --crash 1",
    "prevention --nodes 2 --locks 2 --take 0,1",
];

#[test]
fn explorations_find_what_they_found() {
    let mut golden = Golden::new("explorations.txt");
    let folder = TempDir::new().expect("a folder");
    for exploration in EXPLORATIONS {
        let words: Vec<&str> = ["explore"].into_iter().chain(exploration.split(' ')).collect();
        let output = interlock(folder.path(), &[&words[..], &["--save", "schedule"]].concat());
        note(&mut golden, exploration, folder.path(), &output, &["schedule"]);
        let _ = fs::remove_file(folder.path().join("schedule"));
        let mut output = interlock(folder.path(), &[&words[..], &["--format", "json"]].concat());
        // The amount of memory in use is left out, because this amount depends on how states are represented in
        // memory.
        let lines = String::from_utf8(output.stdout).expect("text");
        let lines = lines.lines().filter(|line| !line.contains(r#""memory_bytes":"#));
        output.stdout = lines.collect::<Vec<_>>().join("\n").into_bytes();
        note(&mut golden, &format!("{exploration} as JSON"), folder.path(), &output, &[]);
    }
    golden.check();
}

#[test]
fn a_counterexample_is_written_as_before() {
    let folder = TempDir::new().expect("a folder");
    let words = ["explore", "lamport/no-ack", "--nodes", "2", "--save", "schedule"];
    interlock(folder.path(), &words);
    let mut schedule = Golden::new("schedule.txt");
    fs::read_to_string(folder.path().join("schedule"))
        .expect("a schedule")
        .lines()
        .for_each(|line| schedule.line(line));
    schedule.check();
    let mut forms = Golden::new("forms.txt");
    for form in ["story", "events", "shiviz", "itf", "perfetto", "svg"] {
        let output = interlock(folder.path(), &["replay", "schedule", "--simulate", "--as", form]);
        forms.digest(form, output.stdout);
    }
    forms.check();
}

#[test]
fn scenarios_come_out_as_before() {
    let mut golden = Golden::new("scenarios.txt");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for library in ["tests/scenarios", "tests/scenarios/cases", "tests/scenarios/examples", "tests/lessons"] {
        let mut files: Vec<String> = fs::read_dir(root.join(library))
            .expect("a folder")
            .map(|file| format!("{library}/{}", file.expect("a file").file_name().to_string_lossy()))
            .filter(|file| Path::new(file).extension().is_some_and(|end| end == "yaml"))
            .collect();
        files.sort();
        let words = ["run", "--simulate", "--seeds", "7", "--format", "json"];
        for file in files {
            let output = interlock(root, &[&words[..], &[&file]].concat());
            note(&mut golden, &file, root, &output, &[]);
        }
    }
    golden.check();
}

#[test]
fn documents_of_the_command_line_are_as_before() {
    let mut golden = Golden::new("documents.txt");
    let folder = TempDir::new().expect("a folder");
    for words in
        ["schema scenario", "schema node", "algorithms", "algorithms --format json", "examples", "claims --list"]
    {
        let output = interlock(folder.path(), &words.split(' ').collect::<Vec<_>>());
        note(&mut golden, words, folder.path(), &output, &[]);
    }
    golden.check();
}
