//! Ricart and Agrawala 1981.

use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "RIC-1",
        says: "2(N−1) messages per entry; N if a multicast counts as one",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-2",
        says: "client delay 2T, synchronisation delay T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-3",
        says: "ME1–ME3 hold without FIFO; ORDER holds if every message carries the clock, and not with the \
               sequence numbers of the paper",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-4",
        says: "of six, P1 is inside, P3 asks with ⟨42,3⟩ and P5 with ⟨49,5⟩: P3 is next, then P5",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-5",
        says: "ties go to the smaller id: replying at a tie breaks ME1, deferring at a tie deadlocks",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "RIC-6",
        says: "once everybody has received a request, at most N−1 others enter before it",
        showings: &[Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "RIC-7",
        says: "timestamps grow without bound; sequence numbers can be kept modulo 2N−1, Lamport clocks cannot",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-8",
        says: "one crash stops it; with a failure detector entries go on, and a false suspicion can break ME1",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RIC-9",
        says: "the clock must advance on receipt: without it ME1 fails",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
];

/// Everybody enters 20 times.
fn messages(playground: &Playground) -> Outcome {
    let run = playground.drained("ricart-agrawala", 5, 20)?;
    let kinds = ["REQUEST", "REPLY"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "2(N−1) = 8 messages per entry for N = 5, as many of each kind".into(),
        measured: format!("{} messages ({kinds:?}) for {} entries", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [400; 2] && run.messages == 800,
    })
}
