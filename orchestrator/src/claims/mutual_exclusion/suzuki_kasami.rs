//! Suzuki and Kasami 1985.

use serde_json::json;

use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SUZ-1",
        says: "N messages per entry (N−1 REQUEST, 1 TOKEN), 0 when the asking process holds the token",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "SUZ-2",
        says: "ME1–ME3 hold; outdated requests are told by their numbers",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "SUZ-3",
        says: "synchronisation delay T; first come, first served bounds the bypass, and a last-in-first-out \
               queue starves",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "SUZ-4",
        says: "the example of five processes: the token goes from 0 to 1, 2, 0 and 3",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// One after the other enters and leaves, the token being with 0 at the start; then all at a time, 20 times each.
fn messages(playground: &Playground) -> Outcome {
    let stage = playground.stage(json!({ "algorithm": "suzuki-kasami", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 3, 3, 1, 0])?;
    let run = playground.drained("suzuki-kasami", 5, 20)?;
    let [requests, tokens] =
        ["REQUEST", "TOKEN"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "N = 5, P0, P3, P3, P1, P0 in turn: 0, 5, 0, 5, 5; under load N−1 = 4 REQUEST for each TOKEN".into(),
        measured: format!("{prices:?}; {requests} REQUEST, {tokens} TOKEN for {} entries", run.entries),
        holds: prices == [0, 5, 0, 5, 5] && run.entries == 100 && requests == 4 * tokens && tokens <= run.entries,
    })
}
