//! A coordinator grants the section.

use serde_json::json;

use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "CEN-1",
        says: "3 messages per entry (REQUEST, GRANT, RELEASE), none for the coordinator: 3(N−1)/N in the mean",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CEN-2",
        says: "client delay 2T, synchronisation delay 2T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CEN-3",
        says: "ME1–ME3 hold",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CEN-4",
        says: "served in the order of arrival at the coordinator; ORDER by happened-before fails, and a queue by \
               timestamp repairs it only if the older request arrives before the grant",
        showings: &[Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "CEN-5",
        says: "the coordinator is a single point of failure; with failover a new one is elected, rebuilds its \
               queue, and entries go on",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "CEN-6",
        says: "a crashed holder blocks everybody unless the token is reclaimed; reclaiming from a paused one \
               breaks ME1, and a fencing token saves the resource",
        showings: &[Showing::not_yet(How::Live)],
    },
];

/// Everybody enters 20 times, the coordinator too; then the coordinator alone.
fn messages(playground: &Playground) -> Outcome {
    let run = playground.drained("centralised", 5, 20)?;
    let kinds = ["REQUEST", "GRANT", "RELEASE"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    let alone = playground.stage(json!({ "algorithm": "centralised", "nodes": 5 }))?.prices(&[0, 1, 0])?;
    Ok(Finding {
        expected: "N = 5: 3(N−1)/N = 2.4 messages per entry, as many of each kind; for P0, P1, P0 in turn 0, 3, 0"
            .into(),
        measured: format!("{} messages ({kinds:?}) for {} entries; {alone:?}", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [80; 3] && run.messages == 240 && alone == [0, 3, 0],
    })
}
