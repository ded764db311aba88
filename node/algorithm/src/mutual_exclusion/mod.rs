//! Mutual exclusion: at most one process in the critical section, and everybody who wants gets there.

mod membership;
mod regeneration;
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

/// What most entries of the family have in common: one lock, over links and processes that never fail, and a process has one
/// request at a time, which needs no number.
const FAMILY: Entry = Entry {
    family: "mutual-exclusion",
    assumes: Assumptions { no_loss: true, no_duplication: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Instances,
    conduct: Conduct { numbers_requests: false, ..Conduct::PLAIN },
    ..Entry::BLANK
};

/// Who begins, in the algorithms with a token.
const HOLDER: Parameter = Parameter::node("holder", "who has the token at the start");
