//! Finds the scenario files: the files that the user names, and the files in the folders that the user names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// File name extensions of scenario files.
const ENDS: [&str; 3] = ["yaml", "yml", "json"];

/// Error for a folder that contains no scenarios or cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "cannot find a scenario in {} or its subfolders: no file name there ends in .yaml, .yml or .json",
        .0.display()
    )]
    Empty(PathBuf),
    #[error("{}: {cause}", folder.display())]
    Unreadable {
        folder: PathBuf,
        #[source]
        cause: io::Error,
    },
}

/// Returns the named files, and the scenario files in the named folders and their subfolders. The files of a folder
/// are sorted by name.
pub fn of(named: &[PathBuf]) -> Result<Vec<PathBuf>, FolderError> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            collect(path, &mut files)?;
            if files.len() == before {
                return Err(FolderError::Empty(path.clone()));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), FolderError> {
    let refused = |cause| FolderError::Unreadable { folder: folder.to_owned(), cause };
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
