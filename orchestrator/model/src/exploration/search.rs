//! All states. Breadth first, the first one that breaks a rule is as near to the beginning as any.

#[cfg(test)]
mod tests;

use interlock_algorithm::{LockId, NodeId};

use super::batch::{Batch, Follower};
use super::followers::{Kind, Move};
use super::growth::Growth;
use super::manner::{Manner, SearchOrder};
use super::parts::Facts;
use super::property::Property;
use super::states::{MOST_STATES, NOBODY, States};
use super::system::System;
use super::team::Team;
use super::ways::Ways;
use crate::choice::Choice;

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
    /// Whether all states were found that will be, and the ways between them are looked at.
    pub judging: bool,
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
    manner: Manner,
    states: States,
    /// The ways between states without faults, if they are needed.
    ways: Option<Ways>,
    /// The first state that breaks a rule, while others as near as those it follows from may break one at rest.
    broken: Option<Found>,
    /// Whether it was ended before every state had been looked at.
    cut_off: bool,
    /// How many states wait for being looked at, depth first.
    open: usize,
    pub progress: Progress,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(system: &'s mut System<'a>, manner: Manner) -> Self {
        let states = States::new(system.width());
        Self {
            system,
            manner,
            states,
            ways: None,
            broken: None,
            cut_off: false,
            open: 0,
            progress: Progress::default(),
        }
    }

    /// Looks at all states, or until `goes_on` says no.
    pub fn run(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Found {
        self.ways = properties.contains(&Property::WayOut).then(Ways::default);
        if let Some(found) = self.begin(properties, goes_on) {
            self.measure();
            return found;
        }
        let found = match self.manner.search {
            SearchOrder::BreadthFirst => self.in_layers(properties, goes_on),
            SearchOrder::DepthFirst => self.in_depth(properties, goes_on),
        };
        self.measure();
        match found.or_else(|| self.broken.take()) {
            Some(found) => found,
            None if self.cut_off => Found::CutOff,
            None => self.dead_end().map_or(Found::Nothing, |state| Found::Broken(Property::WayOut, state)),
        }
    }

    /// Looks at what was found first.
    fn in_layers(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Found> {
        let (mut current, mut end_of_layer) = (0, self.states.len());
        let (mut batch, mut team) = (Batch::default(), Team::new(self.manner.threads));
        while current < self.states.len() {
            if current == end_of_layer {
                if self.broken.is_some() {
                    break;
                }
                end_of_layer = self.states.len();
                self.progress.depth += 1;
            }
            if current % BETWEEN_LOOKS == 0 && !self.may_go_on(goes_on) {
                return None;
            }
            // What is looked at in one go ends where it is asked whether to go on, and with its layer.
            let next_look = (current / BETWEEN_LOOKS + 1) * BETWEEN_LOOKS;
            let numbers = current..end_of_layer.min(next_look);
            let (expanded, found) = if team.is_worth(numbers.len()) {
                let batches = team.expand(&self.system.known, &self.states, numbers.clone());
                (numbers.len(), self.take_in_all(properties, current, batches))
            } else {
                let expanded = batch.fill(self.system, &self.states, numbers);
                (expanded, self.take_in_batch(properties, current, &batch))
            };
            if found.is_some() {
                return found;
            }
            current += expanded;
        }
        None
    }

    /// Looks at what was found last.
    fn in_depth(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Found> {
        // Those that are not looked at yet, each with how many steps it was found from the beginning.
        let numbered = |number: usize, depth| Some((u32::try_from(number).ok()?, depth));
        let mut open: Vec<_> = (0..self.states.len()).rev().filter_map(|number| numbered(number, 0)).collect();
        let mut batch = Batch::default();
        let mut looked_at = 0_usize;
        while let Some((number, depth)) = open.pop() {
            if looked_at.is_multiple_of(BETWEEN_LOOKS) && !self.may_go_on(goes_on) {
                return None;
            }
            looked_at += 1;
            self.progress.depth = self.progress.depth.max(depth);
            let (from, known) = (number as usize, self.states.len());
            batch.fill(self.system, &self.states, from..from + 1);
            let found = self.take_in_batch(properties, from, &batch);
            if found.is_some() || self.broken.is_some() {
                return found;
            }
            open.extend((known..self.states.len()).rev().filter_map(|new| numbered(new, depth + 1)));
            self.open = open.len();
        }
        None
    }

    /// Whether more states may be looked at; notes it if not.
    fn may_go_on(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> bool {
        self.measure();
        let is_full = self.states.len() > MOST_STATES || self.ways.as_ref().is_some_and(Ways::is_full);
        self.cut_off |= !goes_on(&self.progress) || is_full;
        !self.cut_off
    }

    /// Whether nothing that breaks a rule is nearer to the beginning than what was found.
    pub fn is_shortest(&self) -> bool {
        self.manner.search == SearchOrder::BreadthFirst && !self.cut_off
    }

    /// Takes in all states in which a run may begin.
    fn begin(&mut self, properties: &[Property], goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Found> {
        for beginning in 0..self.system.beginnings() {
            if beginning % BETWEEN_LOOKS as u64 == BETWEEN_LOOKS as u64 - 1 && !self.may_go_on(goes_on) {
                return Some(Found::CutOff);
            }
            let (state, _) = self.system.begin(beginning);
            let (number, _) = self.states.add(States::hash(&state), &state, NOBODY);
            if let Some(found) = self.judge(properties, &state, number) {
                return Some(found);
            }
        }
        None
    }

    /// How many states were found.
    pub const fn count(&self) -> usize {
        self.states.len()
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

    /// How many enter the section of a lock on the way from a state to another; others may leave it on the same way.
    pub fn entries(&self, from: u32, to: u32, lock: LockId) -> usize {
        let nodes = NodeId::all(self.nodes());
        nodes.map(|node| self.has(to, node, lock).saturating_sub(self.has(from, node, lock))).sum()
    }

    /// The request of a node for a lock that waits in a state, by its number, if it is looked for how often others enter
    /// first.
    pub fn waits(&self, number: u32, node: NodeId, lock: LockId) -> Option<u32> {
        let waits = self.facts(number, node)?.waits.filter(|waits| waits.lock == lock)?;
        Some(waits.number)
    }

    /// Whether the request of a node that waits has arrived in a state.
    pub fn has_arrived(&self, number: u32, node: NodeId) -> bool {
        self.system.has_arrived(self.state(number as usize), node)
    }

    /// How many steps a state is from the beginning.
    pub fn depth_of(&self, number: u32) -> usize {
        self.numbers_to(number).len() - 1
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

    /// Shows by what which states follow from one; none for a state that was not found before the search was cut off.
    pub fn follow(&mut self, number: u32, mut show: impl FnMut(Move, Kind, Option<u32>)) {
        let Self { system, states, .. } = self;
        system.successors(states.state(number as usize), &mut Vec::new(), |happens, kind, next| {
            show(happens, kind, states.find(States::hash(next), next));
        });
    }

    /// How far states have grown, of which there may be no end.
    pub fn growth(&mut self) -> Option<Growth> {
        let Self { system, states, .. } = self;
        Growth::of(system, states.len(), |number| states.state(number))
    }

    /// The numbers of a state.
    pub fn state(&self, number: usize) -> &[u32] {
        self.states.state(number)
    }

    /// The way from the beginning to a state, itself included.
    pub fn way_to(&self, state: u32) -> Vec<Vec<u32>> {
        self.numbers_to(state).into_iter().map(|number| self.state(number as usize).to_vec()).collect()
    }

    /// The same by the numbers of states.
    pub fn numbers_to(&self, state: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = state;
        while at != NOBODY {
            way.push(at);
            at = self.states.parent(at);
        }
        way.reverse();
        way
    }

    fn measure(&mut self) {
        let ways = self.ways.as_ref().map_or(0, Ways::memory);
        self.progress.states = self.states.len() as u64;
        let open = self.open * size_of::<(u32, u32)>();
        self.progress.memory = (self.states.memory() + ways + open + self.system.memory()) as u64;
    }

    /// Takes in all that follows from states, one after the other; what is not known yet of it is worked out.
    fn take_in_all(&mut self, properties: &[Property], first: usize, batches: &[Batch]) -> Option<Found> {
        let mut from = first;
        for batch in batches {
            batch.touch_new(&self.states);
            let found = self.take_in_batch(properties, from, batch);
            if found.is_some() {
                return found;
            }
            from += batch.len();
        }
        None
    }

    /// Takes in all that follows from the states of a batch. Ends where one breaks a rule at which nothing follows: what
    /// follows from those before it is a step further away, if it breaks one.
    fn take_in_batch(&mut self, properties: &[Property], first: usize, batch: &Batch) -> Option<Found> {
        let mut alone = Batch::default();
        (0..batch.len()).find_map(|place| {
            let from = first + place;
            #[cfg(test)]
            if self.system.passes_over == u32::try_from(from).ok() {
                return None;
            }
            if let Some(followers) = batch.of(place) {
                return self.take_in(properties, from, followers);
            }
            alone.fill(self.system, &self.states, from..from + 1);
            self.take_in(properties, from, alone.of(0).into_iter().flatten())
        })
    }

    /// Takes in all that follows from a state.
    fn take_in<'b>(
        &mut self,
        properties: &[Property],
        from: usize,
        followers: impl Iterator<Item = Follower<'b>>,
    ) -> Option<Found> {
        let number = u32::try_from(from).unwrap_or(NOBODY);
        let mut is_owed = false;
        for Follower { kind, hash, state: next, found } in followers {
            self.progress.transitions += 1;
            is_owed |= kind == Kind::Owed;
            if self.broken.is_some() {
                continue;
            }
            let (place, new) = found.map_or_else(|| self.states.add(hash, next, number), |found| (found, false));
            if new {
                self.broken = self.judge(properties, next, place);
            }
            if let Some(ways) = self.ways.as_mut().filter(|_| kind != Kind::Fault) {
                ways.add(place);
            }
        }
        if let Some(ways) = &mut self.ways {
            ways.end(number);
        }
        if !is_owed {
            let state = self.states.state(from);
            if !self.system.facts(state).any(|facts| facts.timers) {
                let broken = properties.iter().find(|property| property.is_broken_at_rest(self.system, state));
                return broken.map(|&property| Found::Broken(property, number));
            }
        }
        None
    }

    /// Looks at a state that has been taken in; what it breaks is said.
    fn judge(&self, properties: &[Property], state: &[u32], number: u32) -> Option<Found> {
        self.system.look(state);
        let broken = properties.iter().find(|property| property.is_broken(self.system, state))?;
        Some(Found::Broken(*broken, number))
    }

    /// The first state from which no way leads to where nobody waits, if ways were noted.
    fn dead_end(&mut self) -> Option<u32> {
        let ways = self.ways.take()?;
        // Where timers are set that may not run out any more, nobody knows.
        let calm =
            |state: &[u32]| !self.system.facts(state).any(|facts| facts.waiting) || self.system.is_out_of_time(state);
        ways.dead_end(self.states.len(), |number| calm(self.state(number as usize)))
    }
}
