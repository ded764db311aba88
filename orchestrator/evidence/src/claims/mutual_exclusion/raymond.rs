//! Raymond 1989.

use interlock_algorithm::mutual_exclusion::raymond::Raymond;
use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::draw::draw;
use serde_json::json;

use super::super::explored::{Scene, Scenes, break_rules, hold};
use super::super::live::Playground;
use super::super::simulated::specification;
use super::raymond_schedule::Schedule;
use super::raymond_trees::{TREES, towards};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use super::{raymond_figures, raymond_improved, raymond_recovery as recovery};
use interlock_exploration::Property;
use interlock_simulation::scenario::Until;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "RAY-1",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_taken_literally)),
            Showing::of(How::Simulation, raymond_figures::rules).beside(Experiment::Alone(raymond_figures::forgotten)),
            Showing::of(How::Property, random_trees).beside(Experiment::Alone(no_further_request)),
        ],
    },
    Claim { id: "RAY-2", showings: &[Showing::of(How::Simulation, raymond_figures::cost)] },
    Claim {
        id: "RAY-3",
        showings: &[
            Showing::of(How::Simulation, raymond_figures::flood)
                .beside(Experiment::Alone(raymond_figures::misdirected)),
            Showing::live(flood).beside(Experiment::Live(misdirected)),
        ],
    },
    Claim {
        id: "RAY-4",
        showings: &[
            Showing::live(recovery::live).beside(Experiment::Live(recovery::live_without_recovery)),
            Showing::of(How::Simulation, recovery::simulated)
                .beside(Experiment::Alone(recovery::simulated_without_recovery)),
        ],
    },
    Claim {
        id: "RAY-5",
        showings: &[
            Showing::of(How::Simulation, raymond_figures::delays).beside(Experiment::Alone(raymond_figures::literally)),
            Showing::explored(literally_stuck).beside(Experiment::Schedules(never_stuck)),
        ],
    },
    Claim {
        id: "RAY-6",
        showings: &[
            Showing::of(How::Simulation, raymond_improved::cost)
                .beside(Experiment::Alone(raymond_improved::cost_without)),
            Showing::explored(raymond_improved::all_schedules)
                .beside(Experiment::Schedules(raymond_improved::all_schedules_without_request)),
        ],
    },
];

/// All schedules of four processes that request twice each, on a line, on a star, and on a tree with two levels.
fn all_schedules() -> Scenes {
    let trees = ["raymond/original tree=line", "raymond/original tree=star", "raymond/original tree=binary"];
    hold(&trees.map(|tree| Scene::new(tree, 4, &[2]).overtaking()))
}

fn all_schedules_taken_literally() -> Scenes {
    hold(&[Scene::new("raymond/no-further-request tree=line", 4, &[2]).overtaking()])
}

/// All schedules of three processes on a line that request once each. The processes execute the code of the
/// lectures literally.
fn literally_stuck() -> Scenes {
    break_rules(&[(Scene::new("raymond/no-further-request tree=line", 3, &[1]), Property::NobodyStuck)])
}

fn never_stuck() -> Scenes {
    break_rules(&[(Scene::new("raymond/original tree=line", 3, &[1]), Property::NobodyStuck)])
}

/// Number of random trees. For each tree, the number of processes, the privileged process and the schedule are drawn
/// as well.
const RANDOM_TREES: u64 = 300;

/// Checks the algorithm of the paper on random trees.
fn random_trees() -> Measurement {
    schedules("original", "every schedule keeps ME1–ME3, one privilege, every way of HOLDERs leading to it")
}

/// Negative control: a process that passes the PRIVILEGE on, although further requests wait in its queue, does not
/// send a REQUEST after it.
fn no_further_request() -> Measurement {
    schedules("no-further-request", "some get stuck")
}

/// Executes random schedules of 2 … 24 processes, each of which enters twice.
fn schedules(variant: &str, expected: &str) -> Measurement {
    let mut broken = Vec::new();
    for seed in 0..RANDOM_TREES {
        let below = |key, limit: u32| u32::try_from(draw(&[seed, key]) % u64::from(limit)).unwrap_or_default();
        let nodes = 2 + below(0, 23);
        // The timers of the clients are off, so the schedule determines when a client requests and exits.
        let document = json!({
            "algorithm": "raymond", "variant": variant, "nodes": nodes, "seed": seed, "timers": false,
            "parameters": { "tree": format!("random:{seed}"), "holder": below(1, nodes) },
            "network": { "delay": "0" }, "workload": { "idle": "0", "hold": "0", "entries": 2 },
        });
        let specification = specification(document)?;
        let setting = Raymond::configure(&specification.configuration()).map_err(CouldNotRun::because)?;
        let played = Schedule::new(&specification, &setting).play(draw(&[seed, 2]));
        broken.extend(played.err().map(|what| format!("tree random:{seed} of {nodes}, {what:?}")));
    }
    Ok(Finding {
        expected: format!("{variant}, {RANDOM_TREES} random trees: {expected}"),
        measured: match broken.first() {
            None => format!("none of {RANDOM_TREES} violates a property"),
            Some(first) => format!("{} violate a property, the first: {first}", broken.len()),
        },
        holds: broken.is_empty(),
    })
}

fn flood(playground: &Playground) -> Measurement {
    let expected = "every HOLDER is the neighbour on the way to the privilege, after N−1 = 8 INITIALIZE";
    holders(playground, "original", expected)
}

/// Negative control: the same initial flood of INITIALIZE, but a process sets HOLDER to a wrong neighbour, from
/// which it has not received INITIALIZE.
fn misdirected(playground: &Playground) -> Measurement {
    holders(playground, "misdirected", "HOLDER set to the last neighbour: somewhere not")
}

/// Starts live processes without requests. Compares the variables of the processes with the expected HOLDER values
/// when the run is idle.
fn holders(playground: &Playground, variant: &str, expected: &str) -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for (shape, privileged) in TREES {
        let parameters = json!({ "tree": shape, "holder": privileged });
        let stage = playground.stage(json!({
            "algorithm": "raymond", "variant": variant, "nodes": 9, "parameters": parameters,
        }))?;
        stage.wait(&Until::Idle)?;
        let wanted = towards(shape, NodeId(privileged))?;
        let found = stage.views()?.into_iter().map(|mut view| view.variables.remove("HOLDER"));
        let right = found.zip(wanted).filter(|(found, wanted)| found.as_ref() == Some(wanted)).count();
        let sent = stage.metrics().messages;
        measured.push(format!("{shape}: {right} of 9 with {sent}"));
        holds &= (right, sent) == (9, 8);
    }
    Ok(Finding { expected: expected.into(), measured: measured.join(", "), holds })
}
