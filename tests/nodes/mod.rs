//! Tests of users' programs as nodes, in Python and JavaScript. The programs are checked alone, in runs together
//! with nodes of the catalogue, and with every kind of fault.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

mod confined;
mod declared;
mod maelstrom;
mod schema;
mod servers;
mod services;
mod several_locks;
mod transactions;
mod tree;

use crate::support::concurrently::concurrently;
use crate::support::{children, time_until_gone};

/// Maximum wait for an event that must happen, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nodes")
}

fn interlock(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interlock"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (status.code(), text)
}

/// Runs `interlock node check` for a program in Python. Returns the exit code and the output.
fn check(program: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let command = [&["node", "check"], arguments, &["--", "python3", program]].concat();
    output(interlock(&command).current_dir(folder()))
}

/// Returns a separate folder with a changed copy of this folder's node: `from` is replaced with `to`.
fn broken(from: &str, to: &str) -> TempDir {
    let right = fs::read_to_string(folder().join("ricart_agrawala.py")).expect("the node");
    assert_eq!(right.matches(from).count(), 1, "what is changed stands there once: {from}");
    written(&right.replace(from, to))
}

fn written(program: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("node.py"), program).expect("written");
    folder
}

/// Returns whether the output `told` reports a violation for lock `lock`. The violation is either two processes in
/// the critical section at once, or an entry before an earlier request. A program that replies too early violates
/// both properties, and the schedule determines which violation is reported first.
fn broken_at(lock: u32, told: &str) -> bool {
    let rules = [
        format!("were in the critical section of lock {lock} "),
        format!("the critical section of lock {lock} before"),
    ];
    rules.iter().any(|rule| told.contains(rule))
}

/// Plays a scenario in which each node runs the program in a folder. Returns the findings.
fn played(folder: &Path, more: &Value) -> Value {
    let mut scenario = json!({
        "algorithm": "ricart-agrawala",
        "nodes": [{ "command": ["python3", "node.py"], "count": 3 }],
        "workload": { "idle": 0, "hold": 0, "entries": 5 },
        "steps": [{ "wait": { "entries": 15 } }],
        "stop": { "after": "60s" },
    });
    for (key, value) in more.as_object().expect("keys") {
        scenario[key] = value.clone();
    }
    scenario.as_object_mut().expect("keys").retain(|_, value| !value.is_null());
    let file = folder.join("scenario.json");
    fs::write(&file, scenario.to_string()).expect("written");
    let (_, told) =
        output(interlock(&["run", "--format", "json", file.to_str().expect("a path")]).stderr(Stdio::null()));
    let line = told.lines().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("no document: {told}"));
    let document: Value = serde_json::from_str(line).expect("a document");
    document["findings"].clone()
}

#[test]
fn nodes_in_three_languages_exclude_each_other() {
    let file = folder().join("mixed.yaml");
    let (code, told) = output(&mut interlock(&["run", file.to_str().expect("a path")]));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("met "), "{told}");
}

#[test]
fn both_nodes_pass_the_check_as_ricart_and_agrawala_and_as_their_own() {
    let (python, javascript) = (["python3", "ricart_agrawala.py"], ["node", "ricart_agrawala.mjs"]);
    let cases = [
        ("ricart-agrawala", 7, python),
        ("ricart-agrawala", 7, javascript),
        ("own", 6, python),
        ("own", 6, javascript),
    ];
    concurrently(cases.len(), &cases, |(algorithm, checks, command)| {
        let arguments = [&["node", "check", "--algorithm", algorithm, "--"][..], command].concat();
        let (code, told) = output(interlock(&arguments).current_dir(folder()));
        assert_eq!((code, told.matches("ok ").count()), (Some(0), *checks), "{told}");
    });
}

