//! A subgraph of the state graph, without the edges that are faults. The checks use it for the states in which a run
//! must not stay forever.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::search::{Progress, Search};

/// A set of states, and the edges between them. Each state has a *place*, which is its index in the set.
pub(super) struct Subgraph {
    /// The numbers of the states in the state graph, in ascending order.
    states: Vec<u32>,
    /// For each state, the index in `edges` of its first edge. The last number is the end of the last edges.
    firsts: Vec<usize>,
    /// The targets of the edges, as places.
    edges: Vec<u32>,
    /// The first state in which all processes may rest, because no owed event is left; none if there is no such
    /// state.
    at_rest: Option<u32>,
}

impl Subgraph {
    /// Creates a subgraph of these states without edges. The numbers of the states must be in ascending order.
    pub fn of(states: Vec<u32>) -> Self {
        Self { states, firsts: vec![0], edges: Vec::new(), at_rest: None }
    }

    /// Adds the edges from the first state that has no edges yet. Each item of `places` is the place of the target of
    /// one edge.
    pub fn add_edges(&mut self, places: impl IntoIterator<Item = u32>) {
        self.edges.extend(places);
        self.firsts.push(self.edges.len());
    }

    /// Records that all processes may rest in a state.
    pub fn rests_at(&mut self, state: u32) {
        self.at_rest = self.at_rest.or(Some(state));
    }

    /// Returns the number of the first state in which all processes may rest.
    pub const fn at_rest(&self) -> Option<u32> {
        self.at_rest
    }

    /// Returns the number of states.
    pub const fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the size in memory, in bytes.
    const fn memory(&self) -> usize {
        (self.states.len() + self.edges.len()) * size_of::<u32>() + self.firsts.len() * size_of::<usize>()
    }

    /// Returns the numbers of the states in the state graph, in ascending order.
    pub fn states(&self) -> &[u32] {
        &self.states
    }

    /// Returns the targets of the edges from a place, as places.
    pub fn edges(&self, from: u32) -> &[u32] {
        &self.edges[self.range(from)]
    }

    /// Returns the range of the edges from a place in the list of all edges.
    pub fn range(&self, from: u32) -> Range<usize> {
        self.firsts[from as usize]..self.firsts[from as usize + 1]
    }

    /// Returns the progress of a search with the memory of this subgraph added.
    pub const fn with(&self, progress: &Progress) -> Progress {
        Progress { memory: progress.memory + self.memory() as u64, ..*progress }
    }

    /// Returns the number of the state at a place.
    pub fn state(&self, place: u32) -> u32 {
        self.states[place as usize]
    }

    /// Returns the place of a state, if the subgraph contains it.
    pub fn place(&self, state: u32) -> Option<u32> {
        self.states.binary_search(&state).ok().and_then(|place| u32::try_from(place).ok())
    }

    /// Returns the shortest path that begins at the place `from` and whose last edge satisfies `will_do`. The path
    /// has at least one edge, and all places after `from` satisfy `is_open`. If there is no such path, returns
    /// none.
    pub fn way(
        &self,
        from: u32,
        is_open: impl Fn(u32) -> bool,
        mut will_do: impl FnMut(u32, u32) -> bool,
    ) -> Option<Vec<u32>> {
        let mut parents: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &to in self.edges(at).iter().filter(|to| is_open(**to)) {
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

    /// Returns a path from an initial state to a cycle of places and once around the cycle. Also returns the index
    /// of the state on the path with which the cycle begins.
    pub fn lasso(&self, search: &Search<'_, '_>, circle: &[u32]) -> (Vec<Vec<u32>>, usize) {
        let mut way = circle.first().map(|&first| search.way_to(self.state(first))).unwrap_or_default();
        let again = way.len().saturating_sub(1);
        let round = circle.iter().skip(1).map(|&place| search.state(self.state(place) as usize).to_vec());
        way.extend(round);
        (way, again)
    }
}
