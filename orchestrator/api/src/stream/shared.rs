//! The state of a run, shared by all clients that watch the run. Each event is read and applied to the state only
//! once for all these clients, and the resulting change is computed only once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use interlock_orchestrator::run::{Follower, Registry, RunError};
use tokio::time::Instant;
use uuid::Uuid;

use super::JUDGED;
use super::frame::{Frame, Next, Source};
use crate::source::MOST_IN_PASSING;
use crate::waiting::{Budget, Room};

/// Maximum total size, in bytes, of the frames that are kept for clients that have not sent them yet. The latest
/// frame is kept even if it is larger.
const KEPT_BYTES: usize = 1 << 20;

/// The runs whose states are watched.
#[derive(Clone, Default)]
pub(super) struct Watched(Arc<Mutex<HashMap<Uuid, Weak<Mutex<Shared>>>>>);

impl Watched {
    /// Returns the shared state of a run. The shared state exists as long as at least one client watches the run.
    pub fn of(&self, run: Uuid) -> Arc<Mutex<Shared>> {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watched.retain(|_, shared| shared.strong_count() > 0);
        watched.get(&run).and_then(Weak::upgrade).unwrap_or_else(|| {
            let shared = Arc::default();
            watched.insert(run, Arc::downgrade(&shared));
            shared
        })
    }
}

/// Locks the shared state of a run. If the task of a client has panicked while it computed a frame, the shared state
/// may include events that are in no frame. In this case, the shared state is discarded, and each client receives a
/// new state.
pub(super) fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(|poisoned| {
        shared.clear_poison();
        let mut shared = poisoned.into_inner();
        shared.end();
        shared
    })
}

/// The state that clients share, and the latest frames. Frames are numbered from 0.
#[derive(Default)]
pub(super) struct Shared {
    led: Option<Led>,
    /// The latest frames, the oldest first.
    kept: VecDeque<Frame>,
    /// Reservation in the budget for the frames in `kept`.
    kept_room: Room,
    /// Number of all frames so far.
    frames: u64,
}

/// A shared state that follows its run. It exists once a client has reached the end of the journal.
struct Led {
    follower: Box<Follower>,
    /// Time of the last check whether the mere passing of time has changed the state.
    judged: Instant,
    _room: Room,
}

/// Result of a request for a frame by its number.
pub(super) enum Kept {
    Frame(Frame),
    /// The frame has not been computed yet.
    NotYet,
    /// The frame is no longer kept.
    Gone,
}

impl Shared {
    /// Returns the number of the last event that the shared state includes; none if there is no shared state.
    pub fn seq(&self) -> Option<u64> {
        self.led.as_ref().map(|led| led.follower.seq())
    }

    /// Returns the number of frames so far, which is the number of the next frame.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the frame with the shared state, if this state is the state after event `seq`.
    pub fn introduction(&self, seq: u64) -> Option<Frame> {
        let led = self.led.as_ref().filter(|led| led.follower.seq() == seq)?;
        Some(Frame::state(seq, &led.follower.document()))
    }

    /// Returns frame `number`.
    pub fn frame(&self, number: u64) -> Kept {
        let first = self.frames - self.kept.len() as u64;
        match number.checked_sub(first).and_then(|place| usize::try_from(place).ok()) {
            None => Kept::Gone,
            Some(place) => self.kept.get(place).map_or(Kept::NotYet, |frame| Kept::Frame(frame.clone())),
        }
    }

    /// Whether a client can share the state without a further frame. If there is a shared state, the client's
    /// follower must agree with it. Otherwise, the follower must have reached the event `latest`.
    pub fn agrees_with(&self, follower: &Follower, latest: u64) -> bool {
        self.led.as_ref().map_or(follower.seq() >= latest, |led| led.follower.agrees_with(follower))
    }

    /// Makes a client share the state. The client's follower must include the same events as the shared state or,
    /// if there is no shared state, be at the end of the journal. Returns a frame with changes that the passing of
    /// time has made to the shared state, if there are any.
    pub fn join(&mut self, mut follower: Box<Follower>, room: Room) -> Option<Frame> {
        let Some(led) = &self.led else {
            self.led = Some(Led { follower, judged: Instant::now(), _room: room });
            return None;
        };
        let change = follower.become_like(&led.follower)?;
        Some(Frame::events(change.seq, &[], Some(&[change])))
    }

