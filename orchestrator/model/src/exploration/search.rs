//! All states, breadth first: the first one that breaks a rule is as near to the beginning as any.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use interlock_algorithm::{LockId, NodeId};
use rustc_hash::FxBuildHasher;

use super::parts::Facts;
use super::property::Property;
use super::system::{Kind, Move, System};
use crate::choice::Choice;

/// The state of which no other is the parent.
const NOBODY: u32 = u32::MAX;
/// The most states that can be numbered, with room for what follows from those that are looked at in one go.
const MOST_STATES: usize = u32::MAX as usize - (1 << 24);
/// How many states are looked at before it is asked whether to go on.
const BETWEEN_LOOKS: usize = 4_096;

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many states were found.
    pub states: u64,
    /// How many ways from a state to another were looked at.
    pub transitions: u64,
    /// How many steps the states that are being looked at are from the beginning.
    pub depth: u32,
    /// How much memory the states and their parts take, in bytes, about.
    pub memory: u64,
}

/// What came of a search.
#[derive(Debug)]
pub(super) enum Found {
    /// Every state was looked at, and nothing is wrong with any.
    Nothing,
    /// This state breaks this rule.
    Broken(Property, u32),
    /// It was ended before every state had been looked at.
    CutOff,
}

/// All states found so far, by their numbers, in the order in which they were found.
pub(super) struct Search<'s, 'a> {
    system: &'s mut System<'a>,
    states: Vec<u32>,
    parents: Vec<u32>,
    known: HashTable<u32>,
    /// The ways between states without faults, if they are needed.
    ways: Option<Vec<(u32, u32)>>,
    pub progress: Progress,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(system: &'s mut System<'a>) -> Self {
        let (states, parents, known) = (Vec::new(), Vec::new(), HashTable::new());
        Self { system, states, parents, known, ways: None, progress: Progress::default() }
    }

