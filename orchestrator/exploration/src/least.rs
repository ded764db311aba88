//! The least values of the unbounded counts, such as clocks, by process and inbox.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::interner::Interner;

/// The results of rebasing so far.
#[derive(Default)]
pub(super) struct Rebase {
    /// The least number of each count in a process and its inbox; `u64::MAX` if they contain no number of the
    /// count.
    pub least: HashMap<u32, Box<[u64]>, FxBuildHasher>,
    /// Vectors of reductions, one number for each count.
    pub by: Interner<Box<[u64]>>,
    /// The process with its inbox after a reduction, by the process with its inbox before and the reduction.
    pub lessened: HashMap<(u32, u32), u32, FxBuildHasher>,
}

impl Rebase {
    /// Returns the approximate size in memory, in bytes.
    pub fn memory(&self) -> usize {
        self.least.len() * 64 + self.lessened.len() * 24
    }

    /// Returns the least number of each count in these processes and inboxes, if it is stored for all of them. The
    /// result is 0 for a count without numbers.
    pub fn least(&self, pairs: &[u32]) -> Option<Box<[u64]>> {
        let mut least = Vec::new();
        for pair in pairs {
            for (count, &number) in self.least.get(pair)?.iter().enumerate() {
                note(&mut least, count, number);
            }
        }
        least.iter_mut().filter(|number| **number == u64::MAX).for_each(|number| *number = 0);
        Some(least.into())
    }
}

/// Returns whether all reductions are 0.
pub(super) fn is_nothing(by: &[u64]) -> bool {
    by.iter().all(|number| *number == 0)
}

/// Lowers the least number of a count to this number, if this number is less.
pub(super) fn note(least: &mut Vec<u64>, count: usize, number: u64) {
    if count >= least.len() {
        least.resize(count + 1, u64::MAX);
    }
    least[count] = least[count].min(number);
}
