//! Catalogue entry and configuration of Le Lann's algorithm.

use super::LeLannMessage;
use crate::mutual_exclusion::prelude::*;

/// Time-out for the token. If no process is in the critical section, the token returns after one message for each
/// process. A regenerated token returns after two rounds: one of the claim and one of the token itself. If the
/// time-out is shorter, processes repeatedly replace a token that is only late. Moreover, a process that learns late
/// of a crash may suspect a process that has come back and is in the section. Then another process may enter.
const COMES_BY: TimeOut = TimeOut { per_node: true, ..TimeOut::of("missing", 2, Risk::Safety) };

choices! {
    /// How processes detect a lost token, and how they react.
    pub enum Version {
        Original = "original":
            "the token rests only with a process in the critical section; if it is lost, no process enters again",
        TimeOut = "time-out":
            "a process that has not seen the token for long claims to make a new one, which invalidates older ones; \
            crashed processes are skipped; some live process must always know the latest token",
        TwoTokens = "two-tokens":
            "Misra 1983, without time-outs: two tokens go round, and each shows when the other is lost",
        NoGeneration = "no-generation": "as time-out, but tokens are not told apart";
            broken: "mutual exclusion can be violated: a token believed lost still counts if it turns up again",
        TwoRegenerators = "two-regenerators":
            "as time-out, but a process that misses the token makes a new one without asking";
            broken: "mutual exclusion can be violated: several processes miss the token, and each makes one",
    }
}

impl Version {
    /// Returns whether processes detect a lost token by a time-out.
    pub(super) const fn has_time_out(self) -> bool {
        !matches!(self, Self::Original | Self::TwoTokens)
    }
}

setting! { |configuration|
    /// Initial holder of the token.
    pub(super) holder: NodeId = configuration.node_parameter("holder")?,
    pub(super) version: Version = configuration.variant()?,
    /// Time without the token after which a process considers it lost.
    pub(super) missing: Ticks = configuration.time("missing", 1_000_000)?,
}

pub(super) const ENTRY: Entry = Entry {
    name: "le-lann",
    title: "Le Lann",
    source: Source { authors: "Gérard Le Lann", title: "Distributed Systems: Towards a Formal Approach", year: 1977 },
    summary: "A token goes round a ring, wanted or not; the process that gets it may enter.",
    variants: Version::VARIANTS,
    // FIFO links are unnecessary: there is only one message, so no message overtakes another. Duplication is not
    // tolerated, because a duplicate would be a second token.
    assumes: FAMILY.assumes,
    variants_assume: &[
        // One of the two tokens may be lost, and again after each regeneration. If both tokens are lost, neither is
        // regenerated. On FIFO links the two tokens can pass each other only at a process, which then sees both.
        (&["two-tokens"], Assumptions { fifo: true, ..FAMILY.assumes }),
        // At least one process must remember the latest generation. Otherwise an old token counts again.
        (
            &["time-out", "no-generation", "two-regenerators"],
            Assumptions { no_loss: false, time_outs: &[COMES_BY], ..DETECTED_CRASHES },
        ),
    ],
    structure: Structure::Ring { parameter: None },
    message_kinds: LeLannMessage::KINDS,
    repair_kinds: &["CLAIM"],
    background_kinds: LeLannMessage::KINDS,
    token_kinds: &["TOKEN", "PING"],
    conduct: Conduct {
        regenerates: &["time-out", "two-tokens", "no-generation", "two-regenerators"],
        ..FAMILY.conduct
    },
    parameters: &[
        HOLDER,
        Parameter::time(
            "missing",
            "with a time-out, the time without the token after which it counts as missing, in ms: longer than 2N \
            messages and the stays of all others in the critical section take",
            "1000",
            Pace::TimeOut,
        ),
    ],
    messages_per_entry: "1 if all want to enter; unbounded if no process does; a new token costs up to 2N-1 messages \
                         more",
    ..FAMILY
};
