//! The bounded queue between the producers of a run and the thread that writes.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Status;
use interlock_model::event::Event;

/// Number of pending events at which the writer starts a transaction without waiting for more events.
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
    /// Maximum age of the oldest event. If it is exceeded, producers wait. It bounds the loss by a SIGKILL.
    pub age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { events: 65_536, snapshots: 16, age: Duration::from_millis(25) }
    }
}

/// Batch for one transaction.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Events, in order.
    pub events: Vec<Event>,
    /// States after some of these events or earlier ones, in order.
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
    /// The last handle of the journal was dropped.
    Abandoned,
}

#[derive(Debug)]
pub(super) struct Queue {
    limits: Limits,
    state: Mutex<State>,
    /// Signals that there is work for the writer.
    work: Condvar,
    /// Signals that there may be room for a producer.
    room: Condvar,
}

#[derive(Debug)]
struct State {
    pending: Batch,
    /// Start of the wait of the oldest event in `pending`.
    pending_since: Option<Instant>,
    /// Start of the wait of the oldest event in the batch that is being written.
    writing_since: Option<Instant>,
    /// Number of pending items at which a producer wakes the writer.
    wake_at: usize,
    /// Whether the queue accepts more items.
    open: bool,
    closing: Option<Closing>,
}

impl State {
    /// Returns the start of the wait of the oldest uncommitted event.
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

    /// Queues events, in order. If the queue is full, waits for room. If the queue is closed, discards the events.
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

    /// Queues a snapshot of the state. If the queue is full, waits for room. If the queue is closed, discards the
    /// snapshot.
    pub fn snapshot(&self, seq: u64, text: String) {
        let mut state = self.admitted();
        if state.open {
            state.pending.snapshots.push((seq, text));
            self.arrived(&mut state);
        }
    }

    /// Closes the queue. Of several closings, the first counts.
    pub fn close(&self, closing: Closing) {
        let mut state = self.lock();
        if mem::replace(&mut state.open, false) {
            state.closing = Some(closing);
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }

    /// Waits until an item is pending, and then until `earliest` for more items, unless [`ENOUGH`] are pending.
    /// Swaps the pending items with `batch`, which must be empty. Once a closing has been returned, no further
    /// items arrive.
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

    /// Records that the taken batch is committed.
    pub fn committed(&self) {
        self.lock().writing_since = None;
        self.room.notify_all();
    }

    /// Records that the writer has stopped: pending and further events are discarded.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.open = false;
        state.pending = Batch::default();
        drop(state);
        self.room.notify_all();
    }

    /// Waits until the queue has room, or is closed.
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
        // A wake-up is a system call. So it happens only if the writer sleeps, and only once.
        if state.pending.len() >= state.wake_at {
            state.wake_at = usize::MAX;
            self.work.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
