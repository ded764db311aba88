//! Becoming a program that dies with its parent, whatever it does itself.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use crate::linux::die_with_parent;

/// Becomes the program of this command, in the process that calls it: the system then ends it with its parent, which must
/// be `parent`. Returns only if that cannot be, with exit code 126, after saying why on the standard error output.
#[must_use]
pub fn exec(parent: u32, command: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else { return ExitCode::from(126) };
    let why = match die_with_parent(parent) {
        Ok(true) => Command::new(program).args(arguments).exec(),
        Ok(false) => io::Error::other("its parent is gone"),
        Err(error) => error,
    };
    // If nobody listens, nobody can be told.
    let _ = writeln!(io::stderr(), "{}: {why}", program.display());
    ExitCode::from(126)
}
