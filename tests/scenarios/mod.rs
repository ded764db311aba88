//! Tests of `interlock run` in the way that people and machines call it. Each scenario of the library beside this
//! file is played unchanged, and must pass. It is also played with a change that must make it fail. The tests check
//! the output.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

mod broken;
mod cases;

use crate::support::concurrently::concurrently;
use crate::support::{children, time_until_gone};
use broken::{BROKEN, BROKEN_LESSONS};

/// Number of concurrent live runs.
const AT_A_TIME: usize = 6;

/// Scenarios that take longer than 9 s live, because what they show takes long.
const LONG: [&str; 11] = [
    "bully",
    "corridor",
    "failover",
    "paxos-duel",
    "paxos-ignored-prepare",
    "phantom-deadlock",
    "philosophers",
    "philosophers-give-way",
    "philosophers-ordered",
    "priority-starvation",
    "probes",
];

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

fn interlock() -> Command {
    Command::new(env!("CARGO_BIN_EXE_interlock"))
}

fn run(words: &[&str]) -> Output {
    interlock().arg("run").args(words).output().expect("it runs")
}

/// Runs `interlock run` with the arguments `words`, which must end with exit code `code`. Returns the output.
fn said(words: &[&str], code: i32) -> String {
    let output = run(words);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words:?}: {out}{err}");
    format!("{out}{err}")
}

/// Returns the files of the library, sorted by name, followed by the files of the examples.
fn files() -> Vec<PathBuf> {
    let inside = |folder: PathBuf| {
        let paths = fs::read_dir(folder).expect("the library").map(|entry| entry.expect("a file").path());
        let mut files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
        files.sort();
        files
    };
    [inside(library()), inside(library().join("examples"))].concat()
}

/// Writes a changed copy of a scenario of the library. Returns the path of the copy.
fn changed(folder: &TempDir, name: &str, from: &str, to: &str) -> String {
    let is_it = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == name);
    changed_file(folder, &files().into_iter().find(is_it).expect(name), (name, from, to))
}

fn changed_file(folder: &TempDir, file: &Path, (name, from, to): (&str, &str, &str)) -> String {
    let text = fs::read_to_string(file).expect(name);
    assert!(text.contains(from), "{name} does not say `{from}`");
    let file = folder.path().join(format!("{name}.yaml"));
    fs::write(&file, text.replacen(from, to, 1)).expect("written");
    file.display().to_string()
}

/// Plays the scenarios of the library that are in [`LONG`], or those that are not. Returns their number.
fn met_live(long: bool) -> usize {
    let is_long = |file: &PathBuf| file.file_stem().and_then(OsStr::to_str).is_some_and(|stem| LONG.contains(&stem));
    let files: Vec<PathBuf> = files().into_iter().filter(|file| is_long(file) == long).collect();
    // A live scenario spends most of its time waiting.
    let told = concurrently(AT_A_TIME, &files, |file| said(&[&file.display().to_string()], 0));
    assert!(told.iter().all(|told| told.starts_with("met ")), "{told:?}");
    told.len()
}

#[test]
fn the_library_is_met_live() {
    assert_eq!(met_live(false), BROKEN.len() - LONG.len());
}

/// `just nightly` runs this test.
#[test]
#[ignore = "it takes a minute"]
fn the_long_scenarios_of_the_library_are_met_live() {
    assert_eq!(met_live(true), LONG.len());
}

#[test]
fn the_library_is_met_in_virtual_time_with_any_seed() {
    let files: Vec<String> = files().iter().map(|file| file.display().to_string()).collect();
    let words: Vec<&str> = files.iter().map(String::as_str).chain(["--simulate", "--seeds", "1..10"]).collect();
    let told = said(&words, 0);
    assert!(told.contains(&format!("{} runs: {} as expected\n", 10 * BROKEN.len(), 10 * BROKEN.len())), "{told}");
}

#[test]
fn each_of_the_library_can_be_missed() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(files().len(), BROKEN.len(), "each scenario is in the table");
    let surprises =
        BROKEN.iter().filter_map(|(name, from, to, part)| surprise(&changed(&folder, name, from, to), name, part));
    assert_eq!(surprises.collect::<Vec<_>>(), [""; 0]);
}

