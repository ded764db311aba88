//! Random faults. The seed of the run and the name of a message together determine the fate of the message.

use interlock_algorithm::Ticks;
use interlock_machine::distribution::Distribution;
use interlock_machine::draw::{draw, unit};
use interlock_machine::message_id::MessageId;

/// Random draws that decide the fate of one copy of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageDraws {
    /// Seed of the run.
    pub seed: u64,
    /// Name of the message.
    pub id: MessageId,
}

/// Kinds of faults. Each kind has its own random draws. So enabling one kind of fault does not change the draws of
/// another kind.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Loss = 1,
    Duplication = 2,
    Delay = 3,
    Rule = 4,
}

impl MessageDraws {
    /// Returns whether the message is lost. `probability` is the probability of a loss.
    pub fn lost(self, probability: f64) -> bool {
        self.happens(Fault::Loss, probability)
    }

    /// Returns whether the message is duplicated. `probability` is the probability of a duplication.
    pub fn duplicated(self, probability: f64) -> bool {
        self.happens(Fault::Duplication, probability)
    }

    /// Returns whether rule number `rule`, if it matches the message, acts on the message. `probability` is the
    /// probability that the rule acts.
    pub fn ruled(self, rule: u64, probability: f64) -> bool {
        unit(draw(&[self.bits(Fault::Rule), rule])) < probability
    }

    /// Returns the delay of the message, in microseconds.
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
