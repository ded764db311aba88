//! Requests that wait for an event or a condition of a run.

use interlock_algorithm::{NodeId, RequestId};
use tokio::sync::oneshot;

use interlock_model::event::{Event, What};
use interlock_observation::state::State;
use interlock_simulation::scenario::Watch;

/// Maximum number of waiting requests of a run.
pub const MOST_WAITERS: usize = 1_000;

/// The waiting requests of a run.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    pub waiting: Vec<Waiter>,
    pub numbered: u64,
    /// Time of the latest check of conditions that depend on time, in microseconds since the run began.
    looked_us: u64,
}

/// A waiting request.
#[derive(Debug)]
pub(super) struct Waiter {
    pub number: u64,
    pub wanted: Wanted,
    pub sender: oneshot::Sender<Heard>,
}

/// A request that has just begun to wait.
#[derive(Debug)]
pub struct Awaited {
    /// Receives the result.
    pub heard: oneshot::Receiver<Heard>,
    /// The event after which it waits.
    pub since: u64,
    pub(super) number: Option<u64>,
}

/// The result of a wait: the `seq` of the event that met the condition, or why none will.
pub type Heard = Result<u64, InVain>;

/// Why a condition can no longer be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InVain {
    /// The run is stuck, and deliveries of existing messages or expiries of existing timers cannot change that.
    Stuck,
    /// The run is over.
    Ended,
}

/// The event or condition that a request waits for.
#[derive(Debug)]
pub(super) enum Wanted {
    Until(Watch),
    /// Waits to the end of the run, even if it is stuck: a command may change that.
    UntilTheEnd(Watch),
    Entry(NodeId, RequestId),
}

impl Waiters {
    /// Adds a waiting request.
    pub fn add(&mut self, wanted: Wanted) -> oneshot::Receiver<Heard> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        self.numbered += 1;
        // Beyond the maximum, the sender is dropped here, which ends the wait of its receiver with an error.
        if self.waiting.len() < MOST_WAITERS {
            self.waiting.push(Waiter { number: self.numbered, wanted, sender });
        }
        receiver
    }

    /// Waits until this request of a node is granted.
    pub fn entry(&mut self, node: NodeId, request: RequestId) -> oneshot::Receiver<Heard> {
        self.add(Wanted::Entry(node, request))
    }

    /// Answers the requests that are waiting for this event.
    pub fn observe(&mut self, event: &Event) {
        if !self.waiting.is_empty() {
            let is_entry = |of: NodeId, request: RequestId| matches!(&event.what, What::Entered { at, request: entered, .. } if (at.node, *entered) == (of, request));
            self.tell(|wanted| {
                let met = match wanted {
                    Wanted::Until(watch) | Wanted::UntilTheEnd(watch) => watch.observe(event),
                    Wanted::Entry(node, request) => is_entry(*node, *request),
                };
                met.then_some(Ok(event.seq))
            });
        }
    }

    /// At the end of a turn, answers the requests whose condition of the whole run is met or can no longer be met.
    pub fn settle(&mut self, state: &State, now_us: u64, pending: usize) {
        if self.waiting.is_empty() {
            return;
        }
        self.looked_us = now_us;
        let is_stuck = is_stuck(state, pending);
        self.tell(|wanted| {
            let (watch, gives_up) = match wanted {
                Wanted::Until(watch) => (watch, is_stuck),
                Wanted::UntilTheEnd(watch) => (watch, false),
                Wanted::Entry(..) => return None,
            };
            if watch.look(state, now_us, pending) {
                return Some(Ok(state.seq()));
            }
            (gives_up && waits_in_vain(watch, state)).then_some(Err(InVain::Stuck))
        });
    }

    /// Returns the time of the next check of conditions that depend on time, in microseconds since the run began.
    pub fn next_look(&self, state: &State) -> Option<u64> {
        let next = |waiter: &Waiter| match &waiter.wanted {
            Wanted::Until(watch) | Wanted::UntilTheEnd(watch) => watch.next_look(state),
            Wanted::Entry(..) => None,
        };
        self.waiting.iter().filter_map(next).filter(|at_us| *at_us > self.looked_us).min()
    }

    /// Answers all requests at the end of the run.
    pub fn dismiss(&mut self) {
        self.tell(|_| Some(Err(InVain::Ended)));
    }

    fn tell(&mut self, mut heard: impl FnMut(&mut Wanted) -> Option<Heard>) {
        let mut place = 0;
        while place < self.waiting.len() {
            if let Some(heard) = heard(&mut self.waiting[place].wanted) {
                // The receiver may have given up.
                let _ = self.waiting.swap_remove(place).sender.send(heard);
            } else {
                place += 1;
            }
        }
    }
}

/// Whether the run is stuck and no manual delivery or expiry helps.
pub(super) fn is_stuck(state: &State, pending: usize) -> bool {
    state.standstill(pending).is_some_and(|standstill| standstill.hands.are_tied())
}

/// Whether a condition must remain unmet in a stuck run: the passing of time alone does not meet it.
pub(super) fn waits_in_vain(watch: &Watch, state: &State) -> bool {
    watch.next_look(state).is_none()
}
