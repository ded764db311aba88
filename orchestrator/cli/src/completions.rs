//! `interlock completions`: what a shell needs to complete the words of the commands.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::{COULD_NOT, OK};

#[derive(Debug, Args)]
pub struct CompletionsOptions {
    /// For which shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Writes it, for all commands of `interlock`.
pub fn run(options: &CompletionsOptions, mut interlock: Command) -> ExitCode {
    let mut script = Vec::new();
    generate(options.shell, &mut interlock, "interlock", &mut script);
    match io::stdout().lock().write_all(&script) {
        Ok(()) => ExitCode::from(OK),
        // Whoever was reading has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: the completions cannot be written: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}
