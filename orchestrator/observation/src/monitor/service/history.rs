//! The history of the operations on one key, ordered by the clock that all processes of the machine share.
//!
//! Events may be reported late, after the reports of later events. The monitor judges the events that it knows so
//! far. If a read returns the value that an operation wrote, the invocation of that operation is already known. The
//! reason is that the value can spread only in messages sent after the invocation. An operation whose end is not
//! known yet counts as open.

use interlock_algorithm::{Operation, Response};

use super::register::{Number, Register};

/// Maximum number of events named in a violation. If there are more events, the latest are named.
const MOST_NAMED: usize = 12;

/// The invocations and ends of all operations on a key.
#[derive(Debug, Default)]
pub struct History {
    happenings: Vec<Happening>,
    register: Register,
    begun: Number,
    /// Whether no order of the operations explains all results.
    is_broken: bool,
}

#[derive(Debug)]
struct Happening {
    at_us: u64,
    seq: u64,
    number: Number,
    what: What,
}

/// The kinds of events on a key. At the same instant, invocations come before ends, so that such operations overlap.
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
    /// Records that the given event began an operation. Returns the number of the operation.
    pub fn begin(&mut self, (at_us, seq): (u64, u64), operation: &Operation) -> Number {
        self.begun += 1;
        self.take(Happening { at_us, seq, number: self.begun, what: What::Begins(operation.clone()) });
        self.begun
    }

    /// Records that the given event ended an operation. If from now on no order of the operations explains all
    /// results, returns the latest events on the key.
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
