//! What a seed decides.

use interlock_node::draw::{draw, unit};

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
        interlock_node::draw::evenly(self.bits(), low, high)
    }

    /// One of these.
    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let last = choices.len().saturating_sub(1) as u64;
        usize::try_from(self.number(0, last)).ok().and_then(|place| choices.get(place)).copied().unwrap_or_default()
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        unit(self.bits()) < probability
    }
}
