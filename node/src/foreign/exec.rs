//! Execution of a program in confinement. When the parent of the program ends, the system always ends the program
//! as well.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use interlock_machine::wire::{Confinement, Ports};

use crate::confinement::{Confined, confine};
use crate::linux::die_with_parent;

/// Replaces the calling process with the program of `command`. The parent of this process must be `parent`. When the
/// parent ends, the system ends the program. The program is confined as `confinement` says. It may write to its own
/// folder, which must exist, and may use `ports`. This function returns only if the replacement fails. In that case, it
/// prints the cause on standard error, and returns exit code 126.
#[must_use]
pub fn exec(
    parent: u32,
    confinement: Option<Confinement>,
    folder: Option<&Path>,
    ports: &Ports,
    command: &[OsString],
) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else { return ExitCode::from(126) };
    let become_it = || -> io::Result<io::Error> {
        if let Some(confinement) = confinement {
            let who = Confined::Program { folder, ports };
            confine(who, confinement).map_err(|error| io::Error::other(error.to_string()))?;
        }
        // The system clears the parent-death signal when the privileges of a process change. So the process is
        // confined first, and then requests the signal.
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

/// Returns the first words of a command line that runs this executable. The executable then either acts as the
/// keeper of a program, or replaces itself with the program. The caller appends the command of the program.
///
/// # Errors
/// If the file of this executable is not found.
pub fn words(
    verb: &str,
    parent: u32,
    confinement: Option<Confinement>,
    folder: Option<&Path>,
    ports: &Ports,
) -> io::Result<Vec<OsString>> {
    let mut words: Vec<OsString> =
        [std::env::current_exe()?.into(), "node".into(), verb.into(), parent.to_string().into()].into();
    if let Some(Confinement { memory_bytes }) = confinement {
        words.push("--confined".into());
        words.extend(memory_bytes.map(|most| format!("--memory-bytes={most}").into()));
        words.extend(folder.map(|folder| [OsString::from("--own-folder="), folder.into()].into_iter().collect()));
        let option = |name: &'static str| move |port: &u16| OsString::from(format!("--{name}={port}"));
        words.extend(ports.listen.iter().map(option("listen")).chain(ports.connect.iter().map(option("connect"))));
    }
    words.push("--".into());
    Ok(words)
}
