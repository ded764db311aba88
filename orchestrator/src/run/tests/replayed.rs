//! Tests of runs in which the state machines of nodes replay a schedule. The run must produce the same events as a
//! simulation of the schedule. If a node deviates, the run must report the first difference.

use std::sync::Arc;

use axum::body::Bytes;
use interlock_algorithm::catalogue;
use interlock_algorithm::{LockUse, NodeId};
use interlock_machine::catalogue_node;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::run::{Core, Played, RunError};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::Event;
use interlock_model::impossible::Deed;
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::Draft;
use interlock_simulation::schedule::{Schedule, ScheduleDraft};
use interlock_simulation::simulation::{Simulation, Watch};

/// Function that may change the report of a node, to simulate a difference from the model.
type Lie<'a> = &'a dyn Fn(NodeId, &mut Value);

/// Returns a run with every kind of action, in which clients also send requests without commands.
fn eventful(algorithm: &str, variant: &str, seed: u64) -> Value {
    let mut document = json!({
        "algorithm": algorithm, "variant": variant, "nodes": 4, "seed": seed,
        "network": { "delay": "uniform:1ms..9ms", "loss": 0.05, "duplicate": 0.1 },
        "workload": { "idle": "exp:10", "hold": "const:3" },
        "script": [
            { "at": 5, "do": { "rule": { "match": { "to": 1 }, "action": "hold", "count": 1 } } },
            { "at": 6, "do": { "pause": { "node": 2 } } },
            { "at": 10, "do": { "resume": { "node": 0 } } },
            { "at": 11, "do": { "pause": { "node": 1 } } },
            { "at": 15, "do": { "tell": { "from": 0, "to": 2, "hold": 2 } } },
            { "at": 18, "do": { "deliver": "0.2.1" } },
            { "at": 19, "do": { "resume": { "node": 2 } } },
            { "at": 20, "do": { "partition": { "groups": [[0, 1], [2, 3]] } } },
            { "at": 22, "do": { "crash": { "node": 1 } } },
            { "at": 24, "do": { "crash": { "node": 3 } } },
            { "at": 26, "do": { "network": { "link": { "from": 0, "to": 2, "delay": "const:30" } } } },
            { "at": 40, "do": { "restart": { "node": 3 } } },
            { "at": 44, "do": { "restart": { "node": 1, "state": "none" } } },
            { "at": 50, "do": { "pause": { "node": 2 } } },
            { "at": 70, "do": { "heal": {} } },
        ],
    });
    let entry = catalogue::find(algorithm).expect("an entry");
    if entry.locks == LockUse::None {
        let elects = entry.commands.contains(&"elect");
        let command = |node: u32| {
            if elects {
                json!({ "elect": { "node": node } })
            } else {
                json!({ "propose": { "node": node, "value": "a" } })
            }
        };
        document["script"][0] = json!({ "at": 5, "do": command(0) });
        document["script"][2] = json!({ "at": 5, "do": command(2) });
        document["workload"] = Value::Null;
    }
    document
}

/// Records the schedule of a simulated run.
fn recorded(document: Value, entries: Option<u64>) -> Schedule {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete().expect("a specification that can live");
    let simulation = Simulation {
        entries,
        watch: Watch::Events,
        records: true,
        most_steps: 600,
        ..Simulation::new(specification, 0)
    };
    simulation.run().expect("a run").schedule.expect("a recording")
}

fn played(schedule: Schedule) -> Arc<Played> {
    Arc::new(Played::new(schedule).expect("a schedule that can happen"))
}

/// Executes a schedule to its end, or to the first difference from the model.
async fn follow(played: &Arc<Played>, lie: Lie<'_>) -> Fixture {
    let make =
        |initialization: &interlock_machine::wire::Initialization| catalogue_node(initialization).expect("a node");
    let mut run = Box::pin(Fixture::following(played, make)).await;
    for node in NodeId::all(played.schedule.specification.nodes) {
        run.core.begin_node(node);
        take(&mut run, node, lie);
    }
    run.core.conclude(None, None);
    while let Ok(Some(next)) = run.core.take_up() {
        let failed = Box::pin(happen(&mut run, &next.choice, lie)).await.err();
        run.core.conclude(Some(&next.choice), failed.map(|error| error.to_string()));
    }
    if !has_left(&mut run.core) {
        let ending = run.core.driver.following().expect("it follows").begin_to_end();
        run.core.end(ending);
        let latest = run.core.latest();
        run.core.driver.following().expect("it follows").conclude(latest, None);
    }
    run
}

fn has_left(core: &mut Core) -> bool {
    core.driver.following().expect("it follows").has_left()
}

/// Makes a node handle all its inputs, and passes its reports to the run after `lie` has changed them.
fn take(run: &mut Fixture, node: NodeId, lie: Lie<'_>) {
    while let Some(report) = run.hand(node) {
        let mut said: Value = serde_json::from_slice(&report).expect("a report");
        assert!(said["steps"].as_array().is_some_and(|steps| steps.len() == 1), "one step after the other");
        lie(node, &mut said);
        let said: Bytes = serde_json::to_vec(&said).expect("a report").into();
        run.take(node, &said).expect("the report is taken");
    }
}

