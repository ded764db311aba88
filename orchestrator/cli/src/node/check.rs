//! `interlock node check`: can this program be a node, and if not, why?

use std::process::ExitCode;

use clap::Args;
use interlock_algorithm::catalogue::{self, OWN};
use interlock_machine::wire::{ForeignProgram, OwnFolder, Protocol};
use interlock_node::{Check, check_program};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node_bounds::NodeBounds;
use crate::run::play_live;
use crate::walls::name_gaps;
use crate::{COULD_NOT, FAILED, OK, USAGE, terminal};

/// How many times more often the client of node 0 enters where clients ask at different rates.
const FASTER: u32 = 4;
/// The most entries of each other client there.
const MOST_UNEVEN: u32 = 40;
/// How long a node is paused.
const PAUSE: &str = "200ms";

/// What to check.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 nothing was found, 1 something was, 2 it makes no sense, 3 it could not be tried."
)]
pub struct CheckOptions {
    /// The algorithm whose part it plays, as NAME or NAME/VARIANT; without it, an algorithm of its own
    #[arg(long, value_name = "ALGORITHM", default_value = "own")]
    algorithm: String,
    /// How many nodes the run has, each of them the program
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=50))]
    nodes: u32,
    /// How often each of them enters
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    entries: u32,
    #[command(flatten)]
    bounds: NodeBounds,
    /// The program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Checks, and tells what was found.
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
    let program = ForeignProgram { command, folder, path, own_folder, protocol: Protocol::Interlock };
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
    match finding {
        None => println!("ok       it {what}"),
        Some(finding) => println!("FINDING  it {what}: no. {finding}"),
    }
}

/// A run of the program, and what must be so in it.
struct Trial {
    what: &'static str,
    scenario: Value,
}

/// The runs that try a program, the quickest first.
fn trials(options: &CheckOptions, algorithm: &str, variant: Option<&str>) -> Vec<Trial> {
    let CheckOptions { nodes, command, .. } = options;
    let all = || (json!([{ "command": command, "count": nodes }]), *nodes);
    let mixed = || (json!([{ "command": command, "count": 2 }, { "count": 2 }]), 4);
    let can_enter = catalogue::find(algorithm).is_ok_and(|entry| entry.commands.contains(&"acquire"));
    let mut trials = vec![Trial {
        what: "in a run of its own, keeps the rules and comes to an end",
        scenario: scenario(options, algorithm, variant, all()),
    }];
    // Of an algorithm of its own there are no nodes of ours.
    if algorithm != OWN.name {
        trials.push(Trial {
            what: "as two of four nodes, of which two are ours, keeps the rules and comes to an end",
            scenario: scenario(options, algorithm, variant, mixed()),
        });
    }
    if can_enter && *nodes > 1 {
        trials.push(Trial {
            what: "keeps the rules and comes to an end where clients ask at different rates and a node is paused",
            scenario: uneven(scenario(options, algorithm, variant, all()), options, relies_on_time(algorithm, variant)),
        });
        trials.push(Trial {
            what: "lets in no two at the same time after one of its nodes has crashed",
            scenario: crashed(scenario(options, algorithm, variant, all()), *nodes),
        });
    }
    trials
}

/// Whether the variant relies on time-outs, which a pause breaks.
fn relies_on_time(algorithm: &str, variant: Option<&str>) -> bool {
    let first = || catalogue::find(algorithm).ok().and_then(|entry| entry.variants.first()).map(|variant| variant.name);
    let assumes = variant.or_else(first).and_then(|variant| catalogue::assumptions(algorithm, variant));
    assumes.is_some_and(|assumes| !assumes.time_outs.is_empty())
}

/// The same run, where the client of node 0 asks far more often than the others, messages take unequal times, and node 1 is
/// paused in between. So logical clocks drift apart unless each node takes over what it is told.
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

/// The same run, in which the last node crashes and stays away. Then all others ask at the same time, so processes that give
/// up waiting for the crashed one enter at the same time. Most algorithms make no progress, which is allowed: the run is
/// judged by safety alone.
fn crashed(mut scenario: Value, nodes: u32) -> Value {
    scenario["network"] = json!({ "delay": "uniform:1ms..5ms" });
    scenario["workload"]["idle"] = json!("exp:5ms");
    scenario["workload"]["entries"] = json!(1);
    let mut steps = vec![
        json!({ "wait": { "any": ["idle", { "every_node": "exited" }] }, "within": "60s" }),
        json!({ "crash": nodes - 1 }),
    ];
    steps.extend((0..nodes - 1).map(|node| json!({ "acquire": { "node": node, "hold": "100ms" } })));
    steps.push(json!({ "sleep": "1s" }));
    scenario["steps"] = steps.into();
    scenario["expect"] =
        json!([{ "never": { "violation": "mutual-exclusion" } }, { "never": { "violation": "capacity" } }]);
    scenario["stop"] = json!({ "after": "120s", "when": "decided" });
    scenario
}

/// A run of these nodes, so many, which do what their algorithm is there for. Each section lasts a little, so that another
/// node that enters meanwhile is seen to.
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
        // Somebody may have entered before it is waited for.
        scenario["steps"] = json!([{ "wait": { "any": ["idle", { "entries": all }] }, "within": "60s" }]);
        scenario["expect"] = json!([{ "never": "violation" }, { "metric": format!("entries >= {all}") }]);
    } else if can("elect") {
        scenario["steps"] = json!([{ "elect": { "node": 0 } }, { "wait": "elected", "within": "60s" }]);
    } else {
        scenario["steps"] = json!([{ "propose": { "node": 0, "value": "a" } }, { "wait": "decided", "within": "60s" }]);
    }
    scenario
}
