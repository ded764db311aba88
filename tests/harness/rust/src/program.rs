//! Search for the program that opens playgrounds.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::Error;

/// The places in which this crate searches for the program.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Value of the environment variable `INTERLOCK_BIN`.
    given: Option<OsString>,
    /// Path of the test that is running.
    test: PathBuf,
    /// Target folder of cargo in the repository of this crate.
    target: PathBuf,
    /// Folders of the `PATH`.
    path: OsString,
}

/// Returns the program that opens playgrounds.
pub fn find() -> Result<PathBuf, Error> {
    let places = Places {
        given: env::var_os("INTERLOCK_BIN"),
        test: env::current_exe().unwrap_or_default(),
        target: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target"),
        path: env::var_os("PATH").unwrap_or_default(),
    };
    places.find().ok_or(Error::NoProgram)
}

impl Places {
    fn find(&self) -> Option<PathBuf> {
        let given = self.given.as_ref().filter(|given| !given.is_empty()).map(PathBuf::from);
        given.or_else(|| self.beside()).or_else(|| self.latest()).or_else(|| self.on_path())
    }

    /// Returns the path of a program that is built beside the test. Cargo builds a test in `target/debug/deps`, and
    /// a program in `target/debug`.
    fn beside(&self) -> Option<PathBuf> {
        self.test.ancestors().nth(2).and_then(program_in)
    }

    fn latest(&self) -> Option<PathBuf> {
        let built = ["release", "debug"].into_iter().filter_map(|profile| program_in(&self.target.join(profile)));
        built.max_by_key(|program| modified(program))
    }

    fn on_path(&self) -> Option<PathBuf> {
        env::split_paths(&self.path).find_map(|folder| program_in(&folder))
    }
}

fn program_in(folder: &Path) -> Option<PathBuf> {
    Some(folder.join("interlock")).filter(|program| program.is_file())
}

fn modified(program: &Path) -> Option<SystemTime> {
    program.metadata().and_then(|about| about.modified()).ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::Duration;

    use super::*;

    /// Creates a file that stands for the program `name`. The modification time of the file is `minutes` minutes
    /// ago.
    fn made(folder: &Path, name: &str, minutes: u64) -> PathBuf {
        let program = folder.join(name);
        fs::create_dir_all(program.parent().expect("a folder")).expect("a folder");
        let file = File::create(&program).expect("a file");
        file.set_modified(SystemTime::now() - Duration::from_mins(minutes)).expect("a time");
        program
    }

    #[test]
    fn the_closest_program_is_taken_and_of_those_in_the_repository_the_latest() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let folder = folder.path();
        let mut places = Places {
            given: Some("".into()),
            test: folder.join("own/debug/deps/test-1"),
            target: folder.join("target"),
            path: env::join_paths([folder.join("empty"), folder.join("bin")]).expect("a path"),
        };
        assert_eq!(places.find(), None);
        let on_path = made(folder, "bin/interlock", 0);
        assert_eq!(places.find(), Some(on_path));
        let debug = made(folder, "target/debug/interlock", 2);
        assert_eq!(places.find(), Some(debug));
        let release = made(folder, "target/release/interlock", 1);
        assert_eq!(places.find(), Some(release));
        let debug = made(folder, "target/debug/interlock", 0);
        assert_eq!(places.find(), Some(debug));
        let beside = made(folder, "own/debug/interlock", 9);
        assert_eq!(places.find(), Some(beside));
        places.given = Some("/given".into());
        assert_eq!(places.find(), Some(PathBuf::from("/given")));
    }

    #[test]
    fn where_there_is_none_it_is_said_what_to_do() {
        let said = Error::NoProgram.to_string();
        assert!(["cargo build", "PATH", "INTERLOCK_BIN"].iter().all(|way| said.contains(way)), "{said}");
    }
}
