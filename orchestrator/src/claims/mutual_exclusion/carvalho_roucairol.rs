//! Carvalho and Roucairol 1983.

use serde_json::json;

use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "CAR-1",
        says: "0…2(N−1) messages per entry: 0 when the same process asks again and nobody else did",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CAR-2",
        says: "ME1–ME3 hold without FIFO; the mean rises from about N−1 to 2(N−1) messages per entry, never \
               above that of Ricart and Agrawala",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CAR-3",
        says: "of each pair exactly one has the permission at the start, and who gives one away while waiting \
               asks again with the original timestamp",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "CAR-4",
        says: "client delay 0…2T, synchronisation delay T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// One after the other enters and leaves; then all at a time, 20 times each.
fn messages(playground: &Playground) -> Outcome {
    let stage = playground.stage(json!({ "algorithm": "carvalho-roucairol", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 0, 1, 2, 3, 4, 0, 0])?;
    let run = playground.drained("carvalho-roucairol", 5, 20)?;
    Ok(Finding {
        expected: "N = 5, P0 twice, P1 … P4, P0 twice: 0 for asking again, 2(N−1) = 8 once all others have asked, \
                   never more"
            .into(),
        measured: format!("{prices:?}; {} messages for {} entries under load", run.messages, run.entries),
        holds: (prices[1], prices[6], prices[7]) == (0, 8, 0)
            && prices.iter().all(|&price| price <= 8)
            && run.entries == 100
            && run.messages <= 8 * run.entries,
    })
}