/// The channel retransmits lost messages, and the programs do not notice this. Without such a channel, the
/// programs would wait forever.
#[test]
fn programs_go_on_over_a_channel_that_sends_again_what_is_lost() {
    let own = TempDir::new().expect("a folder");
    fs::copy(folder().join("ricart_agrawala.py"), own.path().join("node.py")).expect("copied");
    let over = |channel: &str, network: &Value| {
        let expected = json!([{ "never": "violation" }, { "metric": "messages_by_kind.REPLY = 30" }]);
        played(own.path(), &json!({ "network": network, "channel": channel, "expect": expected }))
    };
    let reliable = over("reliable", &json!({ "delay": "1ms", "loss": 0.2, "duplicate": 0.1 }));
    assert_eq!(reliable["outcome"], "met", "{reliable}");
    // Over these links, messages are only lost, not duplicated. A duplicated REPLY could count as the reply to a
    // later request, so that a process enters too early. A lost REPLY only makes a process wait.
    let raw = over("raw", &json!({ "delay": "1ms", "loss": 0.2 }));
    assert_eq!(raw["outcome"], "not-met", "{raw}");
    assert!(raw.to_string().contains("wait forever: no message is in transit"), "{raw}");
}

/// Changes of the node: replaced text, its replacement, and the mistake that the check must report.
const BROKEN: [(&str, &str, &str); 15] = [
    (r#"answer({"hello": {"protocol": 1}})"#, "pass", "said nothing within 10 s to hello"),
    (r#"answer({"hello": {"protocol": 1}})"#, "sys.exit(3)", "ended with exit code 3 instead of an answer to hello"),
    (r#"{"hello": {"protocol": 1}}"#, r#"{"hello": {"protocol": 2}}"#, "speaks version 2 of the protocol, not 1"),
    (
        "    print(json.dumps(line), flush=True)",
        "    print(line, flush=True)",
        "with a line that is not JSON: `{'hello'",
    ),
    (
        r#"{"send": {"to": to,"#,
        r#"{"send": {"to": to + [9],"#,
        "to 9, a node that does not exist; there are nodes 0 to 2",
    ),
    (r#"{"send": {"to": to,"#, r#"{"send": {"to": to + [self.me],"#, "itself"),
    (
        r#""REPLY", {"#,
        r#""ANSWER", {"#,
        "sends a `ANSWER`, which `ricart-agrawala` does not have; possible: REQUEST, REPLY",
    ),
    (r#"self.effects.append({"send""#, r#"self.effects.append({"sned""#, "`sned`"),
    (r#"self.tell("requested")"#, r#"self.effects.append({"requested": {"lock": 3, "request": 1}})"#, "reports lock 3"),
    (r#"self.tell("requested")"#, r#"self.effects.append({"elected": {"leader": 9, "term": 1}})"#, "reports node 9"),
    (r#"self.tell("requested")"#, "pass", "without `requested`, which comes first"),
    (r#"{"step": asked["step"], "#, r#"{"step": 7, "#, "answered step 7 instead of step 1, start"),
    (
        r#"        answer({"step": asked["step"], "#,
        r#"        answer({"step": asked["step"]}); answer({"step": asked["step"], "#,
        "without an input; the program must write one line for each input",
    ),
    (r#"        if kind == "REPLY":"#, r#"        if body["number"]:"#, "last lines on its standard error: "),
    (DEAF.0, DEAF.1, "still runs 3 s after its standard input ended"),
];

#[test]
fn each_mistake_of_a_program_is_told_by_its_name() {
    let check = |(from, to, expected): &(&str, &str, &str)| {
        let folder = broken(from, to);
        let arguments =
            ["node", "check", "--algorithm", "ricart-agrawala", "--entries", "3", "--", "python3", "node.py"];
        let (code, told) = output(interlock(&arguments).current_dir(folder.path()));
        assert_eq!(code, Some(1), "{to}: {told}");
        assert!(told.contains("FINDING") && told.contains(expected), "{to}: {told}");
        assert!(!told.contains("panicked"), "{told}");
    };
    concurrently(4, &BROKEN, check);
}

/// Some faults are visible only in runs together with correct nodes. A single node cannot violate mutual
/// exclusion, and nodes that share a mistake understand one another.
#[test]
fn what_passes_alone_may_fail_among_ours() {
    const AMONG_OURS: &str = "FINDING  it completes a run together with two nodes of Interlock";
    let eager = broken("            self.deferred.append(sender)", "            self.reply([sender])");
    let right = fs::read_to_string(folder().join("ricart_agrawala.py")).expect("the node");
    let dialect = written(&right.replace("\"clock\"", "\"time\"").replace("body['clock']", "body['time']"));
    let eager_is_caught: fn(&str) -> bool = |told| broken_at(0, told);
    let dialect_is_caught: fn(&str) -> bool = |told| told.contains("ended with exit code 1 instead of an answer to");
    for (program, nodes, caught) in [(eager, "1", eager_is_caught), (dialect, "3", dialect_is_caught)] {
        let arguments =
            ["node", "check", "--nodes", nodes, "--algorithm", "ricart-agrawala", "--", "python3", "node.py"];
        let (code, told) = output(interlock(&arguments).current_dir(program.path()));
        assert_eq!((code, told.matches("ok ").count()), (Some(1), 4), "{told}");
        assert!(told.contains(AMONG_OURS) && caught(&told), "{told}");
    }
}

/// The clock of each node ignores the clock values of received messages. On a busy machine, even the first run of
/// the check may show this fault.
#[test]
fn a_clock_that_ignores_what_arrives_is_found() {
    let folder = broken("self.clock = max(self.clock, body[\"clock\"]) + 1", "self.clock += 1");
    let (code, told) = output(interlock(&["node", "check", "--", "python3", "node.py"]).current_dir(folder.path()));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("FINDING") && broken_at(0, &told), "{told}");
    let uneven = json!({ "algorithm": "own", "network": { "delay": "uniform:1ms..5ms" },
        "workload": { "idle": "30ms", "hold": "5ms", "entries": 40, "overrides": [{ "node": 0, "idle": "1ms" }] },
        "steps": [{ "wait": { "entries": 100 }, "within": "40s" }] });
    assert_eq!(played(folder.path(), &uneven)["outcome"], "not-met");
    let right = written(&fs::read_to_string(self::folder().join("ricart_agrawala.py")).expect("the node"));
    assert_eq!(played(right.path(), &uneven)["outcome"], "met");
}

/// The changed node enters if it does not get a REPLY in time. This fault is visible only if another node crashes.
#[test]
fn a_node_that_enters_without_the_replies_of_a_crashed_node_is_found() {
    const ASKS: &str = "        self.enter_if_all_have_replied()\n\n    def release";
    const WAITS: &str = "        self.effects.append({\"set_timer\": {\"timer\": \"patience\", \"after_ms\": 700}})\n";
    const ENTERS: &str = "    def timer(self, timer):\n        if self.request and self.missing and self.missing != {-1}:\n            \
                          self.missing = {-1}\n            self.tell(\"entered\")\n\n    def release";
    let asks = ASKS.replace("    def release", "");
    let folder = broken(ASKS, &format!("{WAITS}{asks}{ENTERS}"));
    let (code, told) = output(interlock(&["node", "check", "--", "python3", "node.py"]).current_dir(folder.path()));
    assert_eq!((code, told.matches("ok ").count()), (Some(1), 5), "{told}");
    assert!(told.contains("FINDING  it does not violate mutual exclusion after"), "{told}");
}

#[test]
fn a_correct_transaction_program_passes_the_check() {
    let (code, told) = check("wait_die.py", &["--algorithm", "wait-die"]);
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn what_is_no_program_is_told_and_what_makes_no_sense_is_refused() {
    let (code, told) = output(&mut interlock(&["node", "check", "--", "no-such-program"]));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("no-such-program") && told.contains("ended with exit code 126"), "{told}");
    let (code, told) = check("ricart_agrawala.py", &["--algorithm", "ricart"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("there is no algorithm `ricart`"), "{told}");
}

#[test]
fn a_program_that_says_nothing_is_too_slow_and_one_that_stands_still_by_order_is_not() {
    let silent = broken(r#"        answer({"step": asked["step"], "#, r#"        str({"step": asked["step"], "#);
    let right = written(&fs::read_to_string(folder().join("ricart_agrawala.py")).expect("the node"));
    // The correct program is paused for longer than a program may take to answer. The time of the pause must not
    // count as time to answer.
    let paused = json!({ "steps": [{ "pause": { "node": 1, "for": "12s" } }, { "wait": "idle" }],
        "expect": [{ "never": "violation" }, { "metric": "entries >= 15" }] });
    let (slow, stopped) = thread::scope(|scope| {
        let slow = scope.spawn(|| played(silent.path(), &json!({})));
        let stopped = played(right.path(), &paused);
        (slow.join().expect("it is played"), stopped)
    });
    assert_eq!(slow["outcome"], "not-met", "{slow}");
    let because = slow["failure"]["because"].as_str().expect("a reason");
    assert!(because.contains("said nothing within 10 s to step 1, start"), "{because}");
    assert_eq!(stopped["outcome"], "met", "{stopped}");
}

#[test]
fn a_program_that_replies_at_once_breaks_mutual_exclusion() {
    let eager = broken("            self.deferred.append(sender)", "            self.reply([sender])");
    let told = played(eager.path(), &json!({ "workload": { "idle": 0, "hold": "2ms", "entries": 5 } }));
    assert_eq!(told["outcome"], "not-met", "{told}");
    assert!(told["expectations"].to_string().contains("section of lock 0"), "{told}");
}

#[test]
fn faults_may_name_the_messages_of_a_program_whatever_they_are_called() {
    let renamed = fs::read_to_string(folder().join("ricart_agrawala.py")).expect("the node");
    let folder = written(&renamed.replace("\"REPLY\"", "\"GO AHEAD\""));
    let rule = json!({ "match": { "message_kind": "GO AHEAD" }, "action": "drop", "count": 1 });
    let lost = json!({ "algorithm": "own", "steps": [{ "rule": rule }, { "wait": "stuck" }],
        "network": { "delays": { "REQUEST": 2 } }, "expect": [{ "violation": "stuck" }] });
    let told = played(folder.path(), &lost);
    assert_eq!(told["outcome"], "met", "{told}");
}

/// A change of the node: the replaced text and its replacement. The changed node does not end when its standard
/// input is closed.
const DEAF: (&str, &str) = (
    "    for line in sys.stdin:",
    "    import itertools, time\n    for line in itertools.chain(sys.stdin, iter(lambda: time.sleep(60), 1)):",
);

#[test]
fn whoever_kills_the_orchestrator_leaves_no_program_behind() {
    let folder = broken(DEAF.0, DEAF.1);
    let scenario = json!({ "algorithm": "own", "stop": { "after": "60s" }, "steps": [{ "wait": "stuck" }],
        "nodes": [{ "command": ["python3", "node.py"], "count": 2 }], "workload": { "idle": "5ms", "hold": "1ms" } });
    let file = folder.path().join("endless.json");
    fs::write(&file, scenario.to_string()).expect("written");
    let mut run = interlock(&["run", file.to_str().expect("a path")]).stdout(Stdio::null()).spawn().expect("started");
    let deadline = Instant::now() + PATIENCE;
    let all = loop {
        let nodes = children(run.id());
        let programs: Vec<u32> = nodes.iter().flat_map(|&node| children(node)).collect();
        if (nodes.len(), programs.len()) == (2, 2) {
            break [nodes, programs].concat();
        }
        assert!(Instant::now() < deadline, "two nodes with a program each are expected");
        std::thread::yield_now();
    };
    kill_process(Pid::from_child(&run), Signal::KILL).expect("killed");
    run.wait().expect("over");
    time_until_gone(&all);
}

#[test]
fn a_program_that_dies_ends_its_run_with_words_and_one_that_is_crashed_by_order_does_not() {
    let fragile = broken("        self.reply(self.deferred)", "        sys.exit('out of luck')");
    let told = played(fragile.path(), &json!({}));
    assert_eq!(told["outcome"], "not-met", "{told}");
    let because = told["failure"]["because"].as_str().expect("a reason");
    assert!(because.contains("ended with exit code 1 instead of an answer to"), "{because}");
    assert!(because.contains("last lines on its standard error: out of luck"), "{because}");
    let right = written(&fs::read_to_string(folder().join("ricart_agrawala.py")).expect("the node"));
    let crashed = json!({ "steps": [{ "crash": 2 }, { "wait": "stuck" }], "expect": [{ "violation": "stuck" }] });
    let told = played(right.path(), &crashed);
    assert_eq!(told["outcome"], "met", "{told}");
}
