//! The search through all states. A breadth-first search finds a violation that is as close to an initial state as
//! possible.

mod fewest;
#[cfg(test)]
mod tests;

use std::ops::Range;

use interlock_algorithm::{LockId, NodeId};

use super::batch::Batch;
use super::edges::Edges;
use super::expansion::{Broken, Expansion};
use super::growth::Growth;
use super::moves::{Kind, Move};
use super::parts::Facts;
use super::pipeline::{self, Asked, Told};
use super::property::Property;
use super::states::{NOBODY, States};
use super::strategy::{SearchOrder, Strategy};
use super::system::System;
use super::visited::Visited;
use interlock_model::choice::Choice;

/// Number of states between two calls of `goes_on`, which may end the search.
const BETWEEN_LOOKS: usize = 4_096;
/// Maximum number of states that are expanded together. The successors of this many states already exceed the number of
/// rows that memory can fetch at once, so a larger number would not make lookups faster.
const MOST_EXPANDED: usize = 32;

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of states found.
    pub states: u64,
    /// Number of transitions examined.
    pub transitions: u64,
    /// Number of steps from an initial state to the states that are being examined.
    pub depth: u32,
    /// Approximate memory that the states and their parts occupy, in bytes.
    pub memory: u64,
    /// Whether all states have been found, so that the transitions between them are being examined.
    pub judging: bool,
}

/// The result of a search.
#[derive(Debug)]
pub(super) enum Found {
    /// All states were examined, and none of them violates a property.
    Nothing,
    /// The state with this number violates this property.
    Broken(Property, u32),
    /// The search ended before it had examined all states.
    CutOff,
}

/// A search and its visited set. States are numbered in the order of discovery.
pub(super) struct Search<'s, 'a> {
    expansion: Expansion<'s, 'a>,
    strategy: Strategy,
    seen: Visited,
    /// Whether the search ended before it had examined all states.
    cut_off: bool,
    /// For a breadth-first search, the layers whose examination has begun. The index of a layer is the distance of
    /// its states from an initial state.
    layers: Vec<Range<usize>>,
    /// For a breadth-first search, the dead ends closest to an initial state. No path leads from a dead end to a
    /// state without waiting processes.
    dead_ends: Vec<u32>,
    /// For a depth-first search, the number of states that have not been examined yet.
    open: usize,
    pub progress: Progress,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(system: &'s mut System<'a>, properties: &'s [Property], strategy: Strategy) -> Self {
        let seen = Visited::new(system.width());
        let expansion = Expansion::new(system, properties);
        let progress = Progress::default();
        Self { expansion, strategy, seen, cut_off: false, layers: Vec::new(), dead_ends: Vec::new(), open: 0, progress }
    }

