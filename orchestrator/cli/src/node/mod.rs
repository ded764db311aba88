//! `interlock node`: what has to do with nodes as programs.

mod bounds;
mod check;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use interlock_machine::wire::Confinement;

pub use bounds::NodeBounds;

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
        /// Confine it before
        #[arg(long)]
        confined: bool,
        /// The most memory that each of its processes may write to, in bytes
        #[arg(long, requires = "confined")]
        memory_bytes: Option<u64>,
        /// The folder into which it may write
        #[arg(long, requires = "confined")]
        own_folder: Option<PathBuf>,
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
        Some(NodeCommand::Exec { parent, confined, memory_bytes, own_folder, command }) => {
            let confinement = confined.then_some(Confinement { memory_bytes: *memory_bytes });
            interlock_node::exec(*parent, confinement, own_folder.as_deref(), command)
        }
    }
}
