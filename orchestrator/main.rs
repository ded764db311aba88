//! `interlock`: the playground and each of its nodes, in one program.

use std::process::ExitCode;

fn main() -> ExitCode {
    interlock_cli::run(|| interlock_node::run(interlock_node::any_node))
}