/// Plays a changed scenario, which must fail with `part` in its output. Returns the output if it does not.
fn surprise(file: &str, name: &str, part: &str) -> Option<String> {
    let output = run(&[file, "--simulate", "--seeds", "1..5", "--fail-fast"]);
    let told = String::from_utf8_lossy(&output.stdout);
    let is_missed = output.status.code() == Some(1) && told.contains("NOT MET") && told.contains(part);
    (!is_missed).then(|| format!("{name} ({part:?}): {told}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn lessons_about_variants_and_faults_are_met_and_can_be_missed() {
    let folder = TempDir::new().expect("a folder");
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lessons");
    let surprises = BROKEN_LESSONS.iter().filter_map(|(name, from, to, part)| {
        let file = lessons.join(format!("{name}.yaml"));
        said(&[&file.display().to_string(), "--simulate"], 0);
        surprise(&changed_file(&folder, &file, (name, from, to)), name, part)
    });
    assert_eq!(surprises.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn what_is_missed_live_is_missed_for_the_same_reason() {
    let folder = TempDir::new().expect("a folder");
    for name in ["held-reply-comes", "messages-per-entry", "philosophers-ordered", "two-enter-without-order", "copies"]
    {
        let (_, from, to, part) = BROKEN.into_iter().find(|(other, ..)| *other == name).expect(name);
        let told = said(&[&changed(&folder, name, from, to)], 1);
        assert!(told.contains("NOT MET") && told.contains(part), "{name}: {told}");
    }
}

/// A run that ends while processes wait and nothing else can happen is stuck, whatever condition the scenario was
/// waiting for. The run is not stuck if an action is still planned, or if no process waits.
#[test]
fn what_stands_still_at_the_end_is_judged() {
    let folder = TempDir::new().expect("a folder");
    let begin = "algorithm: centralised\nnodes: 3\nnetwork: { delay: 2ms }\nsteps: [{ crash: 0 }, { acquire: 2 }";
    for (end, code) in [
        ("]\nstop: { after: 20s, when: stuck }\n", 1),
        (", { sleep: 300ms }, { wait: stuck }]\nexpect: [{ violation: stuck }]\n", 0),
        (", { sleep: 300ms }, { wait: stuck }]\n", 1),
        (", { sleep: 300ms }]\nexpect: [{ never: stuck }]\n", 1),
        (", { sleep: 300ms }, { wait: { entries: 1 } }]\nexpect: [{ violation: stuck }]\n", 1),
        (", { sleep: 300ms }, { wait: { event: { kind: crashed } } }, { restart: 0 }]\nstop: { after: 700ms }\n", 1),
        (", { sleep: 300ms }, { crash: 2 }]\n", 0),
    ] {
        let file = folder.path().join("still.yaml");
        fs::write(&file, format!("{begin}{end}")).expect("written");
        for drive in ["--live", "--simulate"] {
            let output = run(&[&file.display().to_string(), drive]);
            let told = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(code), "{drive} {end}: {told}");
        }
    }
}

/// A wait for a number of entries counts all entries of the run. The coordinator can enter without the other
/// processes, so it may have entered several times before the other processes report their start.
#[test]
fn what_is_waited_for_is_counted_from_the_beginning() {
    let folder = TempDir::new().expect("a folder");
    let workload = "workload: { idle: 0, hold: 0, entries: 20 }";
    for (entries, code) in [(60, 0), (61, 1)] {
        let file = folder.path().join("count.yaml");
        let text =
            format!("algorithm: centralised\nnodes: 3\n{workload}\nsteps: [{{ wait: {{ entries: {entries} }} }}]\n");
        fs::write(&file, text).expect("written");
        for drive in ["--live", "--simulate"] {
            said(&[&file.display().to_string(), drive], code);
        }
    }
}

#[test]
fn an_example_is_played_by_its_name_and_written_as_it_is() {
    let told = said(&["--example", "cash-machines", "ring-best", "--simulate", "--seeds", "1..2"], 0);
    for part in ["Two cash machines, one account (seed 2", "the best order (seed 1", "4 runs: 4 as expected\n"] {
        assert!(told.contains(part), "{told}");
    }
    assert!(said(&["--example", "cash-machines"], 0).starts_with("met "));
    assert!(said(&["--example", "cash-machine"], 2).contains("did you mean `cash-machines`?"));
    assert!(said(&["cash-machines"], 3).contains("to play the example of this name, write --example cash-machines"));
    assert!(!said(&["cash-register"], 3).contains("--example"));
    let written = |name: &str| interlock().args(["examples", name]).output().expect("it runs");
    let text = fs::read(library().join("examples/banker.yaml")).expect("the example");
    assert_eq!(written("banker").stdout, text);
    assert_eq!(written("bankers").status.code(), Some(2));
}

#[test]
fn all_examples_and_no_others_are_in_the_folder_of_examples() {
    let listed = interlock().arg("examples").output().expect("it runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_once("  (").map(|(name, _)| name)).collect();
    let examples = library().join("examples");
    let files: Vec<_> = files().into_iter().filter(|file| file.starts_with(&examples)).collect();
    let mut stems: Vec<_> = files.iter().map(|file| file.file_stem().expect("a name").to_string_lossy()).collect();
    assert!(stems.iter().all(|stem| names.contains(&&**stem)), "{names:?}");
    stems.retain(|stem| BROKEN.iter().filter(|(name, ..)| name == stem).count() == 1);
    assert_eq!((stems.len(), names.len()), (39, 39), "each has a name of its own");
}

/// The specification of the saved schedule must contain the steps of the scenario.
#[test]
fn a_kept_scenario_with_an_election_is_replayed() {
    let folder = TempDir::new().expect("a folder");
    let (file, kept) = (folder.path().join("elects.yaml"), folder.path().join("kept"));
    let text = "algorithm: bully\nnodes: 3\nparameters: { initiators: none }\nsteps: [{ elect: 0 }, { wait: idle }]\n\
                expect: [{ elected: { leader: 0 } }]\n";
    fs::write(&file, text).expect("written");
    said(&[&file.display().to_string(), "--simulate", "--artifacts", &kept.display().to_string()], 1);
    let own = fs::read_dir(&kept).expect("a folder").next().expect("a run").expect("a folder").path();
    let output = interlock().arg("replay").arg(own.join("run.schedule")).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("no violation"), "{printed}");
}

#[test]
fn a_failure_is_kept_and_repeated_live_and_in_the_model() {
    let folder = TempDir::new().expect("a folder");
    let file = changed(&folder, "two-enter-without-order", "violation: mutual-exclusion", "never: violation");
    for drive in ["--live", "--simulate"] {
        let kept = folder.path().join(drive.trim_start_matches('-'));
        let told = said(&[&file, drive, "--artifacts", &kept.display().to_string()], 1);
        assert!(told.contains("at the same time"), "{told}");
        let own = fs::read_dir(&kept).expect("a folder").next().expect("a run").expect("a folder").path();
        for name in ["scenario.yaml", "findings.json", "metrics.json", "events.ndjson", "story.txt", "space-time.svg"] {
            assert!(fs::metadata(own.join(name)).is_ok_and(|file| file.len() > 0), "{drive} {name}");
        }
        let schedule = own.join("run.schedule").display().to_string();
        let again = |words: &[&str]| {
            let output = interlock().arg("replay").arg(&schedule).args(words).output().expect("it runs");
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (code, told) = again(&[]);
        assert!(code == Some(1) && told.contains("at the same time"), "{told}");
        let (code, told) = again(&["--live"]);
        assert!(code == Some(0) && told.contains("the processes did the same as the model"), "{told}");
    }
}

#[test]
fn a_failure_is_shrunk_to_a_file_that_fails_again() {
    let folder = TempDir::new().expect("a folder");
    let file = changed(&folder, "held-reply-comes", "action: hold", "action: drop");
    let kept = folder.path().join("kept");
    let words = [&*file, "--simulate", "--seeds", "3..4", "--shrink"];
    let told = said(&[&words[..], &["--artifacts", &kept.display().to_string()]].concat(), 1);
    assert_eq!(told.matches("shrunk by ").count(), 1, "of each file once: {told}");
    let small: Vec<_> = fs::read_dir(&kept).expect("a folder").map(|run| run.expect("a run").path()).collect();
    let small = small.iter().map(|run| run.join("shrunk.json")).find(|file| file.exists()).expect("a smaller scenario");
    let again = said(&[&small.display().to_string(), "--simulate"], 1);
    let reason = "expected {\"never\":\"stuck\"}";
    assert!(told.contains(reason) && again.contains(reason) && again.contains("(seed 3,"), "{told}{again}");
    let output = run(&[&words[..], &["--format", "json"]].concat());
    let first: Value =
        serde_json::from_slice(output.stdout.split(|byte| *byte == b'\n').next().expect("a line")).expect("JSON");
    let scenario: Value = serde_json::from_str(&fs::read_to_string(&small).expect("a file")).expect("JSON");
    assert_eq!(first["shrunk"]["scenario"], scenario);
    assert!(first["shrunk"]["to"]["steps"].as_u64() < first["shrunk"]["from"]["steps"].as_u64(), "{first}");
}

#[test]
fn what_is_met_or_live_is_not_shrunk() {
    let met = library().join("messages-per-entry.yaml").display().to_string();
    assert!(said(&[&met, "--simulate", "--shrink"], 0).contains("nothing to shrink"));
    for words in [&[&*met, "--shrink"][..], &[&*met, "--shrink", "--live"]] {
        assert!(said(words, 2).contains("add --simulate"), "{words:?}");
    }
}

#[test]
fn what_is_no_scenario_is_told_with_line_and_column() {
    let folder = TempDir::new().expect("a folder");
    let table = [
        ("algorithm: lamprot\n", ":1:1: /algorithm: ", "did you mean `lamport`"),
        ("algorithm: lamport\nsteps:\n  - crush: 1\n", ":3:5: /steps/0/crush: ", "did you mean `crash`"),
        ("algorithm: lamport\nsteps:\n  - crash: { node: 7 }\n", ":3:14: /steps/0/crash/node: ", "there is no node 7"),
        (
            "algorithm: lamport\nexpect:\n  - metric: entires > 3\n",
            ":3:5: /expect/0/metric: ",
            "did you mean `entries`",
        ),
        ("algorithm: [lamport\n", ":1:20: ", "expected ',' or ']'"),
        ("algorithm: lamport\nalgorithm: lamport\n", ":2:1: ", "given twice"),
        ("algorithm: lamport\nnodes: 1001\n", ":2:1: /nodes: ", "outside 1 … 1000"),
        ("{\"algorithm\": \"lamport\", \"stop\": {\"afer\": 1}}", ":1:35: /stop/afer: ", "did you mean `after`"),
    ];
    for (text, place, part) in table {
        let file = folder.path().join("wrong.yaml");
        fs::write(&file, text).expect("written");
        let told = said(&[&file.display().to_string()], 2);
        assert!(told.contains(&format!("wrong.yaml{place}")) && told.contains(part), "{text}: {told}");
    }
    assert!(said(&["nowhere.yaml"], 3).contains("nowhere.yaml"));
    assert!(said(&[&folder.path().join("empty").display().to_string()], 3).contains("empty"));
    assert!(said(&["x.yaml", "--seeds", "5..2"], 2).contains("write the smaller seed first"));
}

#[test]
fn what_came_of_it_is_written_for_scripts_and_for_machines_that_collect_tests() {
    let folder = TempDir::new().expect("a folder");
    let missed = changed(&folder, "copies", "entries == 40", "entries < 40");
    let met = library().join("messages-per-entry.yaml").display().to_string();
    let junit = folder.path().join("junit.xml");
    let words = [&*missed, &met, "--simulate", "--seeds", "5", "--repeat", "2", "--format", "json", "--junit"];
    let output = run(&[&words[..], &[&junit.display().to_string()]].concat());
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let outcomes: Vec<_> = lines.iter().map(|line| line["findings"]["outcome"].as_str().expect("an outcome")).collect();
    assert_eq!(outcomes, ["not-met", "not-met", "met", "met"]);
    assert_eq!(lines[0]["seed"], 5);
    assert_eq!(lines[0]["findings"]["expectations"][0]["met"], false);
    let junit = fs::read_to_string(junit).expect("written");
    assert!(junit.contains("tests=\"4\" failures=\"2\" errors=\"0\""), "{junit}");
    assert!(junit.contains("entries &lt; 40") && junit.contains("entries was 40"), "{junit}");
    let first = run(&[&missed, &met, "--simulate", "--fail-fast", "--format", "json"]);
    assert_eq!(String::from_utf8_lossy(&first.stdout).lines().count(), 1);
}

/// Arbiters gave their votes in a cycle. The report names the deadlock, in text and as the type of the failure.
#[test]
fn a_failure_is_reported_with_its_phenomenon() {
    let folder = TempDir::new().expect("a folder");
    let failing = changed(&folder, "maekawa-deadlock", "messages_by_kind.LOCKED == 4", "messages_by_kind.LOCKED == 5");
    let junit = folder.path().join("junit.xml");
    let output = run(&[&failing, "--simulate", "--junit", &junit.display().to_string()]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("phenomenon: deadlock of P0, P1 and P2"), "{text}");
    let junit = fs::read_to_string(junit).expect("written");
    assert!(junit.contains(" type=\"deadlock\">"), "{junit}");
}

#[test]
fn what_is_broken_off_says_so_and_leaves_no_process() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("long.yaml");
    let text =
        "algorithm: le-lann\nworkload: { idle: exp:20ms, hold: 2ms }\nstop: { after: 60s }\nsteps: [{ wait: idle }]\n";
    fs::write(&file, text).expect("written");
    let process =
        interlock().arg("run").arg(&file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let id = process.id();
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    let nodes = loop {
        let nodes = children(id);
        if nodes.len() == 5 {
            break nodes;
        }
        assert!(std::time::Instant::now() < deadline, "five nodes are expected: {nodes:?}");
        std::thread::yield_now();
    };
    let pid = Pid::from_raw(i32::try_from(id).expect("a process")).expect("a process");
    kill_process(pid, Signal::INT).expect("a signal");
    let output = process.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stdout).contains("CUT SHORT"));
    time_until_gone(&nodes);
}
