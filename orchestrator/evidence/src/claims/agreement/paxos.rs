//! Paxos, one decree (the lecture; Lamport 1998, 2001).

use interlock_algorithm::{NodeId, Outcome};
use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, break_rules, differ, hold};
use super::super::simulated::{at, idle, run, says, scripted, variant};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, live, under_fire};
use interlock_exploration::Property;
use interlock_model::choice::Choice;
use interlock_model::event::{Event, What};
use interlock_model::span::Span;
use interlock_model::specification::Scripted;
use interlock_observation::monitor::agreement;
use interlock_simulation::simulation::{Report, Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "PAX-1",
        showings: &[
            Showing::live(live::minority_dead),
            Showing::of(How::Simulation, || dead(2)).beside(Experiment::Alone(|| dead(3))),
        ],
    },
    Claim {
        id: "PAX-2",
        showings: &[
            Showing::explored(later_in_all_schedules).beside(Experiment::Schedules(later_that_adopts_nothing)),
            Showing::live(|playground| live::later_proposer(playground, "single-decree"))
                .beside(Experiment::Live(|playground| live::later_proposer(playground, "adopts-nothing"))),
            Showing::of(How::Simulation, || later("single-decree"))
                .beside(Experiment::Alone(|| later("adopts-nothing"))),
        ],
    },
    Claim {
        id: "PAX-3",
        showings: &[
            Showing::explored(one_value_whatever_happens).beside(Experiment::Schedules(one_value_of_the_forgetful)),
            Showing::of(How::Simulation, || under_fire("paxos", "single-decree", 500))
                .beside(Experiment::Alone(|| under_fire("paxos", "promise-forgotten", 500))),
        ],
    },
    Claim {
        id: "PAX-4",
        showings: &[
            Showing::explored(two_values_in_some_schedule).beside(Experiment::Schedules(one_value)),
            Showing::of(How::Simulation, || small_quorum(1)).beside(Experiment::Alone(|| small_quorum(2))),
        ],
    },
    Claim {
        id: "PAX-5",
        showings: &[
            Showing::of(How::Simulation, || duel("none")).beside(Experiment::Alone(|| duel("random"))),
            Showing::live(|playground| live::duel(playground, true))
                .beside(Experiment::Live(|playground| live::duel(playground, false))),
        ],
    },
    Claim {
        id: "PAX-6",
        showings: &[
            Showing::of(How::Simulation, || cost(&[(0, 0)])).beside(Experiment::Alone(|| cost(&[(0, 0), (1, 1_500)])))
        ],
    },
];

/// All schedules in which two of three processes propose once each. Two values are chosen because of a weakened
/// assumption. In the first scene, one acceptor is a quorum. In the second scene, a process forgets what it has
/// accepted.
fn two_values_in_some_schedule() -> Scenes {
    let minority = Scene::new("paxos/single-decree quorum=1 proposers=none learners=1,2", 3, &[1, 1, 0]);
    let forgetful = Scene::new("paxos/single-decree proposers=none learners=2", 3, &[1, 1, 0]).forgetful();
    break_rules(&[minority, forgetful].map(|scene| (scene.of_agreement(), Property::OneValue)))
}

/// All schedules in which two of three processes propose once each. Two values are chosen only if the later
/// proposer does not adopt an accepted value.
fn later_in_all_schedules() -> Scenes {
    differ(&[
        (two_proposers("paxos/single-decree proposers=none learners=1,2"), None),
        (two_proposers("paxos/adopts-nothing proposers=none learners=1,2"), Some(Property::OneValue)),
    ])
}

/// Negative control: expects a single chosen value although the later proposer does not adopt an accepted value.
fn later_that_adopts_nothing() -> Scenes {
    hold(&[two_proposers("paxos/adopts-nothing proposers=none learners=1,2")])
}

fn two_proposers(named: &'static str) -> Scene {
    Scene::new(named, 3, &[1, 1, 0]).of_agreement()
}

/// All schedules in which two of three processes propose once each. One message is lost or duplicated, or one process
/// crashes and restarts with its stored state. The scene with both overtaking messages and a crash has only two
/// acceptors, because three would lead to too many states.
fn one_value_whatever_happens() -> Scenes {
    let scene = || two_proposers("paxos/single-decree proposers=none learners=2");
    let two_acceptors = two_proposers("paxos/single-decree proposers=none learners=2 acceptors=0,1");
    hold(&[scene().lossy(), scene().copied(), scene().in_fifo().recovering(), two_acceptors.recovering()])
}

/// Negative control: expects a single chosen value although a restarted process has forgotten what it promised and
/// accepted.
fn one_value_of_the_forgetful() -> Scenes {
    hold(&[two_proposers("paxos/single-decree proposers=none learners=2").forgetful()])
}

/// Negative control: expects two chosen values although a majority is needed and no process forgets.
fn one_value() -> Scenes {
    let majority = Scene::new("paxos/single-decree proposers=none learners=1,2", 3, &[1, 1, 0]);
    break_rules(&[(majority.of_agreement(), Property::OneValue)])
}

/// Document of a run in which no process proposes by itself. A message takes one unit.
fn quiet(nodes: u32, parameters: &Value) -> Value {
    let mut document = idle("paxos", nodes);
    document["parameters"] = json!({ "proposers": "none" });
    if let (Some(all), Some(more)) = (document["parameters"].as_object_mut(), parameters.as_object()) {
        all.extend(more.clone());
    }
    document
}

/// Action that makes a node propose a value, at a time in ticks. The value has the name of the node.
fn propose(at: u64, node: u32) -> Scripted {
    let choice = Choice::Propose { node: NodeId(node), instance: 0, value: format!("v{node}") };
    Scripted { at: Span(at), choice }
}

