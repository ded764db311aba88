//! The visited set, and the edges between its states if they are needed.

use std::ops::Range;

use super::batch::Batch;
use super::edges::Edges;
use super::moves::Kind;
use super::states::{MOST_STATES, NOBODY, States};

/// Number of states that are looked up together. It is many times the number that memory can fetch at once, so a
/// larger number would not make lookups faster.
const TOUCHED: usize = 256;

/// The visited set. States are numbered in the order of discovery.
pub(super) struct Visited {
    pub states: States,
    /// The edges that are not faults; none if no property needs edges.
    pub edges: Option<Edges>,
}

impl Visited {
    /// Creates an empty set for states that are rows of `width` numbers.
    pub fn new(width: usize) -> Self {
        Self { states: States::new(width), edges: None }
    }

    /// Returns the states whose numbers are in `numbers`, each with its number.
    pub fn each(&self, numbers: Range<usize>) -> impl Iterator<Item = (usize, &[u32])> + Clone {
        numbers.map(|number| (number, self.states.state(number)))
    }

    /// Adds all successors in a batch. The first expanded state of the batch has the number `first`. Returns the
    /// range of the numbers of the new states.
    pub fn take_in(&mut self, first: usize, batch: &Batch) -> Range<usize> {
        let Self { states, edges } = self;
        let known = states.len();
        let mut shares = batch.hashes().chunks(TOUCHED);
        let mut looked_for = 0_usize;
        for (from, followers) in (first..).zip(batch.each()) {
            let from = u32::try_from(from).unwrap_or(NOBODY);
            for (kind, hash, state) in followers {
                if looked_for.is_multiple_of(TOUCHED) {
                    states.touch(shares.next().unwrap_or_default());
                }
                looked_for += 1;
                let (to, _) = states.add(hash, state, from);
                if let Some(edges) = edges.as_mut().filter(|_| kind != Kind::Fault) {
                    edges.add(to);
                }
            }
            if let Some(edges) = edges {
                edges.end(from);
            }
        }
        known..states.len()
    }

    /// Returns whether the maximum number of states or edges is reached.
    pub fn is_full(&self) -> bool {
        self.states.len() > MOST_STATES || self.edges.as_ref().is_some_and(Edges::is_full)
    }

    /// Returns the number of bytes that the states and the edges occupy.
    pub fn memory(&self) -> usize {
        self.states.memory() + self.edges.as_ref().map_or(0, Edges::memory)
    }
}
