//! Maekawa 1985.

use interlock_algorithm::NodeId;
use std::fmt;

use interlock_algorithm::structure::coterie::Coterie;
use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, break_rules, differ, hold};
use super::super::live::Move::{self, Acquire, Deliver};
use super::super::live::{Playground, Stage};
use super::maekawa_sets::{BY_HAND, TWO_ARBITERS};
use super::{
    Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, maekawa_cost, maekawa_delay, maekawa_figure,
    maekawa_figures, maekawa_succession,
};
use interlock_exploration::Property;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "MAE-1",
        showings: &[Showing::of(How::Property, voting_sets).beside(Experiment::Alone(a_member_less))],
    },
    Claim {
        id: "MAE-2",
        showings: &[
            Showing::explored(deadlock_of_three).beside(Experiment::Schedules(no_deadlock_of_two)),
            Showing::live(version_1).beside(Experiment::Live(corrected_with_these_requests)),
        ],
    },
    Claim {
        id: "MAE-3",
        showings: &[
            Showing::explored(deadlock_of_the_displaced).beside(Experiment::Schedules(no_deadlock_of_the_displaced)),
            Showing::live(version_2).beside(Experiment::Live(corrected_tells_the_displaced)),
        ],
    },
    Claim {
        id: "MAE-4",
        showings: &[
            Showing::explored(no_deadlock).beside(Experiment::Schedules(no_deadlock_of_version_2)),
            Showing::of(How::Simulation, maekawa_figures::rules).beside(Experiment::Alone(maekawa_figures::version_2)),
        ],
    },
    Claim { id: "MAE-5", showings: &[Showing::of(How::Simulation, maekawa_cost::cost)] },
    Claim { id: "MAE-6", showings: &[Showing::of(How::Simulation, maekawa_delay::delay)] },
    Claim {
        id: "MAE-7",
        showings: &[Showing::of(How::Simulation, maekawa_figures::arbiter)
            .beside(Experiment::Alone(maekawa_figures::no_refusal))],
    },
    Claim {
        id: "MAE-8",
        showings: &[
            Showing::of(How::Simulation, maekawa_succession::simulated)
                .beside(Experiment::Alone(maekawa_succession::simulated_otherwise)),
            Showing::live(maekawa_succession::live)
                .beside(Experiment::Live(maekawa_succession::live_without_succession)),
        ],
    },
    Claim {
        id: "MAE-9",
        showings: &[Showing::of(How::Simulation, maekawa_figure::seven)
            .beside(Experiment::Alone(maekawa_figure::seven_reversed))],
    },
];

/// All schedules of seven processes on the projective plane, of which P0, P1 and P2 request once each. Expects
/// that some schedule ends in a deadlock, and finds one of the shortest such schedules.
fn deadlock_of_three() -> Scenes {
    break_rules(&[(Scene::new("maekawa/version-1", 7, &[1, 1, 1, 0]), Property::NobodyStuck)])
}

/// Negative control: expects a deadlock of the corrected version. The number of processes is the largest that an
/// exploration can handle.
fn no_deadlock_of_two() -> Scenes {
    break_rules(&[(Scene::new("maekawa/corrected", 3, &[1]), Property::NobodyStuck)])
}

/// All schedules of three processes that request once each. Two further processes are their arbiters.
fn of_two_arbiters(variant: &str) -> Scene {
    Scene::new(format!("maekawa/{variant} coterie={TWO_ARBITERS}"), 5, &[1, 1, 1, 0]).overtaking()
}

/// All schedules of seven processes with the lecture's sets.
fn of_the_lecture(requests: &'static [u8]) -> Scene {
    Scene::new(format!("maekawa/version-2 coterie={BY_HAND}"), 7, requests)
}

/// Expects a deadlock of version 2, for both interpretations of the rule for FAILED. With the lecture's sets, three
/// requests must not suffice, even if messages overtake each other: no arbiter receives all of them. If P1 … P4
/// request, P4 receives three requests.
fn deadlock_of_the_displaced() -> Scenes {
    let stuck = Some(Property::NobodyStuck);
    differ(&[
        (of_two_arbiters("version-2 failed=any-better"), stuck),
        (of_two_arbiters("version-2 failed=holder-better"), stuck),
        (of_the_lecture(&[0, 1, 1, 1, 1, 0]).in_fifo(), stuck),
        (of_the_lecture(&[1, 1, 1, 0]).overtaking(), None),
    ])
}

fn no_deadlock_of_the_displaced() -> Scenes {
    break_rules(&[(of_two_arbiters("corrected"), Property::NobodyStuck)])
}

