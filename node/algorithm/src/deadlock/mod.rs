//! Deadlock: processes that wait for each other in a circle, and what can be done about it.
//!
//! A run has resources, each a lock with a home: the process that says who has it and who waits for it. Each process has
//! at most one transaction at a time: it asks for one resource after the other, all by the same request, and then gives
//! all of them back. A transaction that is aborted gives back what it has; its client asks again with the same request.
//!
//! Four conditions are necessary for a deadlock (Coffman, Elphick and Shoshani 1971, "System Deadlocks", ACM Computing
//! Surveys 3(2)): resources are exclusive, they are held while others are asked for, they are not taken away, and the
//! processes wait in a circle.

mod ages;
mod home;
mod places;
mod post;
mod transaction;

pub mod banker;
pub mod central_detection;
pub mod edge_chasing;
pub mod prevention;
pub mod reason;
pub mod wait_die;
pub mod wound_wait;

pub use places::Places;

use crate::prelude::*;

/// What the entries of the family have in common: any number of resources, over links and processes that never fail. Most
/// recognise what is old or a copy.
const FAMILY: Entry = Entry {
    family: "deadlock",
    assumes: Assumptions { no_loss: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Many,
    ..Entry::BLANK
};
