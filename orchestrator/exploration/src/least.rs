//! The least numbers of unbounded counters, such as clocks, in processes and their inboxes. The algorithm says which
//! numbers belong to which counter: see [`Algorithm::growing`](interlock_algorithm::Algorithm::growing).

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::interner::Interner;

/// Results of rebasing, which reduces the unbounded numbers in states.
#[derive(Default)]
pub(super) struct Rebase {
    /// For each pair of a process and its inbox, the least number of each counter. If a counter has no numbers in this
    /// pair, its least number is `u64::MAX`.
    pub least: HashMap<u32, Box<[u64]>, FxBuildHasher>,
    /// Reductions. Each consists of one amount for each counter.
    pub by: Interner<Box<[u64]>>,
    /// For each pair of a process and its inbox and each reduction, the pair after the reduction.
    pub lessened: HashMap<(u32, u32), u32, FxBuildHasher>,
}

impl Rebase {
    /// Returns the approximate size in memory, in bytes.
    pub fn memory(&self) -> usize {
        self.least.len() * 64 + self.lessened.len() * 24
    }

    /// Returns the least number of each counter in these pairs of a process and its inbox. If a counter has no numbers
    /// in any of the pairs, the result for it is 0. Returns none if `least` has no entry for one of the pairs.
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

/// Returns whether a reduction changes nothing, because all of its amounts are 0.
pub(super) fn is_nothing(by: &[u64]) -> bool {
    by.iter().all(|number| *number == 0)
}

/// Updates the least number of the counter with the index `count`, given a further number of this counter.
pub(super) fn note(least: &mut Vec<u64>, count: usize, number: u64) {
    if count >= least.len() {
        least.resize(count + 1, u64::MAX);
    }
    least[count] = least[count].min(number);
}
