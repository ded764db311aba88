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
        if let Some(confinement) = confinement {
            confine(Confined::Program { folder }, confinement).map_err(|error| io::Error::other(error.to_string()))?;
        }
        // With other privileges a process is no longer ended with its parent: this comes after the walls.
        if !die_with_parent(parent)? {
            return Err(io::Error::other("its parent is gone"));
        }
        Ok(Command::new(program).args(arguments).exec())
    };
    let why = become_it().unwrap_or_else(|error| error);
    // If nobody listens, nobody can be told.
    let _ = writeln!(io::stderr(), "{}: {why}", program.display());
    ExitCode::from(126)
}

/// The words with which this program keeps a program, or becomes it: what follows is the command of that program.
///
/// # Errors
/// When the file of this program is not found.
pub fn words(
    verb: &str,
    parent: u32,
    confinement: Option<Confinement>,
    folder: Option<&Path>,
) -> io::Result<Vec<OsString>> {
    let mut words: Vec<OsString> =
        [std::env::current_exe()?.into(), "node".into(), verb.into(), parent.to_string().into()].into();
    if let Some(Confinement { memory_bytes }) = confinement {
        words.push("--confined".into());
        words.extend(memory_bytes.map(|most| format!("--memory-bytes={most}").into()));
        words.extend(folder.map(|folder| [OsString::from("--own-folder="), folder.into()].into_iter().collect()));
    }
    words.push("--".into());
    Ok(words)
}
