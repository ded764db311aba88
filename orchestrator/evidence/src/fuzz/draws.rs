//! What a seed decides.

use interlock_algorithm::NodeId;
use interlock_machine::draw::{draw, unit};

/// Draws of one seed, one after the other.
pub(super) struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    /// Those of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    fn bits(&mut self) -> u64 {
        self.drawn += 1;
        draw(&[self.seed, self.drawn])
    }

    /// A number from `low` to `high`, both included.
    pub fn number(&mut self, low: u64, high: u64) -> u64 {
        interlock_machine::draw::evenly(self.bits(), low, high)
    }

    /// One of these, if there are any.
    pub fn one<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let last = choices.len().saturating_sub(1) as u64;
        usize::try_from(self.number(0, last)).ok().and_then(|place| choices.get(place))
    }

    /// One of these words.
    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.one(choices).copied().unwrap_or_default()
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        unit(self.bits()) < probability
    }

    /// One of so many nodes.
    pub fn node(&mut self, nodes: u64) -> NodeId {
        NodeId(u32::try_from(self.number(0, nodes.saturating_sub(1))).unwrap_or_default())
    }

    /// Each number below `count` with this probability, in order.
    pub fn some(&mut self, count: u64, probability: f64) -> Vec<u64> {
        (0..count).filter(|_| self.happens(probability)).collect()
    }
}
