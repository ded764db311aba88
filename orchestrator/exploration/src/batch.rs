//! The successors of a few states. All successors are computed before any of them is looked up in the visited set.

use std::ops::Range;

use super::moves::Kind;
use super::states::States;
use super::system::System;

/// Once a batch has more successors than this number, it expands no further state. This limit bounds the memory for
/// states with very many successors.
const MOST_FOLLOWERS: usize = 1 << 12;

/// The successors of a few expanded states, in order.
#[derive(Default)]
pub(super) struct Batch {
    /// Rows of numbers that encode the successors, one row after the other.
    states: Vec<u32>,
    hashes: Vec<u64>,
    kinds: Vec<Kind>,
    /// For each expanded state, the index after its last successor.
    ends: Vec<usize>,
    next: Vec<u32>,
}

impl Batch {
    /// Clears the batch, and fills it with the successors of the first states in `from`. Returns the number of
    /// expanded states.
    pub fn fill<'s>(&mut self, system: &mut System<'_>, from: impl Iterator<Item = &'s [u32]>) -> usize {
        let Self { states, hashes, kinds, ends, next } = self;
        states.clear();
        hashes.clear();
        kinds.clear();
        ends.clear();
        for state in from {
            system.successors(state, next, |_, kind, state| {
                states.extend_from_slice(state);
                hashes.push(States::hash(state));
                kinds.push(kind);
            });
            ends.push(kinds.len());
            if kinds.len() > MOST_FOLLOWERS {
                break;
            }
        }
        ends.len()
    }

    /// Keeps only the successors of the first `count` expanded states.
    pub fn truncate(&mut self, count: usize) {
        let width = self.states.len() / self.kinds.len().max(1);
        self.ends.truncate(count);
        let end = self.ends.last().copied().unwrap_or(0);
        self.kinds.truncate(end);
        self.hashes.truncate(end);
        self.states.truncate(end * width);
    }

    /// Returns the hashes of all successors.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the kinds of the successors, grouped by expanded state.
    pub fn kinds(&self) -> impl Iterator<Item = &[Kind]> {
        self.spans().map(|span| &self.kinds[span])
    }

    /// Returns, for each expanded state, the range of its successors.
    fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let firsts = [0].into_iter().chain(self.ends.iter().copied());
        firsts.zip(&self.ends).map(|(first, &end)| first..end)
    }

    /// Returns the successors, grouped by expanded state. A successor has a kind, a hash and a row of numbers.
    pub fn each(&self) -> impl Iterator<Item = impl Iterator<Item = (Kind, u64, &[u32])>> {
        let width = self.states.len() / self.kinds.len().max(1);
        let follower = move |at: usize| (self.kinds[at], self.hashes[at], &self.states[at * width..(at + 1) * width]);
        self.spans().map(move |span| span.map(follower))
    }
}
