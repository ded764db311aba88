//! Tests that all processes of a node program end with their node, with the run, and with the process that plays
//! the run. This must hold in whatever way the process that plays the run ends.
//!
//! `INTERLOCK_CRASHES` is the number of killed runs (by default a few), and `INTERLOCK_SEED` is the seed of their
//! random times.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use interlock_machine::draw::{draw, evenly};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, getuid, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{PATIENCE, folder, interlock};
use crate::support::{children, is_alive, time_until_gone};

/// A user who owns no files.
const NOBODY: u32 = 65_534;
/// Maximum time from the start of a run's processes to the kill of the run, in ms.
const LONGEST_LIFE_MS: u64 = 200;
const NODES: usize = 3;
/// Number of processes that the programs start. Each program starts a child, a child in a separate session, and a
/// grandchild whose parent has ended.
const PROCESSES: usize = NODES * 3;

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A run whose programs start processes that do not end by themselves. The command lines of these processes contain
/// the name of the folder, so the test finds them.
struct Prolific {
    here: TempDir,
    run: Child,
}

impl Prolific {
    fn begin(more: &[&str]) -> Self {
        Self::begin_with(&json!([]), None, None, more)
    }

    /// Starts a run whose scenario begins with the steps `first`, as the operating system user `user`. `word` is
    /// an argument of the run's programs.
    fn begin_with(first: &Value, word: Option<&str>, user: Option<u32>, more: &[&str]) -> Self {
        Self::prepared(|_| {}, first, word, user, more)
    }

    /// Prepares a folder, and starts a run in it.
    fn prepared(
        prepare: impl FnOnce(&Path),
        first: &Value,
        word: Option<&str>,
        user: Option<u32>,
        more: &[&str],
    ) -> Self {
        let mut steps = first.as_array().expect("steps").clone();
        steps.push(json!({ "wait": { "entries": 1 }, "within": "60s" }));
        let here = TempDir::new().expect("a folder");
        fs::copy(folder().join("prolific.py"), here.path().join("prolific.py")).expect("copied");
        prepare(here.path());
        let path = here.path().to_str().expect("a path");
        let command = [&["python3", "prolific.py", path], word.as_slice()].concat();
        let scenario = json!({
            "algorithm": "own",
            "nodes": [{ "command": command, "count": NODES }],
            "workload": { "idle": "const:3600000" },
            "steps": steps,
        });
        fs::write(here.path().join("prolific.json"), scenario.to_string()).expect("written");
        let words = [&["run", "prolific.json"], more].concat();
        let mut command = interlock(&words);
        if let Some(user) = user {
            chown(here.path(), Some(user), Some(user)).expect("given away");
            command.uid(user).gid(user).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
        let run = command.current_dir(here.path()).stdout(Stdio::null()).spawn().expect("started");
        Self { here, run }
    }

    /// Returns the processes that the programs of the run have started.
    fn processes(&self) -> Vec<u32> {
        let here = self.here.path().to_str().expect("a path");
        let is_ours =
            |pid: &u32| words_of(*pid).is_some_and(|words| words.contains("while True") && words.contains(here));
        let names = fs::read_dir("/proc").expect("processes").flatten();
        let pids = names.filter_map(|name| name.file_name().to_str()?.parse().ok());
        pids.filter(|pid| is_alive(*pid)).filter(is_ours).collect()
    }

    /// Waits until all processes that the programs start exist, and returns the processes.
    fn all_processes(&self) -> Vec<u32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let processes = self.processes();
            if processes.len() == PROCESSES {
                return processes;
            }
            assert!(Instant::now() < deadline, "{PROCESSES} processes are expected: {processes:?}");
            std::thread::yield_now();
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.run), signal).expect("sent");
    }
}

impl Drop for Prolific {
    fn drop(&mut self) {
        // The test may have ended the run already, so these errors are ignored.
        let _ = self.run.kill();
        let _ = self.run.wait();
    }
}

/// Returns the command line of a process.
fn words_of(pid: u32) -> Option<String> {
    let words = fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).ok()?;
    Some(String::from_utf8_lossy(&words).replace('\0', " "))
}