    /// Computes the next frame of all clients, and keeps this frame.
    pub fn advance(
        &mut self,
        source: &Source<'_>,
        (registry, run): (&Registry, Uuid),
        budget: &Budget,
    ) -> Result<Next, RunError> {
        let Some(led) = &mut self.led else { return Ok(Next::Nothing) };
        let next = match source.followed(&mut led.follower, MOST_IN_PASSING) {
            Ok(Next::Nothing) => Ok(led.passed(registry, run).map_or(Next::Nothing, Next::Frame)),
            next => next,
        };
        match &next {
            Ok(Next::Frame(frame)) => self.keep(frame.clone(), budget),
            Ok(Next::Nothing | Next::Large) => {}
            // The follower cannot skip an event. It may also have applied some events before an unreadable event.
            // Each client therefore receives a new state.
            Ok(Next::TooLarge(_)) | Err(_) => self.end(),
        }
        next
    }

    fn keep(&mut self, frame: Frame, budget: &Budget) {
        self.kept.push_back(frame);
        self.frames += 1;
        let bytes = |kept: &VecDeque<Frame>| kept.iter().map(|frame| frame.text.len()).sum::<usize>();
        while self.kept.len() > 1 && bytes(&self.kept) > KEPT_BYTES {
            self.kept.pop_front();
        }
        self.kept_room = None;
        match budget.room(bytes(&self.kept)) {
            Ok(room) => self.kept_room = room,
            Err(_) => self.kept.clear(),
        }
    }

    /// Ends the shared state. Frames for which clients still wait are then reported as gone.
    pub fn end(&mut self) {
        self.led = None;
        self.kept.clear();
        self.kept_room = None;
        self.frames += 1;
    }
}

impl Led {
    /// If all events of the run were sent, returns a frame with the change that the mere passing of time has made to
    /// the state. The check is made at most once per [`JUDGED`].
    fn passed(&mut self, registry: &Registry, run: Uuid) -> Option<Frame> {
        if self.judged.elapsed() < JUDGED {
            return None;
        }
        self.judged = Instant::now();
        let now = registry.find(run)?.with(|core| core.document());
        let change = if now.seq == self.follower.seq() { self.follower.judged(&now)? } else { return None };
        Some(Frame::events(change.seq, &[], Some(&[change])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(frame: &Kept) -> Option<&str> {
        match frame {
            Kept::Frame(frame) => Some(&frame.text),
            Kept::NotYet | Kept::Gone => None,
        }
    }

    #[test]
    fn the_latest_frames_are_kept_for_slower_clients() {
        let (budget, mut shared) = (Budget::new(), Shared::default());
        for seq in 0..3 {
            let large = "x".repeat(KEPT_BYTES / 3);
            shared.keep(Frame::events(seq, &[large], None), &budget);
        }
        // Each of the three frames is slightly larger than a third of the limit, so only two are kept.
        assert!(matches!(shared.frame(0), Kept::Gone));
        assert!(text(&shared.frame(1)).is_some() && text(&shared.frame(2)).is_some());
        assert!(matches!(shared.frame(3), Kept::NotYet));
        shared.keep(Frame::events(3, &["x".repeat(2 * KEPT_BYTES)], None), &budget);
        assert!(matches!(shared.frame(2), Kept::Gone));
        assert!(text(&shared.frame(3)).is_some(), "the latest is kept whatever its size");
        assert!(budget.room(256 << 20).is_err(), "what is kept has room in the budget");
        shared.end();
        assert!(matches!(shared.frame(3), Kept::Gone));
        assert!(matches!(shared.frame(4), Kept::Gone), "who waited for the next frame learns that there is none");
        assert!(matches!(shared.frame(shared.frames()), Kept::NotYet));
        assert!(budget.room(256 << 20).is_ok());
    }

    #[test]
    fn without_room_in_the_budget_nothing_is_kept() {
        let (budget, mut shared) = (Budget::new(), Shared::default());
        let all = budget.room(256 << 20);
        shared.keep(Frame::events(1, &["x".repeat(100 << 10)], None), &budget);
        assert!(matches!(shared.frame(0), Kept::Gone));
        drop(all);
        shared.keep(Frame::events(2, &["x".repeat(100 << 10)], None), &budget);
        assert!(text(&shared.frame(1)).is_some());
    }

    #[test]
    fn a_run_is_shared_as_long_as_somebody_watches_it() {
        let watched = Watched::default();
        let [run, other] = [1, 2].map(Uuid::from_u128);
        let [first, second] = [watched.of(run), watched.of(run)];
        assert!(Arc::ptr_eq(&first, &second) && !Arc::ptr_eq(&first, &watched.of(other)));
        lock(&first).frames = 7;
        drop(first);
        assert_eq!(lock(&watched.of(run)).frames, 7);
        drop(second);
        assert_eq!(lock(&watched.of(run)).frames, 0);
        assert_eq!(watched.0.lock().expect("no panic").len(), 1, "runs that nobody watches are forgotten");
    }
}