/// All schedules of the corrected version, with messages that overtake each other. Three processes request once
/// each on a grid, twice each with sets of different sizes, and once each with two arbiters.
fn no_deadlock() -> Scenes {
    hold(&[
        Scene::new("maekawa/corrected coterie=grid", 3, &[1]).overtaking(),
        Scene::new("maekawa/corrected coterie=sets:0;0,1;0,2", 3, &[2]).overtaking(),
        of_two_arbiters("corrected"),
    ])
}

/// Negative control: expects no deadlock of version 2 with two arbiters.
fn no_deadlock_of_version_2() -> Scenes {
    hold(&[of_two_arbiters("version-2")])
}

/// Checks the voting sets for all N up to 1,000.
fn voting_sets() -> Measurement {
    let mut planes = 0;
    let mut wrong = Vec::new();
    for nodes in 1..=1_000 {
        wrong.extend(Coterie::grid(nodes).check().err().map(|reason| format!("grid of {nodes}: {reason}")));
        if let Ok(plane) = Coterie::plane(nodes) {
            planes += 1;
            let reason = plane.check().err().map(|refusal| refusal.detail).or_else(|| irregular(&plane, nodes));
            wrong.extend(reason.map(|reason| format!("plane of {nodes}: {reason}")));
        }
    }
    let by_hand = Coterie::parse(BY_HAND, 7).map_err(CouldNotRun::because)?;
    wrong.extend(irregular(&by_hand, 7).map(|reason| format!("by hand: {reason}")));
    Ok(Finding {
        expected:
            "grids for N = 1 … 1,000, 18 planes, the lecture's sets: each contains its owner, every two meet; planes \
                   and lecture: N = K(K−1)+1, all sets of K, everybody in K"
                .into(),
        measured: format!(
            "1,000 grids, {planes} planes, the lecture's sets: {} wrong {}",
            wrong.len(),
            wrong.join(", ")
        )
        .trim_end()
        .into(),
        holds: wrong.is_empty() && planes == 18,
    })
}

/// Returns the reason why `sets` are irregular, or `None` if they are regular. In regular sets, each set has K
/// members, each process is in K sets, and N = K(K−1)+1.
fn irregular(sets: &Coterie, nodes: u32) -> Option<String> {
    let k = sets.set(NodeId(0)).len();
    let mut memberships = vec![0; nodes as usize];
    for owner in NodeId::all(nodes) {
        if sets.set(owner).len() != k {
            return Some(format!("the set of {owner} has not {k} members"));
        }
        sets.set(owner).iter().for_each(|member| memberships[member.index()] += 1);
    }
    let regular = k * (k - 1) + 1 == nodes as usize && memberships.iter().all(|&count| count == k);
    (!regular).then(|| format!("K = {k}, memberships {memberships:?}"))
}

/// Negative control: removes each member of each set, one at a time, in the planes of 7 and 13 points and in the sets
/// of the lecture. The control holds if the check accepts one of the resulting coteries.
fn a_member_less() -> Measurement {
    let planes = [("plane", 7), ("plane", 13), (BY_HAND, 7)];
    let (mut tried, mut passed) = (0, 0);
    for (text, nodes) in planes {
        let sets = Coterie::parse(text, nodes).map_err(CouldNotRun::because)?;
        for (owner, &left_out) in NodeId::all(nodes).flat_map(|owner| sets.set(owner).iter().map(move |m| (owner, m))) {
            let kept = |set: NodeId| sets.set(set).iter().filter(move |&&member| (set, member) != (owner, left_out));
            let set = |set| kept(set).map(|member| member.0.to_string()).collect::<Vec<_>>().join(",");
            let text = NodeId::all(nodes).map(set).collect::<Vec<_>>().join(";");
            tried += 1;
            passed += usize::from(Coterie::parse(&format!("sets:{text}"), nodes).is_ok());
        }
    }
    Ok(Finding {
        expected: "with a member less, none passes".into(),
        measured: format!("{passed} of {tried} pass"),
        holds: passed > 0,
    })
}

/// Result of requests after all messages have been delivered and all holders have exited.
struct Played {
    entered: Vec<u32>,
    stuck: bool,
}

impl fmt::Display for Played {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stuck = if self.stuck { "stuck" } else { "not stuck" };
        write!(formatter, "entered {:?}, {stuck}", self.entered)
    }
}

