//! The greatest id goes round a ring, each step acknowledged.

use serde_json::json;

use super::super::live::Playground;
use super::measured::{counts, crash, elect, played, quiet, taken, taken_live};
use super::{Claim, CouldNotRun, Finding, How, Outcome, Showing};
use crate::run::Until;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "RNG-1",
    says: "with acknowledged ELECT one initiator needs d + N ELECT (d hops to the highest) and as many OK, then COORD; \
           a dead successor is skipped",
    showings: &[Showing::live(skipped), Showing::of(How::Simulation, hops)],
}];

const KINDS: [&str; 3] = ["ELECT", "OK", "COORD"];

fn hops() -> Outcome {
    let of = |caller| counts(&played(quiet("acknowledged-ring", 8), vec![elect(10, caller)])?, KINDS);
    let all_live = (0..8).map(of).collect::<Result<Vec<_>, CouldNotRun>>()?;
    let expected: Vec<_> = (0..8_u64).map(|caller| [15 - caller, 15 - caller, 8]).collect();
    let report = played(quiet("acknowledged-ring", 8), vec![crash(0, 7), elect(10, 3)])?;
    let (dead, taken) = (counts(&report, KINDS)?, taken(&report, 7));
    Ok(Finding {
        expected: format!(
            "N = 8, P0 … P7 call, {KINDS:?}: {expected:?}; P7 dead, P3 calls: 3 + 8 ELECT, one of them to P7 and not \
             acknowledged, 7 COORD, all take P6"
        ),
        measured: format!("{all_live:?}; {dead:?}, {taken:?}"),
        holds: all_live == expected && dead == [11, 10, 7] && taken == [Some((6, 1)); 7],
    })
}

fn skipped(playground: &Playground) -> Outcome {
    let parameters = json!({ "initiators": "none", "answer": 1_000_000 });
    let stage = playground.stage(json!({ "algorithm": "acknowledged-ring", "nodes": 8, "parameters": parameters }))?;
    stage.elect(3)?;
    stage.wait(Until::Idle)?;
    let sent = |kind: &str| stage.metrics().messages_by_kind.get(kind).copied().unwrap_or_default();
    let all_live = KINDS.map(sent);
    stage.crash(7)?;
    stage.elect(3)?;
    stage.wait(Until::Idle)?;
    let taken = taken_live(&stage, &[7]);
    Ok(Finding {
        expected: format!("N = 8, P3 calls, {KINDS:?}: [12, 12, 8]; P7 killed, P3 calls: P0 … P6 take P6"),
        measured: format!("{all_live:?}; {taken:?}"),
        holds: all_live == [12, 12, 8] && taken == [Some(6); 7],
    })
}
