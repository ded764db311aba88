//! `interlock node check`: can this program be a node, and if not, why?

use std::process::ExitCode;

use clap::Args;
use interlock_algorithm::catalogue;
use interlock_machine::wire::{ForeignProgram, Protocol};
use interlock_node::{Check, check_program};
use serde_json::{Value, json};

use crate::run::play_live;
use crate::{COULD_NOT, FAILED, OK, USAGE};

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
    /// The program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Checks, and tells what was found.
pub fn run(options: &CheckOptions) -> ExitCode {
    ExitCode::from(check(options).unwrap_or_else(|(code, why)| {
        eprintln!("interlock: {why}");
        code
    }))
}

fn check(options: &CheckOptions) -> Result<u8, (u8, String)> {
    let (algorithm, variant) =
        options.algorithm.split_once('/').map_or((&*options.algorithm, None), |(name, variant)| (name, Some(variant)));
    let folder = std::env::current_dir().map_err(|error| (COULD_NOT, error.to_string()))?;
    let path = std::env::var("PATH").unwrap_or_default();
    let program = ForeignProgram { command: options.command.clone(), folder, path, protocol: Protocol::Interlock };
    let mut checks = check_program(program, algorithm, variant).map_err(|refusal| (USAGE, refusal.to_string()))?;
    checks.iter().for_each(tell);
    if checks.iter().all(|check| check.finding.is_none()) {
        let wrong = play_live("the run", scenario(options, algorithm, variant).to_string())?;
        let finding = (!wrong.is_empty()).then(|| wrong.join("; "));
        let played = Check { what: "in a run of its own, keeps the rules and comes to an end", finding };
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

/// A run in which each node is the program, and does what its algorithm is there for.
fn scenario(options: &CheckOptions, algorithm: &str, variant: Option<&str>) -> Value {
    let CheckOptions { nodes, entries, command, .. } = options;
    let commands = catalogue::find(algorithm).map_or(&[][..], |entry| entry.commands);
    let mut scenario = json!({
        "algorithm": algorithm,
        "nodes": [{ "command": command, "count": nodes }],
        "expect": [{ "never": "violation" }],
        "stop": { "after": "120s" },
    });
    if let Some(variant) = variant {
        scenario["variant"] = json!(variant);
    }
    if commands.contains(&"acquire") {
        scenario["workload"] = json!({ "idle": 0, "hold": 0, "entries": entries });
        scenario["steps"] = json!([{ "wait": { "entries": nodes * entries }, "within": "60s" }]);
    } else if commands.contains(&"elect") {
        scenario["steps"] = json!([{ "elect": { "node": 0 } }, { "wait": "elected", "within": "60s" }]);
    } else {
        scenario["steps"] = json!([{ "propose": { "node": 0, "value": "a" } }, { "wait": "decided", "within": "60s" }]);
    }
    scenario
}
