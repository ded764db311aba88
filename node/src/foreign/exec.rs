//! Becoming a program that dies with its parent, whatever it does itself, and does little besides what it is there for.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use interlock_machine::wire::Confinement;

use crate::confinement::{Confined, confine};
use crate::linux::die_with_parent;

/// Becomes the program of this command, in the process that calls it: the system then ends it with its parent, which must
/// be `parent`. It is confined as is said, but for the folder that is its own, which must be there. Returns only if that
/// cannot be, with exit code 126, after saying why on the standard error output.
#[must_use]
pub fn exec(parent: u32, confinement: Option<Confinement>, folder: Option<&Path>, command: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else { return ExitCode::from(126) };
    let become_it = || -> io::Result<io::Error> {
        if !die_with_parent(parent)? {
            return Err(io::Error::other("its parent is gone"));
        }
        if let Some(confinement) = confinement {
            confine(Confined::Program { folder }, confinement).map_err(|error| io::Error::other(error.to_string()))?;
        }
        Ok(Command::new(program).args(arguments).exec())
    };
    let why = become_it().unwrap_or_else(|error| error);
    // If nobody listens, nobody can be told.
    let _ = writeln!(io::stderr(), "{}: {why}", program.display());
    ExitCode::from(126)
}
