//! Which requests lie in the causal past of a process: kept only where the order of requests is looked for.
//!
//! What is meant by it is what [`Precedence`](interlock_observation::monitor::precedence::Precedence) finds in a stream of events. Here a request is known by the
//! process that made it and its number among those of that process, so that all of it is the past of one process and
//! goes its way with messages.

use interlock_algorithm::{LockId, NodeId, Outcome};

/// The number of the latest request of each process that lies in the past of something; 0 is none.
pub(super) type Heard = Box<[u32]>;

/// What a process has heard of, and its present request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Past {
    heard: Heard,
    request: Option<Request>,
}

/// A request that waits, or that was granted and whose section has not been left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Request {
    pub lock: LockId,
    /// Its number among the requests of its process, from 1.
    pub number: u32,
    /// What its process had heard of when it was made.
    pub before: Heard,
    pub granted: bool,
}

impl Past {
    /// Of a process of a run of so many, before it begins.
    pub fn new(nodes: u32) -> Self {
        Self { heard: NodeId::all(nodes).map(|_| 0).collect(), request: None }
    }

    /// The present request.
    pub const fn request(&self) -> Option<&Request> {
        self.request.as_ref()
    }

    /// What a message tells that is sent now.
    pub fn told(&self) -> Heard {
        self.heard.clone()
    }

    /// Takes what a message tells.
    pub fn hear(&mut self, told: &[u32]) {
        self.heard.iter_mut().zip(told).for_each(|(heard, told)| *heard = (*heard).max(*told));
    }

    /// Takes what has come about at its process.
    pub fn learn(&mut self, me: NodeId, outcome: &Outcome) {
        match outcome {
            Outcome::Requested { lock, .. } => {
                let before = self.heard.clone();
                let number = before[me.index()].saturating_add(1);
                self.heard[me.index()] = number;
                self.request = Some(Request { lock: *lock, number, before, granted: false });
            }
            Outcome::Entered { lock, .. } => {
                if let Some(request) = self.request.as_mut().filter(|request| request.lock == *lock) {
                    request.granted = true;
                }
            }
            Outcome::Exited { lock, .. } => {
                self.request = self.request.take().filter(|request| !request.granted || request.lock != *lock);
            }
            _ => {}
        }
    }

    /// Its process has crashed: what it wanted it will never have, and what it has heard of stays in its past.
    pub fn crash(&mut self) {
        self.request = None;
    }
}

impl Request {
    /// Whether it was granted although this one, of that process, had happened before it and still waits.
    pub fn has_passed(&self, of: NodeId, other: &Self) -> bool {
        let waits = !other.granted && other.lock == self.lock;
        self.granted && waits && self.before[of.index()] == other.number
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::RequestId;

    use super::*;

    const LOCK: LockId = LockId(0);

    #[test]
    fn an_entry_is_one_by_its_own_request() {
        let (mut first, mut second) = (Past::new(2), Past::new(2));
        asks(&mut second, 1, LockId(0));
        asks(&mut first, 0, LockId(1));
        second.hear(&first.told());
        asks(&mut second, 1, LockId(1));
        enters(&mut second, 1);
        let waits = first.request().expect("it waits");
        assert!(!second.request().expect("it waits, too").has_passed(NodeId(0), waits), "it has entered lock 0");
    }

    fn asks(past: &mut Past, me: u32, lock: LockId) {
        past.learn(NodeId(me), &Outcome::Requested { lock, request: RequestId(1) });
    }

    fn enters(past: &mut Past, me: u32) {
        past.learn(NodeId(me), &Outcome::Entered { lock: LOCK, request: RequestId(1), fence: None });
    }

    /// Whether P1 has passed P0, who asked for this lock first; P1 heard of it or not, and P0 has entered or not.
    fn has_passed(lock: LockId, hears: bool, first_enters: bool) -> bool {
        let (mut first, mut second) = (Past::new(2), Past::new(2));
        asks(&mut first, 0, lock);
        if hears {
            second.hear(&first.told());
        }
        asks(&mut second, 1, LOCK);
        if first_enters {
            enters(&mut first, 0);
        }
        enters(&mut second, 1);
        second.request().zip(first.request()).is_some_and(|(second, first)| second.has_passed(NodeId(0), first))
    }

    #[test]
    fn a_request_passes_those_only_that_it_has_heard_of_and_that_wait_for_the_same() {
        assert!(has_passed(LOCK, true, false));
        assert!(!has_passed(LOCK, false, false));
        assert!(!has_passed(LOCK, true, true));
        assert!(!has_passed(LockId(1), true, false));
    }

    #[test]
    fn what_is_heard_late_of_an_earlier_request_says_nothing_of_the_next() {
        let (mut first, mut second) = (Past::new(2), Past::new(2));
        asks(&mut first, 0, LOCK);
        let told = first.told();
        first.crash();
        asks(&mut first, 0, LOCK);
        second.hear(&told);
        asks(&mut second, 1, LOCK);
        enters(&mut second, 1);
        assert!(
            second.request().zip(first.request()).is_some_and(|(second, first)| !second.has_passed(NodeId(0), first))
        );
    }
}
