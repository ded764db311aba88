//! The work on each state: checking its properties and computing its successors. An event is *owed* if fairness
//! requires that it eventually occurs: see [`fairness`](super::fairness).

use super::batch::Batch;
use super::marks::Marks;
use super::moves::Kind;
use super::property::Property;
use super::system::System;

/// A violated property, and the number of the state that violates it.
pub(super) type Broken = (Property, u32);

/// Computes the successors of states, and checks the properties of states.
pub(super) struct Expansion<'s, 'a> {
    pub system: &'s mut System<'a>,
    properties: &'s [Property],
    /// Marks that the checks look for. A state without any of these marks violates no property that is checked.
    needed: Marks,
    /// The first violation found in a new state. One of the states that are being expanded may still violate a
    /// property at rest. Such a violation takes precedence, because it is one step closer to the start.
    pub broken: Option<Broken>,
    /// Number of transitions examined.
    pub transitions: u64,
}

impl<'s, 'a> Expansion<'s, 'a> {
    pub fn new(system: &'s mut System<'a>, properties: &'s [Property]) -> Self {
        let needed = properties.iter().fold(Marks::NONE, |needed, property| needed.with(property.marks()));
        Self { system, properties, needed, broken: None, transitions: 0 }
    }

    /// Returns whether this property is checked.
    pub fn looks_for(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// Returns the number of states to report, if the search has found `found` states. States that were found after
    /// a violation do not count.
    pub fn states(&self, found: usize) -> u64 {
        self.broken.map_or(found as u64, |(_, number)| u64::from(number) + 1)
    }

    /// Checks the properties of new states. `new` gives each state with its number. Stops at the first violation.
    pub fn judge<'n>(&mut self, new: impl Iterator<Item = (usize, &'n [u32])>) {
        for (number, state) in new {
            if self.broken.is_some() {
                break;
            }
            self.system.look(state);
            let marks = self.system.marks(state);
            if !marks.intersects(self.needed) {
                continue;
            }
            let mut may_break = self.properties.iter().copied().filter(|property| property.marks().intersects(marks));
            let broken = may_break.find(|property| property.is_broken(self.system, state));
            self.broken = broken.and_then(|broken| Some((broken, u32::try_from(number).ok()?)));
        }
    }

    /// Computes the successors of the first of these states. `states` gives each state with its number. Returns the
    /// number of expanded states and, if there is one, the violation that ended the expansion.
    ///
    /// The expansion ends at a state that has no owed event and thereby violates a property. This state is one step
    /// closer to the start than any violating successor of an earlier state.
    pub fn expand<'n>(
        &mut self,
        states: impl Iterator<Item = (usize, &'n [u32])> + Clone,
        batch: &mut Batch,
    ) -> (usize, Option<Broken>) {
        let count = batch.fill(self.system, states.clone().map(|(_, state)| state));
        let mut at_rest = None;
        for (place, (kinds, (number, state))) in batch.kinds().zip(states).enumerate() {
            self.transitions += kinds.len() as u64;
            if !kinds.contains(&Kind::Owed)
                && let Some(property) = self.broken_at_rest(state)
            {
                at_rest = u32::try_from(number).ok().map(|number| (place, (property, number)));
                break;
            }
        }
        if let Some((place, _)) = at_rest {
            batch.truncate(place + 1);
        }
        if self.broken.is_some() {
            batch.truncate(0);
        }
        (count, at_rest.map(|(_, broken)| broken))
    }

    /// Returns the property that a state violates by having no owed event, if there is one.
    fn broken_at_rest(&self, state: &[u32]) -> Option<Property> {
        let rests = rests(self.system, state);
        self.properties.iter().copied().find(|property| rests && property.is_broken_at_rest(self.system, state))
    }
}

/// Returns whether no timer is set in a state. If a timer is set, processes might make progress even without an owed
/// event.
pub(super) fn rests(system: &System<'_>, state: &[u32]) -> bool {
    !system.facts(state).any(|facts| facts.timers)
}
