//! Deadlock: processes that wait for each other in a cycle, and algorithms against it.
//!
//! A run has resources. Each is a lock with a home: the process that knows its holder and the processes that wait
//! for it. Each process has at most one transaction at a time. The transaction requests one resource after the
//! other, all by the same request, and then releases all of them. An aborted transaction releases what it has; its
//! client then asks again with the same request.
//!
//! Four conditions are necessary for a deadlock (Coffman, Elphick and Shoshani 1971, "System Deadlocks", ACM
//! Computing Surveys 3(2)):
//! - Resources are exclusive.
//! - Resources are held while others are requested.
//! - Resources are not taken away.
//! - The processes wait in a cycle.

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

/// The common part of the family's entries: any number of resources, and links and processes that never fail. Most
/// algorithms recognise old messages and duplicated copies.
const FAMILY: Entry = Entry {
    family: "deadlock",
    assumes: Assumptions { no_loss: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Many,
    ..Entry::BLANK
};
