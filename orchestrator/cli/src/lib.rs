//! The command line.

mod algorithms;
mod claims;
mod examples;
mod explore;
mod fuzz;
mod serve;
mod simulate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use serve::{Playground, ServeError, ServeOptions};

/// All was as expected.
const OK: u8 = 0;
/// Something was not as expected.
const FAILED: u8 = 1;
/// What was asked for makes no sense.
const USAGE: u8 = 2;
/// It could not be done.
const COULD_NOT: u8 = 3;
/// Nothing was decided, or it was broken off.
const UNDECIDED: u8 = 4;

/// A playground for distributed mutual exclusion: real processes, one network with faults, one lock.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the playground: API and dashboard (what happens without a command, too)
    Serve(ServeOptions),
    /// Show the algorithms: what there is, what it assumes, what it costs
    Algorithms(algorithms::AlgorithmsOptions),
    /// Show the examples: runs that can be started by name
    Examples,
    /// Simulate runs in virtual time, one or many, and show what they cost
    Simulate(Box<simulate::SimulateOptions>),
    /// Play a schedule: what a simulation recorded, or what somebody wrote down; nothing else happens
    Replay(simulate::ReplayOptions),
    /// Try all schedules of a small run, and show the shortest that breaks a rule
    Explore(Box<explore::ExploreOptions>),
    /// Show what the sources say of the algorithms, each by running it now: expected, measured, verdict
    Claims(claims::ClaimsOptions),
    /// Try every algorithm in thousands of random runs: right ones keep the rules, wrong ones are caught
    #[command(visible_alias = "fire")]
    Fuzz(fuzz::FuzzOptions),
    /// Be one node of a run (started by the orchestrator, which says on standard input what to do)
    #[command(hide = true)]
    Node,
}

/// Does what the command line says. `node` is what this program does as a node.
pub fn run(node: impl FnOnce() -> ExitCode) -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        None => serve::run(&arguments.serve),
        Some(Command::Serve(options)) => serve::run(&options),
        Some(Command::Algorithms(options)) => algorithms::run(&options),
        Some(Command::Examples) => examples::run(),
        Some(Command::Simulate(options)) => simulate::run(&options),
        Some(Command::Replay(options)) => simulate::replay(&options),
        Some(Command::Explore(options)) => explore::run(&options),
        Some(Command::Claims(options)) => claims::run(&options),
        Some(Command::Fuzz(options)) => fuzz::run(&options),
        Some(Command::Node) => node(),
    }
}
