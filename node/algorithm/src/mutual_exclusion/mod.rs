//! Mutual exclusion: at most one process is in the critical section, and every waiting process eventually enters
//! it.
//!
//! Each algorithm has a file or a folder. In a folder, `mod.rs` follows the paper: variables, messages, rules.
//! `entry.rs` contains variants, configuration, reasons and views. Repairs are in the other files of the folder.

mod first;
mod prelude;
mod regeneration;
mod removal;
mod ring;
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

pub use self::regeneration::Why as RegenerationReason;
use crate::prelude::*;

/// Values common to most entries: one lock, reliable links, and processes that never fail. Requests need no number,
/// because each process makes one request at a time.
const FAMILY: Entry = Entry {
    family: "mutual-exclusion",
    assumes: Assumptions { no_loss: true, no_duplication: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
    commands: &["acquire", "release"],
    locks: LockUse::Instances,
    conduct: Conduct { numbers_requests: false, ..Conduct::PLAIN },
    ..Entry::BLANK
};

/// The assumptions of most variants that survive crashes: a process acts on the crash of another only if the crash is
/// certain.
const DETECTED_CRASHES: Assumptions =
    Assumptions { no_crash: false, failure_detector: FailureDetector::Perfect, ..FAMILY.assumes };

/// Parameter for the initial holder, in the algorithms with a token.
const HOLDER: Parameter = Parameter::node("holder", "the process that has the token at the start");
