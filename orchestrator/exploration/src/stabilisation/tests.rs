//! Tests that the explorer reproduces the known results about Dijkstra's ring. With slightly too few states or too
//! weak assumptions, it must find violations.

use interlock_algorithm::Value;
use serde_json::json;

use crate::{
    Beginning, Daemon, Environment, Exploration, Explored, Property, Row, Stabilisation, Strategy, Table, TimerPolicy,
    Verdict,
};
use interlock_model::specification::{Draft, Specification};

fn specification(algorithm: &str, variant: &str, nodes: u32, parameters: &serde_json::Value) -> Specification {
    let document =
        json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1, "parameters": parameters });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn ring(variant: &str, nodes: u32, k: u32) -> Specification {
    specification("dijkstra-ring", variant, nodes, &json!({ "k": k }))
}

fn exploration(specification: Specification, environment: Environment, properties: &[Property]) -> Exploration {
    Exploration { specification, environment, properties: properties.to_vec(), strategy: Strategy::default() }
}

fn explored(specification: Specification, environment: Environment, properties: &[Property]) -> Explored {
    let explored = exploration(specification, environment, properties).run(|progress| progress.states < 1_000_000);
    explored.expect("a configuration that can be")
}

fn arbitrary(contents: u8) -> Environment {
    Environment { beginning: Beginning::Arbitrary { contents }, ..Environment::faultless(true, 0) }
}

/// Explores the ring with shared flags, from all initial states and without requests.
fn composite(nodes: u32, k: u32, daemon: Daemon) -> Explored {
    explored(ring("composite", nodes, k), Environment { daemon, ..arbitrary(0) }, &Property::STABILISATION)
}

/// Explores the ring with flags in messages, without requests. It begins in any state, with up to `room` messages on
/// each link.
fn told(nodes: u32, k: u32, room: u8) -> Explored {
    let environment = Environment { room: Some(room), timers: TimerPolicy::Always, ..arbitrary(room) };
    explored(ring("message-passing", nodes, k), environment, &Property::STABILISATION)
}

/// Returns the table of the run that violates this property.
#[track_caller]
fn shown(explored: &Explored, rule: Property) -> &Table {
    let Verdict::Shown { property, table } = &explored.verdict else { panic!("{explored:?}") };
    assert_eq!((*property, explored.measured.stabilisation), (rule, None));
    table
}

/// Returns the rows of the cycle in an infinite run. Asserts that the last row equals the first, and that every row
/// has more than one privilege.
#[track_caller]
fn circle(explored: &Explored) -> &[Row] {
    let table = shown(explored, Property::Convergence);
    let circle = &table.rows[table.again.expect("a circle")..];
    let (first, last) = (&circle[0], &circle[circle.len() - 1]);
    assert_eq!((&first.processes, &first.in_transit), (&last.processes, &last.in_transit));
    assert!(circle.len() > 1 && circle.iter().all(|row| row.privileges > Some(1)), "{table:?}");
    circle
}

fn flags(row: &Row) -> String {
    let flag = |value: Option<&Value>| match value {
        Some(Value::Number(flag)) => flag.to_string(),
        other => panic!("no flag: {other:?}"),
    };
    row.processes.iter().map(|view| flag(view.variables.get("flag"))).collect()
}

/// If one process moves at a time, n−1 states suffice for n processes. If several or all processes move at once, n
/// states suffice.
#[test]
fn the_smallest_numbers_of_states_are_found_for_each_daemon() {
    for (daemon, less) in [(Daemon::Central, 1), (Daemon::Distributed, 0), (Daemon::Synchronous, 0)] {
        for (nodes, k) in (3..=4).flat_map(|nodes| (2..=nodes + 1).map(move |k| (nodes, k))) {
            let explored = composite(nodes, k, daemon);
            assert_eq!(explored.progress.states, u64::from(k.pow(nodes)), "every configuration is a beginning");
            if k < nodes - less {
                circle(&explored);
            } else {
                assert_eq!(explored.verdict, Verdict::Holds, "{daemon:?}, n = {nodes}, k = {k}");
            }
        }
    }
}

