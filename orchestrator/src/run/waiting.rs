//! Waiting until something happens in a run.

use interlock_algorithm::{NodeId, RequestId};
use tokio::sync::oneshot;

use super::core::Core;
use interlock_model::event::{Event, What};
use interlock_model::scenario::{Until, Watch};
use interlock_model::state::State;

/// The most who may wait for something in one run.
pub const MOST_WAITERS: usize = 1_000;

/// Those who wait.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    waiting: Vec<Waiter>,
    numbered: u64,
    /// When they were last told what comes about as time passes, in microseconds since the run began.
    looked_us: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    wanted: Wanted,
    sender: oneshot::Sender<Heard>,
}

/// Somebody waits, and for what comes from now on.
#[derive(Debug)]
pub struct Awaited {
    /// Told when it is so, or that it does not come any more.
    pub heard: oneshot::Receiver<Heard>,
    /// The event after which it is waited.
    pub since: u64,
    number: Option<u64>,
}

/// What those who wait are told: by which event it came about, or why it does not.
pub type Heard = Result<u64, InVain>;

/// Why what is waited for does not come about any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InVain {
    /// Nothing can move, and no hand that only helps what is there on its way can change that.
    Stuck,
    /// The run is over.
    Ended,
}

#[derive(Debug)]
enum Wanted {
    Until(Watch),
    /// To the end of the run, though nothing moves: a hand may change that.
    UntilTheEnd(Watch),
    Entry(NodeId, RequestId),
}

impl Waiters {
    fn add(&mut self, wanted: Wanted) -> oneshot::Receiver<Heard> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        self.numbered += 1;
        // One too many is told that nobody will tell it: its sender is dropped here.
        if self.waiting.len() < MOST_WAITERS {
            self.waiting.push(Waiter { number: self.numbered, wanted, sender });
        }
        receiver
    }

    /// Waits until this request of a node is granted.
    pub fn entry(&mut self, node: NodeId, request: RequestId) -> oneshot::Receiver<Heard> {
        self.add(Wanted::Entry(node, request))
    }

    /// Tells those whom an event concerns.
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

    /// Tells those who wait for a condition of the whole run, when a turn is over, and those who wait in vain.
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

    /// When they are to be looked at again although nothing happens, in microseconds since the run began.
    pub fn next_look(&self, state: &State) -> Option<u64> {
        let next = |waiter: &Waiter| match &waiter.wanted {
            Wanted::Until(watch) | Wanted::UntilTheEnd(watch) => watch.next_look(state),
            Wanted::Entry(..) => None,
        };
        self.waiting.iter().filter_map(next).filter(|at_us| *at_us > self.looked_us).min()
    }

    /// Tells all that nothing will come any more.
    pub fn dismiss(&mut self) {
        self.tell(|_| Some(Err(InVain::Ended)));
    }

    fn tell(&mut self, mut heard: impl FnMut(&mut Wanted) -> Option<Heard>) {
        let mut place = 0;
        while place < self.waiting.len() {
            if let Some(heard) = heard(&mut self.waiting[place].wanted) {
                // Whoever has given up waiting need not be told.
                let _ = self.waiting.swap_remove(place).sender.send(heard);
            } else {
                place += 1;
            }
        }
    }
}

impl Core {
    /// Tells the seq at which it is so, at once if it is now; or that it does not come any more.
    pub fn wait(&mut self, until: &Until) -> Awaited {
        let since = self.latest();
        let mut watch = Watch::new(until);
        let pending = self.pending_inputs();
        let heard = if watch.look_first(&self.state, self.time.now_us(), pending) {
            Ok(self.latest())
        } else if self.ended.is_some() {
            Err(InVain::Ended)
        } else if is_stuck(&self.state, pending) && waits_in_vain(&watch, &self.state) {
            Err(InVain::Stuck)
        } else {
            let heard = self.waiters.add(Wanted::Until(watch));
            return Awaited { heard, since, number: Some(self.waiters.numbered) };
        };
        let (sender, receiver) = oneshot::channel();
        let _ = sender.send(heard);
        Awaited { heard: receiver, since, number: None }
    }

    /// Tells the seq at which it is so from now on, to the end of the run: for whoever is about to move what stands still.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.waiters.add(Wanted::UntilTheEnd(Watch::new(until)))
    }

    /// Somebody who waits has seen this much of it before: what counts goes on from there.
    pub fn absorb(&mut self, awaited: &Awaited, before: &Watch) {
        let (now_us, pending, seq) = (self.time.now_us(), self.pending_inputs(), self.latest());
        let Self { waiters, state, .. } = self;
        let Some(place) = waiters.waiting.iter().position(|waiter| Some(waiter.number) == awaited.number) else {
            return;
        };
        if let Wanted::Until(watch) = &mut waiters.waiting[place].wanted
            && (watch.absorb(before) || watch.look(state, now_us, pending))
        {
            let _ = waiters.waiting.swap_remove(place).sender.send(Ok(seq));
        }
    }
}

fn is_stuck(state: &State, pending: usize) -> bool {
    state.standstill(pending).is_some_and(|standstill| standstill.hands.are_tied())
}

/// Whether what is watched for does not come about in a run that is stuck: time that passes alone brings nothing of it.
fn waits_in_vain(watch: &Watch, state: &State) -> bool {
    watch.next_look(state).is_none()
}