async fn happen(run: &mut Fixture, choice: &Choice, lie: Lie<'_>) -> Result<(), RunError> {
    match choice {
        Choice::Crash { node } => {
            let (process, incarnation) = run.core.order_crash(*node)?;
            process.kill().await;
            run.core.exited(*node, incarnation, "killed");
        }
        Choice::Restart { node, state } => {
            run.live(*node, Some(*state)).await;
            take(run, *node, lie);
        }
        Choice::Pause { node } => {
            let process = run.core.process_for(*node, Deed::Pause)?;
            run.core.paused(*node, process.pid())?;
        }
        Choice::Resume { node } => resume(run, *node, lie)?,
        Choice::Deliver(MessageName(message)) => run.core.deliver_scheduled(*message)?,
        Choice::Fire { node, timer } => run.core.fire_scheduled(*node, timer)?,
        Choice::After(span) => {
            let until_us = run.core.time.now_us() + span.0;
            while let Some(reached) = run.core.happen(until_us) {
                take(run, reached, lie);
            }
            run.core.time.reach(until_us);
        }
        Choice::Heal {} => {
            for in_flight in run.core.mend()? {
                let to = in_flight.id.to;
                run.core.hand_over(in_flight);
                take(run, to, lie);
            }
            for node in NodeId::all(run.core.specification().nodes) {
                if run.core.process(node)? == ProcessStatus::Paused {
                    resume(run, node, lie)?;
                }
            }
        }
        choice => run.core.apply(choice)?,
    }
    choice.reaches(run.core.specification().nodes).into_iter().for_each(|node| take(run, node, lie));
    Ok(())
}

fn resume(run: &mut Fixture, node: NodeId, lie: Lie<'_>) -> Result<(), RunError> {
    run.core.process_for(node, Deed::Resume)?;
    run.core.resumed(node);
    take(run, node, lie);
    Ok(())
}

fn without_pid(events: &[Event]) -> Vec<Value> {
    let mut values: Vec<Value> = events.iter().map(|event| serde_json::to_value(event).expect("JSON")).collect();
    for value in &mut values {
        value.as_object_mut().expect("an object").remove("pid");
    }
    values
}

const HONEST: Lie<'static> = &|_, _| {};

#[tokio::test]
async fn a_recorded_simulation_is_followed_to_its_last_event_whatever_the_algorithm() {
    let (mut followed, mut choices) = (0, 0);
    for entry in catalogue::ENTRIES {
        for (seed, variant) in (1..).zip(entry.variants) {
            let document = eventful(entry.name, variant.name, seed);
            let draft: Draft = serde_json::from_value(document.clone()).expect("a draft");
            if draft.complete().is_err() {
                assert_eq!(entry.name, "dijkstra-ring", "{} can live", variant.name);
                continue;
            }
            let played = played(recorded(document, Some(12)));
            let mut run = follow(&played, HONEST).await;
            let document = run.core.driver.following().expect("it follows").document();
            let name = format!("{} {} {seed}", entry.name, variant.name);
            assert!(document.difference.is_none(), "{name}: {}", document.difference.expect("one"));
            assert_eq!(document.position, document.of, "{name}");
            assert_eq!(without_pid(&run.events()), without_pid(&played.report.events), "{name}");
            followed += 1;
            choices += document.of;
        }
    }
    assert!(followed > 30 && choices > 3_000, "{followed} runs, {choices} choices");
}

