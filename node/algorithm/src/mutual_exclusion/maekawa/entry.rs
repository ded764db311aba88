//! What the catalogue says of Maekawa's algorithm, and what a user can choose.

use super::MaekawaMessage;
use crate::mutual_exclusion::FAMILY;
use crate::prelude::*;
use crate::structure::coterie::Coterie;

choices! {
    /// How an arbiter treats requests that compete for its vote.
    pub enum Version {
        Corrected = "corrected":
            "a request that is best when it comes is told when a better one displaces it (Sanders 1987)",
        One = "version-1": "REQUEST, LOCKED and RELEASE only: a vote is never asked back";
            broken: "deadlock: some have votes that the others wait for",
        Two = "version-2": "as first published: only who asks is told that a better request is known";
            broken: "deadlock: a request displaced by a better one does not know it, and keeps its votes",
        TreeQuorums = "tree-quorums":
            "as corrected, with the paths of a binary tree for voting sets: for who has died there stand two paths below it \
             (Agrawala and El Abbadi 1991)",
        HalfTrees = "half-trees": "as tree-quorums, but one path below who has died is enough";
            broken: "two can be in the section: their paths do not meet",
        Succession = "succession":
            "as corrected, and the next process takes the place of an arbiter that has died, asking who has its vote",
        ForgetfulSuccession = "forgetful-succession": "as succession, but the new arbiter begins with its vote, whoever has it";
            broken: "two can be in the section: the former arbiter had voted for one, and the new one votes for another",
    }
}

impl Version {
    /// Whether a request that is displaced is told.
    pub(super) fn is_corrected(self) -> bool {
        matches!(self, Self::Corrected) || self.survives_crashes()
    }

    /// Whether voting sets are formed for each request, of those who live.
    pub(super) const fn follows_the_living(self) -> bool {
        matches!(self, Self::TreeQuorums | Self::HalfTrees)
    }

    /// Whether it goes on without the dead.
    pub(super) const fn survives_crashes(self) -> bool {
        self.has_succession() || self.follows_the_living()
    }

    /// Whether the places of the dead are taken over.
    pub(super) const fn has_succession(self) -> bool {
        matches!(self, Self::Succession | Self::ForgetfulSuccession)
    }
}

choices! {
    /// In version 2, who is told that a better request is known: the paper can be read either way.
    pub enum Failed {
        IfAnyBetter = "any-better": "who asks, if the request that has the vote or one that waits is better",
        IfHolderBetter = "holder-better": "who asks, if the request that has the vote is better",
    }
}

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) coterie: Coterie,
    pub(super) version: Version,
    pub(super) failed: Failed,
}

pub(super) const ENTRY: Entry = Entry {
    name: "maekawa",
    title: "Maekawa",
    source: Source {
        authors: "Mamoru Maekawa",
        title: "A √N Algorithm for Mutual Exclusion in Decentralized Systems",
        year: 1985,
    },
    summary: "Ask only your voting set; every two sets meet, and nobody votes for two at a time.",
    variants: Version::VARIANTS,
    // Messages name their request, so those that overtake are told apart. A second LOCKED is a second vote.
    assumes: FAMILY.assumes,
    structure: Structure::Coterie { parameter: "coterie" },
    message_kinds: MaekawaMessage::KINDS,
    repair_kinds: &["TAKES-OVER", "STATE"],
    parameters: &[
        Parameter::new("coterie", "the voting sets", "grid", Range::Coterie),
        Parameter::choice::<Failed>(
            "failed",
            "in version-2, who is told FAILED: who asks when any request known is better, or when the one that has the vote is",
        ),
    ],
    messages_per_entry: "3(K-1) … 7(K-1), K being the size of a voting set; succession: 2K more when an arbiter dies; tree-quorums: \
                           K is at most 1+⌊log₂N⌋, more for each crashed process",
    ..FAMILY
};
