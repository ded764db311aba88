//! `interlock node check`: checks whether a program can be a node. If not, prints the reasons.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use interlock_algorithm::catalogue::{self, OWN};
use interlock_machine::wire::{ForeignProgram, OwnFolder};
use interlock_node::{Check, check_program};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node_bounds::NodeBounds;
use crate::run::play_live;
use crate::walls::name_gaps;
use crate::{COULD_NOT, FAILED, OK, USAGE, terminal};

/// Number of entries of the client of node 0 for each entry of another client, in the trial with clients of
/// different rates.
const FASTER: u32 = 4;
/// Maximum number of entries of each client except the client of node 0, in the trial with clients of different
/// rates.
const MOST_UNEVEN: u32 = 40;
/// Length of the pause of node 1, in the trial with clients of different rates.
const PAUSE: &str = "200ms";

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the program passed all checks
  1  the program failed a check
  2  an option is invalid
  3  the program could not be checked";

/// Options of `interlock node check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct CheckOptions {
    /// Algorithm that the program implements, as NAME or NAME/VARIANT; `own` means an algorithm of its own
    #[arg(long, value_name = "ALGORITHM", default_value = "own")]
    algorithm: String,
    /// Number of nodes of the run, each of them the program
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=50))]
    nodes: u32,
    /// Number of entries of each node
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    entries: u32,
    #[command(flatten)]
    bounds: NodeBounds,
    /// Program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Checks the program, and prints the findings.
pub fn run(options: &CheckOptions) -> ExitCode {
    check(options).map_or_else(|(code, why)| terminal::fail(&why, code), ExitCode::from)
}

fn check(options: &CheckOptions) -> Result<u8, (u8, String)> {
    let (algorithm, variant) =
        options.algorithm.split_once('/').map_or((&*options.algorithm, None), |(name, variant)| (name, Some(variant)));
    let folder = std::env::current_dir().map_err(|error| (COULD_NOT, error.to_string()))?;
    let path = std::env::var("PATH").unwrap_or_default();
    let own = TempDir::with_prefix("interlock-").map_err(|error| (COULD_NOT, error.to_string()))?;
    let own_folder = Some(OwnFolder { path: own.path().to_owned(), keeps: true });
    let confinement = options.bounds.confinement();
    let command = options.command.clone();
    let program = ForeignProgram { command, folder, path, own_folder, ..ForeignProgram::default() };
    name_gaps(confinement);
    let checks = check_program(program, confinement, algorithm, variant);
    let mut checks = checks.map_err(|refusal| (USAGE, refusal.to_string()))?;
    checks.iter().for_each(tell);
    for Trial { what, scenario } in trials(options, algorithm, variant) {
        if checks.iter().any(|check| check.finding.is_some()) {
            break;
        }
        let wrong = play_live("the run", scenario.to_string(), confinement)?;
        let played = Check { what, finding: (!wrong.is_empty()).then(|| wrong.join("; ")) };
        tell(&played);
        checks.push(played);
    }
    Ok(if checks.iter().all(|check| check.finding.is_none()) { OK } else { FAILED })
}

fn tell(Check { what, finding }: &Check) {
    // A closed standard output is ignored: the caller still needs the exit code.
    let _ = match finding {
        None => writeln!(terminal::text(), "ok       it {what}"),
        Some(finding) => writeln!(terminal::text(), "FINDING  it {what}: failed. {finding}"),
    };
}

/// A scenario in which the program acts as nodes, and a phrase that describes the purpose of the trial.
struct Trial {
    what: &'static str,
    scenario: Value,
}

/// Returns the runs that test a program. The quickest runs are first.
fn trials(options: &CheckOptions, algorithm: &str, variant: Option<&str>) -> Vec<Trial> {
    let CheckOptions { nodes, command, .. } = options;
    let all = || (json!([{ "command": command, "count": nodes }]), *nodes);
    let mixed = || (json!([{ "command": command, "count": 2 }, { "count": 2 }]), 4);
    let can_enter = catalogue::find(algorithm).is_ok_and(|entry| entry.commands.contains(&"acquire"));
    let mut trials = vec![Trial {
        what: "completes a run with its own nodes only, without a violation",
        scenario: scenario(options, algorithm, variant, all()),
    }];
    // Interlock has no built-in nodes for an algorithm that only the program implements.
    if algorithm != OWN.name {
        trials.push(Trial {
            what: "completes a run together with two nodes of Interlock, without a violation",
            scenario: scenario(options, algorithm, variant, mixed()),
        });
    }
    if can_enter && *nodes > 1 {
        trials.push(Trial {
            what: "completes a run with clients of different rates and a paused node, without a violation",
            scenario: uneven(scenario(options, algorithm, variant, all()), options, relies_on_time(algorithm, variant)),
        });
        trials.push(Trial {
            what: "does not violate mutual exclusion after one of its nodes has crashed",
            scenario: crashed(scenario(options, algorithm, variant, all()), *nodes),
        });
    }
    trials
}

