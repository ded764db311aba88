//! `interlock examples`: runs that can be started by name.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use interlock_simulation::example::{self, Example};

use super::{COULD_NOT, OK};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the examples are printed
  2  there is no such example
  3  the output cannot be written";

/// Which examples to print.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ExamplesOptions {
    /// Example to print as a scenario, which you can edit and play with `interlock run`
    #[arg(value_name = "NAME", value_parser = example::find)]
    example: Option<Example>,
}

/// Prints the given example as a scenario. If none is given, prints a list of all examples and the commands that
/// start one.
pub fn run(options: &ExamplesOptions) -> ExitCode {
    let mut out = io::stdout().lock();
    let written = match &options.example {
        Some(example) => out.write_all(example.text.as_bytes()),
        None => example::LIBRARY.all().map_err(io::Error::other).and_then(|examples| list(&mut out, &examples)),
    };
    match written {
        Ok(()) => ExitCode::from(OK),
        // The reader of the output, such as `head`, has closed the pipe because it needs no further lines. This is
        // not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: cannot write the examples: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

fn list(out: &mut impl Write, examples: &[Example]) -> io::Result<()> {
    for Example { name, title, about, source, .. } in examples {
        writeln!(out, "{name}  ({source})\n  {title}\n  {about}\n")?;
    }
    writeln!(
        out,
        "Watch one on the page: interlock --example NAME\n\
         Play it and judge it: interlock run --example NAME [--simulate]\n\
         Measure its costs: interlock simulate --example NAME\n\
         Print its scenario: interlock examples NAME"
    )
}
