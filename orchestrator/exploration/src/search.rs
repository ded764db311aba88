//! All states. Breadth first, the first one that breaks a rule is as near to the beginning as any.

mod fewest;
#[cfg(test)]
mod tests;

use std::ops::Range;

use interlock_algorithm::{LockId, NodeId};

use super::batch::Batch;
use super::expansion::{Broken, Expansion};
use super::growth::Growth;
use super::manner::{Manner, SearchOrder};
use super::moves::{Kind, Move};
use super::parts::Facts;
use super::pipeline::{self, Asked, Told};
use super::property::Property;
use super::seen::Seen;
use super::states::{NOBODY, States};
use super::system::System;
use super::ways::Ways;
use interlock_model::choice::Choice;

/// How many states are looked at before it is asked whether to go on.
const BETWEEN_LOOKS: usize = 4_096;
/// How many states are expanded in one go: enough that what is looked for then is many times what memory fetches at once.
const MOST_EXPANDED: usize = 32;

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
    expansion: Expansion<'s, 'a>,
    manner: Manner,
    seen: Seen,
    /// Whether it was ended before every state had been looked at.
    cut_off: bool,
    /// The layers that were begun to be looked at, breadth first: those of a layer are as far from the beginning as stand
    /// before it here.
    layers: Vec<Range<usize>>,
    /// From where no way leads out, of the states that are as far from the beginning as the nearest of them, breadth first.
    dead_ends: Vec<u32>,
    /// How many states wait for being looked at, depth first.
    open: usize,
    pub progress: Progress,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(system: &'s mut System<'a>, properties: &'s [Property], manner: Manner) -> Self {
        let seen = Seen::new(system.width());
        let expansion = Expansion::new(system, properties);
        let progress = Progress::default();
        Self { expansion, manner, seen, cut_off: false, layers: Vec::new(), dead_ends: Vec::new(), open: 0, progress }
    }

    /// Looks at all states, or until `goes_on` says no.
    pub fn run(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Found {
        self.seen.ways = self.expansion.looks_for(Property::WayOut).then(Ways::default);
        self.begin(goes_on);
        let at_rest = match self.manner.search {
            _ if self.cut_off => None,
            SearchOrder::BreadthFirst => self.in_layers(goes_on),
            SearchOrder::DepthFirst => self.in_depth(goes_on),
        };
        self.measure();
        match at_rest.or(self.expansion.broken) {
            Some((property, state)) => Found::Broken(property, state),
            None if self.cut_off => Found::CutOff,
            None => self.dead_end().map_or(Found::Nothing, |state| Found::Broken(Property::WayOut, state)),
        }
    }

    /// Takes in all states in which a run may begin, up to one that breaks a rule.
    fn begin(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) {
        for beginning in 0..self.expansion.system.beginnings() {
            let is_look = beginning % BETWEEN_LOOKS as u64 == BETWEEN_LOOKS as u64 - 1;
            if self.expansion.broken.is_some() || is_look && !self.may_go_on(goes_on) {
                return;
            }
            let (state, _) = self.expansion.system.begin(beginning);
            let known = self.count();
            self.seen.states.add(States::hash(&state), &state, NOBODY);
            self.expansion.judge((known..self.count()).map(|number| (number, &*state)));
        }
    }

    /// Looks at what was found first, a layer after the other: what is as far from the beginning. Says what is broken where
    /// nothing is owed; it ends with the layer before what is broken otherwise.
    fn in_layers(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Broken> {
        let (mut layer, mut batch) = (0..self.count(), Batch::default());
        while !layer.is_empty() && self.expansion.broken.is_none() {
            self.layers.push(layer.clone());
            let at_rest = if self.manner.threads.get() > 1 && layer.len() >= pipeline::LEAST {
                self.share_layer(layer.clone(), goes_on)
            } else {
                self.look_at_layer(layer.clone(), &mut batch, goes_on)
            };
            if at_rest.is_some() || self.cut_off {
                return at_rest;
            }
            layer = layer.end..self.count();
            self.progress.depth += u32::from(!layer.is_empty());
        }
        None
    }

    fn look_at_layer(
        &mut self,
        layer: Range<usize>,
        batch: &mut Batch,
        goes_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Option<Broken> {
        let mut current = layer.start;
        while current < layer.end {
            if current.is_multiple_of(BETWEEN_LOOKS) && !self.may_go_on(goes_on) {
                return None;
            }
            // What is looked at in one go ends where it is asked whether to go on.
            let next_look = (current / BETWEEN_LOOKS + 1) * BETWEEN_LOOKS;
            let end = layer.end.min(next_look).min(current + MOST_EXPANDED);
            let (count, at_rest) = self.look_at(current..end, batch);
            if at_rest.is_some() {
                return at_rest;
            }
            current += count;
        }
        None
    }

    /// Looks at the first of these states, and takes in what follows; says of how many, and what is broken where nothing is
    /// owed.
    fn look_at(&mut self, numbers: Range<usize>, batch: &mut Batch) -> (usize, Option<Broken>) {
        let Self { expansion, seen, .. } = self;
        let (count, at_rest) = expansion.expand(seen.each(numbers.clone()), batch);
        let new = seen.take_in(numbers.start, batch);
        expansion.judge(seen.each(new));
        (count, at_rest)
    }

    /// Looks at a layer while another thread takes in what follows.
    fn share_layer(&mut self, layer: Range<usize>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Broken> {
        let Self { expansion, seen, progress, .. } = self;
        let (mut at_rest, mut cut_off) = (None, false);
        let (mut left, mut next_look) = (layer.len(), layer.start.next_multiple_of(BETWEEN_LOOKS));
        pipeline::share(seen, layer, |told, ask| {
            let mut ask = Some(ask);
            for Told { new, next, memory, is_full, mut batch } in told {
                expansion.judge(new.each());
                progress.states = expansion.states(new.end());
                if next.end() > next_look {
                    next_look = next.end().next_multiple_of(BETWEEN_LOOKS);
                    progress.memory = (memory + expansion.system.memory()) as u64;
                    progress.transitions = expansion.transitions;
                    cut_off |= !goes_on(progress) || is_full;
                }
                let mut rest = next.each();
                let mut first = next.first();
                while let Some(asks) = ask.as_ref().filter(|_| !cut_off && first < next.end()) {
                    let (count, broken) = expansion.expand(rest.clone(), &mut batch);
                    at_rest = broken;
                    left -= count;
                    let is_last = at_rest.is_some() || first + count >= next.end();
                    let asked = Asked { first, batch: std::mem::take(&mut batch), is_last };
                    if asks.send(asked).is_err() || at_rest.is_some() {
                        ask = None;
                    }
                    first += count;
                    rest.nth(count - 1);
                }
                if cut_off || left == 0 {
                    ask = None;
                }
            }
        });
        self.cut_off |= cut_off;
        at_rest
    }

    /// Looks at what was found last, up to what breaks a rule; says what is broken where nothing is owed.
    fn in_depth(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Broken> {
        // Those that are not looked at yet, each with how many steps it was found from the beginning.
        let mut open: Vec<_> = (0..self.count()).rev().map(|number| (number, 0)).collect();
        let mut batch = Batch::default();
        let mut looked_at = 0_usize;
        while let Some((number, depth)) = open.pop().filter(|_| self.expansion.broken.is_none()) {
            if looked_at.is_multiple_of(BETWEEN_LOOKS) && !self.may_go_on(goes_on) {
                return None;
            }
            looked_at += 1;
            self.progress.depth = self.progress.depth.max(depth);
            let known = self.count();
            let (_, at_rest) = self.look_at(number..number + 1, &mut batch);
            if at_rest.is_some() {
                return at_rest;
            }
            open.extend((known..self.count()).rev().map(|new| (new, depth + 1)));
            self.open = open.len();
        }
        None
    }

    /// Whether more states may be looked at; notes it if not.
    fn may_go_on(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> bool {
        self.measure();
        self.cut_off |= !goes_on(&self.progress) || self.seen.is_full();
        !self.cut_off
    }

    /// Whether nothing that breaks a rule is nearer to the beginning than what was found.
    pub fn is_shortest(&self) -> bool {
        self.manner.search == SearchOrder::BreadthFirst && !self.cut_off
    }

    /// How many states were found.
    pub const fn count(&self) -> usize {
        self.seen.states.len()
    }

    /// How many privileges there are in a state; none if the algorithm does not know.
    pub fn privileges(&self, number: usize) -> Option<usize> {
        self.expansion.system.privileges(self.state(number))
    }

    /// How many nodes there are.
    pub const fn nodes(&self) -> u32 {
        self.expansion.system.nodes()
    }

    /// Whether a node wants a lock in a state.
    pub fn wants(&self, number: u32, node: NodeId, lock: LockId) -> bool {
        self.facts(number, node).is_some_and(|facts| facts.wanted.contains(&lock))
    }

    /// How many units of a lock a node has in a state.
    pub fn has(&self, number: u32, node: NodeId, lock: LockId) -> usize {
        self.facts(number, node).map_or(0, |facts| facts.inside.iter().filter(|other| **other == lock).count())
    }

    /// How often others than a node enter the section of a lock on the way from a state to another; some may leave it on the
    /// same way.
    pub fn entries(&self, from: u32, to: u32, node: NodeId, lock: LockId) -> usize {
        let others = NodeId::all(self.nodes()).filter(|other| *other != node);
        others.map(|node| self.has(to, node, lock).saturating_sub(self.has(from, node, lock))).sum()
    }

    /// The request of a node for a lock that waits in a state, by its number, if it is looked for how often others enter
    /// first.
    pub fn waits(&self, number: u32, node: NodeId, lock: LockId) -> Option<u32> {
        let waits = self.facts(number, node)?.waits.iter().find(|waits| waits.lock == lock)?;
        Some(waits.number)
    }

    /// Whether the request of a node that waits for a lock has arrived in a state.
    pub fn has_arrived(&self, number: u32, node: NodeId, lock: LockId) -> bool {
        self.expansion.system.has_arrived(self.state(number as usize), node, lock)
    }

    /// How many steps a state is from the beginning.
    pub fn depth_of(&self, number: u32) -> usize {
        self.numbers_to(number).len() - 1
    }

    fn facts(&self, number: u32, node: NodeId) -> Option<&Facts> {
        self.expansion.system.facts(self.state(number as usize)).nth(node.index())
    }

    /// Whether what is sent is known in the same instant.
    pub const fn is_instantaneous(&self) -> bool {
        self.expansion.system.is_instantaneous()
    }

    /// What a node does by itself in a state, as anybody could let it happen.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        self.expansion.system.choice(state, node, place)
    }

    /// Shows by what which states follow from one; none for a state that was not found before the search was cut off.
    pub fn follow(&mut self, number: u32, mut show: impl FnMut(Move, Kind, Option<u32>)) {
        let Self { expansion, seen: Seen { states, .. }, .. } = self;
        expansion.system.successors(states.state(number as usize), &mut Vec::new(), |happens, kind, next| {
            show(happens, kind, states.find(States::hash(next), next));
        });
    }

    /// How far states have grown, of which there may be no end.
    pub fn growth(&self) -> Option<Growth> {
        Growth::of(self.expansion.system, self.count(), |number| self.state(number))
    }

    /// The numbers of a state.
    pub fn state(&self, number: usize) -> &[u32] {
        self.seen.states.state(number)
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
            at = self.seen.states.parent(at);
        }
        way.reverse();
        way
    }

    fn measure(&mut self) {
        let open = self.open * size_of::<(usize, u32)>();
        self.progress.states = self.expansion.states(self.count());
        self.progress.transitions = self.expansion.transitions;
        self.progress.memory = (self.seen.memory() + open + self.expansion.system.memory()) as u64;
    }

    /// The first state from which no way leads to where nobody waits, if ways were noted.
    fn dead_end(&mut self) -> Option<u32> {
        let ways = self.seen.ways.take()?;
        let system = &self.expansion.system;
        // Where timers are set that may not run out any more, nobody knows.
        let calm = |state: &[u32]| !system.facts(state).any(|facts| facts.waiting) || system.is_out_of_time(state);
        let dead_ends = ways.dead_ends(self.count(), |number| calm(self.state(number as usize)));
        let first = *dead_ends.first()?;
        let layer = self.layers.iter().find(|layer| layer.contains(&(first as usize)));
        let as_near = |number: &&u32| layer.is_some_and(|layer| layer.contains(&(**number as usize)));
        self.dead_ends = dead_ends.iter().take_while(as_near).copied().collect();
        Some(first)
    }
}
