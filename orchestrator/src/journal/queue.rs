//! The bounded queue between the producers of a run's events and the writer thread.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Status;
use interlock_model::event::Event;

/// Number of pending items at which the writer starts a transaction without waiting for more items.
const ENOUGH: usize = 2_048;
/// Number of events that a producer appends before it checks again whether the writer lags behind.
const PIECE: usize = 1_024;

/// Limits of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum number of events.
    pub events: usize,
    /// Maximum number of snapshots.
    pub snapshots: usize,
    /// Maximum time that an event waits until it is committed. If the oldest event has waited longer, producers
    /// wait. This limits how many events a SIGKILL can lose.
    pub age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { events: 65_536, snapshots: 16, age: Duration::from_millis(25) }
    }
}

/// Events and snapshots that the writer takes from the queue together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Events, in order.
    pub events: Vec<Event>,
    /// Snapshots, in order. Each is the number of an event and the state after the event. The event is in this batch
    /// or in an earlier batch.
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

/// Reason why the queue was closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// The run has ended.
    Finished {
        /// Status of the run.
        status: Status,
        /// Reason for the end.
        because: Option<String>,
    },
    /// The last handle of the journal was dropped without a call of `finish`.
    Abandoned,
}

#[derive(Debug)]
pub(super) struct Queue {
    limits: Limits,
    state: Mutex<State>,
    /// Wakes the writer, which waits for items.
    work: Condvar,
    /// Wakes producers, which wait for space in the queue.
    room: Condvar,
}

#[derive(Debug)]
struct State {
    pending: Batch,
    /// Time at which the oldest event in `pending` was queued.
    pending_since: Option<Instant>,
    /// Time at which the oldest event in the batch that is being written was queued.
    writing_since: Option<Instant>,
    /// Number of pending items at which a producer wakes the writer.
    wake_at: usize,
    /// Whether the queue accepts more items.
    open: bool,
    closing: Option<Closing>,
}

impl State {
    /// Returns the time at which the oldest uncommitted event was queued.
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

    /// Queues events, in order. Waits for space while the queue is full. Discards the events if the queue is
    /// closed.
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

    /// Queues a snapshot of the state. Waits for space while the queue is full. Discards the snapshot if the queue
    /// is closed.
    pub fn snapshot(&self, seq: u64, text: String) {
        let mut state = self.admitted();
        if state.open {
            state.pending.snapshots.push((seq, text));
            self.arrived(&mut state);
        }
    }

    /// Closes the queue. If it is already closed, the first reason stays.
    pub fn close(&self, closing: Closing) {
        let mut state = self.lock();
        if mem::replace(&mut state.open, false) {
            state.closing = Some(closing);
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }

    /// Waits until an item is pending, and then until `earliest` for more items, or until [`ENOUGH`] items are
    /// pending. Swaps the pending items with `batch`, which must be empty. If the queue is closed, returns the
    /// reason; no further items follow in that case.
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

    /// Records that the batch that [`take`](Self::take) has returned last is committed.
    pub fn committed(&self) {
        self.lock().writing_since = None;
        self.room.notify_all();
    }

    /// Records that the writer has stopped. Pending events are discarded, and so are all later events.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.open = false;
        state.pending = Batch::default();
        drop(state);
        self.room.notify_all();
    }

    /// Waits until the queue has space or is closed, and returns its state.
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
        // Waking a thread is a system call. So the writer is woken only if it sleeps, and only once.
        if state.pending.len() >= state.wake_at {
            state.wake_at = usize::MAX;
            self.work.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
