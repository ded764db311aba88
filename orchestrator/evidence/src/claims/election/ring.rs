//! The acknowledged ring: the greatest id travels round a ring, and each hop is acknowledged.

use serde_json::json;

use super::super::live::Playground;
use super::measured::{all_start, counts, crash, elect, played, quiet, taken, taken_live};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_simulation::scenario::Until;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "RNG-1",
    showings: &[
        Showing::live(skipped),
        Showing::of(How::Simulation, counted).beside(Experiment::Alone(|| all_call("original"))),
    ],
}];

/// Counts the messages in two cases: one process calls an election, and all processes call elections.
fn counted() -> Measurement {
    let [one, all] = [hops()?, all_call("no-swallowing")?];
    Ok(Finding {
        expected: format!("{}; {}", one.expected, all.expected),
        measured: format!("{}; {}", one.measured, all.measured),
        holds: one.holds && all.holds,
    })
}

/// Runs in which all processes call an election at the same time, in rings of several arrangements. The ELECT of
/// each caller travels to the process with the highest id, and then once round the ring. No process stops the
/// ELECT of another process.
fn all_call(variant: &str) -> Measurement {
    let sizes = [2_u32, 4, 8, 16];
    let rings = ["ascending", "descending", "random:1", "random:2"];
    let cost = |nodes, ring| {
        let document = super::super::simulated::variant(all_start("acknowledged-ring", nodes, ring), variant);
        counts(&played(document, Vec::new())?, KINDS)
    };
    let of = |&nodes: &u32| rings.iter().map(|ring| cost(nodes, ring)).collect::<Result<Vec<_>, CouldNotRun>>();
    let measured = sizes.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let formula = |&nodes: &u32| {
        let n = u64::from(nodes);
        let elects = n * n + n * (n - 1) / 2;
        [elects, elects, n]
    };
    let expected: Vec<_> = sizes.iter().map(formula).collect();
    Ok(Finding {
        expected: format!("N = {sizes:?}, all call, rings {}, {KINDS:?}: {expected:?} in each", rings.join(", ")),
        measured: format!("{measured:?}"),
        holds: measured.iter().zip(&expected).all(|(rows, expected)| rows.iter().all(|row| row == expected)),
    })
}

const KINDS: [&str; 3] = ["ELECT", "OK", "COORD"];

fn hops() -> Measurement {
    let of = |caller| counts(&played(quiet("acknowledged-ring", 8), vec![elect(10, caller)])?, KINDS);
    let all_live = (0..8).map(of).collect::<Result<Vec<_>, CouldNotRun>>()?;
    let expected: Vec<_> = (0..8_u64).map(|caller| [15 - caller, 15 - caller, 8]).collect();
    let report = played(quiet("acknowledged-ring", 8), vec![crash(0, 7), elect(10, 3)])?;
    let (dead, taken) = (counts(&report, KINDS)?, taken(&report, 7));
    Ok(Finding {
        expected: format!(
            "N = 8, P0 … P7 call, {KINDS:?}: {expected:?}; P7 crashed, P3 calls: 3 + 8 ELECT, one of them to P7 and \
             not acknowledged, 7 COORD, all take P6"
        ),
        measured: format!("{all_live:?}; {dead:?}, {taken:?}"),
        holds: all_live == expected && dead == [11, 10, 7] && taken == [Some((6, 1)); 7],
    })
}

fn skipped(playground: &Playground) -> Measurement {
    let parameters = json!({ "initiators": "none", "answer": 1_000 });
    let stage = playground.stage(json!({ "algorithm": "acknowledged-ring", "nodes": 8, "parameters": parameters }))?;
    stage.elect(3)?;
    stage.wait(&Until::Idle)?;
    let sent = |kind: &str| stage.metrics().messages_by_kind.get(kind).copied().unwrap_or_default();
    let all_live = KINDS.map(sent);
    stage.crash(7)?;
    stage.elect(3)?;
    stage.wait(&Until::Idle)?;
    let taken = taken_live(&stage, &[7]);
    Ok(Finding {
        expected: format!("N = 8, P3 calls, {KINDS:?}: [12, 12, 8]; P7 killed, P3 calls: P0 … P6 take P6"),
        measured: format!("{all_live:?}; {taken:?}"),
        holds: all_live == [12, 12, 8] && taken == [Some(6); 7],
    })
}
