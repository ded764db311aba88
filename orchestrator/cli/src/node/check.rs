//! `interlock node check`: can this program be a node, and if not, why?

use std::process::ExitCode;

use clap::Args;
use interlock_algorithm::catalogue::{self, OWN};
use interlock_machine::wire::{ForeignProgram, OwnFolder, Protocol};
use interlock_node::{Check, check_program};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::NodeBounds;
use crate::run::play_live;
use crate::{COULD_NOT, FAILED, OK, USAGE, terminal};

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
    ExitCode::from(check(options).unwrap_or_else(|(code, why)| {
        terminal::complain(&why.to_string());
        code
    }))
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
    let checks = check_program(program, confinement, algorithm, variant);
    let mut checks = checks.map_err(|refusal| (USAGE, refusal.to_string()))?;
    checks.iter().for_each(tell);
    let CheckOptions { nodes, command, .. } = options;
    let alone = (
        json!([{ "command": command, "count": nodes }]),
        *nodes,
        "in a run of its own, keeps the rules and comes to an end",
    );
    let mixed = (
        json!([{ "command": command, "count": 2 }, { "count": 2 }]),
        4,
        "as two of four nodes, of which two are ours, keeps the rules and comes to an end",
    );
    // Of an algorithm of its own there are no nodes of ours.
    let runs = [Some(alone), (algorithm != OWN.name).then_some(mixed)];
    for (groups, nodes, what) in runs.into_iter().flatten() {
        if checks.iter().any(|check| check.finding.is_some()) {
            break;
        }
        let wrong =
            play_live("the run", scenario(options, algorithm, variant, (groups, nodes)).to_string(), confinement)?;
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
