//! Mutual exclusion: at most one process is in the critical section, and every process that waits enters at last.
//!
//! A file or folder for each algorithm. In a folder, `mod.rs` follows the paper: variables, messages, rules. `entry.rs` has
//! variants, configuration, reasons and views. Repairs are in files beside them.

mod regeneration;
mod removal;
mod section;
mod votes;

pub mod bakery;
pub mod carvalho_roucairol;
pub mod centralised;
pub mod centralised_failover;
pub mod dijkstra_ring;
pub mod lamport;
pub mod le_lann;
pub mod maekawa;
pub mod naimi_trehel;
pub mod raymond;
pub mod ricart_agrawala;
pub mod ricart_agrawala_token;
pub mod sanders;
pub mod suzuki_kasami;

use crate::prelude::*;

/// The common part of most entries: one lock, links and processes that never fail, and one request at a time for each
/// process, which needs no number.
const FAMILY: Entry = Entry {
    family: "mutual-exclusion",
    assumes: Assumptions { no_loss: true, no_duplication: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Instances,
    conduct: Conduct { numbers_requests: false, ..Conduct::PLAIN },
    ..Entry::BLANK
};

/// The first holder, in the algorithms with a token.
const HOLDER: Parameter = Parameter::node("holder", "who has the token at the start");
