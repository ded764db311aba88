//! `interlock node`: commands for programs that act as nodes.

mod check;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use interlock_machine::wire::{Confinement, Ports};

use crate::walls;

/// Options of `interlock node`.
#[derive(Debug, Args)]
pub struct NodeOptions {
    #[command(subcommand)]
    command: Option<NodeCommand>,
}

#[derive(Debug, Subcommand)]
enum NodeCommand {
    /// Check whether a program can be a node: first its answers to single inputs, then its behaviour in complete
    /// runs
    Check(check::CheckOptions),
    /// Start a program, and end all of its processes when it or the node ends (only a node starts this)
    #[command(hide = true)]
    Keep(ProgramOptions),
    /// Become a program that ends with its parent (only a keeper starts this)
    #[command(hide = true)]
    Exec(ProgramOptions),
    /// Confine this process like a program, and print what the kernel supports (only this program starts this)
    #[command(hide = true)]
    Walls {
        /// Folder into which the process may write
        own_folder: PathBuf,
    },
}

#[derive(Debug, Args)]
struct ProgramOptions {
    /// Id of the process that must be the parent
    parent: u32,
    /// Confine the program
    #[arg(long)]
    confined: bool,
    /// Maximum memory that each of its processes may write to, in bytes
    #[arg(long, requires = "confined")]
    memory_bytes: Option<u64>,
    /// Folder into which the program may write
    #[arg(long, requires = "confined")]
    own_folder: Option<PathBuf>,
    /// Port at which the program may listen
    #[arg(long, value_name = "PORT", requires = "confined", value_parser = clap::value_parser!(u16).range(1..))]
    listen: Vec<u16>,
    /// Port to which the program may connect
    #[arg(long, value_name = "PORT", requires = "confined", value_parser = clap::value_parser!(u16).range(1..))]
    connect: Vec<u16>,
    /// Program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

impl ProgramOptions {
    fn confinement(&self) -> Option<Confinement> {
        self.confined.then_some(Confinement { memory_bytes: self.memory_bytes })
    }

    fn ports(&self) -> Ports {
        Ports { listen: self.listen.clone(), connect: self.connect.clone() }
    }
}

/// Executes the command. `node` is the function that makes this program act as a node.
pub fn run(options: &NodeOptions, node: impl FnOnce() -> ExitCode) -> ExitCode {
    match &options.command {
        None => node(),
        Some(NodeCommand::Check(options)) => check::run(options),
        Some(NodeCommand::Keep(program)) => {
            let ProgramOptions { parent, own_folder, command, .. } = program;
            interlock_node::keep(*parent, program.confinement(), own_folder.as_deref(), &program.ports(), command)
        }
        Some(NodeCommand::Exec(program)) => {
            let ProgramOptions { parent, own_folder, command, .. } = program;
            interlock_node::exec(*parent, program.confinement(), own_folder.as_deref(), &program.ports(), command)
        }
        Some(NodeCommand::Walls { own_folder }) => walls::print(own_folder),
    }
}
