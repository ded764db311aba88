//! Wait-die: Rosenkrantz, Stearns and Lewis 1978, "System Level Concurrency Control for Distributed Database Systems",
//! ACM TODS 3(2).
//!
//! Only an older transaction waits for a younger one. If a younger transaction would have to wait for an older one,
//! the younger one dies. It releases what it holds, and begins again with the same timestamp. So no processes wait
//! in a cycle.

use super::FAMILY;
use super::ages::{Ages, AgesMessage, Loser, Mistake, Rule};
use super::reason::Reason;
use crate::outcome::AbortCause;
use crate::prelude::*;

/// One process of the algorithm.
pub type WaitDie = Ages<Die>;

/// The rule of wait-die: a process that waits is older than the holder of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Die;

impl Rule for Die {
    const ENTRY: Entry = Entry {
        name: "wait-die",
        title: "Wait-die",
        source: Source {
            authors: "Daniel J. Rosenkrantz, Richard E. Stearns, Philip M. Lewis II",
            title: "System Level Concurrency Control for Distributed Database Systems",
            year: 1978,
        },
        summary: "An older transaction waits for a younger one; a younger one dies and begins again with its old \
                  timestamp.",
        variants: &[
            Mistake::VARIANTS[0],
            Mistake::VARIANTS[1].broken("deadlock: a younger transaction waits for an older one served before it"),
            Mistake::VARIANTS[2].broken("starvation: a transaction that begins again is the youngest and dies again"),
        ],
        // Every message names its ticket, so old messages and duplicated copies are recognised.
        assumes: FAMILY.assumes,
        message_kinds: AgesMessage::KINDS,
        conduct: Conduct {
            aborts: &["original", "ages-not-compared-again", "timestamp-renewed"],
            by_age: true,
            ..Conduct::PLAIN
        },
        messages_per_entry: "3, plus 3 (REQUEST, ABORT, RELEASE) each time that it dies, and 3 for each resource that \
                             it gives back",
        ..FAMILY
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
