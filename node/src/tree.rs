//! Termination of all processes below a process, including processes that have left its group and its session.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait};

/// Maximum time to wait until all processes are stopped. The wait for the end of the processes has the same limit.
const PATIENCE: Duration = Duration::from_secs(30);
/// Interval between two checks whether processes are left.
const BETWEEN: Duration = Duration::from_millis(1);

/// A process as the kernel lists it. Its number may be reused later, but then the start time differs.
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
        // The name of the process, in parentheses, may contain any character, even a parenthesis.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let [parent, group] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        let started = fields.nth(16)?.parse().ok()?;
        Some(Self { parent, group, is_stopped: state == "T", has_ended: matches!(state, "Z" | "X"), started })
    }
}

/// Returns the live processes below `root`.
fn below(root: i32) -> Vec<(i32, Listed)> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: HashMap<i32, Listed> = pids.filter_map(|pid| Some((pid, Listed::of(pid)?))).collect();
    let is_below = |listed: &Listed| {
        let mut parent = listed.parent;
        // While the processes are listed, they may change, so the list may contain a cycle of parents. A path to
        // the root is never longer than the list, so this bound ends the loop even if there is a cycle.
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

/// Sends a signal to each live process below `root`, except for the processes in the group `but`.
pub fn signal_below(root: Pid, signal: Signal, but: Pid) {
    let mut found = below(number(root));
    found.retain(|(_, listed)| listed.group != number(but));
    send(signal, &found);
}

/// Ends all processes below `root`, and waits until none of them is live. If a process ends, `root` or a process
/// below it must adopt its children. If the kernel does not end a process within the time limit, the function gives
/// up.
pub fn end_below(root: Pid) {
    // All processes are stopped before any process is killed. A stopped process starts no processes, and still
    // counts for the user's limit of processes. If processes were killed immediately, the remaining processes
    // could start new processes in their place.
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

/// Calls `done` repeatedly until it returns true or the time limit is reached.
fn repeated(mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() && began.elapsed() < PATIENCE {
        thread::sleep(BETWEEN);
    }
}

/// Reaps all children that have ended, and returns whether no child is left. A list of all processes may be
/// incomplete: a process can start another process and end while the list is read. This process adopts each
/// process that the list lacks. The kernel then counts the adopted process among the children.
fn is_childless() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(None) => return false,
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}

/// Sends a signal to the children of a process, repeatedly until there are no new children. It does not use a list
/// of all processes, because a process may start another process and end before such a list is complete. Often the
/// process ends even before the signal arrives.
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
                // If the process has already ended, the signal fails. This error is ignored.
                let _ = pidfd_send_signal(handle, signal);
            }
        }
        signalled = children;
    }
}

/// Returns the children of a process, including children that have ended and are not reaped yet.
fn children(root: Pid) -> HashSet<i32> {
    let threads = fs::read_dir(format!("/proc/{}/task", number(root))).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

fn send(signal: Signal, found: &[(i32, Listed)]) {
    for &(pid, listed) in found {
        // The process may have ended since it was listed, and another process may now have its number.
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
