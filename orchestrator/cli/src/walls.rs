//! Determines which mechanisms of confinement this kernel has. To determine them, another process of this program
//! confines itself.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use interlock_machine::wire::{Confinement, Ports};
use interlock_node::{Confined, Extent, confine};
use tempfile::TempDir;

use crate::{COULD_NOT, terminal};

/// Starts another process of this program, which confines itself as a user's program is confined. Returns which
/// mechanisms the kernel applied.
///
/// # Errors
/// If the process cannot be started or confined.
pub fn walls() -> io::Result<Extent> {
    let folder = TempDir::with_prefix("interlock-")?;
    let tried = Command::new(std::env::current_exe()?).args(["node", "walls"]).arg(folder.path()).output()?;
    serde_json::from_slice(&tried.stdout).map_err(|_| io::Error::other(String::from_utf8_lossy(&tried.stderr).trim()))
}

/// Prints a note for each mechanism of confinement that the kernel lacks. This happens before confined programs
/// start.
pub fn name_gaps(confinement: Option<Confinement>) {
    // If this process cannot be confined, the user's programs cannot be confined either. The run then reports the
    // reason.
    let gaps = confinement.and_then(|_| walls().ok()).into_iter().flat_map(Extent::gaps);
    gaps.for_each(|gap| terminal::complain(&format!("note: the kernel has {gap}")));
}

/// Confines this process, and prints which mechanisms the kernel applied.
pub fn print(folder: &Path) -> ExitCode {
    let who = Confined::Program { folder: Some(folder), ports: &Ports::default() };
    let confined = confine(who, Confinement::default());
    match confined.map_err(io::Error::other).and_then(|extent| Ok(serde_json::to_string(&extent)?)) {
        Ok(extent) => {
            println!("{extent}");
            ExitCode::SUCCESS
        }
        Err(why) => terminal::fail(&why, COULD_NOT),
    }
}
