//! Some of the states that a search has found, and the ways between them without faults: where something is wrong that must
//! not go on for ever.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::search::{Progress, Search};

/// Some states, each with a place among them, and the ways from each to others of them.
pub(super) struct Part {
    /// Their numbers among all states, in order.
    states: Vec<u32>,
    /// Where the ways from each begin in `ways`, and where those from the last end.
    firsts: Vec<usize>,
    /// The places in `states` to which ways lead.
    ways: Vec<u32>,
    /// The first state in which all may rest, if there is any.
    at_rest: Option<u32>,
}

impl Part {
    /// These states, by their numbers in order, without ways.
    pub fn of(states: Vec<u32>) -> Self {
        Self { states, firsts: vec![0], ways: Vec::new(), at_rest: None }
    }

    /// Takes in the ways, to these places, from the first state whose ways are not known yet.
    pub fn add_ways(&mut self, places: impl IntoIterator<Item = u32>) {
        self.ways.extend(places);
        self.firsts.push(self.ways.len());
    }

    /// Takes in that all may rest in a state.
    pub fn rests_at(&mut self, state: u32) {
        self.at_rest = self.at_rest.or(Some(state));
    }

    /// The first state in which all may rest, by its number among all.
    pub const fn at_rest(&self) -> Option<u32> {
        self.at_rest
    }

    /// How many states there are.
    pub const fn len(&self) -> usize {
        self.states.len()
    }

    /// How much memory they take, in bytes.
    const fn memory(&self) -> usize {
        (self.states.len() + self.ways.len()) * size_of::<u32>() + self.firsts.len() * size_of::<usize>()
    }

    /// Their numbers among all states, in order.
    pub fn states(&self) -> &[u32] {
        &self.states
    }

    /// The places to which ways lead from one.
    pub fn ways(&self, from: u32) -> &[u32] {
        &self.ways[self.range(from)]
    }

    /// The places of the ways from one among all ways.
    pub fn range(&self, from: u32) -> Range<usize> {
        self.firsts[from as usize]..self.firsts[from as usize + 1]
    }

    /// How far a search has come, with the memory that this takes.
    pub const fn with(&self, progress: &Progress) -> Progress {
        Progress { memory: progress.memory + self.memory() as u64, ..*progress }
    }

    /// The number of a state among all.
    pub fn state(&self, place: u32) -> u32 {
        self.states[place as usize]
    }

    /// The place of a state among these, if it is one of them.
    pub fn place(&self, state: u32) -> Option<u32> {
        self.states.binary_search(&state).ok().and_then(|place| u32::try_from(place).ok())
    }

    /// The shortest way from one to the first that will do, both included, by ways that may be gone; none if there is no
    /// such way. It has one step at least.
    pub fn way(
        &self,
        from: u32,
        is_open: impl Fn(u32) -> bool,
        mut will_do: impl FnMut(u32, u32) -> bool,
    ) -> Option<Vec<u32>> {
        let mut parents: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &to in self.ways(at).iter().filter(|to| is_open(**to)) {
                if will_do(at, to) {
                    let mut way = vec![to, at];
                    while way[way.len() - 1] != from {
                        way.push(parents[&way[way.len() - 1]]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if to != from && !parents.contains_key(&to) {
                    parents.insert(to, at);
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// The way from a beginning to a circle of places and once round, and where in it the circle begins.
    pub fn lasso(&self, search: &Search<'_, '_>, circle: &[u32]) -> (Vec<Vec<u32>>, usize) {
        let mut way = circle.first().map(|&first| search.way_to(self.state(first))).unwrap_or_default();
        let again = way.len().saturating_sub(1);
        let round = circle.iter().skip(1).map(|&place| search.state(self.state(place) as usize).to_vec());
        way.extend(round);
        (way, again)
    }
}
