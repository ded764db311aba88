//! What the catalogue says of Lamport's algorithm, and what a user can choose.

use super::LamportMessage;
use crate::mutual_exclusion::{FAMILY, membership};
use crate::prelude::*;

choices! {
    /// How a process learns that no older request can come any more: rules 2 and 5(ii), and the readings of them.
    pub enum Acknowledgement {
        AnyLaterMessage = "any-later-message":
            "a message of any kind from everybody, later than one's own request, is enough: the paper",
        Explicit = "explicit-ack": "everybody must have acknowledged this very request",
        Postponed = "postponed-ack": "as explicit-ack; who is in the section acknowledges when leaving. \
            With release = request, all but the order holds without FIFO",
        RemoveDead = "remove-dead":
            "as any-later-message; who is suspected is not waited for and its request counts for nothing, and who is back \
            after a crash joins again: it learns from the others how late it is and what they ask for before it asks",
        AsksAtOnce = "asks-at-once": "as remove-dead, but who is back after a crash asks at once, with what it knows: nothing";
            broken: "two can be in the section: in its empty queue its own request is the first",
        Missing = "no-ack": "nobody acknowledges; whose request is the first in the own queue enters at once";
            broken: "two can be in the section: an older request may still be on its way",
        MissingButAwaited = "no-ack-waiting": "nobody acknowledges; a message of any kind from everybody, \
            later than one's own request, is waited for all the same";
            broken: "stuck: who does not want the section has nothing to say",
    }
}

choices! {
    /// What a RELEASE takes out of the queue: rule 4, and a stricter reading of it.
    pub enum Release {
        OfSender = "sender":
            "every request of its sender: the paper. Where messages overtake, that can be a request made after the release",
        OfRequest = "request": "the one request that it names",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) acknowledgement: Acknowledgement,
    pub(super) release: Release,
}

impl Setting {
    /// What a variant needs in order to be right.
    pub(super) fn assumptions(variant: &str) -> Assumptions {
        if variant == "remove-dead" { membership::needs(ENTRY.assumes) } else { ENTRY.assumes }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "lamport",
    title: "Lamport",
    source: Source {
        authors: "Leslie Lamport",
        title: "Time, Clocks, and the Ordering of Events in a Distributed System",
        year: 1978,
    },
    summary: "Everybody keeps a copy of one queue of requests; enter when your own is the first and nothing older can come.",
    variants: Acknowledgement::VARIANTS,
    // A copy next to its original changes nothing, and on a FIFO channel a copy is nowhere else.
    assumes: Assumptions { fifo: true, no_duplication: false, ..FAMILY.assumes },
    message_kinds: LamportMessage::KINDS,
    repair_kinds: &["JOIN", "WELCOME"],
    // Not where who is back joins first: what its client wants meanwhile is asked for later.
    keeps_order: &["any-later-message", "explicit-ack", "postponed-ack"],
    parameters: &[Parameter::choice::<Release>(
        "release",
        "what a RELEASE removes: every request of its sender (the paper), or the one that it names",
    )],
    messages_per_entry: "3(N-1)",
    ..FAMILY
};
