//! System resources held by this process, and those left over after finished runs.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

/// Maximum growth of memory, in KiB. The allocator returns the memory of a run late, and peaks differ from run to
/// run. That amounts to some MiB and does not grow. A quarter of an hour has hundreds of runs. If each leaked its
/// events and its state, the growth would be far greater.
const MEMORY_KIB: u64 = 64 * 1024;
/// Number of samples, and the time between them.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// System resources held by this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// Number of open file descriptors.
    pub descriptors: u64,
    /// Resident memory, in KiB.
    pub memory_kib: u64,
    /// Number of child processes, including ended ones that are not reaped.
    pub children: u64,
}

impl Footprint {
    /// Measures the resources once nothing is running. The system closes the resources of ended processes a moment
    /// after they end, and no notification of that is available. Therefore this takes samples for two seconds and
    /// returns the minimum.
    ///
    /// # Errors
    /// If the system does not report them.
    pub async fn at_rest() -> io::Result<Self> {
        let mut least = Self::now()?;
        for _ in 0..LOOKS {
            sleep(BETWEEN_LOOKS).await;
            let Self { descriptors, memory_kib, children } = Self::now()?;
            least.descriptors = least.descriptors.min(descriptors);
            least.memory_kib = least.memory_kib.min(memory_kib);
            least.children = least.children.min(children);
        }
        Ok(least)
    }

    fn now() -> io::Result<Self> {
        let descriptors = fs::read_dir("/proc/self/fd")?.count() as u64;
        let memory_kib = resident_kib(&fs::read_to_string("/proc/self/status")?)
            .ok_or_else(|| io::Error::other("/proc/self/status does not say how much memory is in use"))?;
        Ok(Self { descriptors, memory_kib, children: children_of(std::process::id())? })
    }

    /// Returns a sentence for each kind of resource left over after finished runs. `self` was measured before these
    /// runs, and `after` was measured afterwards. No file descriptor may be left, since each run closes its own.
    #[must_use]
    pub fn left_behind(self, after: Self) -> Vec<String> {
        let mut left = Vec::new();
        if after.descriptors > self.descriptors {
            let more = after.descriptors - self.descriptors;
            left.push(format!("{more} file descriptors are open that were not before"));
        }
        if after.children > 0 {
            left.push(format!("{} child processes are left", after.children));
        }
        let grown = after.memory_kib.saturating_sub(self.memory_kib);
        if grown > MEMORY_KIB {
            let most = MEMORY_KIB / 1024;
            left.push(format!("{} MiB more memory are in use than before, where {most} may be", grown.div_ceil(1024)));
        }
        left
    }
}

/// Returns the resident memory from the system's status of a process.
fn resident_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse().ok()
}

/// Returns the number of children of a process.
fn children_of(parent: u32) -> io::Result<u64> {
    let mut children = 0;
    for process in fs::read_dir("/proc")? {
        let path = process?.path();
        let is_process = path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok());
        // A process that ends during the count does not count.
        children += u64::from(is_process && parent_of(&path) == Some(parent));
    }
    Ok(children)
}

/// Returns the parent of the process of this folder: the second word after its name, which may contain spaces.
fn parent_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    let (_, words) = stat.rsplit_once(')')?;
    words.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::process::{Command, Stdio};

    use super::*;

    const BEFORE: Footprint = Footprint { descriptors: 12, memory_kib: 30_000, children: 0 };

    #[test]
    fn what_is_left_of_runs_is_told() {
        assert_eq!(BEFORE.left_behind(BEFORE), [""; 0]);
        let told = |after: Footprint| BEFORE.left_behind(after).join("; ");
        assert_eq!(told(Footprint { descriptors: 13, ..BEFORE }), "1 file descriptors are open that were not before");
        assert_eq!(told(Footprint { children: 2, ..BEFORE }), "2 child processes are left");
        let grown = |kib| Footprint { memory_kib: BEFORE.memory_kib + kib, ..BEFORE };
        assert_eq!(told(grown(MEMORY_KIB)), "");
        assert_eq!(told(grown(MEMORY_KIB + 1)), "65 MiB more memory are in use than before, where 64 may be");
        assert_eq!(told(Footprint { descriptors: 10, memory_kib: 20_000, children: 0 }), "", "there may be less");
    }

    /// The counts are correct: an open file and a child are seen, even a child that has ended and is not reaped.
    #[test]
    fn what_is_held_is_counted() {
        let before = Footprint::now().expect("what it holds");
        assert!(before.memory_kib > 0, "{before:?}");
        let files: Vec<File> = (0..50).map(|_| File::open("/dev/null").expect("a file")).collect();
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("a child");
        let during = Footprint::now().expect("what it holds");
        // Other tests of this process open and close a few files.
        assert!(during.descriptors > before.descriptors + 25, "{before:?}, {during:?}");
        assert!(children_of(std::process::id()).expect("children") > 0, "{during:?}");
        drop(files);
        drop(child.stdin.take());
        let stat = format!("/proc/{}", child.id());
        assert_eq!(parent_of(Path::new(&stat)), Some(std::process::id()), "reaped or not");
        child.wait().expect("it ends");
        assert_eq!(parent_of(Path::new(&stat)), None);
    }
}