    /// Examines all states. Stops if a state violates a property or `goes_on` returns false.
    pub fn run(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Found {
        self.seen.edges = self.expansion.looks_for(Property::WayOut).then(Edges::default);
        self.begin(goes_on);
        let at_rest = match self.strategy.search {
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

    /// Adds all initial states, up to the first that violates a property.
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

    /// Examines the states layer by layer. All states of a layer are equally far from an initial state. If a state
    /// without owed events violates a property, returns this violation. If a state violates a property by itself, the
    /// search ends with the layer before this state.
    fn in_layers(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Broken> {
        let (mut layer, mut batch) = (0..self.count(), Batch::default());
        while !layer.is_empty() && self.expansion.broken.is_none() {
            self.layers.push(layer.clone());
            let at_rest = if self.strategy.threads.get() > 1 && layer.len() >= pipeline::LEAST {
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
            // `goes_on` must be called before each state whose number is a multiple of `BETWEEN_LOOKS`. A batch
            // therefore ends before the next such state.
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

    /// Examines the first of these states, and adds their successors. Returns the number of examined states. If a
    /// state without owed events violates a property, also returns this violation.
    fn look_at(&mut self, numbers: Range<usize>, batch: &mut Batch) -> (usize, Option<Broken>) {
        let Self { expansion, seen, .. } = self;
        let (count, at_rest) = expansion.expand(seen.each(numbers.clone()), batch);
        let new = seen.take_in(numbers.start, batch);
        expansion.judge(seen.each(new));
        (count, at_rest)
    }

    /// Examines a layer, while a second thread adds the successors to the visited set.
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

    /// Examines the states depth first: always the state that was found last, until a state violates a property. If the
    /// violating state has no owed events, returns the violation.
    fn in_depth(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Option<Broken> {
        // The states that have not been examined yet. Each is stored with the length of the path on which the search
        // found it.
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

    /// Returns whether the search may continue. If the search may not continue, marks it as cut off.
    fn may_go_on(&mut self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> bool {
        self.measure();
        self.cut_off |= !goes_on(&self.progress) || self.seen.is_full();
        !self.cut_off
    }

    /// Returns whether it is certain that no violation is closer to an initial state than the violation found.
    pub fn is_shortest(&self) -> bool {
        self.strategy.search == SearchOrder::BreadthFirst && !self.cut_off
    }

    /// Returns the number of states found.
    pub const fn count(&self) -> usize {
        self.seen.states.len()
    }

    /// Returns the number of privileges in a state, or none if the algorithm does not define privileges.
    pub fn privileges(&self, number: usize) -> Option<usize> {
        self.expansion.system.privileges(self.state(number))
    }

    /// Returns the number of nodes.
    pub const fn nodes(&self) -> u32 {
        self.expansion.system.nodes()
    }

    /// Returns whether a node, in a state, waits for a lock or will wait for it when it has acquired other locks.
    pub fn wants(&self, number: u32, node: NodeId, lock: LockId) -> bool {
        self.facts(number, node).is_some_and(|facts| facts.wanted.contains(&lock))
    }

    /// Returns the number of units of a lock that a node holds in a state.
    pub fn has(&self, number: u32, node: NodeId, lock: LockId) -> usize {
        self.facts(number, node).map_or(0, |facts| facts.inside.iter().filter(|other| **other == lock).count())
    }

    /// Returns how many times other nodes enter the critical section of a lock during a transition. An entry is counted
    /// even if another node leaves in the same transition.
    pub fn entries(&self, from: u32, to: u32, node: NodeId, lock: LockId) -> usize {
        let others = NodeId::all(self.nodes()).filter(|other| *other != node);
        others.map(|node| self.has(to, node, lock).saturating_sub(self.has(from, node, lock))).sum()
    }

    /// Returns the number of the waiting request of a node for a lock in a state. Returns none if the node has no
    /// waiting request for the lock, or if bypasses are not checked.
    pub fn waits(&self, number: u32, node: NodeId, lock: LockId) -> Option<u32> {
        let waits = self.facts(number, node)?.waits.iter().find(|waits| waits.lock == lock)?;
        Some(waits.number)
    }

    /// Returns whether, in this state, the waiting request of a node for a lock has arrived. A request has arrived
    /// if no message in transit carries it, and the node is through its doorway.
    pub fn has_arrived(&self, number: u32, node: NodeId, lock: LockId) -> bool {
        self.expansion.system.has_arrived(self.state(number as usize), node, lock)
    }

    /// Returns the number of steps on the path on which the search found a state.
    pub fn depth_of(&self, number: u32) -> usize {
        self.numbers_to(number).len() - 1
    }

    fn facts(&self, number: u32, node: NodeId) -> Option<&Facts> {
        self.expansion.system.facts(self.state(number as usize)).nth(node.index())
    }

    /// Returns whether messages are received in the instant in which they are sent.
    pub const fn is_instantaneous(&self) -> bool {
        self.expansion.system.is_instantaneous()
    }

    /// Returns the action of a schedule for a local step of a node in a state.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        self.expansion.system.choice(state, node, place)
    }

    /// Passes each transition from a state to `show`, with the number of its target. If the search was cut off
    /// before it found the target, there is no number.
    pub fn follow(&mut self, number: u32, mut show: impl FnMut(Move, Kind, Option<u32>)) {
        let Self { expansion, seen: Visited { states, .. }, .. } = self;
        expansion.system.successors(states.state(number as usize), &mut Vec::new(), |happens, kind, next| {
            show(happens, kind, states.find(States::hash(next), next));
        });
    }

    /// If the states seem to grow without bound, returns the quantity that grows.
    pub fn growth(&self) -> Option<Growth> {
        Growth::of(self.expansion.system, self.count(), |number| self.state(number))
    }

    /// Returns the row of numbers that encodes a state.
    pub fn state(&self, number: usize) -> &[u32] {
        self.seen.states.state(number)
    }

    /// Returns the path on which the search found a state. The path begins with an initial state and ends with the
    /// state itself.
    pub fn way_to(&self, state: u32) -> Vec<Vec<u32>> {
        self.numbers_to(state).into_iter().map(|number| self.state(number as usize).to_vec()).collect()
    }

    /// Returns the path on which the search found a state, as numbers of states.
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

    /// If edges were recorded, returns the first dead end: a state from which no path leads to a state without
    /// waiting processes.
    fn dead_end(&mut self) -> Option<u32> {
        let edges = self.seen.edges.take()?;
        let system = &self.expansion.system;
        // If a timer is set but cannot expire because its budget is used up, the further course is unknown. Such a
        // state does not count as a dead end.
        let calm = |state: &[u32]| !system.facts(state).any(|facts| facts.waiting) || system.is_out_of_time(state);
        let dead_ends = edges.dead_ends(self.count(), |number| calm(self.state(number as usize)));
        let first = *dead_ends.first()?;
        let layer = self.layers.iter().find(|layer| layer.contains(&(first as usize)));
        let as_near = |number: &&u32| layer.is_some_and(|layer| layer.contains(&(**number as usize)));
        self.dead_ends = dead_ends.iter().take_while(as_near).copied().collect();
        Some(first)
    }
}
