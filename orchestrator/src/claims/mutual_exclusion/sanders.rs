//! Sanders 1987, information structures.

use super::{Claim, How, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SAN-1",
        says: "given the sets of Ricart and Agrawala, of Maekawa or of a coordinator, it behaves as they do",
        showings: &[Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "SAN-2",
        says: "i ∈ I_i ⊆ R_i, and every two I meet or each is in the R of the other: sets that break this are \
               refused by name, and break ME1",
        showings: &[Showing::not_yet(How::Property), Showing::not_yet(How::Exploration)],
    },
];
