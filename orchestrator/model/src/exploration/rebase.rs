//! States that are the same but for how far has been counted are taken for one: all numbers of a count that grows are
//! counted from the least of them, in all processes and all messages under way.
//!
//! So the states of clients that ask without end can come again. The algorithm says which numbers may be treated so: see
//! [`Algorithm::growing`](interlock_algorithm::Algorithm::growing).

use std::collections::HashMap;
use std::rc::Rc;

use interlock_algorithm::Show;
use rustc_hash::FxBuildHasher;

use super::interner::Interner;
use super::system::{EMPTY, Move, System};

/// What was found of numbers that grow.
#[derive(Default)]
pub(super) struct Rebase {
    /// The least number of each count in a process and its inbox; the greatest there is where there is none.
    least: HashMap<u32, Rc<[u64]>, FxBuildHasher>,
    /// By how much the numbers of each count were made smaller.
    by: Interner<Box<[u64]>>,
    /// Each process with its inbox, made smaller by these.
    lessened: HashMap<(u32, u32), u32, FxBuildHasher>,
}

impl Rebase {
    /// How much memory it takes, in bytes, about.
    pub fn memory(&self) -> usize {
        self.least.len() * 64 + self.lessened.len() * 24
    }
}

impl System<'_> {
    /// Counts all numbers of a state that grow from the least; says by how much those of each count were made smaller, if
    /// any were.
    pub(super) fn rebase(&mut self, state: &mut [u32]) -> Option<Rc<[u64]>> {
        let by = self.least(state)?;
        let (number, _) = self.rebase.as_mut()?.by.intern((*by).into());
        let last = state.len() - 1;
        for pair in &mut state[..last] {
            *pair = self.lessened(*pair, number, &by);
        }
        Some(by)
    }

    /// By how much numbers are made smaller after a move that leads from a state to another.
    pub(super) fn rebased_after(&mut self, state: &[u32], happens: Move) -> Option<Rc<[u64]>> {
        self.rebase.as_ref()?;
        let mut after = None;
        self.followers(state, &mut Vec::new(), |_, other, _, next| {
            if other == happens {
                after = Some(next.to_vec());
            }
        });
        self.rebase(&mut after?)
    }

    /// The least number of each count, if any is more than 0; 0 for a count of which there is no number.
    fn least(&mut self, state: &[u32]) -> Option<Rc<[u64]>> {
        let mut least: Vec<u64> = Vec::new();
        for &pair in self.pairs(state) {
            for (count, &number) in self.least_of(pair).iter().enumerate() {
                note(&mut least, count, number);
            }
        }
        least.iter_mut().filter(|number| **number == u64::MAX).for_each(|number| *number = 0);
        least.iter().any(|number| *number > 0).then(|| least.into())
    }

    /// The greatest number of all that grow in a process and its inbox.
    pub(super) fn greatest(&self, pair: u32) -> u64 {
        let mut greatest = 0;
        self.grown(pair, &mut |_, number| greatest = greatest.max(*number));
        greatest
    }

    /// Shows every number that grows of a process and its inbox.
    fn grown(&self, pair: u32, show: &mut Show<'_>) {
        let &(process, inbox) = self.pairs.value(pair);
        self.parts.growing(process, show);
        for &message in &**self.inboxes.value(inbox) {
            self.parts.growing_in(message, show);
        }
    }

    fn least_of(&mut self, pair: u32) -> Rc<[u64]> {
        let known = self.rebase.as_ref().and_then(|rebase| rebase.least.get(&pair));
        if let Some(least) = known {
            return Rc::clone(least);
        }
        let mut least = Vec::new();
        self.grown(pair, &mut |count, number| note(&mut least, count, *number));
        let least: Rc<[u64]> = least.into();
        if let Some(rebase) = &mut self.rebase {
            rebase.least.insert(pair, Rc::clone(&least));
        }
        least
    }

    /// A process and its inbox with numbers that are smaller by this, which bears that number.
    fn lessened(&mut self, pair: u32, number: u32, by: &[u64]) -> u32 {
        let known = self.rebase.as_ref().and_then(|rebase| rebase.lessened.get(&(pair, number)));
        if let Some(&lessened) = known {
            return lessened;
        }
        let &(process, inbox) = self.pairs.value(pair);
        let messages = self.inboxes.value(inbox).to_vec();
        let process = self.parts.lessened(process, by);
        let inbox = messages.into_iter().fold(EMPTY, |inbox, message| {
            let message = self.parts.lessened_message(message, by);
            self.put(inbox, message)
        });
        let (lessened, _) = self.pairs.intern((process, inbox));
        if let Some(rebase) = &mut self.rebase {
            rebase.lessened.insert((pair, number), lessened);
        }
        lessened
    }
}

fn note(least: &mut Vec<u64>, count: usize, number: u64) {
    if count >= least.len() {
        least.resize(count + 1, u64::MAX);
    }
    least[count] = least[count].min(number);
}
