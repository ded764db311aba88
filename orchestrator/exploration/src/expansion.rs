//! What is done with each state: it is judged, and what follows from it is worked out.

use super::batch::Batch;
use super::moves::Kind;
use super::property::Property;
use super::system::System;

/// A rule that is broken, and the state that breaks it.
pub(super) type Broken = (Property, u32);

/// Works out what follows from states, and judges them.
pub(super) struct Expansion<'s, 'a> {
    pub system: &'s mut System<'a>,
    properties: &'s [Property],
    /// The first state that breaks a rule, while others as near as those it follows from may break one at rest.
    pub broken: Option<Broken>,
    /// How many ways from a state to another were looked at.
    pub transitions: u64,
}

impl<'s, 'a> Expansion<'s, 'a> {
    pub fn new(system: &'s mut System<'a>, properties: &'s [Property]) -> Self {
        Self { system, properties, broken: None, transitions: 0 }
    }

    /// Whether this is looked for.
    pub fn looks_for(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// How many states there are of so many that were found: what was found after one that breaks a rule does not count.
    pub fn states(&self, found: usize) -> u64 {
        self.broken.map_or(found as u64, |(_, number)| u64::from(number) + 1)
    }

    /// Judges new states, each with its number, up to the first that breaks a rule.
    pub fn judge<'n>(&mut self, new: impl Iterator<Item = (usize, &'n [u32])>) {
        for (number, state) in new {
            if self.broken.is_some() {
                break;
            }
            self.system.look(state);
            let broken = self.properties.iter().find(|property| property.is_broken(self.system, state));
            self.broken = broken.and_then(|broken| Some((*broken, u32::try_from(number).ok()?)));
        }
    }

    /// Works out what follows from the first of some states, each with its number; says from how many. Ends with one that
    /// breaks a rule since nothing is owed there: what follows from those before it is a step further away, if it breaks one.
    pub fn expand<'n>(
        &mut self,
        states: impl Iterator<Item = (usize, &'n [u32])> + Clone,
        batch: &mut Batch,
    ) -> (usize, Option<Broken>) {
        let count = batch.fill(self.system, states.clone().map(|(_, state)| state));
        let mut at_rest = None;
        for (place, (followers, (number, state))) in batch.each().zip(states).enumerate() {
            let (mut ways, mut is_owed) = (0, false);
            followers.for_each(|(kind, ..)| {
                ways += 1;
                is_owed |= kind == Kind::Owed;
            });
            self.transitions += ways;
            if !is_owed && let Some(property) = self.broken_at_rest(state) {
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

    /// The rule that is broken by a state where nothing is owed, if one is.
    fn broken_at_rest(&self, state: &[u32]) -> Option<Property> {
        let rests = rests(self.system, state);
        self.properties.iter().copied().find(|property| rests && property.is_broken_at_rest(self.system, state))
    }
}

/// Whether no timer is set in a state that might help where nothing is owed.
pub(super) fn rests(system: &System<'_>, state: &[u32]) -> bool {
    !system.facts(state).any(|facts| facts.timers)
}
