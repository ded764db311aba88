//! Of the shortest ways to where a rule is broken, one on which as few processes as on any take part.
//!
//! Each state of such a way is as far from the beginning as it stands on the way: if it were nearer, so would be what is
//! broken. So the layers that were found are gone through once more, from the last to the first, and of each state it is
//! noted which processes are enough to come from it to where the rule is broken in the steps that are left. A state follows
//! from another, and is judged, as in the search itself: who takes no part could have done so all the same.

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

/// A way to where a rule is broken.
pub struct Shortest {
    /// The states on it, from the beginning.
    pub way: Vec<Vec<u32>>,
    /// Where several moves lead from one state of it to the next, it goes on by one in which nobody else takes part.
    pub among: Participants,
    /// Whether on no other that is as short fewer take part; if not, nobody knows.
    pub is_fewest: bool,
}

/// A way and who takes part in it.
type Peopled = (Vec<Vec<u32>>, Participants);

/// It was ended before all was looked at.
#[derive(Debug)]
struct CutOff;

impl Search<'_, '_> {
    /// A shortest way to where a rule is broken, as it is in this state: the one that was found, or one on which fewer take
    /// part. Nobody looks for that depth first, or when `goes_on`, which is asked now and then, has said no.
    pub fn fewest(&mut self, property: Property, state: u32, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Shortest {
        let way = self.way_to(state);
        if !self.is_shortest() || self.nodes() > Participants::MOST {
            return Shortest { way, among: Participants::ALL, is_fewest: false };
        }
        // They take room, and nobody needs them any more.
        self.seen.ways = None;
        let first = trace::participants(self.expansion.system, &way);
        match Ahead::of(self, property, state, first.count()).fewer(goes_on) {
            Ok(Some((way, among))) => Shortest { way, among, is_fewest: true },
            Ok(None) => Shortest { way, among: Participants::ALL, is_fewest: true },
            Err(CutOff) => Shortest { way, among: Participants::ALL, is_fewest: false },
        }
    }
}

/// The list of no sets of processes: no way leads on in the steps that are left.
const NO_WAY: u32 = 0;
/// The list of one set, that of nobody: the rule is broken.
const BROKEN: u32 = 1;

/// Which processes are enough to come from each state to where a rule is broken.
struct Ahead<'r, 's, 'a> {
    search: &'r mut Search<'s, 'a>,
    property: Property,
    /// After how many steps it is broken.
    depth: usize,
    /// Whether what follows from the last layer that was looked at is judged, since the rule is broken in a state itself:
    /// not all that follows has been found. If not, all that breaks it is known by its number.
    is_judged: bool,
    /// How many take part in the way that was found first: what takes as many is no better.
    fewer_than: u32,
    /// Lists of sets of processes, of which none is part of another of its list.
    lists: Interner<Box<[Participants]>>,
    /// Which list each state has, by its number.
    list_of: Vec<u32>,
    /// How many states were looked at.
    looked_at: usize,
    /// What follows from a state and leads on: by what, and the list that it has.
    moves: Vec<(Move, u32)>,
    /// The numbers of these states, one state after the other.
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

    /// The way on which fewest take part, if they are fewer than on the one that was found first.
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

    /// Notes which states of the last layer break the rule, if they were all found.
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

    /// Whether the rule is broken in a state since nothing is owed there.
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

    /// Notes of each state of a layer who is enough, where that is known of the next layer; says whether anybody is.
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

    /// Shows each set of processes that is enough from a state of a layer, and the state that they go on by.
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

    /// Takes in what follows from a state of a layer and leads on, or is still to be judged.
    fn follow(&mut self, state: &[u32], layer: usize, is_judged: bool) {
        let Self { search, moves, states, list_of, .. } = self;
        let Search { expansion, seen, layers, .. } = &mut **search;
        // What is as near or nearer is no step further on.
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

    /// The way that these processes are enough for, from a beginning.
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

    /// Asks now and then whether to go on.
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
