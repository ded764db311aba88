//! Dijkstra's self-stabilising ring, 1974.

use super::{Claim, How, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "DIJ-1",
        says: "from all zero, exactly one process is privileged at all times, in turn 0, 1, …, N−1",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "DIJ-2",
        says: "for k > n, every initial configuration comes under every schedule to exactly one privilege, and \
               stays; the smallest k is found for both daemons",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "DIJ-3",
        says: "n = 4 and k = 2 from 0101, all privileged moving at once: three privileges for ever",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "DIJ-4",
        says: "the worst number of moves until it is stable follows a closed formula",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "DIJ-5",
        says: "processes get the privilege without wanting it: messages flow although nobody asks",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "DIJ-6",
        says: "a dead process leaves the ring; if P0 dies another takes its role",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "DIJ-7",
        says: "by messages it stabilises after arbitrary corruption of flags and copies, k being large enough, \
               over any channel",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation), Showing::not_yet(How::Live)],
    },
];
