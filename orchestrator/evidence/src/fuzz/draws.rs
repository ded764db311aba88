//! Random choices that are drawn from a seed.

use interlock_algorithm::NodeId;
use interlock_machine::draw::{draw, unit};

/// A sequence of random choices that depends only on the seed.
pub(super) struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    /// Creates the sequence of random choices for `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    fn bits(&mut self) -> u64 {
        self.drawn += 1;
        draw(&[self.seed, self.drawn])
    }

    /// Draws a number from `low` to `high`, both included.
    pub fn number(&mut self, low: u64, high: u64) -> u64 {
        interlock_machine::draw::evenly(self.bits(), low, high)
    }

    /// Draws one item of `choices`, or returns `None` if there are none.
    pub fn one<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let last = choices.len().saturating_sub(1) as u64;
        usize::try_from(self.number(0, last)).ok().and_then(|place| choices.get(place))
    }

    /// Draws one word of `choices`.
    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.one(choices).copied().unwrap_or_default()
    }

    /// Returns true with the probability `probability`.
    pub fn happens(&mut self, probability: f64) -> bool {
        unit(self.bits()) < probability
    }

    /// Draws one of `nodes` nodes.
    pub fn node(&mut self, nodes: u64) -> NodeId {
        NodeId(u32::try_from(self.number(0, nodes.saturating_sub(1))).unwrap_or_default())
    }

    /// Returns a random selection of the numbers below `count`, in ascending order. Each number is selected with the
    /// probability `probability`.
    pub fn some(&mut self, count: u64, probability: f64) -> Vec<u64> {
        (0..count).filter(|_| self.happens(probability)).collect()
    }
}
