//! Two threads for one layer of states: this one works out what follows from them, the other looks for it among those that
//! were found. What each of both needs it has for itself, and all is taken in in the order in which one thread would: so
//! numbers and ways are the same.

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::batch::Batch;
use super::seen::Seen;

/// How many states are handed over in one go: enough that to wake the other thread is nothing beside it; few in tests, whose
/// configurations are small.
const SHARE: usize = if cfg!(test) { 4 } else { 1_024 };
/// How many shares are under way: one that is worked on at each end, and one that waits for each.
const UNDER_WAY: usize = 4;
/// A layer of fewer states is not worth another thread.
pub(super) const LEAST: usize = 4 * SHARE;

/// What follows from some states, on its way to be looked for.
pub(super) struct Asked {
    /// The number of the first of the states.
    pub first: usize,
    pub batch: Batch,
    /// Whether this is all of its share.
    pub is_last: bool,
}

/// What has become of a share, and the next one.
pub(super) struct Told {
    /// The states that are new.
    pub new: Rows,
    /// The states of which it is to be worked out what follows, if any are left.
    pub next: Rows,
    /// How many bytes all that was found takes.
    pub memory: usize,
    /// Whether there is no room for more.
    pub is_full: bool,
    /// What can be filled again.
    pub batch: Batch,
}

impl Told {
    fn of(seen: &Seen, new: Range<usize>, next: Rows, batch: Batch) -> Self {
        Self { new: Rows::of(seen, new), next, memory: seen.memory(), is_full: seen.is_full(), batch }
    }
}

/// Some states, one after the other.
#[derive(Default)]
pub(super) struct Rows {
    /// The number of the first.
    first: usize,
    count: usize,
    states: Vec<u32>,
}

impl Rows {
    fn of(seen: &Seen, numbers: Range<usize>) -> Self {
        let mut states = Vec::new();
        numbers.clone().for_each(|number| states.extend_from_slice(seen.states.state(number)));
        Self { first: numbers.start, count: numbers.len(), states }
    }

    /// The number of the first.
    pub const fn first(&self) -> usize {
        self.first
    }

    /// The number after that of the last.
    pub const fn end(&self) -> usize {
        self.first + self.count
    }

    /// Each with its number.
    pub fn each(&self) -> impl Iterator<Item = (usize, &[u32])> + Clone {
        let width = self.states.len() / self.count.max(1);
        (self.first..).zip(self.states.chunks_exact(width.max(1)))
    }
}

/// Has another thread hand out the states of a layer, and take in what follows, while this one works that out.
pub(super) fn share<T>(
    seen: &mut Seen,
    layer: Range<usize>,
    work_out: impl FnOnce(Receiver<Told>, SyncSender<Asked>) -> T,
) -> T {
    let (ask, asked) = sync_channel(UNDER_WAY);
    // With room for all that is handed out at a time: who takes in never waits for who works out.
    let (tell, told) = sync_channel(UNDER_WAY + 1);
    thread::scope(|scope| {
        scope.spawn(move || hand_out(seen, layer, &asked, &tell));
        work_out(told, ask)
    })
}

/// Hands out the states of a layer, and takes in what follows, until nobody asks any more.
fn hand_out(seen: &mut Seen, layer: Range<usize>, asked: &Receiver<Asked>, tell: &SyncSender<Told>) {
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
        // Nobody listens any more where all was ended: then nobody asks, either.
        let _heard = tell.send(Told::of(seen, new, next, batch));
    }
}
