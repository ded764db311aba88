//! Finds, among the shortest paths to a violation, a path with the fewest participants.
//!
//! On a shortest path, the index of each state is its distance from an initial state. If a state were closer, the
//! violation would also be closer. The search therefore visits the layers once more, from the last to the first.
//! For each state, it stores the sets of processes that suffice to reach the violation in the remaining steps. A
//! state is always expanded and checked with all processes of the run, including those outside the set.

#[cfg(test)]
mod tests;

use super::{BETWEEN_LOOKS, Progress, Search};
use crate::expansion::rests;
use crate::interner::Interner;
use crate::moves::{Kind, Move};
use crate::participants::{Participants, keep_least};
use crate::property::Property;
use crate::states::States;
use crate::trace;

/// A path to a violation.
pub struct Shortest {
    /// The states of the path, from an initial state.
    pub way: Vec<Vec<u32>>,
    /// The participants of the path. If several moves lead from one state to the next, the path uses a move without
    /// other participants.
    pub among: Participants,
    /// Whether it is certain that no other path of this length has fewer participants.
    pub is_fewest: bool,
}

/// A path and its participants.
type Peopled = (Vec<Vec<u32>>, Participants);

/// Error: the search ended before it had examined everything.
#[derive(Debug)]
struct CutOff;

impl Search<'_, '_> {
    /// Returns a shortest path to the violation in this state. This is the path that the search found first, unless
    /// another path has fewer participants.
    ///
    /// Paths are compared only after a breadth-first search, and only until `goes_on` returns false. The comparison
    /// calls `goes_on` from time to time.
    pub fn fewest(&mut self, property: Property, state: u32, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Shortest {
        let way = self.way_to(state);
        if !self.is_shortest() || self.nodes() > Participants::MOST {
            return Shortest { way, among: Participants::ALL, is_fewest: false };
        }
        // The edges are no longer needed. Without them, more memory is free for the comparison.
        self.seen.edges = None;
        let first = trace::participants(self.expansion.system, &way);
        match Ahead::of(self, property, state, first.count()).fewer(goes_on) {
            Ok(Some((way, among))) => Shortest { way, among, is_fewest: true },
            Ok(None) => Shortest { way, among: Participants::ALL, is_fewest: true },
            Err(CutOff) => Shortest { way, among: Participants::ALL, is_fewest: false },
        }
    }
}

/// Number of the empty list of process sets. If no path leads from a state to the violation in the remaining steps,
/// the state has the empty list.
const NO_WAY: u32 = 0;
/// Number of the list that contains only the empty set. If a state already violates the property and needs no
/// further step, the state has this list.
const BROKEN: u32 = 1;

/// For each state, the sets of processes that suffice to reach the violation.
struct Ahead<'r, 's, 'a> {
    search: &'r mut Search<'s, 'a>,
    property: Property,
    /// Number of steps from an initial state to the violation.
    depth: usize,
    /// Whether the successors of the last examined layer must be checked. This is necessary if a state violates the
    /// property by itself, because the search did not store all of these successors. If false, all violating states
    /// are in the visited set.
    is_judged: bool,
    /// Number of participants of the path that the search found first. Another path is better only if it has fewer
    /// participants.
    fewer_than: u32,
    /// Lists of process sets. In each list, no set is a subset of another set.
    lists: Interner<Box<[Participants]>>,
    /// For each state, the number of its list.
    list_of: Vec<u32>,
    /// Number of states examined.
    looked_at: usize,
    /// Moves from the present state that lead towards the violation. Each has the number of the list of its target.
    moves: Vec<(Move, u32)>,
    /// Rows of numbers that encode the targets of `moves`, one row after the other.
    states: Vec<u32>,
}

