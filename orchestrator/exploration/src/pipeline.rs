//! Two threads for one layer of a breadth-first search. The main thread computes successors, and a second thread
//! looks them up in the visited set. Each thread owns the data that it needs. The second thread adds states in the
//! order in which a single thread would add them. So the numbers of the states and the edges are the same.

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::batch::Batch;
use super::visited::Visited;

/// Number of states in one share of the work. It is large, so that the cost of waking a thread is negligible. In
/// tests it is small, because the explored configurations are small.
const SHARE: usize = if cfg!(test) { 4 } else { 1_024 };
/// Maximum number of shares in circulation: for each of the two threads, the share on which the thread works, and one
/// share that waits for the thread.
const UNDER_WAY: usize = 4;
/// Minimum number of states in a layer for which a second thread saves time.
pub(super) const LEAST: usize = 4 * SHARE;

/// The successors of some states, which the second thread looks up.
pub(super) struct Asked {
    /// Number of the first expanded state.
    pub first: usize,
    pub batch: Batch,
    /// Whether this batch is the last batch of its share.
    pub is_last: bool,
}

/// Answer of the second thread: the result of a share, and the next share.
pub(super) struct Told {
    /// New states among the successors in the share.
    pub new: Rows,
    /// States of the next share; empty if no states are left.
    pub next: Rows,
    /// Number of bytes that the visited set occupies.
    pub memory: usize,
    /// Whether the visited set is full.
    pub is_full: bool,
    /// A used batch, whose memory the main thread can reuse.
    pub batch: Batch,
}

impl Told {
    fn of(seen: &Visited, new: Range<usize>, next: Rows, batch: Batch) -> Self {
        Self { new: Rows::of(seen, new), next, memory: seen.memory(), is_full: seen.is_full(), batch }
    }
}

/// A sequence of states with consecutive numbers.
#[derive(Default)]
pub(super) struct Rows {
    /// The number of the first state.
    first: usize,
    count: usize,
    states: Vec<u32>,
}

impl Rows {
    fn of(seen: &Visited, numbers: Range<usize>) -> Self {
        let mut states = Vec::new();
        numbers.clone().for_each(|number| states.extend_from_slice(seen.states.state(number)));
        Self { first: numbers.start, count: numbers.len(), states }
    }

    /// Returns the number of the first state.
    pub const fn first(&self) -> usize {
        self.first
    }

    /// Returns the number that follows the number of the last state.
    pub const fn end(&self) -> usize {
        self.first + self.count
    }

    /// Returns the states, each with its number.
    pub fn each(&self) -> impl Iterator<Item = (usize, &[u32])> + Clone {
        let width = self.states.len() / self.count.max(1);
        (self.first..).zip(self.states.chunks_exact(width.max(1)))
    }
}

/// Starts the second thread, which distributes the states of a layer and adds their successors. In the meantime, the
/// main thread runs `work_out`, which computes the successors.
pub(super) fn share<T>(
    seen: &mut Visited,
    layer: Range<usize>,
    work_out: impl FnOnce(Receiver<Told>, SyncSender<Asked>) -> T,
) -> T {
    let (ask, asked) = sync_channel(UNDER_WAY);
    // The channel has room for all shares in circulation. The thread that adds states therefore never waits for the
    // thread that computes successors.
    let (tell, told) = sync_channel(UNDER_WAY + 1);
    thread::scope(|scope| {
        scope.spawn(move || hand_out(seen, layer, &asked, &tell));
        work_out(told, ask)
    })
}

/// Distributes the states of a layer, and adds their successors. Ends when the main thread stops sending successors.
fn hand_out(seen: &mut Visited, layer: Range<usize>, asked: &Receiver<Asked>, tell: &SyncSender<Told>) {
    let mut known = seen.states.len();
    let firsts = layer.clone().step_by(SHARE);
    let mut shares = firsts.map(|first| first..(first + SHARE).min(layer.end));
    for share in shares.by_ref().take(UNDER_WAY) {
        let next = Rows::of(seen, share);
        if tell.send(Told::of(seen, known..known, next, Batch::default())).is_err() {
            return;
        }
    }
    while let Ok(Asked { first, batch, is_last }) = asked.recv() {
        let new = known..seen.take_in(first, &batch).end;
        if !is_last {
            continue;
        }
        known = new.end;
        let next = shares.next().map(|share| Rows::of(seen, share)).unwrap_or_default();
        // If the search has ended, the main thread no longer receives, and sending fails. No further batch arrives
        // in that case.
        let _heard = tell.send(Told::of(seen, new, next, batch));
    }
}
