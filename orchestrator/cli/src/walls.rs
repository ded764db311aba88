//! The walls that this kernel puts around programs, as a confined process finds them.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use interlock_machine::wire::Confinement;
use interlock_node::{Confined, Extent, confine};
use tempfile::TempDir;

use crate::{COULD_NOT, terminal};

/// Starts another process of this program that confines itself like a foreign program. Returns what the kernel did.
///
/// # Errors
/// The reason why the process cannot be started, as a phrase.
pub fn walls() -> Result<Extent, String> {
    let in_words = |error: io::Error| error.to_string();
    let folder = TempDir::with_prefix("interlock-").map_err(in_words)?;
    let this = std::env::current_exe().map_err(in_words)?;
    let tried = Command::new(this).args(["node", "walls"]).arg(folder.path()).output().map_err(in_words)?;
    serde_json::from_slice(&tried.stdout).map_err(|_| String::from_utf8_lossy(&tried.stderr).trim().to_owned())
}

/// Prints a note for each wall that the kernel lacks, before confined programs start.
pub fn name_gaps(confinement: Option<Confinement>) {
    // If the process cannot be started, programs cannot be confined either, and the run gives the reason.
    let gaps = confinement.and_then(|_| walls().ok()).into_iter().flat_map(Extent::gaps);
    gaps.for_each(|gap| terminal::complain(&format!("note: the kernel has {gap}")));
}

/// Confines this process and prints its walls.
pub fn print(folder: &Path) -> ExitCode {
    let confined = confine(Confined::Program { folder: Some(folder) }, Confinement::default());
    match confined.map_err(|why| why.to_string()).and_then(|extent| json(&extent)) {
        Ok(extent) => {
            println!("{extent}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            terminal::complain(&why);
            ExitCode::from(COULD_NOT)
        }
    }
}

fn json(extent: &Extent) -> Result<String, String> {
    serde_json::to_string(extent).map_err(|error| error.to_string())
}
