//! What has happened to one key, in the order of the clock that all processes of the machine share.
//!
//! A process may be told of later than another though it was earlier. What is judged is what is known: an operation that
//! nobody has been told of can explain nothing that others found, for whoever was told of what it did was told by messages
//! that came after its beginning. And while an end is unknown the operation lasts.

use interlock_algorithm::{Operation, Response};

use super::register::{Number, Register};

/// How many events are named where there is no order: the latest.
const MOST_NAMED: usize = 12;

/// The beginnings and ends of operations on a key.
#[derive(Debug, Default)]
pub struct History {
    happenings: Vec<Happening>,
    register: Register,
    begun: Number,
    /// Whether there is no order in which all have taken effect.
    is_broken: bool,
}

#[derive(Debug)]
struct Happening {
    at_us: u64,
    seq: u64,
    number: Number,
    what: What,
}

/// At the same instant beginnings come first: then the operations last at the same time.
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
    /// An operation has begun, by this event; its number.
    pub fn begin(&mut self, (at_us, seq): (u64, u64), operation: &Operation) -> Number {
        self.begun += 1;
        self.take(Happening { at_us, seq, number: self.begun, what: What::Begins(operation.clone()) });
        self.begun
    }

    /// An operation has ended, by this event: the latest events on the key if from now on there is no order any more in which
    /// all have taken effect.
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
