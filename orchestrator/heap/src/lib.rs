//! Returns freed memory to the operating system.
//!
//! The allocator of glibc keeps freed memory below the last block that is still in use. With large events and many slow
//! readers, it needs three times the memory in use, and after a peak several hundred MiB stay resident.
//! [`map_large_blocks`] gives each large block pages of its own. [`Peaks`] detects the end of a peak of small blocks,
//! and [`trim`] returns their free pages.

use std::fs;

/// Minimum growth of resident memory that makes a trim worth its time, in bytes.
const GROWTH: u64 = 64 << 20;
/// Maximum growth between two measurements at which memory counts as no longer growing, in bytes.
const LEVEL: u64 = 4 << 20;
/// Maximum number of measurements between two trims, if memory stays high.
const LONGEST_PAUSE: u32 = 64;

/// Detects the end of a peak of resident memory, from regular measurements.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Minimum of the measurements so far. The process is assumed to need this much memory even if it is idle.
    least: u64,
    last: u64,
    /// Resident memory just after the last trim.
    trimmed: u64,
    /// Number of measurements since the last trim.
    looks: u32,
    /// Minimum number of measurements from the last trim to the next.
    pause: u32,
}

impl Peaks {
    /// Begins the detection. `resident` is the first measurement, in bytes.
    #[must_use]
    pub const fn from(resident: u64) -> Self {
        Self { least: resident, last: resident, trimmed: resident, looks: 0, pause: 1 }
    }

    /// Records the next measurement, in bytes. Returns whether a trim is worth its time: memory is 64 MiB above the
    /// least measurement so far, and no longer grows.
    pub fn are_over(&mut self, resident: u64) -> bool {
        let is_level = resident <= self.last.saturating_add(LEVEL);
        self.last = resident;
        self.least = self.least.min(resident);
        self.looks = self.looks.saturating_add(1);
        if resident >= self.trimmed.saturating_add(GROWTH) {
            self.pause = 1;
        }
        is_level && resident >= self.least.saturating_add(GROWTH) && self.looks >= self.pause
    }

    /// Records the measurement after a trim, in bytes. Memory that is still resident after the trim is in use. It may
    /// be freed later without a notification, so further trims follow, at increasing intervals.
    pub fn trimmed(&mut self, resident: u64) {
        self.least = self.least.min(resident);
        (self.last, self.trimmed, self.looks) = (resident, resident, 0);
        self.pause = self.pause.saturating_mul(2).min(LONGEST_PAUSE);
    }
}

/// Returns the resident memory of this process, in bytes; `None` if `/proc` does not contain it.
#[must_use]
pub fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Minimum size of a block that gets pages of its own, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 256 << 10;

/// Gives each block of 256 KiB or more pages of its own, which return to the operating system when the block is freed.
/// Without this setting, the minimum size would not stay fixed. When glibc frees a larger block that has pages of its
/// own, it raises the minimum to the size of that block. Does nothing without glibc.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn map_large_blocks() {
    #[expect(unsafe_code, reason = "a call into the C library that takes two numbers")]
    // SAFETY: `mallopt` takes no pointer, and locks the settings of the allocator.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Gives each large block pages of its own. Does nothing without glibc.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub const fn map_large_blocks() {}

