//! The command line of `interlock`.

mod age;
mod algorithms;
mod claims;
mod completions;
mod contenders;
mod r#do;
mod doctor;
mod examples;
mod explore;
mod export;
mod fuzz;
mod guide;
pub mod help;
mod journal;
mod matrix;
mod node;
mod node_bounds;
mod playground;
mod prune;
mod ps;
mod repairs;
mod run;
mod schema;
mod serve;
mod simulate;
mod terminal;
mod walls;
mod watch;
mod why;

use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use node_bounds::NodeBounds;
pub use serve::{Playground, ServeError, ServeOptions};

/// Exit code: the result is as expected.
const OK: u8 = 0;
/// Exit code: a result is not as expected, such as a violated property.
const FAILED: u8 = 1;
/// Exit code: the user's request is invalid.
const USAGE: u8 = 2;
/// Exit code: the command could not be executed.
const COULD_NOT: u8 = 3;
/// Exit code: the result is undecided, or the command was interrupted.
const UNDECIDED: u8 = 4;

/// A playground for distributed mutual exclusion: real processes, one network with faults, one lock.
#[derive(Debug, Parser)]
#[command(name = "interlock", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the playground: API and dashboard (the default without a command)
    Serve(ServeOptions),
    /// List the runs of the open playground with their status, verdict and age
    Ps(ps::PsOptions),
    /// Execute a manual action on a run of the open playground: crash, pause, acquire, deliver and more
    Do(r#do::DoOptions),
    /// Explain the waits in a run of the open playground, and which events violated which properties
    Why(why::WhyOptions),
    /// Print the events of a run of the open playground while they happen
    Watch(watch::WatchOptions),
    /// Export the events of a run of the open playground as a file for other tools
    Export(export::ExportOptions),
    /// Answer SQL queries about the events of a run, or write them for other programs that read SQLite
    Journal(journal::JournalOptions),
    /// Delete finished runs of the open playground
    Prune(prune::PruneOptions),
    /// List the algorithms, their assumptions and their costs
    Algorithms(algorithms::AlgorithmsOptions),
    /// List the examples: runs that can be started by name
    Examples(examples::ExamplesOptions),
    /// Play scenarios, live or in virtual time: each file has a run, the actions on it and the expected results
    Run(Box<run::RunOptions>),
    /// Print the JSON Schema of a file format, with which editors check and complete your files
    Schema(schema::SchemaOptions),
    /// Simulate one run or many in virtual time, and print their costs
    Simulate(Box<simulate::SimulateOptions>),
    /// Replay a schedule that a simulation recorded or that you wrote; nothing else happens
    Replay(simulate::ReplayOptions),
    /// Explore all schedules of a small run, and print the shortest that violates a property
    Explore(Box<explore::ExploreOptions>),
    /// Show the fault matrix: whether each algorithm under each fault is safe and live, safe but stuck, or unsafe
    Matrix(matrix::MatrixOptions),
    /// Show how many messages and how much time the algorithms need after a fault until the next process enters:
    /// measured, and in theory
    Repairs(repairs::RepairsOptions),
    /// Test what the papers, books and lectures claim about the algorithms: run each claim now, and print the expected
    /// result, the measured result and a verdict
    Claims(claims::ClaimsOptions),
    /// Test every algorithm in thousands of random runs: correct variants keep all properties, faulty ones are caught
    #[command(visible_alias = "fire")]
    Fuzz(fuzz::FuzzOptions),
    /// Write the guide as HTML files, which a browser opens without a playground
    Guide(guide::GuideOptions),
    /// Print a completion script for a shell
    Completions(completions::CompletionsOptions),
    /// Check what this machine offers a playground, and report what is missing
    Doctor(doctor::DoctorOptions),
    /// Check a node program of your own; without a command, act as a node (only the orchestrator starts this)
    Node(node::NodeOptions),
}

/// Parses the command line and executes the command. `node` is the function that makes this program act as a node.
pub fn run(node: impl FnOnce() -> ExitCode) -> ExitCode {
    // Describing the whole command line takes longer than everything else that a node does when it starts.
    if std::env::args_os().skip(1).eq(["node"]) {
        return node();
    }
    let arguments = Arguments::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    match arguments.command {
        None => serve::run(&arguments.serve),
        Some(Command::Serve(options)) => serve::run(&options),
        Some(Command::Ps(options)) => ps::run(&options),
        Some(Command::Do(options)) => r#do::run(&options),
        Some(Command::Why(options)) => why::run(&options),
        Some(Command::Watch(options)) => watch::run(&options),
        Some(Command::Export(options)) => export::run(&options),
        Some(Command::Journal(options)) => journal::run(&options),
        Some(Command::Prune(options)) => prune::run(&options),
        Some(Command::Algorithms(options)) => algorithms::run(&options),
        Some(Command::Examples(options)) => examples::run(&options),
        Some(Command::Run(options)) => run::run(&options),
        Some(Command::Schema(options)) => schema::run(&options),
        Some(Command::Simulate(options)) => simulate::run(&options),
        Some(Command::Replay(options)) => simulate::replay(&options),
        Some(Command::Explore(options)) => explore::run(&options),
        Some(Command::Matrix(options)) => matrix::run(&options),
        Some(Command::Repairs(options)) => repairs::run(&options),
        Some(Command::Claims(options)) => claims::run(&options),
        Some(Command::Fuzz(options)) => fuzz::run(&options),
        Some(Command::Guide(options)) => guide::run(&options),
        Some(Command::Completions(options)) => completions::run(&options, command_line()),
        Some(Command::Doctor(options)) => doctor::run(&options),
        Some(Command::Node(options)) => node::run(&options, node),
    }
}

/// Returns the command line as clap describes it, with the help added.
fn command() -> clap::Command {
    help::described(Arguments::command())
}

/// Returns the command line without the hidden commands, which only the program itself uses.
#[must_use]
pub fn command_line() -> clap::Command {
    let all = command();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    ServeOptions::augment_args(clap::Command::new("interlock").version(env!("CARGO_PKG_VERSION"))).subcommands(shown)
}
