//! `interlock completions`: prints a completion script for a shell.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::{COULD_NOT, OK};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the script is printed
  3  the script cannot be written";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct CompletionsOptions {
    /// Shell that the script is for
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for all commands of `interlock`.
pub fn run(options: &CompletionsOptions, mut interlock: Command) -> ExitCode {
    let mut script = Vec::new();
    generate(options.shell, &mut interlock, "interlock", &mut script);
    match io::stdout().lock().write_all(&script) {
        Ok(()) => ExitCode::from(OK),
        // The reader of the output, such as `head`, has closed the pipe because it needs no further lines. This is
        // not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: cannot write the completions: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}
