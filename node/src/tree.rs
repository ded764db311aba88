//! Termination of all processes below another, including those that have left its group and its session.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait};

/// Maximum time to wait until processes are stopped, and then until they are gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// Interval between two checks for remaining processes.
const BETWEEN: Duration = Duration::from_millis(1);

/// A process in the kernel's list. Its number may be reused, but not with the same start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    parent: i32,
    group: i32,
    is_stopped: bool,
    has_ended: bool,
    started: u64,
}

impl Listed {
    fn of(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may contain any character.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let [parent, group] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        let started = fields.nth(16)?.parse().ok()?;
        Some(Self { parent, group, is_stopped: state == "T", has_ended: matches!(state, "Z" | "X"), started })
    }
}

/// Returns the live processes below this one.
fn below(root: i32) -> Vec<(i32, Listed)> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: HashMap<i32, Listed> = pids.filter_map(|pid| Some((pid, Listed::of(pid)?))).collect();
    let is_below = |listed: &Listed| {
        let mut parent = listed.parent;
        // The number of listed processes bounds the path to the root. The bound ends the loop even if the list
        // contains a cycle, because the processes changed while they were listed.
        for _ in 0..all.len() {
            if parent == root {
                return true;
            }
            let Some(above) = all.get(&parent) else { return false };
            parent = above.parent;
        }
        false
    };
    all.iter()
        .filter(|(_, listed)| !listed.has_ended && is_below(listed))
        .map(|(pid, listed)| (*pid, *listed))
        .collect()
}

/// Sends a signal to each live process below `root` that is not in the group `but`.
pub fn signal_below(root: Pid, signal: Signal, but: Pid) {
    let mut found = below(number(root));
    found.retain(|(_, listed)| listed.group != number(but));
    send(signal, &found);
}

/// Ends all processes below `root`, and waits until none is live. It requires that `root` or a process below it
/// adopts the children of each process that ends. The function gives up if the kernel does not end a process.
pub fn end_below(root: Pid) {
    // All processes are stopped before they are killed. A stopped process starts no others, and still counts
    // towards the user's limit of processes. If it were killed at once, the remaining processes could start new
    // ones in its place.
    repeated(|| {
        signal_children(root, Signal::STOP);
        let mut found = below(number(root));
        found.retain(|(_, listed)| !listed.is_stopped);
        send(Signal::STOP, &found);
        found.is_empty()
    });
    repeated(|| {
        signal_children(root, Signal::KILL);
        let found = below(number(root));
        send(Signal::KILL, &found);
        found.is_empty() && (root != getpid() || is_childless())
    });
}

/// Repeats `done` until it returns true or the time limit is over.
fn repeated(mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() && began.elapsed() < PATIENCE {
        thread::sleep(BETWEEN);
    }
}

/// Reaps the children that have ended, and returns whether none is left. A list of all processes may miss a
/// process that starts another and ends while the list is read. This process adopts each such process, so the
/// kernel counts it among the children.
fn is_childless() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(None) => return false,
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}

/// Sends a signal to the children of a process until no new ones appear, without a list of all processes. A
/// process may repeatedly start another and end. It is then gone before such a list is complete, and often before
/// the signal arrives.
fn signal_children(root: Pid, signal: Signal) {
    let began = Instant::now();
    let mut signalled = HashSet::new();
    loop {
        let children = children(root);
        if children.is_subset(&signalled) || began.elapsed() > PATIENCE {
            return;
        }
        for child in children.difference(&signalled) {
            if let Some(handle) = handle(*child) {
                // A process that has ended needs no signal.
                let _ = pidfd_send_signal(handle, signal);
            }
        }
        signalled = children;
    }
}

/// Returns the children of a process, including those that have ended.
fn children(root: Pid) -> HashSet<i32> {
    let threads = fs::read_dir(format!("/proc/{}/task", number(root))).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

fn send(signal: Signal, found: &[(i32, Listed)]) {
    for &(pid, listed) in found {
        // The process may have ended since it was listed, and its number may be reused.
        if let Some(handle) = handle(pid)
            && Listed::of(pid).is_some_and(|now| now.started == listed.started)
        {
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

fn handle(pid: i32) -> Option<std::os::fd::OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

fn number(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}
