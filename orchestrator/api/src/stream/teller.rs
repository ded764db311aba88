//! The stream of one client.

use std::sync::{Arc, Mutex, MutexGuard};

use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{Follower, Registry, RunError};
use uuid::Uuid;

use super::frame::{Frame, Next, Source};
use super::shared::{Kept, Shared, lock};
use crate::history::follow;
use crate::source::MOST_IN_PASSING;
use crate::waiting::{Budget, NoRoom, Room};

/// Maximum number of events by which a client may be behind. If a client is further behind, it misses events.
const FURTHEST_BEHIND: u64 = 20_000;
/// Memory for a state that a client follows, in bytes for each byte of the state's document.
const STATE_BYTES: usize = 24;

/// The stream of one client: computes the next frame from the journal, or reuses a frame that was computed for
/// another client.
pub(super) struct Teller {
    registry: Arc<Registry>,
    run: Uuid,
    /// Number of the last event that the client has received or missed.
    since: u64,
    told: Told,
    pub budget: Budget,
    /// Reservation in the budget for a state that only this client follows.
    room: Room,
}

/// Content of a stream.
enum Told {
    /// Events only.
    Events,
    /// Events and the state, which all clients of the run share.
    States(Arc<Mutex<Shared>>, Place),
}

/// Position of a client in relation to the shared state.
enum Place {
    /// The client has not received a state yet.
    Outside,
    /// The client has not reached the shared state yet, so it has a follower of its own.
    Behind(Box<Follower>),
    /// The client shares the state, and receives the same frames as all clients that share it. The value is the
    /// number of its next frame.
    Among(u64),
}

impl Teller {
    /// Creates the stream of a client that already has the events up to `since`. With `shared`, the stream
    /// includes the state.
    pub fn new(
        registry: Arc<Registry>,
        run: Uuid,
        since: u64,
        shared: Option<Arc<Mutex<Shared>>>,
        budget: Budget,
    ) -> Self {
        let told = shared.map_or(Told::Events, |shared| Told::States(shared, Place::Outside));
        Self { registry, run, since, told, budget, room: None }
    }

    /// Returns the number of the last event that the client has received or missed.
    pub const fn since(&self) -> u64 {
        self.since
    }

    /// Whether the stream includes the state.
    pub const fn folds(&self) -> bool {
        matches!(self.told, Told::States(..))
    }

    /// Returns the next frame if it was already computed for another client. Does not block.
    pub fn computed(&mut self) -> Option<Frame> {
        let Told::States(shared, Place::Among(number)) = &mut self.told else { return None };
        let Kept::Frame(frame) = shared.try_lock().ok()?.frame(*number) else { return None };
        *number += 1;
        self.since = frame.seq;
        Some(frame)
    }

    /// Returns the next content of the stream. If the next event has more than `most` bytes, the event is not
    /// read, and the result is [`Next::Large`].
    pub fn next(&mut self, reader: &Reader, most: usize) -> Result<Next, RunError> {
        let latest = reader.latest()?;
        if latest > self.since.saturating_add(FURTHEST_BEHIND) {
            return Ok(Next::Frame(self.missed(self.since + 1, latest - FURTHEST_BEHIND / 2)));
        }
        let source = Source { reader, latest, most };
        let next = match &self.told {
            Told::Events => source.events(self.since, MOST_IN_PASSING),
            Told::States(shared, _) => self.folded(&source, &Arc::clone(shared)),
        };
        Ok(match next? {
            Next::TooLarge(event) => Next::Frame(self.missed(event, event)),
            Next::Frame(frame) => {
                self.since = frame.seq;
                Next::Frame(frame)
            }
            next => next,
        })
    }

    /// Skips the events `from` … `to`, because they are too many or too large for the client. Returns the frame that
    /// reports these events as missed.
    fn missed(&mut self, from: u64, to: u64) -> Frame {
        self.since = to;
        self.take_place(Place::Outside);
        Frame::missed(from, to)
    }

    fn take_place(&mut self, to: Place) {
        if let Told::States(_, place) = &mut self.told {
            *place = to;
        }
    }

    /// Returns the next frame of a client whose stream includes the state.
    fn folded(&mut self, source: &Source<'_>, shared: &Mutex<Shared>) -> Result<Next, RunError> {
        let Told::States(_, place) = &mut self.told else { return Ok(Next::Nothing) };
        let mut shared = lock(shared);
        match std::mem::replace(place, Place::Outside) {
            Place::Outside => self.introduced(source, shared),
            Place::Behind(follower) => self.caught_up(source, &mut shared, follower),
            Place::Among(number) => match shared.frame(number) {
                Kept::Gone => self.introduced(source, shared),
                Kept::Frame(frame) => {
                    *place = Place::Among(number + 1);
                    Ok(Next::Frame(frame))
                }
                Kept::NotYet => self.advanced(source, &mut shared),
            },
        }
    }

    /// Returns the first frame of a client, which contains the state.
    fn introduced(&mut self, source: &Source<'_>, shared: MutexGuard<'_, Shared>) -> Result<Next, RunError> {
        self.room = None;
        if let Some(frame) = shared.introduction(self.since) {
            self.take_place(Place::Among(shared.frames()));
            return Ok(Next::Frame(frame));
        }
        // The lock is released here, so that other clients do not wait while the journal is read.
        drop(shared);
        let (state, follower) = follow(source.reader, self.run, self.since)?;
        let frame = Frame::state(self.since, &state);
        let room = self.budget.room(frame.text.len().saturating_mul(STATE_BYTES));
        self.room = room.map_err(|NoRoom| RunError::NoRoom)?;
        self.take_place(Place::Behind(Box::new(follower)));
        Ok(Next::Frame(frame))
    }

    /// Returns the next frame of a client that has a follower of its own, until this client has reached the shared
    /// state.
    fn caught_up(
        &mut self,
        source: &Source<'_>,
        shared: &mut Shared,
        mut follower: Box<Follower>,
    ) -> Result<Next, RunError> {
        if shared.seq().is_some_and(|seq| seq.saturating_add(FURTHEST_BEHIND) < follower.seq()) {
            // The clients of the shared state are so slow that they would miss these events anyway.
            shared.end();
        }
        while shared.seq().is_some_and(|seq| seq < follower.seq()) {
            let next = shared.advance(source, (&self.registry, self.run), &self.budget)?;
            if matches!(next, Next::Nothing | Next::Large) {
                self.take_place(Place::Behind(follower));
                return Ok(next);
            }
        }
        let distance = shared.seq().map_or(u64::MAX, |seq| seq - follower.seq());
        let limit = usize::try_from(distance).unwrap_or(usize::MAX).min(MOST_IN_PASSING);
        let next = if limit == 0 { Next::Nothing } else { source.followed(&mut follower, limit)? };
        let is_there = matches!(next, Next::Nothing) || shared.agrees_with(&follower, source.latest);
        if !is_there {
            self.take_place(Place::Behind(follower));
            return Ok(next);
        }
        let change = shared.join(follower, self.room.take());
        self.take_place(Place::Among(shared.frames()));
        match (next, change) {
            (Next::Nothing, Some(frame)) => Ok(Next::Frame(frame)),
            (Next::Nothing, None) => self.advanced(source, shared),
            (next, _) => Ok(next),
        }
    }

    /// Computes the next frame for all clients that share the state.
    fn advanced(&mut self, source: &Source<'_>, shared: &mut Shared) -> Result<Next, RunError> {
        let next = shared.advance(source, (&self.registry, self.run), &self.budget)?;
        self.take_place(Place::Among(shared.frames()));
        Ok(next)
    }
}
