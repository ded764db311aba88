//! `interlock examples`: runs that can be started by name.

use std::io::{self, Write};
use std::process::ExitCode;

use super::{COULD_NOT, OK};
use interlock_model::example;

/// Writes the examples, and how to start one.
pub fn run() -> ExitCode {
    let mut out = io::stdout().lock();
    let written = example::all().map_err(io::Error::from).and_then(|examples| {
        for example in examples {
            writeln!(out, "{}  ({})\n  {}\n  {}\n", example.name, example.source, example.title, example.about)?;
        }
        writeln!(
            out,
            "Follow one in the dashboard: interlock --example NAME\nSimulate it: interlock simulate --example NAME"
        )
    });
    match written {
        Ok(()) => ExitCode::from(OK),
        // Whoever was reading has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: the examples cannot be written: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}
