//! Which lock a message is about, where each lock has an instance of the algorithm of its own.

use interlock_algorithm::LockId;
use serde::Deserialize;

use crate::event::Json;

/// What a message of one of several locks says of itself.
#[derive(Deserialize)]
struct Labelled {
    lock: LockId,
}

/// The lock that the body of a message names; none if it names none.
pub fn lock_of(body: &Json) -> Option<LockId> {
    serde_json::from_str::<Labelled>(body.as_str()).ok().map(|labelled| labelled.lock)
}
