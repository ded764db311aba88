//! `interlock node`: what has to do with nodes as programs.

mod check;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, Subcommand};

/// What to do.
#[derive(Debug, Args)]
pub struct NodeOptions {
    #[command(subcommand)]
    command: Option<NodeCommand>,
}

#[derive(Debug, Subcommand)]
enum NodeCommand {
    /// Check whether a program can be a node: its answers one by one, and then in a run of its own
    Check(check::CheckOptions),
    /// Become a program that dies with its parent (only a node starts that)
    #[command(hide = true)]
    Exec {
        /// The process that must be the parent
        parent: u32,
        /// The program and its arguments
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
}

/// Does it. `node` is what this program does as a node.
pub fn run(options: &NodeOptions, node: impl FnOnce() -> ExitCode) -> ExitCode {
    match &options.command {
        None => node(),
        Some(NodeCommand::Check(options)) => check::run(options),
        Some(NodeCommand::Exec { parent, command }) => interlock_node::exec(*parent, command),
    }
}
