//! Execution of a program that dies with its parent in all cases, and that is confined.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use interlock_machine::wire::Confinement;

use crate::confinement::{Confined, confine};
use crate::linux::die_with_parent;

/// Replaces the calling process by the program of this command. The system then ends the program with its parent,
/// which must be `parent`. The program is confined as given. It may write into its own folder, which must exist.
/// The function returns only if it fails: it prints the cause on the standard error output and returns exit code
/// 126.
#[must_use]
pub fn exec(parent: u32, confinement: Option<Confinement>, folder: Option<&Path>, command: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else { return ExitCode::from(126) };
    let become_it = || -> io::Result<io::Error> {
        if let Some(confinement) = confinement {
            confine(Confined::Program { folder }, confinement).map_err(|error| io::Error::other(error.to_string()))?;
        }
        // A change of privileges clears the signal of the parent's death, so the process is confined before it
        // requests the signal.
        if !die_with_parent(parent)? {
            return Err(io::Error::other("its parent is gone"));
        }
        Ok(Command::new(program).args(arguments).exec())
    };
    let why = become_it().unwrap_or_else(|error| error);
    // If standard error is closed, the error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{}: {why}", program.display());
    ExitCode::from(126)
}

/// Returns the beginning of a command line that runs this executable as keeper of another program, or lets the
/// other program replace it. The command of the other program follows.
///
/// # Errors
/// If the file of this program is not found.
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