/// Runs the document with the script, and returns the report, which contains the events.
fn played(document: Value, script: Vec<Scripted>) -> Result<Report, CouldNotRun> {
    let until = Some(10_000_000);
    run(&Simulation { watch: Watch::Events, until, ..scripted(document, script)? })
}

/// Returns the learnt values, each with the process that learnt it and the time, in ticks.
fn learnt(report: &Report) -> Vec<(u32, String, u64)> {
    let learnt = |event: &Event| match event.outcome() {
        Some((at, Outcome::Decided { value, .. })) => Some((at.node.0, value.to_string(), event.at_us)),
        _ => None,
    };
    report.events.iter().filter_map(learnt).collect()
}

fn in_words(learnt: &[(u32, String, u64)]) -> String {
    let words: Vec<_> = learnt.iter().map(|(node, value, _)| format!("P{node} learnt {value}")).collect();
    if words.is_empty() { "nothing was learnt".to_owned() } else { words.join(", ") }
}

fn two_values(report: &Report) -> bool {
    report.broken().any(|violation| *violation.code == *agreement::TWO_VALUES)
}

/// Runs Paxos in which P0 proposes a value after `count` of five processes have crashed.
fn dead(count: u32) -> Measurement {
    let crashes = (5 - count..5).map(|node| at(0, Choice::Crash { node: NodeId(node) }));
    let report = played(quiet(5, &json!({})), crashes.chain([propose(1_000, 0)]).collect())?;
    let learnt = learnt(&report);
    let living: Vec<u32> = (0..5 - count).collect();
    let mut nodes: Vec<u32> = learnt.iter().map(|(node, ..)| *node).collect();
    nodes.sort_unstable();
    Ok(Finding {
        expected: "all live learners learn v0".into(),
        measured: format!("{count} of 5 crashed: {}", in_words(&learnt)),
        holds: nodes == living && learnt.iter().all(|(_, value, _)| value == "v0"),
    })
}

/// Runs Paxos in which P1 proposes after the value of P0 has been chosen. In a second run, both propose at about
/// the same time, and the proposal with the lower number arrives last.
fn later(name: &str) -> Measurement {
    let document = variant(quiet(3, &json!({})), name);
    let report = played(document.clone(), vec![propose(0, 0), propose(20_000, 1)])?;
    let adopts = says(&report, "adopts");
    let ignores = says(&played(document, vec![propose(0, 1), propose(500, 0)])?, "older");
    Ok(Finding {
        expected: "the second proposer adopts v0, no acceptor accepts v1, and an older number is ignored".into(),
        measured: format!(
            "{}; {}; {}; an older number is {}",
            in_words(&learnt(&report)),
            if adopts { "it adopts what was accepted" } else { "it asks for its own" },
            if two_values(&report) { "two values were chosen" } else { "one value was chosen" },
            if ignores { "ignored" } else { "not ignored" },
        ),
        holds: adopts && ignores && !two_values(&report),
    })
}

/// Runs two processes that propose at the same time to three acceptors. `quorum` acceptors are enough to choose a
/// value.
fn small_quorum(quorum: u32) -> Measurement {
    let report = played(quiet(3, &json!({ "quorum": quorum })), vec![propose(0, 0), propose(0, 1)])?;
    Ok(Finding {
        expected: "two values are chosen".into(),
        measured: format!("{quorum} of 3 are enough: {}", in_words(&learnt(&report))),
        holds: two_values(&report),
    })
}

/// Runs two proposers with a time-out of three units, and one acceptor. Before an ACCEPT arrives, the other
/// proposer has always sent a PREPARE with a higher number.
fn duel(back_off: &str) -> Measurement {
    let parameters = json!({ "acceptors": "2", "learners": "0,1", "retry": 3, "back-off": back_off });
    let report = played(quiet(3, &parameters), vec![propose(0, 0), propose(1_500, 1)])?;
    let asked = report
        .events
        .iter()
        .filter(|event| matches!(&event.what, What::Sent { message_kind, .. } if **message_kind == *"PREPARE"));
    let (asked, learnt) = (asked.count(), learnt(&report));
    let end = learnt.first().map_or("nothing was learnt in 10,000 units".to_owned(), |(_, value, at)| {
        format!("{value} was learnt after {} units", at / 1_000)
    });
    Ok(Finding {
        expected: "without random back-off they continue forever".into(),
        measured: format!("back-off {back_off}: {asked} times a promise was asked for; {end}"),
        holds: learnt.is_empty() && asked > 6_000,
    })
}

/// Counts the messages of a run with k acceptors and a separate learner. For each proposer, `proposers` contains the
/// node and the time of its proposal, in ticks.
fn cost(proposers: &[(u32, u64)]) -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for acceptors in [1_u32, 3, 5, 9] {
        let list: Vec<String> = (2..2 + acceptors).map(|node| node.to_string()).collect();
        let learner = 2 + acceptors;
        let document = quiet(learner + 1, &json!({ "acceptors": list.join(","), "learners": learner.to_string() }));
        let report = played(document, proposers.iter().map(|&(node, at)| propose(at, node)).collect())?;
        let time = learnt(&report).first().map(|(_, _, at)| *at);
        holds &= report.messages == u64::from(4 * acceptors) && time == Some(4_000);
        let units = time.map_or("never".to_owned(), |time| format!("{}.{:03} T", time / 1_000, time % 1_000));
        measured.push(format!("{acceptors}: {} messages, {units}", report.messages));
    }
    Ok(Finding {
        expected: "for 1, 3, 5 and 9 acceptors 4, 12, 20 and 36 messages, and 4 T".into(),
        measured: measured.join("; "),
        holds,
    })
}
