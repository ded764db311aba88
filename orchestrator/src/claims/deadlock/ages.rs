//! Wait-die and wound-wait.

use super::measured::{Tally, drawn};
use super::{Claim, Finding, How, Outcome, Run, Showing};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "DLK-6",
    says: "wait-die and wound-wait: no circle can arise if ages are compared again when the holder changes; because \
           the timestamp is kept nobody starves; aborts are counted",
    showings: &[
        Showing::not_yet(How::Exploration),
        Showing::of(How::Simulation, compared_again).beside(Run::Alone(not_compared_again)),
    ],
}];

fn compared_again() -> Outcome {
    both("original")
}

fn not_compared_again() -> Outcome {
    both("ages-not-compared-again")
}

fn both(variant: &str) -> Outcome {
    let die = Tally::of(&drawn("wait-die", variant, 6), 20, 100)?;
    let wound = Tally::of(&drawn("wound-wait", variant, 6), 20, 100)?;
    Ok(Finding {
        expected: "no deadlock, nobody starved, all transactions done with; both abort some".into(),
        measured: format!("wait-die: {die}; wound-wait: {wound}"),
        holds: [die, wound].iter().all(|tally| tally.went_well() && tally.aborts > 0),
    })
}
