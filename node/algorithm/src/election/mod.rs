//! Elections: those who are alive agree on one of them, the coordinator.
//!
//! Each election has a term, one more than the highest that its caller has seen. What is said in an older term counts no
//! more; the highest term seen survives a crash.

mod initiators;
mod known;
mod ring;

pub mod acknowledged_ring;
pub mod any;
pub mod bully;
pub mod chang_roberts;
pub mod hirschberg_sinclair;

pub use initiators::Initiators;
pub use known::{Coordinator, Known, Term};
pub use ring::Ring;

use crate::prelude::*;

/// What the entries of the family have in common; a copy says nothing new to an election.
const FAMILY: Entry = Entry {
    family: "election",
    assumes: Assumptions { no_loss: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["elect"],
    ..Entry::BLANK
};
