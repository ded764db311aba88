//! System resources that this process holds, and the resources that finished runs have left behind.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

/// Maximum growth of memory, in KiB. The allocator returns the memory of a run late, and memory peaks differ between
/// runs. The late return and the peaks amount to some MiB, which do not increase during the test. A test of a quarter
/// of an hour has hundreds of runs. If each run leaked its events and its state, memory would grow far beyond this
/// limit.
const MEMORY_KIB: u64 = 64 * 1024;
/// Number of samples of a measurement. `BETWEEN_LOOKS` is the time between two samples.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// System resources held by this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// Number of open file descriptors.
    pub descriptors: u64,
    /// Resident memory, in KiB.
    pub memory_kib: u64,
    /// Number of child processes, including those that have ended but have not been reaped.
    pub children: u64,
}

impl Footprint {
    /// Measures the resources of this process. No run may be active. The system closes the resources of a process a
    /// moment after the process has ended, without any notification. The function therefore takes samples for two
    /// seconds and returns the minimum of each resource.
    ///
    /// # Errors
    /// If the system does not report the resources.
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

    /// Returns one sentence for each kind of resource that finished runs have left behind. `self` was measured before
    /// these runs, and `after` afterwards. No additional file descriptor may be open, because each run closes its
    /// own.
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

/// Extracts the resident memory, in KiB, from the text of `/proc/PID/status`.
fn resident_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse().ok()
}

/// Returns the number of child processes of a process.
fn children_of(parent: u32) -> io::Result<u64> {
    let mut children = 0;
    for process in fs::read_dir("/proc")? {
        let path = process?.path();
        let is_process = path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok());
        // If a process ends during the count, its parent can no longer be read, and the process is not counted.
        children += u64::from(is_process && parent_of(&path) == Some(parent));
    }
    Ok(children)
}

/// Returns the parent of the process whose folder in `/proc` is `process`. The parent is the second word after the
/// process name in `stat`. The name itself may contain spaces.
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

    /// Open files and child processes are counted, including a child that has ended but has not been reaped.
    #[test]
    fn what_is_held_is_counted() {
        let before = Footprint::now().expect("what it holds");
        assert!(before.memory_kib > 0, "{before:?}");
        let files: Vec<File> = (0..50).map(|_| File::open("/dev/null").expect("a file")).collect();
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("a child");
        let during = Footprint::now().expect("what it holds");
        // Meanwhile, other tests in this process may open and close a few files.
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