/// Returns all free pages of the allocator to the operating system. Other threads that need a part of the heap wait
/// while it is trimmed. Does nothing without glibc.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn trim() {
    #[expect(unsafe_code, reason = "a call into the C library that takes no pointer and locks what it walks")]
    // SAFETY: `malloc_trim` has no precondition; it takes the locks of the allocator itself.
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Returns all free pages of the allocator to the operating system. Without glibc, does nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub const fn trim() {}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process::Command;

    use super::*;

    const MIB: u64 = 1 << 20;

    /// Records the first measurement `start` and the further measurements `measured`, all in MiB. Returns, for each
    /// further measurement, whether the peak is over.
    fn over(start: u64, measured: &[u64]) -> Vec<bool> {
        let mut peaks = Peaks::from(start * MIB);
        measured.iter().map(|&mib| peaks.are_over(mib * MIB)).collect()
    }

    #[test]
    fn a_peak_is_over_once_memory_no_longer_grows() {
        assert_eq!(over(50, &[200, 400, 402, 300]), [false, false, true, true]);
    }

    #[test]
    fn small_growth_is_no_peak() {
        assert_eq!(over(50, &[100, 113, 113, 60]), [false; 4]);
        assert_eq!(over(50, &[114, 114]), [false, true]);
    }

    #[test]
    fn growth_counts_from_the_least_so_far() {
        assert_eq!(over(200, &[100, 164, 164]), [false, false, true]);
    }

    /// The memory that remains after a trim must not become the new minimum. Otherwise memory that is freed later
    /// would never be returned.
    #[test]
    fn a_trim_in_the_middle_of_a_peak_is_not_the_last() {
        let mut peaks = Peaks::from(50 * MIB);
        assert!(!peaks.are_over(300 * MIB) && peaks.are_over(300 * MIB));
        peaks.trimmed(280 * MIB);
        assert!((0..2).any(|_| peaks.are_over(280 * MIB)), "280 MiB may be free by now");
        peaks.trimmed(60 * MIB);
        assert!((0..1_000).all(|_| !peaks.are_over(60 * MIB)), "the peak is over");
    }

    #[test]
    fn what_is_in_use_is_trimmed_ever_more_rarely() {
        let mut peaks = Peaks::from(50 * MIB);
        let trims = (0..1_000).filter(|_| {
            let is_over = peaks.are_over(300 * MIB);
            if is_over {
                peaks.trimmed(300 * MIB);
            }
            is_over
        });
        assert!((15..25).contains(&trims.count()));
        assert!(!peaks.are_over(400 * MIB) && peaks.are_over(400 * MIB), "another peak is trimmed at once");
    }

    /// Environment variable that makes a process of the tests measure its memory, print the growth, and end. If the
    /// value is `mapped`, the process first calls [`map_large_blocks`].
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    const CHILD: &str = "INTERLOCK_HEAP";

    /// Allocates large blocks between small blocks, and frees the large blocks. Returns by how many bytes the
    /// resident memory has grown.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn growth() -> u64 {
        // Once a block of 16 MiB has been freed, glibc takes blocks up to this size from the heap, unless
        // `map_large_blocks` was called.
        drop(vec![1_u8; 16 << 20]);
        let before = resident().expect("its size");
        let mut small: Vec<Vec<u8>> = Vec::new();
        let add = |_| {
            let large = vec![1_u8; 2 << 20];
            small.push(vec![1; 4_000]);
            large
        };
        let large: Vec<Vec<u8>> = (0..60).map(add).collect();
        drop(large);
        resident().expect("its size").saturating_sub(before)
    }

    /// Each setting is measured in a process of its own. In a common process, free memory in the heap from the first
    /// measurement would distort the second measurement.
    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn large_blocks_return_between_small_ones_that_stay() {
        if let Ok(setting) = env::var(CHILD) {
            if setting == "mapped" {
                map_large_blocks();
            }
            return println!("grown by {}", growth() / MIB);
        }
        let grown = |setting: &str| {
            let name = "tests::large_blocks_return_between_small_ones_that_stay";
            let mut child = Command::new(env::current_exe().expect("this program"));
            let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, setting).output().expect("it runs");
            let printed = String::from_utf8(output.stdout).expect("text");
            let mib = printed.split_once("grown by ").and_then(|(_, rest)| rest.lines().next()?.parse::<u64>().ok());
            mib.unwrap_or_else(|| panic!("{printed}"))
        };
        let (without, with) = (grown("usual"), grown("mapped"));
        assert!(without > 50 && with < 10, "{without} and {with} MiB stay");
    }

    /// The last block is still in use, so the heap cannot shrink by itself. Without the call of `trim`, the memory of
    /// the freed blocks therefore stays resident.
    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn a_trim_returns_what_was_freed() {
        let mut blocks: Vec<Vec<u8>> = (0..40_000).map(|_| vec![1; 4_000]).collect();
        let last = blocks.pop();
        let peak = resident().expect("its size");
        drop(blocks);
        let kept = resident().expect("its size");
        trim();
        let left = resident().expect("its size");
        assert!(kept > peak - 20 * MIB, "without a trim {} of {} MiB stay", kept / MIB, peak / MIB);
        assert!(left < peak - 100 * MIB, "{} of {} MiB stay", left / MIB, peak / MIB);
        drop(last);
    }
}