/// In a ring of n processes with k states, k + (n−1)·k·(k−1) configurations have one privilege. In these, all
/// flags are equal, or the flag changes at a single place of the ring.
#[test]
fn the_steps_until_there_is_one_privilege_are_counted() {
    let found = |nodes, daemon| composite(nodes, nodes + 1, daemon).measured.stabilisation;
    let of = |legitimate, illegitimate, most| Some(Stabilisation { legitimate, illegitimate, most_steps: Some(most) });
    assert_eq!(found(2, Daemon::Central), of(9, 0, 0));
    assert_eq!(found(3, Daemon::Central), of(28, 36, 2));
    assert_eq!(found(3, Daemon::Distributed), of(28, 36, 3), "a move of two at once is one step");
    assert_eq!(found(4, Daemon::Central), of(65, 560, 13));
    assert_eq!(found(4, Daemon::Synchronous), of(65, 560, 5));
}

/// The example of the lectures, including the row that the lectures omit.
#[test]
fn four_with_two_states_that_move_together_go_through_eight_rows_for_ever() {
    let run = |k| {
        let beginning = Beginning::States(vec![0, 1, 0, 1]);
        let environment = Environment { daemon: Daemon::Synchronous, beginning, ..arbitrary(0) };
        explored(ring("composite", 4, k), environment, &Property::STABILISATION)
    };
    let stuck = run(2);
    let rows: Vec<String> = circle(&stuck).iter().map(flags).collect();
    assert_eq!(rows, ["0101", "0010", "1001", "0100", "1010", "1101", "0110", "1011", "0101"]);
    assert!(circle(&stuck).iter().all(|row| row.privileges == Some(3)), "{stuck:?}");
    assert_eq!(circle(&stuck)[1].after.as_deref(), Some("P1, P2, P3 move at once"));
    assert_eq!(run(4).verdict, Verdict::Holds);
}

#[test]
fn one_privilege_is_what_there_is_from_where_the_ring_is_meant_to_begin() {
    let run = |beginning| {
        let environment = Environment { beginning, ..Environment::faultless(true, 2) };
        explored(ring("composite", 3, 4), environment, &[Property::OnePrivilege, Property::Closure])
    };
    assert_eq!(run(Beginning::Usual).verdict, Verdict::Holds);
    assert_eq!(shown(&run(Beginning::States(vec![0, 1, 0])), Property::OnePrivilege).rows.len(), 1);
}

/// If an old flag can arrive after a newer flag, a run with one privilege can reach a state with several.
#[test]
fn closure_is_broken_where_flags_overtake_and_only_there() {
    let run = |fifo| {
        let timers = TimerPolicy::Always;
        let environment = Environment { room: Some(2), timers, ..Environment::faultless(fifo, 0) };
        explored(ring("message-passing", 3, 4), environment, &[Property::Closure])
    };
    assert_eq!(run(true).verdict, Verdict::Holds);
    let overtaken = run(false);
    let [.., before, after] = &shown(&overtaken, Property::Closure).rows[..] else { panic!("{overtaken:?}") };
    assert!(before.privileges == Some(1) && after.privileges > Some(1), "{overtaken:?}");
}

/// If a crashed process does not restart, the run may come to rest with more than one privilege: no process can move
/// any longer.
#[test]
fn who_rests_with_more_than_one_privilege_does_not_converge() {
    let run = |restart| {
        let environment = Environment { crash: 1, restart, ..Environment::faultless(true, 0) };
        explored(ring("composite", 3, 4), environment, &[Property::Convergence])
    };
    let dead = run(false);
    let table = shown(&dead, Property::Convergence);
    let last = table.rows.last().and_then(|row| row.privileges);
    assert!(table.again.is_none() && last > Some(1), "{table:?}");
    assert!(table.rows.iter().any(|row| row.after.as_deref() == Some("P0 crashes")), "{table:?}");
    assert_eq!(run(true).verdict, Verdict::Holds);
}

/// A schedule may only send flags again and never deliver any. It makes no progress, but it is not fair. If a flag
/// has one value too few, a fair schedule violates convergence.
#[test]
fn over_messages_only_fair_schedules_count() {
    let enough = told(2, 4, 1);
    assert_eq!(enough.verdict, Verdict::Holds);
    assert_eq!(
        enough.measured.stabilisation.and_then(|found| found.most_steps),
        None,
        "unfair schedules go round for ever"
    );
    let few = told(3, 2, 1);
    let steps: Vec<&str> = circle(&few).iter().skip(1).filter_map(|row| row.after.as_deref()).collect();
    for node in 0..3 {
        let (from, to) = (format!("P{node}"), format!("P{}", (node + 1) % 3));
        let says_again = format!("a timer of {from} fires");
        assert!(steps.iter().any(|step| step.contains(&says_again)), "{steps:?}");
        let arrives = |step: &&str| step.starts_with("FLAG ") && step.ends_with(&*format!(" from {from} reaches {to}"));
        assert!(steps.iter().any(arrives), "{steps:?}");
    }
}

