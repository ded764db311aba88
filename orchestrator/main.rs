//! `interlock`: the playground, and each of its nodes, in one program.

use std::process::ExitCode;

use interlock_orchestrator::cli;

fn main() -> ExitCode {
    cli::run(|| interlock_node::run(interlock_machine::catalogue_node))
}
