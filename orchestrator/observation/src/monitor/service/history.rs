//! The history of one key, ordered by the clock that all processes of the machine share.
//!
//! An earlier event may be reported after a later one. The monitor judges what is known so far. A process learns of
//! the effect of an operation only by messages sent after its invocation. The effect that a read has found is
//! therefore never that of an operation whose invocation is still unknown. An operation whose end is not yet known is
//! still open.

use interlock_algorithm::{Operation, Response};

use super::register::{Number, Register};

/// Maximum number of events in a violation: the latest ones.
const MOST_NAMED: usize = 12;

/// The invocations and ends of operations on a key.
#[derive(Debug, Default)]
pub struct History {
    happenings: Vec<Happening>,
    register: Register,
    begun: Number,
    /// Whether no order explains all operations.
    is_broken: bool,
}

#[derive(Debug)]
struct Happening {
    at_us: u64,
    seq: u64,
    number: Number,
    what: What,
}

/// Invocations come before ends at the same instant, so that such operations overlap.
#[derive(Debug)]
enum What {
    Begins(Operation),
    Ends(Response),
}

impl Happening {
    const fn place(&self) -> (u64, bool) {
        (self.at_us, matches!(self.what, What::Ends(_)))
    }

    fn apply(&self, register: &mut Register) -> bool {
        match &self.what {
            What::Begins(operation) => {
                register.begin(self.number, operation);
                true
            }
            What::Ends(response) => register.end(self.number, response),
        }
    }
}

impl History {
    /// Records that an operation has begun, by this event. Returns its number.
    pub fn begin(&mut self, (at_us, seq): (u64, u64), operation: &Operation) -> Number {
        self.begun += 1;
        self.take(Happening { at_us, seq, number: self.begun, what: What::Begins(operation.clone()) });
        self.begun
    }

    /// Records that an operation has ended, by this event. If this is the first moment at which no order explains
    /// all operations, returns the latest events on the key.
    pub fn end(&mut self, (at_us, seq): (u64, u64), number: Number, response: &Response) -> Option<Vec<u64>> {
        self.take(Happening { at_us, seq, number, what: What::Ends(response.clone()) }).then(|| self.named())
    }

    fn named(&self) -> Vec<u64> {
        let mut named: Vec<u64> =
            self.happenings.iter().rev().take(MOST_NAMED).map(|happening| happening.seq).collect();
        named.sort_unstable();
        named
    }

    fn take(&mut self, happening: Happening) -> bool {
        if self.is_broken {
            return false;
        }
        let place = self.happenings.partition_point(|other| other.place() <= happening.place());
        let is_last = place == self.happenings.len();
        self.is_broken = is_last && !happening.apply(&mut self.register);
        self.happenings.insert(place, happening);
        if !is_last {
            self.register = Register::default();
            self.is_broken = !self.happenings.iter().all(|happening| happening.apply(&mut self.register));
        }
        self.is_broken
    }
}
