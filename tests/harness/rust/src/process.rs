//! The process of a playground, and the state that a playground shares with its runs.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::client::Client;

/// Maximum time for a playground to open.
const OPENING: Duration = Duration::from_mins(1);

/// State that a playground shares with its runs.
#[derive(Debug)]
pub struct Shared {
    /// Client of the playground's API.
    pub client: Client,
    _own: Option<Process>,
}

impl Shared {
    /// Creates the state for the playground at the base URL `url`. `own` is the process of the playground, if this
    /// crate opened it.
    pub fn new(url: &str, own: Option<Process>) -> Self {
        Self { client: Client::new(url), _own: own }
    }
}

/// The process of a playground, and its folder. When this value is dropped, the process ends and the folder is
/// removed.
#[derive(Debug)]
pub struct Process {
    child: Child,
    _folder: TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        // After SIGTERM, the playground first ends its nodes, and then itself. If the signal cannot be sent, the
        // playground is killed.
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if pid.is_none_or(|pid| kill_process(pid, Signal::TERM).is_err()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// The result of starting a program.
pub enum Started {
    /// A playground is open at this URL.
    Open(Process, String),
    /// The program did not open a playground. The string is what the program printed.
    Otherwise(String),
}

/// Starts a program that should open a playground.
pub fn start(program: &Path) -> std::io::Result<Started> {
    let folder = tempfile::Builder::new().prefix("interlock-").tempdir()?;
    let errors = folder.path().join("standard-error");
    let mut child = Command::new(program)
        .args(["serve", "--port", "0", "--no-demo", "--data-dir"])
        .arg(folder.path().join("runs"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(&errors)?)
        .spawn()?;
    let stdout = child.stdout.take();
    let process = Process { child, _folder: folder };
    let line = stdout.and_then(first_line).unwrap_or_default();
    match line.split_whitespace().find(|word| word.starts_with("http://")) {
        Some(url) => Ok(Started::Open(process, url.to_owned())),
        None => Ok(Started::Otherwise(format!("{line} {}", fs::read_to_string(errors)?).trim().to_owned())),
    }
}

/// Returns the first line of a program, which the program prints when the playground is open. Returns `None` if the
/// line does not arrive in time.
fn first_line(stdout: ChildStdout) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    // Reading a pipe has no time limit, so a separate thread reads the pipe. The thread reads until the program
    // ends, because a program whose output is not read would block.
    thread::spawn(move || {
        BufReader::new(stdout).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
    });
    receiver.recv_timeout(OPENING).ok()
}
