//! `interlock guide`: writes the guide as files, which a browser opens without a server.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use interlock_api::guide;

use super::terminal::{self, fail};
use super::{COULD_NOT, OK};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the files are written
  3  a file cannot be written";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct GuideOptions {
    /// Folder for the files; files with the same names are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Error of a file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
struct NotWritten {
    path: PathBuf,
    error: io::Error,
}

/// Writes all files of the guide, and prints the path of the file to open.
pub fn run(options: &GuideOptions) -> ExitCode {
    match write(&options.folder) {
        Ok(()) => {
            let first = options.folder.join("index.html");
            let _ = writeln!(terminal::text(), "The guide is written; open {}", first.display());
            ExitCode::from(OK)
        }
        Err(error) => fail(&error, COULD_NOT),
    }
}

fn write(folder: &Path) -> Result<(), NotWritten> {
    for (path, file) in guide::files() {
        let path = folder.join(path);
        let written =
            fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| fs::write(&path, &file.content));
        written.map_err(|error| NotWritten { path, error })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_files_are_the_served_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("a/b");
        for _ in 0..2 {
            write(&below).expect("the guide is written, and replaced");
        }
        for (path, file) in guide::files() {
            assert_eq!(fs::read(below.join(path)).expect("a file"), file.content, "{path}");
        }
        assert!(below.join("how-to/explore.html").exists() && below.join("index.html").exists());
    }

    #[test]
    fn a_folder_that_is_a_file_is_named_in_the_error() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = write(file.path()).expect_err("not a folder").to_string();
        assert!(error.starts_with(&format!("cannot write {}/", file.path().display())), "{error}");
    }
}
