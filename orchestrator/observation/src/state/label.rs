//! The lock of a message in runs with one instance of the algorithm for each lock.

use interlock_algorithm::LockId;
use serde::Deserialize;

use interlock_model::event::Json;

/// The part of a message body that names its lock.
#[derive(Deserialize)]
struct Labelled {
    lock: LockId,
}

/// Returns the lock that the body of a message names, if it names one.
pub fn lock_of(body: &Json) -> Option<LockId> {
    serde_json::from_str::<Labelled>(body.as_str()).ok().map(|labelled| labelled.lock)
}
