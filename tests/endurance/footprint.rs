//! System resources that an orchestrator uses.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use crate::support::{Playground, children, time_until_gone};

/// Maximum growth of memory, in KiB. Even without a leak, the amount of memory that the allocator retains varies
/// by some MiB.
const GROWTH_KIB: u64 = 24 << 10;
/// Maximum growth of descriptors or of threads. Even without a leak, the number of idle connections and of idle
/// threads varies.
const GROWTH: usize = 8;

/// The resources that are in use at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    memory_kib: u64,
    descriptors: usize,
    threads: usize,
    processes: usize,
}

impl Footprint {
    /// Waits until the processes of finished runs have ended, and then measures the orchestrator of a playground.
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

    /// Returns a sentence for each resource that has grown too much.
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

/// Returns the size in bytes of the files in a folder.
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