/// Returns whether the variant relies on time-outs. If so, the trial must not pause a node, because the pause may be
/// longer than the time-outs allow.
fn relies_on_time(algorithm: &str, variant: Option<&str>) -> bool {
    let first = || catalogue::find(algorithm).ok().and_then(|entry| entry.variants.first()).map(|variant| variant.name);
    let assumes = variant.or_else(first).and_then(|variant| catalogue::assumptions(algorithm, variant));
    assumes.is_some_and(|assumes| !assumes.time_outs.is_empty())
}

/// Changes a scenario: the clients get different rates, the message delays become unequal, and node 1 is paused
/// unless `relies_on_time`. The client of node 0 requests the lock far more often than the other clients. As a
/// result, logical clocks drift apart, unless each node advances its clock to the times in received messages.
fn uneven(mut scenario: Value, options: &CheckOptions, relies_on_time: bool) -> Value {
    let entries = options.entries.min(MOST_UNEVEN);
    let of_the_first = entries * FASTER;
    let all = of_the_first + (options.nodes - 1) * entries;
    scenario["network"] = json!({ "delay": "uniform:1ms..5ms" });
    scenario["workload"]["idle"] = json!("uniform:10ms..50ms");
    scenario["workload"]["hold"] = json!("5ms");
    scenario["workload"]["entries"] = json!(entries);
    scenario["workload"]["overrides"] = json!([{ "node": 0, "idle": "1ms", "entries": of_the_first }]);
    let mut steps = vec![json!({ "wait": { "any": ["idle", { "entries": all / 2 }] }, "within": "60s" })];
    if !relies_on_time {
        steps.extend([json!({ "pause": 1 }), json!({ "sleep": PAUSE }), json!({ "resume": 1 })]);
    }
    steps.push(json!({ "wait": "idle", "within": "60s" }));
    scenario["steps"] = steps.into();
    scenario["expect"] = json!([{ "never": "violation" }, { "metric": format!("entries >= {all}") }]);
    scenario
}

/// Changes a scenario: the last node crashes and does not restart, and then all other nodes request the lock at
/// the same time. If the program wrongly stops waiting for the crashed node, several nodes enter at the same time.
/// Most algorithms make no progress after the crash. This is allowed, because only safety is checked.
fn crashed(mut scenario: Value, nodes: u32) -> Value {
    scenario["network"] = json!({ "delay": "uniform:1ms..5ms" });
    scenario["workload"]["idle"] = json!("exp:5ms");
    scenario["workload"]["entries"] = json!(1);
    // A client that gives way leaves its locks and requests them again, so an exit need not be its last.
    let gives_way = scenario["workload"]["locks"] == "neighbours";
    let have_ended = if gives_way { json!("idle") } else { json!({ "any": ["idle", { "every_node": "exited" }] }) };
    let mut steps = vec![json!({ "wait": have_ended, "within": "60s" }), json!({ "crash": nodes - 1 })];
    steps.extend((0..nodes - 1).map(|node| json!({ "acquire": { "node": node, "hold": "100ms" } })));
    steps.push(json!({ "sleep": "1s" }));
    scenario["steps"] = steps.into();
    scenario["expect"] =
        json!([{ "never": { "violation": "mutual-exclusion" } }, { "never": { "violation": "capacity" } }]);
    scenario["stop"] = json!({ "after": "120s", "when": "decided" });
    scenario
}

/// Returns a scenario in which `nodes` nodes use their algorithm for its purpose: locks, elections or agreement. Each
/// critical section lasts 1 ms, long enough for the monitors to notice a second node that enters meanwhile.
fn scenario(options: &CheckOptions, algorithm: &str, variant: Option<&str>, (groups, nodes): (Value, u32)) -> Value {
    let entries = options.entries;
    let entry = catalogue::find(algorithm).ok();
    let can = |command| entry.is_some_and(|entry| entry.commands.contains(&command));
    let mut scenario = json!({
        "algorithm": algorithm,
        "nodes": groups,
        "expect": [{ "never": "violation" }],
        "stop": { "after": "120s" },
    });
    if let Some(variant) = variant {
        scenario["variant"] = json!(variant);
    }
    if can("acquire") {
        let locks = if entry.is_some_and(|entry| entry.family == "deadlock") { "neighbours" } else { "first" };
        let all = nodes * entries;
        scenario["workload"] = json!({ "locks": locks, "idle": 0, "hold": "1ms", "entries": entries });
        // All entries may have happened before the wait step begins.
        scenario["steps"] = json!([{ "wait": { "any": ["idle", { "entries": all }] }, "within": "60s" }]);
        scenario["expect"] = json!([{ "never": "violation" }, { "metric": format!("entries >= {all}") }]);
    } else if can("elect") {
        scenario["steps"] = json!([{ "elect": { "node": 0 } }, { "wait": "elected", "within": "60s" }]);
    } else {
        scenario["steps"] = json!([{ "propose": { "node": 0, "value": "a" } }, { "wait": "decided", "within": "60s" }]);
    }
    scenario
}
