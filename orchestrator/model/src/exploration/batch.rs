//! What follows from a few states, worked out before any of it is looked for.

use std::ops::Range;

use super::states::States;
use super::system::{Kind, System};

/// How many states are expanded in one go: enough that what is looked for then is many times what memory fetches at once.
const MOST_EXPANDED: usize = 32;
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
    pub fn fill(&mut self, system: &mut System<'_>, known: &States, numbers: Range<usize>) -> usize {
        let Self { states, hashes, kinds, ends, next } = self;
        states.clear();
        hashes.clear();
        kinds.clear();
        ends.clear();
        for number in numbers.take(MOST_EXPANDED) {
            if kinds.len() > MOST_FOLLOWERS {
                break;
            }
            system.successors(known.state(number), next, |_, _, kind, state| {
                states.extend_from_slice(state);
                hashes.push(States::hash(state));
                kinds.push(kind);
            });
            ends.push(kinds.len());
        }
        known.touch(hashes);
        ends.len()
    }

    /// What follows from the state of this place: of what kind, by what it is looked for, and its numbers.
    pub fn of(&self, place: usize) -> impl Iterator<Item = (Kind, u64, &[u32])> {
        let first = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        let width = self.states.len() / self.kinds.len().max(1);
        let followers = first..self.ends[place];
        followers.map(move |at| (self.kinds[at], self.hashes[at], &self.states[at * width..(at + 1) * width]))
    }
}