    /// Looks at all states, or until `goes_on` says no.
    pub fn run(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Found {
        self.ways = properties.contains(&Property::WayOut).then(Vec::new);
        if let Some(found) = self.begin(properties, goes_on) {
            self.measure();
            return found;
        }
        let (mut current, mut end_of_layer) = (0, self.parents.len());
        let (mut state, mut next) = (Vec::new(), Vec::new());
        while current < self.parents.len() {
            if current == end_of_layer {
                end_of_layer = self.parents.len();
                self.progress.depth += 1;
            }
            if current % BETWEEN_LOOKS == 0 {
                self.measure();
                if !goes_on(&self.progress) || self.parents.len() > MOST_STATES {
                    return Found::CutOff;
                }
            }
            state.clear();
            state.extend_from_slice(self.state(current));
            if let Some(found) = self.expand(properties, current, &state, &mut next) {
                self.measure();
                return found;
            }
            current += 1;
        }
        self.measure();
        self.dead_end().map_or(Found::Nothing, |state| Found::Broken(Property::WayOut, state))
    }

    /// Takes in all states in which a run may begin.
    fn begin(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Found> {
        for beginning in 0..self.system.beginnings() {
            if beginning % BETWEEN_LOOKS as u64 == BETWEEN_LOOKS as u64 - 1 {
                self.measure();
                if !goes_on(&self.progress) || self.parents.len() > MOST_STATES {
                    return Some(Found::CutOff);
                }
            }
            let (state, _) = self.system.begin(beginning);
            if let Some(found) = self.judge(properties, &state, NOBODY) {
                return Some(found);
            }
        }
        None
    }

    /// How many states were found.
    pub fn count(&self) -> usize {
        self.parents.len()
    }

    /// How many privileges there are in a state; none if the algorithm does not know.
    pub fn privileges(&self, number: usize) -> Option<usize> {
        self.system.privileges(self.state(number))
    }

    /// How many nodes there are.
    pub const fn nodes(&self) -> u32 {
        self.system.nodes()
    }

    /// Whether a node wants a lock in a state.
    pub fn wants(&self, number: u32, node: NodeId, lock: LockId) -> bool {
        self.facts(number, node).is_some_and(|facts| facts.wanted.contains(&lock))
    }

    /// How many units of a lock a node has in a state.
    pub fn has(&self, number: u32, node: NodeId, lock: LockId) -> usize {
        self.facts(number, node).map_or(0, |facts| facts.inside.iter().filter(|other| **other == lock).count())
    }

    fn facts(&self, number: u32, node: NodeId) -> Option<&Facts> {
        self.system.facts(self.state(number as usize)).nth(node.index())
    }

    /// Whether what is sent is known in the same instant.
    pub const fn is_instantaneous(&self) -> bool {
        self.system.is_instantaneous()
    }

    /// What a node does by itself in a state, as anybody could let it happen.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        self.system.choice(state, node, place)
    }

    /// Shows by what which states follow from one, all of which were found.
    pub fn follow(&mut self, number: u32, mut show: impl FnMut(Move, Kind, u32)) {
        let width = self.system.width();
        let Self { system, states, known, .. } = self;
        let place = |number: u32| number as usize * width..(number as usize + 1) * width;
        let state = states[place(number)].to_vec();
        system.successors(&state, &mut Vec::new(), |_, happens, kind, next| {
            let hash = FxBuildHasher.hash_one(next);
            if let Some(&to) = known.find(hash, |&other| states[place(other)] == *next) {
                show(happens, kind, to);
            }
        });
    }

    /// The numbers of a state.
    pub fn state(&self, number: usize) -> &[u32] {
        let width = self.system.width();
        &self.states[number * width..(number + 1) * width]
    }

    /// The way from the beginning to a state, itself included.
    pub fn way_to(&self, state: u32) -> Vec<Vec<u32>> {
        let mut way = Vec::new();
        let mut at = state;
        while at != NOBODY {
            way.push(self.state(at as usize).to_vec());
            at = self.parents[at as usize];
        }
        way.reverse();
        way
    }

    fn measure(&mut self) {
        let numbers = self.states.len() + self.parents.len() + self.known.capacity() * 2;
        let ways = self.ways.as_ref().map_or(0, Vec::len) * 2;
        self.progress.states = self.parents.len() as u64;
        self.progress.memory = (4 * (numbers + ways) + self.system.memory()) as u64;
    }

    /// Looks at all that can follow from a state.
    fn expand(&mut self, properties: &[Property], from: usize, state: &[u32], next: &mut Vec<u32>) -> Option<Found> {
        let number = u32::try_from(from).unwrap_or(NOBODY);
        let (mut found, mut is_owed) = (None, false);
        let Self { system, states, parents, known, ways, progress } = self;
        let width = system.width();
        system.successors(state, next, |system, _, kind, next| {
            progress.transitions += 1;
            is_owed |= kind == Kind::Owed;
            if found.is_some() {
                return;
            }
            let (place, new) = add(states, parents, known, width, next, number);
            if new {
                system.look(next);
                let broken = properties.iter().find(|property| property.is_broken(system, next));
                found = broken.map(|&property| Found::Broken(property, place));
            }
            if let Some(ways) = ways.as_mut().filter(|_| kind != Kind::Fault) {
                ways.push((number, place));
            }
        });
        if found.is_none() && !is_owed && !self.system.facts(state).any(|facts| facts.timers) {
            let broken = properties.iter().find(|property| property.is_broken_at_rest(self.system, state));
            return broken.map(|&property| Found::Broken(property, number));
        }
        found
    }

    /// Takes a state in; what it breaks is said.
    fn judge(&mut self, properties: &[Property], state: &[u32], parent: u32) -> Option<Found> {
        let width = self.system.width();
        let (place, _) = add(&mut self.states, &mut self.parents, &mut self.known, width, state, parent);
        self.system.look(state);
        let broken = properties.iter().find(|property| property.is_broken(self.system, state))?;
        Some(Found::Broken(*broken, place))
    }

    /// The first state from which no way leads to where nobody waits, if ways were noted.
    fn dead_end(&mut self) -> Option<u32> {
        let mut ways = self.ways.take()?;
        ways.sort_unstable_by_key(|&(_, to)| to);
        let count = self.parents.len();
        // Where timers are set that may not run out any more, nobody knows.
        let calm =
            |state: &[u32]| !self.system.facts(state).any(|facts| facts.waiting) || self.system.is_out_of_time(state);
        let mut open: Vec<u32> = (0_u32..).take(count).filter(|&number| calm(self.state(number as usize))).collect();
        let mut leads_out = vec![false; count];
        while let Some(to) = open.pop() {
            if std::mem::replace(&mut leads_out[to as usize], true) {
                continue;
            }
            let first = ways.partition_point(|&(_, other)| other < to);
            open.extend(ways[first..].iter().take_while(|&&(_, other)| other == to).map(|&(from, _)| from));
        }
        let dead_end = leads_out.iter().position(|leads| !leads)?;
        u32::try_from(dead_end).ok()
    }
}

/// Keeps a state if it is new, and says its number.
fn add(
    states: &mut Vec<u32>,
    parents: &mut Vec<u32>,
    known: &mut HashTable<u32>,
    width: usize,
    state: &[u32],
    parent: u32,
) -> (u32, bool) {
    let hash = FxBuildHasher.hash_one(state);
    let place = |number: u32| number as usize * width..(number as usize + 1) * width;
    if let Some(&number) = known.find(hash, |&number| states[place(number)] == *state) {
        return (number, false);
    }
    let number = u32::try_from(parents.len()).unwrap_or(NOBODY);
    states.extend_from_slice(state);
    parents.push(parent);
    known.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&states[place(number)]));
    (number, true)
}