/// Returns a schedule in which P0 sends a request, P1 receives it and replies, and P0 enters.
fn one_entry() -> Schedule {
    by_hand(
        &json!({ "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1, "network": { "delay": "const:3" } }),
        &json!([
            { "do": { "acquire": { "node": 0 } } }, { "do": { "deliver": "0.1.1" } }, { "do": { "deliver": "1.0.1" } },
        ]),
    )
}

fn by_hand(specification: &Value, choices: &Value) -> Schedule {
    let draft: ScheduleDraft =
        serde_json::from_value(json!({ "specification": specification, "choices": choices })).expect("a schedule");
    draft.complete().expect("a schedule that can be")
}

#[tokio::test]
async fn a_node_that_answers_otherwise_is_found_where_it_does() {
    let adds = json!({ "outcome": { "elected": { "lock": 0, "leader": 1, "term": 1 } } });
    let lies = [
        ("sent", json!({ "effects": [] })),
        ("sent", json!({ "effects": [{ "send": { "to": [0], "kind": "REPLY", "body": { "seen": 7 } } }] })),
        ("delivered", json!({ "view": { "variables": {} } })),
        ("", json!({ "effects": [{ "send": { "to": [0], "kind": "REPLY", "body": { "clock": 3 } } }, adds] })),
    ];
    for (expected, lie) in lies {
        let lying = |node: NodeId, report: &mut Value| {
            if (node, &report["steps"][0]["step"]) == (NodeId(1), &json!(2)) {
                for (field, said) in lie.as_object().expect("an object") {
                    report["steps"][0][field] = said.clone();
                }
            }
        };
        let mut run = follow(&played(one_entry()), &lying).await;
        let document = run.core.driver.following().expect("it follows").document();
        let difference = document.difference.expect("a difference");
        assert_eq!((document.position, difference.position), (1, 1), "{difference}");
        assert!(matches!(difference.choice, Some(Choice::Deliver(_))), "{difference}");
        assert_eq!(difference.expected.as_ref().map_or("", Event::kind), expected, "{difference}");
        assert!(difference.seen.is_some() || expected == "sent", "{difference}");
        assert!(run.core.take_up().is_err(), "nothing more of the schedule happens");
    }
}

#[tokio::test]
async fn what_does_not_come_is_a_difference_and_so_is_what_nobody_asked_for() {
    let mut run =
        Fixture::following(&played(one_entry()), |initialization| catalogue_node(initialization).expect("a node"))
            .await;
    for node in [NodeId(0), NodeId(1)] {
        run.core.begin_node(node);
        take(&mut run, node, HONEST);
    }
    run.core.conclude(None, None);
    let next = run.core.take_up().expect("it goes on").expect("a choice");
    run.core.apply(&next.choice).expect("it can happen");
    let _never_reported = run.hand(NodeId(0));
    run.core.conclude(Some(&next.choice), None);
    let document = run.core.driver.following().expect("it follows").document();
    let difference = document.difference.expect("a difference");
    assert_eq!((difference.expected.as_ref().map(Event::kind), difference.seen), (Some("commanded"), None));

    let mut run = follow(&played(Schedule { choices: Vec::new(), ..one_entry() }), HONEST).await;
    assert!(!has_left(&mut run.core), "a run that nothing happens to");
    let mut run =
        Fixture::following(&played(one_entry()), |initialization| catalogue_node(initialization).expect("a node"))
            .await;
    for node in [NodeId(0), NodeId(1)] {
        run.core.begin_node(node);
        take(&mut run, node, HONEST);
    }
    run.core.conclude(None, None);
    run.core.exited(NodeId(1), 1, "signal 9");
    let difference = run.core.driver.following().expect("it follows").document().difference.expect("a difference");
    assert_eq!((difference.choice, difference.seen.as_ref().map(Event::kind)), (None, Some("crashed")));
}

#[tokio::test]
async fn a_choice_that_is_left_out_is_a_difference() {
    let document = eventful("ricart-agrawala", "sequence-numbers", 1);
    let whole = Played::new(recorded(document, Some(4))).expect("a schedule that can happen");
    let of = whole.schedule.choices.len();
    assert!(of > 30, "{of} choices");
    for left_out in (0..of).step_by(of / 15) {
        let mut other = whole.clone();
        let choice = other.schedule.choices.remove(left_out);
        other.report.marks.remove(left_out);
        let mut run = follow(&Arc::new(other), HONEST).await;
        assert!(has_left(&mut run.core), "{choice:?}");
    }
}

/// The token of this ring circulates endlessly, since no node requests it. So a long time needs too many steps.
#[test]
fn a_schedule_that_goes_on_for_too_long_is_refused_before_anything_is_played() {
    let specification = json!({ "algorithm": "le-lann", "nodes": 2, "seed": 1, "network": { "delay": "const:1" } });
    let after = |ms: u64| Played::new(by_hand(&specification, &json!([{ "do": { "after": ms } }])));
    assert!(after(1_000).is_ok());
    let refused = after(1_000_000).expect_err("more than 100,000 steps").to_string();
    assert!(refused.contains("the run would need more than 100000 steps"), "{refused}");
}

/// The answer to the election of P2 arrives while P2 is paused, and the time-out for the answer expires
/// afterwards. When P2 is resumed, it cancels the time-out before it handles the expiry.
#[tokio::test]
async fn what_a_paused_node_cancels_when_it_goes_on_does_not_run_out() {
    let specification = json!({
        "algorithm": "bully", "nodes": 4, "seed": 1, "network": { "delay": "const:1" },
        "parameters": { "initiators": "none", "answer": 10, "coordinator": 1_000 },
    });
    let pause = json!([
        { "do": { "elect": { "node": 2 } } }, { "do": { "pause": { "node": 2 } } }, { "do": { "after": 20 } },
        { "do": { "resume": { "node": 2 } } }, { "do": { "after": 50 } },
    ]);
    let played = played(by_hand(&specification, &pause));
    let mut run = follow(&played, HONEST).await;
    let document = run.core.driver.following().expect("it follows").document();
    assert!(document.difference.is_none(), "{}", document.difference.expect("one"));
    assert_eq!(without_pid(&run.events()), without_pid(&played.report.events));
}
