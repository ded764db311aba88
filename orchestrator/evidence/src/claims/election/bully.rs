//! The bully algorithm: the highest live id wins.

use interlock_algorithm::Outcome;
use serde_json::json;

use super::super::live::Playground;
use super::super::simulated::{run, scripted};
use super::measured::{crash, elect, played, quiet, taken, taken_live};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_model::event::{Event, RestartState};
use interlock_observation::monitor::leaders;
use interlock_simulation::scenario::Until;

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "BUL-1", showings: &[Showing::live(p7_is_dead), Showing::of(How::Simulation, p3_notices)] },
    Claim { id: "BUL-2", showings: &[Showing::live(p6_dies_live), Showing::of(How::Simulation, p6_dies)] },
    Claim { id: "BUL-3", showings: &[Showing::of(How::Simulation, table_of_8), Showing::of(How::Property, tables)] },
    Claim { id: "BUL-4", showings: &[Showing::live(comes_back)] },
    Claim {
        id: "BUL-5",
        showings: &[
            Showing::of(How::Simulation, too_short).beside(Experiment::Alone(long_enough)),
            Showing::live(too_short_live).beside(Experiment::Live(long_enough_live)),
        ],
    },
];

/// Time-out that is long enough even on a busy machine.
const PATIENT: &str = "2s";

fn live(answer: &str) -> serde_json::Value {
    json!({
        "algorithm": "bully", "nodes": 8,
        "parameters": { "initiators": "none", "answer": answer, "coordinator": "6s" },
    })
}

fn p3_notices() -> Measurement {
    let report = played(quiet("bully", 8), vec![crash(0, 7), elect(10, 3)])?;
    let taken = taken(&report, 7);
    Ok(Finding {
        expected: "P0 … P6 take P6 for the coordinator of term 1, no property violated".into(),
        measured: format!("{taken:?}, {} broken", report.violations.len()),
        holds: taken == [Some((6, 1)); 7] && report.violations.is_empty(),
    })
}

fn p7_is_dead(playground: &Playground) -> Measurement {
    let stage = playground.stage(live(PATIENT))?;
    stage.crash(7)?;
    stage.elect(3)?;
    stage.wait(&Until::Idle)?;
    let taken = taken_live(&stage, &[7]);
    Ok(Finding {
        expected: "P7 killed, P3 calls: P0 … P6 take P6 for the coordinator".into(),
        measured: format!("{taken:?}, {} violations", stage.violations()),
        holds: taken == [Some(6); 7] && stage.violations() == 0,
    })
}

/// Runs an election in which P6 answers P3, and then crashes before it becomes coordinator.
fn p6_dies() -> Measurement {
    let report = played(quiet("bully", 8), vec![crash(0, 7), elect(10, 3), crash(20, 6)])?;
    let calls =
        |event: &Event| matches!(event.outcome(), Some((at, Outcome::Called { term: 2, .. })) if at.node.0 == 3);
    let again = report.events.iter().any(calls);
    let taken = taken(&report, 6);
    Ok(Finding {
        expected: "P6 answers P3 and crashes: P3 calls again, in term 2, and P0 … P5 take P5 as coordinator".into(),
        measured: format!("P3 called again: {again}; {taken:?}"),
        holds: again && taken == [Some((5, 2)); 6],
    })
}

fn p6_dies_live(playground: &Playground) -> Measurement {
    let stage = playground.stage(live("3s"))?;
    stage.crash(7)?;
    // P7 has crashed, so P6 is the only process that answers P5.
    let answered = stage.expect(5, "delivered");
    stage.elect(5)?;
    stage.wait_expected(answered)?;
    stage.crash(6)?;
    stage.wait(&Until::Idle)?;
    let taken = taken_live(&stage, &[6, 7]);
    let terms: Vec<_> = stage.state().nodes.iter().filter_map(|node| node.leader).map(|leader| leader.term).collect();
    Ok(Finding {
        expected: "P5 calls, P6 killed once it has answered: a second term, in which all take P5".into(),
        measured: format!("{taken:?} in terms {terms:?}"),
        holds: taken == [Some(5); 6] && terms.iter().all(|term| *term >= 2),
    })
}

/// Returns the number of messages of an election that `caller` calls.
fn cost(nodes: u32, caller: u32, highest_dead: bool) -> Result<u64, CouldNotRun> {
    let mut script = vec![elect(10, caller)];
    if highest_dead {
        script.insert(0, crash(0, nodes - 1));
    }
    Ok(run(&scripted(quiet("bully", nodes), script)?)?.messages)
}