impl<'r, 's, 'a> Ahead<'r, 's, 'a> {
    fn of(search: &'r mut Search<'s, 'a>, property: Property, state: u32, fewer_than: u32) -> Self {
        let depth = search.layers.partition_point(|layer| layer.end <= state as usize);
        let is_judged = depth == search.layers.len();
        let known = search.layers[..search.layers.len().min(depth + 1)].last().map_or(0, |last| last.end);
        let mut lists: Interner<Box<[_]>> = Interner::default();
        lists.intern(Box::default());
        lists.intern(Box::new([Participants::NOBODY]));
        Self {
            search,
            property,
            depth,
            is_judged,
            fewer_than,
            lists,
            list_of: vec![NO_WAY; known],
            looked_at: 0,
            moves: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Returns a path with the fewest participants. If no path has fewer participants than the path that the search
    /// found first, returns none.
    fn fewer(mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Option<Peopled>, CutOff> {
        if self.fewer_than == 0 {
            return Ok(None);
        }
        self.note_broken(goes_on)?;
        for layer in (0..self.depth).rev() {
            if !self.note_layer(layer, goes_on)? {
                return Ok(None);
            }
        }
        let beginnings = self.search.layers.first().cloned().unwrap_or_default();
        let sets = |number: usize| self.lists.value(self.list_of[number]).iter();
        let all = beginnings.flat_map(|number| sets(number).map(move |set| (set.count(), *set, number)));
        let fewest = all.min();
        Ok(fewest.map(|(_, among, number)| (self.way(number, among), among)))
    }

    /// If the visited set contains all states that violate the property, records which states of the last layer violate
    /// it.
    fn note_broken(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<(), CutOff> {
        if self.property == Property::WayOut {
            self.search.dead_ends.iter().for_each(|&number| self.list_of[number as usize] = BROKEN);
        } else if !self.is_judged {
            for number in self.search.layers[self.depth].clone() {
                self.may_go_on(goes_on)?;
                if self.is_broken_at_rest(number) {
                    self.list_of[number] = BROKEN;
                }
            }
        }
        Ok(())
    }

    /// Returns whether a state violates the property because it has no owed events.
    fn is_broken_at_rest(&mut self, number: usize) -> bool {
        let Search { expansion, seen, .. } = &mut *self.search;
        let state = seen.states.state(number);
        if !rests(expansion.system, state) || !self.property.is_broken_at_rest(expansion.system, state) {
            return false;
        }
        let mut is_owed = false;
        expansion.system.successors(state, &mut Vec::new(), |_, kind, _| is_owed |= kind == Kind::Owed);
        !is_owed
    }

    /// Records the sufficient process sets of each state of a layer, computed from the sets of the next layer.
    /// Returns whether any state has such a set.
    fn note_layer(&mut self, layer: usize, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<bool, CutOff> {
        let (mut state, mut leads_on) = (Vec::new(), false);
        for number in self.search.layers[layer].clone() {
            self.may_go_on(goes_on)?;
            state.clear();
            state.extend_from_slice(self.search.state(number));
            let mut least = Vec::new();
            self.lead_on(&state, layer, |set, _| keep_least(&mut least, set));
            least.sort_unstable();
            leads_on |= !least.is_empty();
            (self.list_of[number], _) = self.lists.intern(least.into());
        }
        Ok(leads_on)
    }

    /// Calls `show` with each process set that suffices from a state of a layer. Also passes the next state of a
    /// path for which the set suffices.
    fn lead_on(&mut self, state: &[u32], layer: usize, mut show: impl FnMut(Participants, &[u32])) {
        let is_judged = self.is_judged && layer + 1 == self.depth;
        self.follow(state, layer, is_judged);
        let system = &mut *self.search.expansion.system;
        for (&(happens, list), next) in self.moves.iter().zip(self.states.chunks_exact(state.len())) {
            if is_judged && !self.property.is_broken(system, next) {
                continue;
            }
            let moving = system.participants(state, happens);
            let all = self.lists.value(list).iter().map(|set| set.with(moving));
            all.filter(|set| set.count() < self.fewer_than).for_each(|set| show(set, next));
        }
    }

    /// Collects the successors of a state that lead towards the violation, or that must still be checked. The state
    /// is in the layer `layer`.
    fn follow(&mut self, state: &[u32], layer: usize, is_judged: bool) {
        let Self { search, moves, states, list_of, .. } = self;
        let Search { expansion, seen, layers, .. } = &mut **search;
        // A successor in this layer or an earlier layer is not closer to the violation, so it is not on a shortest
        // path.
        let nearer = layers[layer].end;
        let further = |number: &usize| *number >= nearer;
        let list = |next: &[u32]| {
            let number = seen.states.find(States::hash(next), next).map(|number| number as usize).filter(further);
            number.and_then(|number| list_of.get(number)).copied().unwrap_or(NO_WAY)
        };
        moves.clear();
        states.clear();
        expansion.system.successors(state, &mut Vec::new(), |happens, _, next| {
            let list = if is_judged { BROKEN } else { list(next) };
            if list != NO_WAY {
                moves.push((happens, list));
                states.extend_from_slice(next);
            }
        });
    }

    /// Returns a path from this initial state to the violation, for which these processes suffice.
    fn way(&mut self, beginning: usize, among: Participants) -> Vec<Vec<u32>> {
        let mut way = vec![self.search.state(beginning).to_vec()];
        for layer in 0..self.depth {
            let mut first = None;
            self.lead_on(&way[layer], layer, |set, next| {
                if first.is_none() && set.are_among(among) {
                    first = Some(next.to_vec());
                }
            });
            way.extend(first);
        }
        way
    }

    /// Calls `goes_on` from time to time. If the search may not continue, returns an error.
    fn may_go_on(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<(), CutOff> {
        let is_look = self.looked_at.is_multiple_of(BETWEEN_LOOKS);
        self.looked_at += 1;
        if !is_look {
            return Ok(());
        }
        let Search { expansion, seen, progress, .. } = &*self.search;
        let memory = seen.memory() + self.list_of.len() * size_of::<u32>() + expansion.system.memory();
        let progress = Progress { memory: memory as u64, judging: true, ..*progress };
        if goes_on(&progress) { Ok(()) } else { Err(CutOff) }
    }
}
