//! What follows from a few states, worked out before any of it is looked for.

use std::ops::Range;

use super::followers::{Kind, successors};
use super::known::Lookup;
use super::states::States;

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
    /// The number by which each is known, if it was looked for and found.
    found: Vec<Option<u32>>,
    /// Where what follows from each state ends, and whether all of it is there: else none of it is.
    ends: Vec<(usize, bool)>,
    next: Vec<u32>,
}

/// What follows from a state.
#[derive(Clone, Copy)]
pub(super) struct Follower<'b> {
    pub kind: Kind,
    /// By what it is looked for.
    pub hash: u64,
    /// Its numbers.
    pub state: &'b [u32],
    /// The number by which it is known, if it was looked for and found.
    pub found: Option<u32>,
}

impl Batch {
    /// Forgets what it held, and works out what follows from the first of these states; says from how many.
    pub fn fill(&mut self, lookup: &mut impl Lookup, known: &States, numbers: Range<usize>) -> usize {
        self.clear();
        self.expand(lookup, known, numbers);
        known.touch(self.hashes.iter().copied());
        self.ends.len()
    }

    /// The same of all these states, and looks for all that follows.
    pub fn fill_and_find(&mut self, lookup: &mut impl Lookup, known: &States, numbers: Range<usize>) {
        self.clear();
        let mut first = numbers.start;
        while first < numbers.end {
            let from = self.kinds.len();
            first += self.expand(lookup, known, first..numbers.end);
            let hashes = &self.hashes[from..];
            known.touch(hashes.iter().copied());
            let states = self.states[from * known.width()..].chunks_exact(known.width());
            self.found.extend(hashes.iter().zip(states).map(|(&hash, state)| known.find(hash, state)));
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.kinds.clear();
        self.found.clear();
        self.ends.clear();
    }

    /// Works out what follows from the first of these states; says from how many.
    fn expand(&mut self, lookup: &mut impl Lookup, known: &States, numbers: Range<usize>) -> usize {
        let Self { states, hashes, kinds, ends, next, .. } = self;
        let (held, expanded) = (kinds.len(), ends.len());
        for number in numbers.take(MOST_EXPANDED) {
            if kinds.len() - held > MOST_FOLLOWERS {
                break;
            }
            let before = (states.len(), kinds.len());
            let all = successors(lookup, known.state(number), next, &mut |_, kind, state| {
                states.extend_from_slice(state);
                hashes.push(States::hash(state));
                kinds.push(kind);
            });
            if all.is_none() {
                states.truncate(before.0);
                hashes.truncate(before.1);
                kinds.truncate(before.1);
            }
            ends.push((kinds.len(), all.is_some()));
        }
        ends.len() - expanded
    }

    /// What follows from the state of this place; none if it is not known what all of it is.
    pub fn of(&self, place: usize) -> Option<impl Iterator<Item = Follower<'_>>> {
        let first = place.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, all) = self.ends[place];
        let width = self.states.len() / self.kinds.len().max(1);
        let follower = move |at: usize| Follower {
            kind: self.kinds[at],
            hash: self.hashes[at],
            state: &self.states[at * width..(at + 1) * width],
            found: self.found.get(at).copied().flatten(),
        };
        all.then(|| (first..end).map(follower))
    }

    /// How many states there are of which it holds what follows.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Fetches what will be looked at when what was not found is looked for again.
    pub fn touch_new(&self, known: &States) {
        let new = self.hashes.iter().zip(&self.found).filter(|(_, found)| found.is_none());
        known.touch(new.map(|(&hash, _)| hash));
    }
}
