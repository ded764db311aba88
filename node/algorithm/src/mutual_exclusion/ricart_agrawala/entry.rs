//! What the catalogue says of Ricart and Agrawala's algorithm, and what a user can choose.

use super::{Numbering, RicartAgrawalaMessage};
use crate::mutual_exclusion::{FAMILY, membership};
use crate::prelude::*;

choices! {
    /// Which numbers order the requests, and whose comes first if they are equal.
    pub enum Version {
        LamportClock = "lamport-clock": "every message carries and advances the logical clock",
        SequenceNumbers = "sequence-numbers":
            "the paper: a request gets 1 + the highest number sent or received, and a REPLY carries none",
        RemoveDead = "remove-dead":
            "as lamport-clock; who is suspected is not asked, and who is back after a crash joins again: it learns from the \
            others how late it is before it asks",
        AsksAtOnce = "asks-at-once": "as remove-dead, but who is back after a crash asks at once, with what it knows: nothing";
            broken: "two can be in the section: its first request passes for one older than those that it was not asked for",
        Modulo = "modulo": "as sequence-numbers, kept modulo 2N-1 and compared on the circle",
        ModuloTooSmall = "modulo-too-small": "as modulo, modulo 2N-2";
            broken: "two can be in the section: of two numbers N-1 apart, each is taken for the older",
        LamportClockModulo = "lamport-clock-modulo": "as lamport-clock, kept modulo 2N-1 and compared on the circle";
            broken: "two can be in the section: clocks drift further apart than half of the circle",
        ReplyAtTie = "reply-at-tie": "replies to a request of the same time as its own";
            broken: "two can be in the section: of equal times, each gives way to the other",
        DeferAtTie = "defer-at-tie": "defers a request of the same time as its own";
            broken: "deadlock: of equal times, each waits for the other",
        NoClockUpdate = "no-clock-update": "a request gets 1 + the highest number sent: what is received does not count";
            broken: "two can be in the section: who has replied may ask later with a smaller number",
        NoTimestamps = "no-timestamps": "a request has no time: the smaller process always comes first";
            broken: "two can be in the section: a process that has replied may ask later and still come first",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) version: Version,
    pub(super) numbering: Numbering,
}

impl Setting {
    pub(super) fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let (nodes, version) = (configuration.nodes, configuration.variant()?);
        let numbering = match version {
            Version::LamportClock
            | Version::RemoveDead
            | Version::AsksAtOnce
            | Version::ReplyAtTie
            | Version::DeferAtTie => Numbering::LamportClock,
            Version::SequenceNumbers => Numbering::SequenceNumbers,
            Version::Modulo => Numbering::modulo(nodes),
            Version::ModuloTooSmall => Numbering::modulo_too_small(nodes),
            Version::LamportClockModulo => Numbering::lamport_clock_modulo(nodes),
            Version::NoClockUpdate => Numbering::NothingHeard,
            Version::NoTimestamps => Numbering::NoNumbers,
        };
        Ok(Self { nodes, version, numbering })
    }
}

impl Setting {
    /// Whether the dead are removed, and who is back takes part again.
    pub(super) const fn removes_dead(&self) -> bool {
        matches!(self.version, Version::RemoveDead | Version::AsksAtOnce)
    }

    /// Whether who is back learns from the others how late it is.
    pub(super) const fn joins(&self) -> bool {
        matches!(self.version, Version::RemoveDead)
    }

    /// Whether numbers are compared only with others that grow with them: what a reply names does not.
    pub(super) const fn numbers_grow(&self) -> bool {
        self.numbering.grows() && !self.removes_dead()
    }

    /// What a variant needs in order to be right.
    pub(super) fn assumptions(variant: &str) -> Assumptions {
        if variant == "remove-dead" { membership::needs(ENTRY.assumes) } else { ENTRY.assumes }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "ricart-agrawala",
    title: "Ricart–Agrawala",
    source: Source {
        authors: "Glenn Ricart, Ashok K. Agrawala",
        title: "An Optimal Algorithm for Mutual Exclusion in Computer Networks",
        year: 1981,
    },
    summary: "Ask everybody; enter when everybody has replied. Who is in the section, or asked earlier, replies later.",
    variants: Version::VARIANTS,
    // A second copy of a REQUEST fetches a second REPLY, which can pass for the permission to a later request.
    assumes: FAMILY.assumes,
    message_kinds: RicartAgrawalaMessage::KINDS,
    repair_kinds: &["JOIN", "WELCOME"],
    // With sequence numbers, neither a REPLY nor a message of the application makes a later request a later number. Where who
    // is back joins first, what its client wants meanwhile is asked for later.
    keeps_order: &["lamport-clock"],
    messages_per_entry: "2(N-1)",
    ..FAMILY
};
