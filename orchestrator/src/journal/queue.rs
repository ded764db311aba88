//! The bounded queue between the producers of a run and the thread that writes.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Status;
use interlock_model::event::Event;

/// So many events are worth a transaction of their own, and are not kept waiting for more.
const ENOUGH: usize = 2_048;
/// So many events are taken in before it is asked again whether the writer lags behind.
const PIECE: usize = 1_024;

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// How many events.
    pub events: usize,
    /// How many snapshots.
    pub snapshots: usize,
    /// How long the oldest event may have waited before producers wait too. It bounds what a SIGKILL can cost.
    pub age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { events: 65_536, snapshots: 16, age: Duration::from_millis(25) }
    }
}

/// What is written together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The states after some of them or of earlier ones, in order.
    pub snapshots: Vec<(u64, String)>,
}

impl Batch {
    fn len(&self) -> usize {
        self.events.len() + self.snapshots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn clear(&mut self) {
        self.events.clear();
        self.snapshots.clear();
    }
}

/// Why nothing more comes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// The run has ended so.
    Finished {
        /// How.
        status: Status,
        /// Why.
        because: Option<String>,
    },
    /// Nobody holds the journal any more.
    Abandoned,
}

#[derive(Debug)]
pub(super) struct Queue {
    limits: Limits,
    state: Mutex<State>,
    /// There is something for the writer.
    work: Condvar,
    /// There may be room for a producer.
    room: Condvar,
}

#[derive(Debug)]
struct State {
    pending: Batch,
    /// Since when the oldest of `pending` waits.
    pending_since: Option<Instant>,
    /// Since when the oldest of what is being written waits.
    writing_since: Option<Instant>,
    /// With how much pending the writer wants to be woken.
    wake_at: usize,
    /// Whether anything more is taken in.
    open: bool,
    closing: Option<Closing>,
}

impl State {
    /// Since when the oldest waits of all that is not committed.
    fn waiting_since(&self) -> Option<Instant> {
        self.writing_since.or(self.pending_since)
    }
}

impl Queue {
    pub fn new(limits: Limits) -> Self {
        let state = State {
            pending: Batch::default(),
            pending_since: None,
            writing_since: None,
            wake_at: usize::MAX,
            open: true,
            closing: None,
        };
        Self { limits, state: Mutex::new(state), work: Condvar::new(), room: Condvar::new() }
    }

    /// Takes events in, in order, waiting for room where there is none. Discards them if the queue is closed.
    pub fn append(&self, events: &mut Vec<Event>) {
        let mut rest = events.drain(..);
        while rest.len() > 0 {
            let mut state = self.admitted();
            if !state.open {
                return;
            }
            let room = PIECE.min(self.limits.events - state.pending.events.len());
            state.pending.events.extend(rest.by_ref().take(room));
            self.arrived(&mut state);
        }
    }

    /// Takes a state in, waiting for room if there is none. Discards it if the queue is closed.
    pub fn snapshot(&self, seq: u64, text: String) {
        let mut state = self.admitted();
        if state.open {
            state.pending.snapshots.push((seq, text));
            self.arrived(&mut state);
        }
    }

    /// Nothing more comes; the first reason counts.
    pub fn close(&self, closing: Closing) {
        let mut state = self.lock();
        if mem::replace(&mut state.open, false) {
            state.closing = Some(closing);
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }

    /// Waits until something is pending, and then until `earliest` for more of it, unless there is enough; swaps it
    /// with `batch`, which must be empty. After a closing has been returned, nothing comes.
    pub fn take(&self, batch: &mut Batch, earliest: Instant) -> Option<Closing> {
        let mut state = self.lock();
        state.wake_at = 1;
        let quiet = |state: &mut State| state.pending.is_empty() && state.closing.is_none();
        state = self.work.wait_while(state, quiet).unwrap_or_else(PoisonError::into_inner);
        state.wake_at = ENOUGH;
        let little = |state: &mut State| state.pending.len() < ENOUGH && state.closing.is_none();
        let patience = earliest.saturating_duration_since(Instant::now());
        (state, _) = self.work.wait_timeout_while(state, patience, little).unwrap_or_else(PoisonError::into_inner);
        state.wake_at = usize::MAX;
        mem::swap(&mut state.pending, batch);
        state.writing_since = state.pending_since.take();
        self.room.notify_all();
        state.closing.take()
    }

    /// What was taken is committed.
    pub fn committed(&self) {
        self.lock().writing_since = None;
        self.room.notify_all();
    }

    /// Nobody writes any more: whatever is pending and whatever comes is discarded.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.open = false;
        state.pending = Batch::default();
        drop(state);
        self.room.notify_all();
    }

    /// Waits until something more may be taken in, or nothing ever will be.
    fn admitted(&self) -> MutexGuard<'_, State> {
        let state = self.lock();
        self.room.wait_while(state, |state| state.open && self.is_full(state)).unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self, state: &State) -> bool {
        state.pending.events.len() >= self.limits.events
            || state.pending.snapshots.len() >= self.limits.snapshots
            || state.waiting_since().is_some_and(|since| since.elapsed() > self.limits.age)
    }

    fn arrived(&self, state: &mut State) {
        state.pending_since.get_or_insert_with(Instant::now);
        // To wake somebody is a system call, so only who sleeps is woken, and once.
        if state.pending.len() >= state.wake_at {
            state.wake_at = usize::MAX;
            self.work.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
