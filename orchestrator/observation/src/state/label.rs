//! The lock that a message belongs to, in runs in which each lock has its own instance of the algorithm.

use interlock_algorithm::LockId;
use serde::Deserialize;

use interlock_model::event::Json;

/// The field of a message body that names the lock.
#[derive(Deserialize)]
struct Labelled {
    lock: LockId,
}

/// Returns the lock that the body of a message names, or `None` if the body names no lock.
pub fn lock_of(body: &Json) -> Option<LockId> {
    serde_json::from_str::<Labelled>(body.as_str()).ok().map(|labelled| labelled.lock)
}
