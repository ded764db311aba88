//! The processes below another, and their end: also of those that have left its group and its session.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// How long processes that have been killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at what is left.
const BETWEEN: Duration = Duration::from_millis(1);

/// A process, as the kernel lists it. Its number may be given again, but not with the same start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    parent: i32,
    group: i32,
    has_ended: bool,
    started: u64,
}

impl Listed {
    fn of(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may contain anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let has_ended = matches!(fields.next()?, "Z" | "X");
        let [parent, group] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        Some(Self { parent, group, has_ended, started: fields.nth(16)?.parse().ok()? })
    }
}

/// The live processes below this one.
fn below(root: i32) -> Vec<(i32, Listed)> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: HashMap<i32, Listed> = pids.filter_map(|pid| Some((pid, Listed::of(pid)?))).collect();
    let is_below = |listed: &Listed| {
        let mut parent = listed.parent;
        // No path upwards is longer than there are processes, also while these change.
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
    let found = below(root.as_raw_nonzero().get());
    let others: Vec<_> = found.into_iter().filter(|(_, listed)| listed.group != but.as_raw_nonzero().get()).collect();
    send(signal, &others);
}

fn send(signal: Signal, found: &[(i32, Listed)]) {
    for &(pid, listed) in found {
        let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        // Since it was listed it may have ended, and its number may be given again.
        if let Some(handle) = handle.filter(|_| Listed::of(pid).is_some_and(|now| now.started == listed.started)) {
            // What has ended needs no signal.
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

/// Kills all processes below `root`, and waits until none is left alive. Those whose parents end must come below `root` again:
/// it or a process below it adopts them. Gives up where the kernel does not end a process.
pub fn end_below(root: Pid) {
    let began = Instant::now();
    loop {
        let found = below(root.as_raw_nonzero().get());
        if found.is_empty() || began.elapsed() > PATIENCE {
            return;
        }
        send(Signal::KILL, &found);
        thread::sleep(BETWEEN);
    }
}
