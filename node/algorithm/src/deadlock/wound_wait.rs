//! Wound-wait: Rosenkrantz, Stearns and Lewis 1978, "System Level Concurrency Control for Distributed Database Systems",
//! ACM TODS 3(2).
//!
//! Only a younger transaction waits for an older one. If an older transaction would have to wait for a younger one,
//! it wounds the younger one. The wounded transaction releases what it holds, unless it is already doing so, and
//! begins again with the same timestamp. So no processes wait in a cycle.

use super::FAMILY;
use super::ages::{Ages, AgesMessage, Loser, Mistake, Rule};
use super::reason::Reason;
use crate::outcome::AbortCause;
use crate::prelude::*;

/// One process of the algorithm.
pub type WoundWait = Ages<Wound>;

/// The rule of wound-wait: a process that waits is younger than the holder of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Wound;

impl Rule for Wound {
    const ENTRY: Entry = Entry {
        name: "wound-wait",
        title: "Wound-wait",
        source: Source {
            authors: "Daniel J. Rosenkrantz, Richard E. Stearns, Philip M. Lewis II",
            title: "System Level Concurrency Control for Distributed Database Systems",
            year: 1978,
        },
        summary: "A younger transaction waits for an older one; an older one makes a younger one give up what it has.",
        variants: &[
            Mistake::VARIANTS[0],
            Mistake::VARIANTS[1].broken("deadlock: an older transaction waits for a younger one served before it"),
            Mistake::VARIANTS[2]
                .broken("starvation: a transaction that begins again is the youngest and wounded again"),
        ],
        // Every message names its ticket, so old messages and duplicated copies are recognised.
        assumes: FAMILY.assumes,
        message_kinds: AgesMessage::KINDS,
        conduct: Conduct {
            aborts: &["original", "ages-not-compared-again", "timestamp-renewed"],
            by_age: true,
            ..Conduct::PLAIN
        },
        messages_per_entry: "3, plus 1 (ABORT) each time that it is wounded, 3 for each resource that it gives back, \
                             and 2 for one that it waits for",
        ..FAMILY
    };
    const CAUSE: AbortCause = AbortCause::Wounded;

    fn judge(lock: LockId, theirs: Timestamp, holder: Timestamp) -> (Option<Loser>, Reason) {
        if theirs < holder {
            (Some(Loser::Holder), Reason::OlderWounds { lock, theirs, holder })
        } else {
            (None, Reason::YoungerWaits { lock, theirs, holder })
        }
    }
}
