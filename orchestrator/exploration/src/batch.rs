//! The successors of a few states. All of them are computed before the first is looked up in the visited set.

use std::ops::Range;

use super::moves::Kind;
use super::states::States;
use super::system::System;

/// Number of successors in a batch beyond which no further state is expanded. This bounds the memory for states
/// with very many successors.
const MOST_FOLLOWERS: usize = 1 << 12;

/// The successors of a few states, in order.
#[derive(Default)]
pub(super) struct Batch {
    /// The numbers of the successors, one successor after the other.
    states: Vec<u32>,
    hashes: Vec<u64>,
    kinds: Vec<Kind>,
    /// The end of the successors of each state.
    ends: Vec<usize>,
    next: Vec<u32>,
}

impl Batch {
    /// Clears the batch and computes the successors of the first of these states. Returns the number of states
    /// expanded.
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

    /// Keeps only the successors of the first `count` states.
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

    /// Returns the kinds of the successors of each state in turn.
    pub fn kinds(&self) -> impl Iterator<Item = &[Kind]> {
        self.spans().map(|span| &self.kinds[span])
    }

    /// Returns the place of the successors of each state in turn.
    fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let firsts = [0].into_iter().chain(self.ends.iter().copied());
        firsts.zip(&self.ends).map(|(first, &end)| first..end)
    }

    /// Returns the successors of each state in turn: their kinds, hashes and numbers.
    pub fn each(&self) -> impl Iterator<Item = impl Iterator<Item = (Kind, u64, &[u32])>> {
        let width = self.states.len() / self.kinds.len().max(1);
        let follower = move |at: usize| (self.kinds[at], self.hashes[at], &self.states[at * width..(at + 1) * width]);
        self.spans().map(move |span| span.map(follower))
    }
}