/// Returns the numbers of messages that the formulas predict: first if all processes are live, then if the highest
/// process has crashed.
fn formulas(nodes: u32, caller: u32) -> (u64, u64) {
    let (n, m) = (u64::from(nodes), u64::from(nodes - 1 - caller));
    (m * (m + 1) + n - 1, m * m + n - 1)
}

fn table_of_8() -> Measurement {
    let callers = || 0..7;
    let all_live = callers().map(|caller| cost(8, caller, false)).collect::<Result<Vec<_>, _>>()?;
    let dead = callers().map(|caller| cost(8, caller, true)).collect::<Result<Vec<_>, _>>()?;
    let (live_expected, dead_expected): (Vec<_>, Vec<_>) = callers().map(|caller| formulas(8, caller)).unzip();
    Ok(Finding {
        expected: format!("N = 8, P0 … P6 call: all live {live_expected:?}; P7 crashed {dead_expected:?}"),
        measured: format!("all live {all_live:?}; P7 crashed {dead:?}"),
        holds: all_live == live_expected && dead == dead_expected,
    })
}

/// Counts the messages for 2 … 16 nodes and each caller except the highest node.
fn tables() -> Measurement {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (nodes, caller) in (2..=16).flat_map(|nodes| (0..nodes - 1).map(move |caller| (nodes, caller))) {
        let measured = (cost(nodes, caller, false)?, cost(nodes, caller, true)?);
        tried += 1;
        if measured != formulas(nodes, caller) {
            wrong.push((nodes, caller, measured));
        }
    }
    Ok(Finding {
        expected: "N = 2 … 16, every caller but the highest, all live and the highest crashed: as the formulas say"
            .into(),
        measured: format!("{tried} callers, {} wrong {wrong:?}", wrong.len()),
        holds: tried == 120 && wrong.is_empty(),
    })
}

/// Runs live processes in which the coordinator P7 crashes, P6 is elected, and P7 restarts. P7 restarts with its
/// stored state in the first run, and without it in the second run.
fn comes_back(playground: &Playground) -> Measurement {
    let returned = |state| -> Result<Vec<Option<u32>>, CouldNotRun> {
        let stage = playground.stage(live(PATIENT))?;
        stage.elect(7)?;
        stage.wait(&Until::Idle)?;
        stage.crash(7)?;
        stage.elect(3)?;
        stage.wait(&Until::Idle)?;
        stage.restart(7, state)?;
        stage.wait(&Until::Idle)?;
        Ok(taken_live(&stage, &[]))
    };
    let (stored, forgotten) = (returned(RestartState::Stored)?, returned(RestartState::None)?);
    Ok(Finding {
        expected: "P7 comes back after P6 was elected: all take P7, whether it has what it stored or nothing".into(),
        measured: format!("{stored:?}; {forgotten:?}"),
        holds: stored == [Some(7); 8] && forgotten == [Some(7); 8],
    })
}

/// Runs an election in which an answer arrives after two units, and the caller waits for it for `answer` units.
fn rivals(answer: u64) -> Measurement {
    let mut document = quiet("bully", 8);
    document["parameters"]["answer"] = json!(answer);
    let report = run(&scripted(document, vec![elect(10, 3)])?)?;
    let two = report.broken().filter(|violation| *violation.code == *leaders::TWO_COORDINATORS).count();
    Ok(Finding {
        expected: "T = 1, P3 calls: two coordinators of one term, and the monitor reports it".into(),
        measured: format!("answers waited for during {answer} T: said {two} times"),
        holds: two > 0,
    })
}

fn too_short() -> Measurement {
    rivals(1)
}

fn long_enough() -> Measurement {
    rivals(10)
}

/// Runs a live election in which a message takes 100 ms. The caller waits for an answer for the duration `answer`.
fn rivals_live(playground: &Playground, answer: &str) -> Measurement {
    let mut document = live(answer);
    document["nodes"] = json!(3);
    document["network"] = json!({ "delay": "const:100" });
    let stage = playground.stage(document)?;
    stage.elect(0)?;
    stage.wait(&Until::Idle)?;
    Ok(Finding {
        expected: "100 ms a message, P0 calls: two coordinators, and the monitor reports it".into(),
        measured: format!("answers waited for during {answer}: {} violations", stage.violations()),
        holds: stage.violations() > 0,
    })
}

fn too_short_live(playground: &Playground) -> Measurement {
    rivals_live(playground, "1ms")
}

fn long_enough_live(playground: &Playground) -> Measurement {
    rivals_live(playground, PATIENT)
}
