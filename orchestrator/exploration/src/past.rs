//! The requests in the causal past of a process. They are part of the explored state only if the order of requests
//! is checked.
//!
//! [`Precedence`](interlock_observation::monitor::precedence::Precedence), which checks a stream of events, uses
//! the same definition. In an exploration, a request is identified by its process and its number among the requests
//! of that process. The causal past of a process therefore fits into one vector, which messages carry.

use interlock_algorithm::{LockId, NodeId, Outcome};

/// Causal past: for each process, the number of its latest request in the past; 0 if there is none.
pub(super) type Heard = Box<[u32]>;

/// The requests that a process has learnt of, and its present request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Past {
    heard: Heard,
    request: Option<Request>,
}

/// A request that waits, or a granted request whose critical section the process has not left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Request {
    pub lock: LockId,
    /// Number of the request among the requests of its process, from 1.
    pub number: u32,
    /// Requests of which the process had learnt when it made this request.
    pub before: Heard,
    pub granted: bool,
}

impl Past {
    /// Creates the past of a process before its first step, in a run of `nodes` processes.
    pub fn new(nodes: u32) -> Self {
        Self { heard: NodeId::all(nodes).map(|_| 0).collect(), request: None }
    }

    /// Returns the present request.
    pub const fn request(&self) -> Option<&Request> {
        self.request.as_ref()
    }

    /// Returns the causal past of the process, for a message that it sends now.
    pub fn told(&self) -> Heard {
        self.heard.clone()
    }

    /// Adds the causal past that a received message carries.
    pub fn hear(&mut self, told: &[u32]) {
        self.heard.iter_mut().zip(told).for_each(|(heard, told)| *heard = (*heard).max(*told));
    }

    /// Updates the past with an outcome of a step of the process.
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

    /// Updates the past after a crash of the process. Its request will never be granted, but its causal past
    /// remains.
    pub fn crash(&mut self) {
        self.request = None;
    }
}

impl Request {
    /// Returns whether this request was granted out of order. This is so if `other`, a request of process `of` for
    /// the same lock, happened before this request and still waits.
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
        past.learn(NodeId(me), &Outcome::requested(lock, RequestId(1)));
    }

    fn enters(past: &mut Past, me: u32) {
        past.learn(NodeId(me), &Outcome::Entered { lock: LOCK, request: RequestId(1), fence: None });
    }

    /// P0 requests `lock`, and then P1 requests and enters lock 0. Returns whether P1 has passed P0. If `hears`, P1
    /// learns of P0's request before it requests. If `first_enters`, P0 enters before P1 does.
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
