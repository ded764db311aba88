//! Ricart and Agrawala 1983, with a token.

use interlock_algorithm::Value;
use serde_json::json;

use super::super::live::Playground;
use super::{Claim, CouldNotRun, Finding, How, Outcome, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "RAT-1",
        says: "N messages per entry or 0; the token remembers the last visit of each process",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RAT-2",
        says: "the token goes to the next in ring order or to the one waiting longest: ME1–ME3 hold for both, \
               their bypass differs",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "RAT-3",
        says: "client delay 0 or 2T, synchronisation delay T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// One after the other enters and leaves, the token being with 0 at the start; then all at a time, 20 times each.
fn messages(playground: &Playground) -> Outcome {
    let stage = playground.stage(json!({ "algorithm": "ricart-agrawala-token", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 3, 3, 1, 0])?;
    let token = stage.views()?.into_iter().find_map(|mut view| view.variables.remove("token"));
    let Some(Value::Numbers(visits)) = token else { return Err(CouldNotRun::because("nobody shows the token")) };
    let in_turn = matches!(visits[..], [p0, p1, 0, p3, 0] if 0 < p3 && p3 < p1 && p1 < p0);
    let run = playground.drained("ricart-agrawala-token", 5, 20)?;
    let [requests, tokens] =
        ["REQUEST", "TOKEN"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "N = 5, P0, P3, P3, P1, P0 in turn: 0, 5, 0, 5, 5; the token was last at P3, P1, P0 in turn, \
                   never at P2, P4; under load N−1 = 4 REQUEST for each TOKEN"
            .into(),
        measured: format!(
            "{prices:?}, last visits {visits:?}; {requests} REQUEST, {tokens} TOKEN for {} entries",
            run.entries
        ),
        holds: prices == [0, 5, 0, 5, 5]
            && in_turn
            && run.entries == 100
            && requests == 4 * tokens
            && tokens <= run.entries,
    })
}
