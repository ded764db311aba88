//! Lamport 1978.

use serde_json::json;

use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Run, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LAM-1",
        says: "3(N−1) messages per entry (REQUEST, ACK, RELEASE); N+1 if a multicast counts as one",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-2",
        says: "client delay 2T, synchronisation delay T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-3",
        says: "with FIFO channels ME1–ME3 and ORDER hold",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-4",
        says: "without FIFO, ME1 fails with any later message and with explicit acknowledgements; with the \
               postponed ACK it holds if RELEASE names its request",
        showings: &[Showing::not_yet(How::Exploration), Showing::live(without_fifo).beside(Run::Live(in_order))],
    },
    Claim {
        id: "LAM-5",
        says: "one lost message blocks, or with any later message breaks ME1; over the reliable channel all go \
               on at 20 % loss",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "LAM-6",
        says: "without acknowledgements it blocks or breaks ME1",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "LAM-7",
        says: "the ACK may be postponed until after leaving: same number of messages",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// Everybody enters 20 times.
fn messages(playground: &Playground) -> Outcome {
    let run = playground.drained("lamport", 5, 20)?;
    let kinds = ["REQUEST", "ACK", "RELEASE"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "3(N−1) = 12 messages per entry for N = 5, as many of each kind".into(),
        measured: format!("{} messages ({kinds:?}) for {} entries", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [400; 3] && run.messages == 1_200,
    })
}

/// 1's request reaches 0, whose own is older and who now has a later message from everybody: 0 enters. Its ACK overtakes
/// its request, and tells 1 that 0 has nothing older.
fn without_fifo(playground: &Playground) -> Outcome {
    two_who_ask(playground, "the ACK arrives before the REQUEST that was sent before it: both inside", &["ACK"])
}

/// The same, but what 0 sent first arrives first.
fn in_order(playground: &Playground) -> Outcome {
    two_who_ask(playground, "in the order of sending: one inside", &["REQUEST", "ACK"])
}

/// What 0 has sent to 1 arrives in this order. It holds if two are inside, and a monitor says so.
fn two_who_ask(playground: &Playground, expected: &str, arriving: &[&str]) -> Outcome {
    let stage = playground.stage(json!({ "algorithm": "lamport", "nodes": 2, "network": { "hold": true } }))?;
    stage.acquire(0)?;
    stage.acquire(1)?;
    stage.deliver("REQUEST", 1, 0)?;
    for kind in arriving {
        stage.deliver(kind, 0, 1)?;
    }
    let (inside, violations) = (stage.inside(), stage.violations());
    Ok(Finding {
        expected: expected.into(),
        measured: format!("inside: {inside:?}, violations: {violations}"),
        holds: inside == [0, 1] && violations == 1,
    })
}
