//! Le Lann's token ring, 1977.

use super::{Claim, How, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LEL-1",
        says: "ME1–ME3 hold; at most N−1 others enter first",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LEL-2",
        says: "1 message per entry at heavy load; without bound when nobody wants it",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LEL-3",
        says: "client delay 0…N·T (mean about N/2), synchronisation delay T…(N−1)T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LEL-4",
        says: "a lost token stops everything; with detection exactly one new one is made, and one that turns up \
               again is discarded",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "LEL-5",
        says: "a crashed process is cut out of the ring and entries go on",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation)],
    },
];