/// Schedule of seven processes with the lecture's sets. P0, P1 and P2 request. P0 and P2 vote for P0, P1 and P3 vote
/// for P1, and P4 and P5 vote for P2.
const TWO_VOTES_EACH: [Move; 9] = [
    Acquire(0),
    Deliver("REQUEST", 0, 2),
    Acquire(1),
    Acquire(2),
    Deliver("REQUEST", 0, 1),
    Deliver("REQUEST", 1, 3),
    Deliver("REQUEST", 2, 4),
    Deliver("REQUEST", 2, 5),
    Deliver("REQUEST", 1, 5),
];

fn requests_of_the_lectures(playground: &Playground, variant: &str) -> Result<Played, CouldNotRun> {
    let stage = seven(playground, variant)?;
    stage.play(&TWO_VOTES_EACH)?;
    play_out(&stage)
}

/// Plays the same requests one after the other: each request arrives at its whole voting set before the next
/// request is made.
fn requests_in_order(playground: &Playground) -> Result<Played, CouldNotRun> {
    let stage = seven(playground, "version-1")?;
    for node in 0..3 {
        stage.acquire(node)?;
        stage.deliver_all()?;
    }
    play_out(&stage)
}

fn seven(playground: &Playground, variant: &str) -> Result<Stage, CouldNotRun> {
    playground.stage(json!({
        "algorithm": "maekawa", "variant": variant, "nodes": 7, "parameters": { "coterie": BY_HAND },
        "network": { "hold": true },
    }))
}

fn version_1(playground: &Playground) -> Measurement {
    let crossed = requests_of_the_lectures(playground, "version-1")?;
    let ordered = requests_in_order(playground)?;
    Ok(Finding {
        expected: "version-1: no process enters, proved to be stuck; in the order of time 0, 1, 2 enter".into(),
        measured: format!("{crossed}; in order {ordered}"),
        holds: crossed.entered.is_empty() && crossed.stuck && ordered.entered == [0, 1, 2] && !ordered.stuck,
    })
}

fn corrected_with_these_requests(playground: &Playground) -> Measurement {
    let played = requests_of_the_lectures(playground, "corrected")?;
    Ok(all_enter(&played))
}

/// Schedule in which a waiting request is displaced. P3 votes for P1, and sends INQUIRE because of P0's request.
/// P4 votes for P2, sends INQUIRE because of P1's request, and then receives P0's request. P2 was refused by P3,
/// so P2 gives back the vote of P4, which then goes to P0. Before that, P1's request was the best waiting request
/// at P4; P0's request displaces it. If P1 is not notified of this, P1 keeps the vote of P3, for which P0 waits.
const DISPLACED: [Move; 9] = [
    Acquire(0),
    Acquire(1),
    Acquire(2),
    Deliver("REQUEST", 1, 3),
    Deliver("REQUEST", 0, 3),
    Deliver("REQUEST", 2, 3),
    Deliver("REQUEST", 2, 4),
    Deliver("REQUEST", 1, 4),
    Deliver("REQUEST", 0, 4),
];

fn displaced(playground: &Playground, variant: &str, parameters: &Value) -> Result<Played, CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "maekawa", "variant": variant, "nodes": 5, "parameters": parameters, "network": { "hold": true },
    }))?;
    stage.play(&DISPLACED)?;
    play_out(&stage)
}

fn version_2(playground: &Playground) -> Measurement {
    let read_as = |failed| displaced(playground, "version-2", &json!({ "coterie": TWO_ARBITERS, "failed": failed }));
    let readings = [read_as("any-better")?, read_as("holder-better")?];
    Ok(Finding {
        expected: "version-2, FAILED if any is better, if the holder is: no process enters, proved to be stuck".into(),
        measured: readings.each_ref().map(Played::to_string).join("; "),
        holds: readings.iter().all(|played| played.entered.is_empty() && played.stuck),
    })
}

fn corrected_tells_the_displaced(playground: &Playground) -> Measurement {
    let played = displaced(playground, "corrected", &json!({ "coterie": TWO_ARBITERS }))?;
    Ok(all_enter(&played))
}

/// Evaluates the negative control, which holds unless all three processes enter.
fn all_enter(played: &Played) -> Finding {
    Finding {
        expected: "corrected, in the same order: all three enter".into(),
        measured: played.to_string(),
        holds: played.entered.len() < 3 || played.stuck,
    }
}

/// Delivers all messages and releases all holders, until no message is held and no process is in the critical
/// section.
fn play_out(stage: &Stage) -> Result<Played, CouldNotRun> {
    let mut entered = Vec::new();
    loop {
        stage.deliver_all()?;
        let inside = stage.inside();
        for &node in &inside {
            stage.release(node)?;
        }
        entered.extend(&inside);
        if inside.is_empty() {
            return Ok(Played { entered, stuck: stage.is_stuck()? });
        }
    }
}
