//! Chance: what happens to a message is a function of the seed and of the message's name.

use interlock_algorithm::Ticks;
use interlock_machine::distribution::Distribution;
use interlock_machine::draw::{draw, unit};
use interlock_machine::message_id::MessageId;

/// The draws that belong to one copy of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageDraws {
    /// The seed of the run.
    pub seed: u64,
    /// The message.
    pub id: MessageId,
}

/// Each kind of fault draws for itself, so that switching one on does not shift another.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Loss = 1,
    Duplication = 2,
    Delay = 3,
    Rule = 4,
}

impl MessageDraws {
    /// Whether the message is lost, with this probability.
    pub fn lost(self, probability: f64) -> bool {
        self.happens(Fault::Loss, probability)
    }

    /// Whether a copy is made of it, with this probability.
    pub fn duplicated(self, probability: f64) -> bool {
        self.happens(Fault::Duplication, probability)
    }

    /// Whether a rule that matches it acts on it, with this probability.
    pub fn ruled(self, rule: u64, probability: f64) -> bool {
        unit(draw(&[self.bits(Fault::Rule), rule])) < probability
    }

    /// How long it is on its way, in microseconds.
    pub fn delay(self, distribution: &Distribution) -> Ticks {
        distribution.sample(self.bits(Fault::Delay))
    }

    fn happens(self, fault: Fault, probability: f64) -> bool {
        probability > 0.0 && unit(self.bits(fault)) < probability
    }

    fn bits(self, fault: Fault) -> u64 {
        let MessageId { from, to, number, copy } = self.id;
        draw(&[self.seed, u64::from(from.0), u64::from(to.0), number, u64::from(copy), fault as u64])
    }
}
