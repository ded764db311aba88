//! What the catalogue says of Carvalho and Roucairol's algorithm, and what a user can choose.

use super::CarvalhoRoucairolMessage;
use crate::mutual_exclusion::{FAMILY, membership};
use crate::prelude::*;

choices! {
    /// Which of the details that carry the algorithm is missing, and whether the dead are removed.
    pub enum Care {
        Full = "original": "the smaller of each pair has its permission at the start; \
            who gives one away while waiting asks for it again",
        NoSecondRequest = "no-second-request": "who gives a permission away while waiting does not ask for it again";
            broken: "deadlock: the permission given away never comes back",
        BothHold = "both-hold": "both of each pair have its permission at the start";
            broken: "two can be in the section: neither has to ask the other",
        RemoveDead = "remove-dead":
            "as original; the permission of who is suspected is taken as given, and who is back after a crash has none: until \
            one of the two has replied to the other, each has to ask",
        BackAsAtStart = "back-as-at-start":
            "as remove-dead, but who is back after a crash takes itself to have the permissions that it had at the start";
            broken: "two can be in the section: others have given these permissions to each other or taken them as given",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) care: Care,
}

impl Setting {
    /// Whether the dead are removed, and who is back takes part again.
    pub(super) const fn removes_dead(&self) -> bool {
        matches!(self.care, Care::RemoveDead | Care::BackAsAtStart)
    }

    /// Whether numbers are compared only with others that grow with them: what a reply names does not.
    pub(super) const fn numbers_grow(&self) -> bool {
        !self.removes_dead()
    }

    /// What a variant needs in order to be right.
    pub(super) fn assumptions(variant: &str) -> Assumptions {
        if variant == "remove-dead" { membership::needs(ENTRY.assumes) } else { ENTRY.assumes }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "carvalho-roucairol",
    title: "Carvalho–Roucairol",
    source: Source {
        authors: "Osvaldo S. F. Carvalho, Gérard Roucairol",
        title: "On Mutual Exclusion in Computer Networks",
        year: 1983,
    },
    summary: "As Ricart–Agrawala, but a permission lasts until it is asked back: ask only those whose permission is missing.",
    variants: Care::VARIANTS,
    // A second copy of a REQUEST fetches a second REPLY: then both have the permission.
    assumes: FAMILY.assumes,
    structure: Structure::Permissions,
    message_kinds: CarvalhoRoucairolMessage::KINDS,
    messages_per_entry: "0 … 2(N-1)",
    ..FAMILY
};