#[test]
fn nothing_is_left_of_runs_that_are_killed_at_random_moments() {
    let seed = number("INTERLOCK_SEED", 1);
    for round in 0..number("INTERLOCK_CRASHES", 3) {
        // The confinement of a program differs between root and other users. Every second run is therefore started
        // by another user.
        let user = (getuid().is_root() && round % 2 == 1 && is_readable()).then_some(NOBODY);
        let mut prolific = Prolific::begin_with(&json!([]), None, user, &[]);
        let all = prolific.all_processes();
        std::thread::sleep(Duration::from_millis(evenly(draw(&[seed, round]), 0, LONGEST_LIFE_MS)));
        prolific.signal(Signal::KILL);
        prolific.run.wait().expect("over");
        time_until_gone(&all);
        assert_eq!(prolific.processes(), [0; 0], "seed {seed}, round {round}: nothing has been started since");
    }
}

/// Returns whether another user can run the program under test.
fn is_readable() -> bool {
    interlock(&["--version"]).uid(NOBODY).gid(NOBODY).output().is_ok_and(|output| output.status.success())
}

/// These processes end so quickly that a list of processes is outdated before it is complete. The test therefore
/// does not list them, but checks that no process still has a pipe open.
#[test]
fn nothing_is_left_of_processes_that_end_before_they_are_listed() {
    let prepare = |here: &Path| {
        mknodat(CWD, here.join("alive"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    };
    let mut prolific = Prolific::prepared(prepare, &json!([]), Some("moving"), None, &["--unconfined"]);
    let alive = prolific.here.path().join("alive");
    let (tell, told) = channel();
    let reader = std::thread::spawn(move || {
        let mut alive = fs::File::open(alive).expect("open");
        alive.read_exact(&mut [0; NODES]).expect("all nodes have started theirs");
        tell.send("all move").expect("awaited");
        alive.read_to_end(&mut Vec::new()).expect("the end");
        tell.send("all are gone").expect("awaited");
    });
    assert_eq!(told.recv_timeout(PATIENCE), Ok("all move"));
    prolific.signal(Signal::KILL);
    prolific.run.wait().expect("over");
    assert_eq!(told.recv_timeout(PATIENCE), Ok("all are gone"));
    reader.join().expect("it has told all");
}

/// The processes of a program must end even if the program is not confined.
#[test]
fn nothing_is_left_when_a_run_ends_in_order() {
    for more in [&[][..], &["--unconfined"]] {
        let mut prolific = Prolific::begin(more);
        prolific.all_processes();
        prolific.signal(Signal::TERM);
        prolific.run.wait().expect("over");
        assert_eq!(prolific.processes(), [0; 0], "{more:?}: it ends after them");
    }
}

#[test]
fn nothing_is_left_of_a_node_that_crashes() {
    let prolific = Prolific::begin(&[]);
    let all = prolific.all_processes();
    let node = children(prolific.run.id())[0];
    let its_own: Vec<u32> = below(node).into_iter().filter(|pid| all.contains(pid)).collect();
    assert_eq!(its_own.len(), PROCESSES / NODES, "its keeper has adopted all of them");
    let pid = i32::try_from(node).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::KILL).expect("killed");
    time_until_gone(&its_own);
    assert_eq!(prolific.processes().len(), PROCESSES - its_own.len(), "those of other nodes go on");
}

#[test]
fn what_a_program_has_started_is_paused_and_resumed_with_its_node() {
    let first = json!([
        { "wait": { "event": { "kind": "initialized", "node": 0 } }, "within": "60s" },
        { "pause": { "node": 0, "for": "5s" } },
    ]);
    let prolific = Prolific::begin_with(&first, None, None, &[]);
    let stopped = || prolific.processes().into_iter().filter(|pid| state(*pid) == Some('T')).count();
    for expected in [PROCESSES / NODES, 0] {
        let deadline = Instant::now() + PATIENCE;
        while stopped() != expected {
            assert!(Instant::now() < deadline, "{expected} are to stand still");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(prolific.all_processes().len(), PROCESSES, "nothing has ended");
}

#[test]
fn a_process_that_ends_while_it_is_listed_has_no_children() {
    let mut process = Command::new("true").spawn().expect("started");
    process.wait().expect("over");
    assert_eq!(children(process.id()), Vec::<u32>::new());
}

/// Returns the state of a process, as the letter that the system uses.
fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Returns the descendants of a process.
fn below(pid: u32) -> Vec<u32> {
    children(pid).into_iter().flat_map(|child| [vec![child], below(child)].concat()).collect()
}
