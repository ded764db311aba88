//! Several threads that work out what follows from states, and look for it: both changes nothing, so that nobody waits for
//! anybody. What they find is taken in by one thread, in the order in which it would be found alone: numbers, ways and
//! verdicts are the same, however many threads there are.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::batch::Batch;
use super::known::Known;
use super::states::States;

/// How many states a thread takes at a time; few in tests, whose configurations are small.
const SHARE: usize = if cfg!(test) { 4 } else { 256 };

/// Threads, and what they have found.
pub(super) struct Team {
    threads: usize,
    batches: Vec<Batch>,
}

impl Team {
    pub const fn new(threads: NonZeroUsize) -> Self {
        Self { threads: threads.get(), batches: Vec::new() }
    }

    /// Whether it pays to have so many states looked at by several.
    pub const fn is_worth(&self, count: usize) -> bool {
        self.threads > 1 && count >= 2 * SHARE
    }

    /// What follows from all these states, as far as it is known, in batches one after the other.
    pub fn expand(&mut self, known: &Known<'_>, states: &States, numbers: Range<usize>) -> &[Batch] {
        let shares = numbers.len().div_ceil(SHARE);
        self.batches.resize_with(shares.max(self.batches.len()), Batch::default);
        let firsts = numbers.clone().step_by(SHARE);
        let ranges = firsts.map(|first| first..(first + SHARE).min(numbers.end));
        let open = Mutex::new(self.batches.iter_mut().zip(ranges));
        let work = || {
            let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((batch, numbers)) = next() {
                batch.fill_and_find(&mut &*known, states, numbers);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(shares) {
                scope.spawn(work);
            }
            work();
        });
        &self.batches[..shares]
    }
}
