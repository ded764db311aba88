//! What follows from a few states, worked out before any of it is looked for.

use super::moves::Kind;
use super::states::States;
use super::system::System;

/// After how many that follow no further state is expanded, so that those of states with very many are not all held at once.
const MOST_FOLLOWERS: usize = 1 << 12;

/// What follows from a few states, in order.
#[derive(Default)]
pub(super) struct Batch {
    /// The numbers of what follows, one state after the other.
    states: Vec<u32>,
    hashes: Vec<u64>,
    kinds: Vec<Kind>,
    /// Where what follows from each state ends.
    ends: Vec<usize>,
    next: Vec<u32>,
}

impl Batch {
    /// Forgets what it held, and works out what follows from the first of these states; says from how many.
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

    /// Keeps only what follows from the first so many states.
    pub fn truncate(&mut self, count: usize) {
        let width = self.states.len() / self.kinds.len().max(1);
        self.ends.truncate(count);
        let end = self.ends.last().copied().unwrap_or(0);
        self.kinds.truncate(end);
        self.hashes.truncate(end);
        self.states.truncate(end * width);
    }

    /// The hashes of all that follows.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// What follows from each state, one state after the other: of what kind, by what it is looked for, and its numbers.
    pub fn each(&self) -> impl Iterator<Item = impl Iterator<Item = (Kind, u64, &[u32])>> {
        let width = self.states.len() / self.kinds.len().max(1);
        let follower = move |at: usize| (self.kinds[at], self.hashes[at], &self.states[at * width..(at + 1) * width]);
        let firsts = [0].into_iter().chain(self.ends.iter().copied());
        firsts.zip(&self.ends).map(move |(first, &end)| (first..end).map(follower))
    }
}
