//! Choosing one of them.

use super::{Claim, How, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "CMP-1",
        says: "the table of message complexities: measured beside the formula",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CMP-2",
        says: "there is no best algorithm: over N, idle and hold time different ones win",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CMP-3",
        says: "work is even among the processes of the symmetric ones and uneven in the others",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CMP-4",
        says: "with a native multicast the ranking changes",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CMP-5",
        says: "under crash, loss and reordering each keeps or loses what its assumptions say",
        showings: &[Showing::not_yet(How::Simulation), Showing::not_yet(How::Live)],
    },
];
