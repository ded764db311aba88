//! Deadlock: processes that wait for each other in a cycle, and algorithms against it.
//!
//! A run has resources. Each is a lock with a home: the process that stores its holder and the processes that wait
//! for it. Each process has at most one transaction at a time. The transaction requests one resource after the other,
//! all with the same request number, and then releases all of them. An aborted transaction releases what it holds.
//! Its client then tries again with the same request number.
//!
//! Four conditions are necessary for a deadlock (Coffman, Elphick and Shoshani 1971, "System Deadlocks", ACM
//! Computing Surveys 3(2)):
//! - Resources are exclusive.
//! - A process holds resources while it requests others.
//! - Resources cannot be taken away from their holders.
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

/// Values common to the entries of this family: any number of resources, and links and processes that never fail.
/// Most algorithms recognise old messages and duplicated copies.
const FAMILY: Entry = Entry {
    family: "deadlock",
    assumes: Assumptions { no_loss: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Many,
    ..Entry::BLANK
};
