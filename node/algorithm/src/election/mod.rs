//! Elections: the live processes agree on one of them, the coordinator.
//!
//! Each election has a term, which is one more than the highest term that its caller has seen. Messages of an older
//! term no longer count. The highest term seen survives a crash.

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

/// Values common to the entries of this family. Duplication is tolerated, because a duplicated message has no effect.
const FAMILY: Entry = Entry {
    family: "election",
    assumes: Assumptions { no_loss: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["elect"],
    ..Entry::BLANK
};
