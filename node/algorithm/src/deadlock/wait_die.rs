//! Wait-die: Rosenkrantz, Stearns and Lewis 1978, "System Level Concurrency Control for Distributed Database Systems",
//! ACM TODS 3(2).
//!
//! Only an older transaction waits for a younger one. A younger one that would have to wait for an older one dies: it
//! gives back what it has, and begins again with the same timestamp. So nobody waits in a circle.

use serde::{Deserialize, Serialize};

use super::ages::{Ages, Loser, Rule};
use super::reason::Reason;
use crate::catalogue::{Assumptions, Entry, LockUse, Source, Variant};
use crate::clock::Timestamp;
use crate::conduct::Conduct;
use crate::identity::LockId;
use crate::outcome::AbortCause;

/// One process of the algorithm.
pub type WaitDie = Ages<Die>;

/// Who waits is older than who has what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Die;

impl Rule for Die {
    const ENTRY: Entry = Entry {
        name: "wait-die",
        title: "Wait-die",
        family: "deadlock",
        source: Source {
            authors: "Daniel J. Rosenkrantz, Richard E. Stearns, Philip M. Lewis II",
            title: "System Level Concurrency Control for Distributed Database Systems",
            year: 1978,
        },
        summary: "An older transaction waits for a younger one; a younger one dies, and begins again as old as it was.",
        variants: &[
            Variant { name: "original", summary: "as in the paper", broken: None },
            Variant {
                name: "ages-not-compared-again",
                summary: "ages are compared when somebody asks, and not when a resource gets another holder",
                broken: Some("deadlock: a younger one waits for an older one that was served before it"),
            },
            Variant {
                name: "timestamp-renewed",
                summary: "a transaction that begins again gets a new timestamp",
                broken: Some("starvation: who begins again is the youngest again, and dies again"),
            },
        ],
        // Every message names its ticket, so what is old or a copy is recognised.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: false,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Many,
        message_kinds: &["REQUEST", "GRANT", "ABORT", "RELEASE"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct {
            aborts: &["original", "ages-not-compared-again", "timestamp-renewed"],
            by_age: true,
            ..Conduct::PLAIN
        },
        parameters: &[],
        messages_per_entry: "3, and 2 more and those for what it had each time that it dies",
    };
    const CAUSE: AbortCause = AbortCause::Died;

    fn judge(lock: LockId, theirs: Timestamp, holder: Timestamp) -> (Option<Loser>, Reason) {
        if theirs < holder {
            (None, Reason::OlderWaits { lock, theirs, holder })
        } else {
            (Some(Loser::Waiting), Reason::YoungerDies { lock, theirs, holder })
        }
    }
}
