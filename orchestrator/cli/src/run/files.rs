//! The files of scenarios: those that are named, and those in folders.

use std::fs;
use std::path::{Path, PathBuf};

/// How files of scenarios end.
const ENDS: [&str; 3] = ["yaml", "yml", "json"];

/// The files that are meant, those of a folder in the order of their names.
pub fn of(named: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            collect(path, &mut files)?;
            if files.len() == before {
                return Err(format!(
                    "{}: there is no scenario in it: their names end in .yaml, .yml or .json",
                    path.display()
                ));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let refused = |error: std::io::Error| format!("{}: {error}", folder.display());
    let inside: Result<Vec<_>, _> =
        fs::read_dir(folder).map_err(refused)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut inside = inside.map_err(refused)?;
    inside.sort();
    for path in inside {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| ENDS.contains(&end)) {
            files.push(path);
        }
    }
    Ok(())
}
