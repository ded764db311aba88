//! What an orchestrator holds of the machine.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use crate::support::{Playground, children, time_until_gone};

/// How much more memory may be held than before, in KiB: what an allocator keeps varies by some MiB.
const GROWTH_KIB: u64 = 24 << 10;
/// How many more descriptors or threads: connections that are kept to be used again, and threads that wait for work.
const GROWTH: usize = 8;

/// What it holds at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    memory_kib: u64,
    descriptors: usize,
    threads: usize,
    processes: usize,
}

impl Footprint {
    /// What the orchestrator of a playground holds once the processes of runs that are over are gone, which they must be.
    pub fn of(playground: &Playground) -> Self {
        let pid = playground.pid();
        time_until_gone(&children(pid));
        let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it is there");
        let memory =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        let entries = |folder: &str| fs::read_dir(format!("/proc/{pid}/{folder}")).expect("it is there").count();
        let (descriptors, threads) = (entries("fd"), entries("task"));
        Self { memory_kib: memory.expect("its memory"), descriptors, threads, processes: children(pid).len() }
    }

    /// What it holds more of than before, a sentence each.
    pub fn grown(&self, after: &Self) -> Vec<String> {
        let mut grown = Vec::new();
        if after.memory_kib > self.memory_kib + GROWTH_KIB {
            grown.push(format!("memory has grown from {} to {} KiB", self.memory_kib, after.memory_kib));
        }
        let counted = [
            ("descriptors have", self.descriptors + GROWTH, after.descriptors),
            ("threads have", self.threads + GROWTH, after.threads),
            ("processes have", self.processes, after.processes),
        ];
        for (what, most, now) in counted {
            if now > most {
                grown.push(format!("{what} become {now}, more than {most}"));
            }
        }
        grown
    }
}

impl Display for Footprint {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { memory_kib, descriptors, threads, processes } = self;
        let memory_mib = memory_kib / 1024;
        write!(formatter, "{memory_mib} MiB, {descriptors} descriptors, {threads} threads, {processes} processes")
    }
}

/// How many bytes there are in the files of a folder.
pub fn bytes_in(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
}

#[test]
fn what_has_grown_is_told_and_what_varies_is_not() {
    let before = Footprint { memory_kib: 30_000, descriptors: 20, threads: 10, processes: 0 };
    let varied = Footprint { memory_kib: 40_000, descriptors: 25, threads: 14, processes: 0 };
    assert_eq!(before.grown(&varied), [""; 0]);
    let grown = Footprint { memory_kib: 60_000, descriptors: 40, threads: 30, processes: 1 };
    let told = before.grown(&grown);
    for (told, what) in told.iter().zip(["memory", "descriptors", "threads", "processes"]) {
        assert!(told.starts_with(what), "{told}");
    }
    assert_eq!(told.len(), 4);
}
