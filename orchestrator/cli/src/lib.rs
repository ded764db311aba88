//! The command line.

mod age;
mod algorithms;
mod by_hand;
mod claims;
mod completions;
mod contenders;
mod doctor;
mod examples;
mod explore;
mod export;
mod fuzz;
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

use clap::{Args, CommandFactory, Parser, Subcommand};

pub use node_bounds::NodeBounds;
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
#[command(name = "interlock", version, args_conflicts_with_subcommands = true)]
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
    /// List the runs of the open playground: what each is, how it stands, since when
    Ps(ps::PsOptions),
    /// Do something by hand to a run of the open playground: crash, pause, acquire, deliver and more
    Do(by_hand::DoOptions),
    /// Tell who waits for whom in a run of the open playground, and which rules were broken by what
    Why(why::WhyOptions),
    /// Tell what happens in a run of the open playground, while it happens
    Watch(watch::WatchOptions),
    /// Write what happened in a run of the open playground, as a file for other tools
    Export(export::ExportOptions),
    /// Take away what is kept of runs of the open playground that are over
    Prune(prune::PruneOptions),
    /// Show the algorithms: what there is, what it assumes, what it costs
    Algorithms(algorithms::AlgorithmsOptions),
    /// Show the examples: runs that can be started by name
    Examples(examples::ExamplesOptions),
    /// Play scenarios: a run, what is done to it and what is expected of it, in one file; live, or in virtual time
    Run(Box<run::RunOptions>),
    /// Write the JSON Schema of what people write, with which editors check and complete it
    Schema(schema::SchemaOptions),
    /// Simulate runs in virtual time, one or many, and show what they cost
    Simulate(Box<simulate::SimulateOptions>),
    /// Play a schedule: what a simulation recorded, or what somebody wrote down; nothing else happens
    Replay(simulate::ReplayOptions),
    /// Try all schedules of a small run, and show the shortest that breaks a rule
    Explore(Box<explore::ExploreOptions>),
    /// Show what each algorithm makes of each fault: safe and live, safe but stuck, or two inside
    Matrix(matrix::MatrixOptions),
    /// Show what each repair costs, in messages and time, from a fault to the next entry: measured, and in theory
    Repairs(repairs::RepairsOptions),
    /// Show what the sources say of the algorithms, each by running it now: expected, measured, verdict
    Claims(claims::ClaimsOptions),
    /// Try every algorithm in thousands of random runs: right ones keep the rules, wrong ones are caught
    #[command(visible_alias = "fire")]
    Fuzz(fuzz::FuzzOptions),
    /// Write what a shell needs to complete the words of the commands, on standard output
    Completions(completions::CompletionsOptions),
    /// Look at what this machine has for a playground, and say what is missing
    Doctor(doctor::DoctorOptions),
    /// Check a node program of your own; without a command, be a node (only the orchestrator starts that)
    Node(node::NodeOptions),
}

/// Does what the command line says. `node` is what this program does as a node.
pub fn run(node: impl FnOnce() -> ExitCode) -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        None => serve::run(&arguments.serve),
        Some(Command::Serve(options)) => serve::run(&options),
        Some(Command::Ps(options)) => ps::run(&options),
        Some(Command::Do(options)) => by_hand::run(&options),
        Some(Command::Why(options)) => why::run(&options),
        Some(Command::Watch(options)) => watch::run(&options),
        Some(Command::Export(options)) => export::run(&options),
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
        Some(Command::Completions(options)) => completions::run(&options, shown()),
        Some(Command::Doctor(options)) => doctor::run(&options),
        Some(Command::Node(options)) => node::run(&options, node),
    }
}

/// The commands that are for people: without that of a node.
fn shown() -> clap::Command {
    let all = Arguments::command();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    ServeOptions::augment_args(clap::Command::new("interlock").version(env!("CARGO_PKG_VERSION"))).subcommands(shown)
}
