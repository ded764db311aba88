//! Lamport's bakery, 1974.

use serde_json::json;

use super::super::live::Move::{self, Acquire, Deliver};
use super::super::live::Playground;
use super::{Claim, Finding, How, Outcome, Run, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "BAK-1",
        says: "without `choosing`, ME1 fails: both read 0, P1 draws 1 and enters, then P0 draws 1 and enters too",
        showings: &[
            Showing::not_yet(How::Exploration),
            Showing::live(without_choosing).beside(Run::Live(with_choosing)),
        ],
    },
    Claim {
        id: "BAK-2",
        says: "with `choosing`, ME1–ME3 hold; at most N−1 others enter first once through the doorway, 2(N−1) \
               from `choosing := true` on (pull)",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "BAK-3",
        says: "pull: 6(N−1) messages per entry at light load, more while it polls; push: 8(N−1) whatever the load",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "BAK-4",
        says: "a crash is harmless if the variables of the dead read as 0; one that always dies with `choosing` \
               set blocks everybody",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Live)],
    },
    Claim {
        id: "BAK-5",
        says: "numbers grow without bound while the section is never idle",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// Two without `choosing`.
fn without_choosing(playground: &Playground) -> Outcome {
    late_draw(playground, "no-choosing", "no-choosing, 10 steps: both inside")
}

/// The same two, with it.
fn with_choosing(playground: &Playground) -> Outcome {
    late_draw(playground, "pull", "pull, the same and 60 messages more: at most one")
}

/// Both read 0. The answer to P1 arrives, P1 draws 1, and looks at P0, which has not drawn.
const LATE_DRAW: [Move; 7] = [
    Acquire(0),
    Acquire(1),
    Deliver("READ", 0, 1),
    Deliver("READ", 1, 0),
    Deliver("VALUE", 0, 1),
    Deliver("READ", 1, 0),
    Deliver("VALUE", 0, 1),
];

/// Plays this, then lets the rest arrive. It holds if two are inside, and a monitor says so.
fn late_draw(playground: &Playground, variant: &str, expected: &str) -> Outcome {
    let stage = playground.stage(json!({
        "algorithm": "bakery", "variant": variant, "nodes": 2, "network": { "hold": true },
    }))?;
    stage.play(&LATE_DRAW)?;
    let first = stage.inside();
    // Who waits in a bakery looks again and again: there is no end of messages.
    let steps = LATE_DRAW.len() as u64 + u64::from(stage.deliver_at_most(60)?);
    let (inside, violations) = (stage.inside(), stage.violations());
    Ok(Finding {
        expected: expected.into(),
        measured: format!("{first:?} inside, after {steps} steps {inside:?}"),
        holds: inside.len() == 2 && violations == 1,
    })
}
