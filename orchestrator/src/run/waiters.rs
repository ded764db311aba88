//! Requests of clients that wait for an event or a condition of a run.

use interlock_algorithm::{NodeId, Outcome, RequestId};
use tokio::sync::oneshot;

use interlock_model::event::Event;
use interlock_observation::state::State;
use interlock_simulation::scenario::{Until, Watch};

/// Maximum number of waiting requests for each run.
pub const MOST_WAITERS: usize = 1_000;

/// The waiting requests of a run.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    waiting: Vec<Waiter>,
    numbered: u64,
    /// Time of the latest check of time-dependent conditions, in microseconds since the run began.
    looked_us: u64,
}

/// A waiting request.
#[derive(Debug)]
struct Waiter {
    number: u64,
    wanted: Wanted,
    sender: oneshot::Sender<Heard>,
}

/// Handle of a request that has just begun to wait.
#[derive(Debug)]
pub struct Awaited {
    /// Receives the result.
    pub heard: oneshot::Receiver<Heard>,
    /// Number of the latest event when the wait began; only later events count.
    pub since: u64,
    number: Option<u64>,
}

/// The result of a wait: the `seq` of the event that met the condition, or the reason why no event will meet it.
pub type Heard = Result<u64, InVain>;

/// Reason why a condition can no longer be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InVain {
    /// The run is stuck, and neither a delivery of a message in the network nor an expiry of a pending timer can
    /// change that.
    Stuck,
    /// The run is over.
    Ended,
}

/// The event or condition that a request waits for.
#[derive(Debug)]
enum Wanted {
    Until(Watch),
    /// The request waits until the condition is met or the run ends. It also waits while the run is stuck, because a
    /// command may end that state.
    UntilTheEnd(Watch),
    Entry(NodeId, RequestId),
}

impl Waiters {
    /// Waits until a condition is met, or answers at once if it is already met or cannot be met.
    pub fn wait(&mut self, until: &Until, (state, now_us, pending): (&State, u64, usize), is_over: bool) -> Awaited {
        let since = state.seq();
        let mut watch = Watch::new(until);
        let heard = if watch.look_first(state, now_us, pending) {
            Ok(since)
        } else if is_over {
            Err(InVain::Ended)
        } else if is_stuck(state, pending) && waits_in_vain(&watch, state) {
            Err(InVain::Stuck)
        } else {
            let heard = self.add(Wanted::Until(watch));
            return Awaited { heard, since, number: Some(self.numbered) };
        };
        let (sender, receiver) = oneshot::channel();
        let _ = sender.send(heard);
        Awaited { heard: receiver, since, number: None }
    }

    /// Waits until a later event meets a condition, even if the run is stuck.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.add(Wanted::UntilTheEnd(Watch::new(until)))
    }

    /// Adds the observations of `before`, from earlier events, to a wait that has already begun.
    pub fn absorb(&mut self, awaited: &Awaited, before: &Watch, (state, now_us, pending): (&State, u64, usize)) {
        let is_it = |waiter: &Waiter| Some(waiter.number) == awaited.number;
        let Some(place) = self.waiting.iter().position(is_it) else { return };
        if let Wanted::Until(watch) = &mut self.waiting[place].wanted
            && (watch.absorb(before) || watch.look(state, now_us, pending))
        {
            let _ = self.waiting.swap_remove(place).sender.send(Ok(state.seq()));
        }
    }

    /// Adds a waiting request. The returned receiver gets the result.
    fn add(&mut self, wanted: Wanted) -> oneshot::Receiver<Heard> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        self.numbered += 1;
        // If there are too many requests, the sender is dropped here, so the receiver gets an error at once.
        if self.waiting.len() < MOST_WAITERS {
            self.waiting.push(Waiter { number: self.numbered, wanted, sender });
        }
        receiver
    }

    /// Adds a client's request that waits until `request`, the lock request of `node`, is granted.
    pub fn entry(&mut self, node: NodeId, request: RequestId) -> oneshot::Receiver<Heard> {
        self.add(Wanted::Entry(node, request))
    }

    /// Answers the requests whose condition `event` meets.
    pub fn observe(&mut self, event: &Event) {
        if !self.waiting.is_empty() {
            let is_entry = |of: NodeId, request: RequestId| matches!(event.outcome(), Some((at, Outcome::Entered { request: entered, .. })) if (at.node, *entered) == (of, request));
            self.tell(|wanted| {
                let met = match wanted {
                    Wanted::Until(watch) | Wanted::UntilTheEnd(watch) => watch.observe(event),
                    Wanted::Entry(node, request) => is_entry(*node, *request),
                };
                met.then_some(Ok(event.seq))
            });
        }
    }

    /// Answers the requests whose condition on the whole run is met now, or can no longer be met.
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

    /// Returns the time of the next check of time-dependent conditions, in microseconds since the run began.
    pub fn next_look(&self, state: &State) -> Option<u64> {
        let next = |waiter: &Waiter| match &waiter.wanted {
            Wanted::Until(watch) | Wanted::UntilTheEnd(watch) => watch.next_look(state),
            Wanted::Entry(..) => None,
        };
        self.waiting.iter().filter_map(next).filter(|at_us| *at_us > self.looked_us).min()
    }

    /// Answers all requests with an error, because the run has ended.
    pub fn dismiss(&mut self) {
        self.tell(|_| Some(Err(InVain::Ended)));
    }

    fn tell(&mut self, mut heard: impl FnMut(&mut Wanted) -> Option<Heard>) {
        let mut place = 0;
        while place < self.waiting.len() {
            if let Some(heard) = heard(&mut self.waiting[place].wanted) {
                // An error means that the receiver no longer waits.
                let _ = self.waiting.swap_remove(place).sender.send(heard);
            } else {
                place += 1;
            }
        }
    }
}

/// Whether the run is stuck, and neither a manual delivery nor a manual expiry can change that.
fn is_stuck(state: &State, pending: usize) -> bool {
    state.standstill(pending).is_some_and(|standstill| standstill.hands.are_tied())
}

/// Whether a condition cannot be met in a stuck run. This is false if the passing of time alone can meet the
/// condition.
fn waits_in_vain(watch: &Watch, state: &State) -> bool {
    watch.next_look(state).is_none()
}