/// The search may be cut off while it looks for states or while edges are examined. In both cases, no property is
/// reported to hold.
#[test]
fn what_is_cut_off_is_never_said_to_stabilise() {
    let exploration = exploration(ring("composite", 6, 4), arbitrary(0), &Property::STABILISATION);
    let with = |most: usize| {
        let mut looks = 0;
        let explored = exploration.run(|_| {
            looks += 1;
            looks <= most
        });
        (explored.expect("a configuration that can be"), looks)
    };
    let (whole, looks) = with(usize::MAX);
    circle(&whole);
    assert!(looks >= 3, "when states are taken in, followed, and when edges are: {looks}");
    for most in 0..looks {
        let (cut, _) = with(most);
        assert_eq!((cut.verdict, cut.measured.stabilisation), (Verdict::Unfinished, None), "{most} of {looks}");
    }
}

/// Explores runs with the usual initial states and one corruption: at any time, the state of a process changes to
/// any other state.
fn overwritten(k: u32, properties: &[Property]) -> Explored {
    let environment = Environment { corrupt: 1, ..Environment::faultless(true, 1) };
    explored(ring("composite", 3, k), environment, properties)
}

#[test]
fn from_a_state_that_was_overwritten_the_ring_finds_its_way_and_until_then_two_may_get_in() {
    let right = overwritten(3, &Property::STABILISATION);
    assert_eq!(right.verdict, Verdict::Holds);
    let measured = right.measured.stabilisation.expect("it is measured");
    assert!(measured.illegitimate > 0 && measured.most_steps > Some(0), "{measured:?}");
    let Verdict::Violated { property, schedule } = overwritten(3, &[Property::MutualExclusion]).verdict else {
        panic!("two are privileged at once");
    };
    let told = serde_json::to_string(&schedule.choices).expect("JSON");
    assert_eq!((property, told.matches("corrupt").count()), (Property::MutualExclusion, 1), "{told}");
    let too_few = Environment { corrupt: 1, ..Environment::faultless(true, 0) };
    let endless = explored(ring("composite", 4, 2), too_few, &Property::STABILISATION);
    assert_eq!(circle(&endless).len(), 9);
    let first = shown(&endless, Property::Convergence).rows[1].after.as_deref();
    assert_eq!(first, Some("P1 is now in state 1"));
    let never = Environment { corrupt: 0, ..Environment::faultless(true, 1) };
    assert_eq!(explored(ring("composite", 3, 3), never, &[Property::MutualExclusion]).verdict, Verdict::Holds);
}

#[test]
fn what_an_algorithm_does_not_have_is_refused() {
    let lamport = || specification("lamport", "explicit-ack", 2, &json!({}));
    let asked = [Property::MutualExclusion];
    let distributed = Environment { daemon: Daemon::Distributed, ..Environment::faultless(true, 1) };
    let beyond = Environment { beginning: Beginning::States(vec![0, 4, 0]), ..arbitrary(0) };
    let any_time = Environment { timers: TimerPolicy::AnyTime(1), ..arbitrary(0) };
    for (specification, environment, properties, right) in [
        (lamport(), arbitrary(0), &asked[..], "has no arbitrary states"),
        (lamport(), Environment { corrupt: 1, ..Environment::faultless(true, 1) }, &asked, "has no arbitrary states"),
        (
            ring("message-passing", 3, 300),
            Environment { corrupt: 1, ..Environment::faultless(true, 1) },
            &asked,
            "more than 65536 arbitrary states",
        ),
        (lamport(), distributed, &asked, "composite atomicity"),
        (lamport(), Environment::faultless(true, 1), &Property::STABILISATION, "cannot check closure"),
        (ring("composite", 3, 4), arbitrary(1), &asked, "has no arbitrary messages"),
        (ring("composite", 3, 4), beyond, &asked, "P1 has no arbitrary state with the number 4"),
        (ring("composite", 3, 70_000), arbitrary(0), &asked, "more than 65536 arbitrary states"),
        (ring("message-passing", 3, 200), arbitrary(3), &asked, "more than 65536 possible contents"),
        (ring("message-passing", 3, 4), any_time, &Property::STABILISATION, "timers that fire without limit"),
    ] {
        let refusal = exploration(specification, environment, properties).run(|_| true).expect_err("a refusal");
        assert!(refusal.to_string().contains(right), "{refusal}");
    }
}
