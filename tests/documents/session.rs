//! Session of a reader who follows a document: a folder, a shell that keeps its variables, and a playground.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{PATIENCE, Playground, program};

/// Usual address and usual data folder of a playground. The documents contain these values, and the session
/// replaces them.
const USUAL: [&str; 2] = ["http://127.0.0.1:7700", "~/.local/share/interlock"];

/// An address without a server. Commands of a document that has not opened a playground use this address, so that
/// they cannot reach another playground on this machine.
const NOBODY: &str = "http://127.0.0.1:1";

/// Maximum duration of a block, in seconds.
const PATIENCE_S: &str = "600";

/// Shell commands that run before each block. They make a failed command end the block, and merge standard error
/// into standard output. They also keep the variables and the working folder for the next block.
const PRELUDE: &str = r#"set -euo pipefail
exec 2>&1
trap 'export -p | grep -v " PLAYGROUND=" > "$REMEMBERED"' EXIT
if [ -e "$REMEMBERED" ]; then . "$REMEMBERED"; cd "$PWD"; fi
set -a
"#;

/// A substitute for `cargo`. The documents use `cargo` only to build and run the program, which is already built.
const CARGO: &str = r#"#!/bin/sh
case "$1 $2" in
"build --release") ;;
"run --release") shift 2; if [ "${1:-}" = -- ]; then shift; fi; exec interlock "$@" ;;
*) echo "the check of the documents knows no cargo $*" >&2; exit 1 ;;
esac
"#;

/// A substitute for `interlock`. It uses the playground and the journals of the document, not those of the user.
const INTERLOCK: &str = r#"#!/bin/sh
case "$1" in
ps | do | why | watch | prune | export | replay) exec "$INTERLOCK_BIN" "$@" --playground "$PLAYGROUND" ;;
journal) exec "$INTERLOCK_BIN" "$@" --data-dir "$JOURNALS" ;;
*) exec "$INTERLOCK_BIN" "$@" ;;
esac
"#;

/// Result of a command.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code; none if a signal ended the command.
    pub code: Option<i32>,
    pub printed: String,
}

/// A session. All processes that were started in a session end with the session.
pub struct Session {
    /// This field must be dropped first, because the playground writes to the folders.
    pub playground: Option<Playground>,
    /// Working directory of the commands.
    folder: TempDir,
    /// Folder for hidden files: the programs, the variables and the journals.
    hidden: TempDir,
}

impl Session {
    pub fn begin() -> Self {
        let [folder, hidden] = [(); 2].map(|()| TempDir::new().expect("a folder"));
        let bin = hidden.path().join("bin");
        fs::create_dir(&bin).expect("a folder");
        for (name, text) in [("cargo", CARGO), ("interlock", INTERLOCK)] {
            fs::write(bin.join(name), text).expect("written");
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).expect("a program");
        }
        Self { playground: None, folder, hidden }
    }

    /// Opens a playground with `options`. If a playground is already open, it is closed first, because both would
    /// use the same port.
    pub fn open(&mut self, options: &[&str]) {
        self.playground = None;
        let mut command = Command::new(program());
        command.current_dir(self.folder.path());
        let ready = self.hidden.path().join("ready");
        // If a previous playground has left a ready file, removes the file.
        let _ = fs::remove_file(&ready);
        let file = ready.display().to_string();
        let options = [options, &["--ready-file", &file]].concat();
        self.playground = Some(Playground::start(command, &self.journals(), &options));
        // The playground accepts requests before its first run exists. Only the ready file shows that the run
        // exists.
        let start = Instant::now();
        while !ready.exists() {
            assert!(start.elapsed() < PATIENCE, "the playground is not ready after {PATIENCE:?}");
            sleep(Duration::from_millis(1));
        }
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    /// Copies a file of the repository into the folder.
    pub fn bring(&self, path: &str) -> std::io::Result<u64> {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let name = from.file_name().expect("a file");
        fs::copy(&from, self.folder.path().join(name))
    }

    /// Returns the folder of the journals.
    fn journals(&self) -> PathBuf {
        self.hidden.path().join("journals")
    }

    fn url(&self) -> &str {
        self.playground.as_ref().map_or(NOBODY, |playground| &playground.url)
    }

    /// Executes a block in a shell, and returns its result.
    pub fn shell(&self, script: &str) -> Outcome {
        let journals = self.journals().display().to_string();
        let script = script.replace(USUAL[0], self.url()).replace(USUAL[1], &journals);
        self.run(Command::new("timeout").args([PATIENCE_S, "bash", "-c", &format!("{PRELUDE}{script}")]))
    }

    /// Executes a block in Python, where it can import the harness, and returns its result.
    pub fn python(&self, source: &str) -> Outcome {
        let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/harness/python");
        self.run(Command::new("timeout").args([PATIENCE_S, "python3", "-B", "-c", source]).env("PYTHONPATH", harness))
    }

    fn run(&self, command: &mut Command) -> Outcome {
        let path = std::env::var("PATH").unwrap_or_default();
        let output = command
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.hidden.path().join("bin").display()))
            .env("REMEMBERED", self.hidden.path().join("variables"))
            .env("INTERLOCK_BIN", program())
            .env("PLAYGROUND", self.url())
            .env("JOURNALS", self.journals())
            .env("NO_PROXY", "127.0.0.1")
            .output()
            .expect("a command");
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Outcome { code: output.status.code(), printed }
    }
}
