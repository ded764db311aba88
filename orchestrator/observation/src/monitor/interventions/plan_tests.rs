//! Tests of planned acts. A planned act suspends patience until the act is done or can no longer happen, but not
//! longer.

use serde_json::{Value, json};

use interlock_machine::wire::Order;

use super::*;
use crate::state::test_stream::TestStream;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::span::Span;
use interlock_model::specification::{NemesisCrashes, Planned, Scripted};
use plan::GRACE_US;

/// A time after all acts of these tests, in microseconds.
const LATE_US: u64 = 50 * GRACE_US;

fn interventions(stream: &TestStream) -> Interventions {
    let mut interventions = Interventions::new(&stream.specification);
    stream.events.iter().for_each(|event| interventions.observe(event));
    interventions
}

/// Returns a stream of three live processes. Its scenario plans these acts.
fn planned(acts: &Value) -> TestStream {
    let mut stream = TestStream::new(3);
    stream.specification.planned = serde_json::from_value(json!({ "acts": acts })).expect("acts");
    stream
}

/// Returns, for each of the times `times_us`, whether an intervention is in force or help is still planned.
fn stand<const N: usize>(stream: &TestStream, times_us: [u64; N]) -> [bool; N] {
    times_us.map(|now_us| interventions(stream).stand_at(now_us))
}

fn restart(stream: &mut TestStream, node: u32) {
    stream.restart(node, RestartState::Stored);
    stream.start(node);
}

fn order(stream: &mut TestStream, node: u32, order: Order) {
    let at = interlock_model::event::StepId { node: NodeId(node), incarnation: 1, step: 1_000 };
    let command = interlock_machine::wire::CommandItem { id: 1, order };
    stream.push(What::Commanded { at, command, because: Vec::new(), view: None });
}

#[test]
fn a_crash_stands_only_if_a_restart_of_that_process_is_planned() {
    let crashed = |acts: Value| {
        let mut stream = planned(&acts);
        stream.at(50).crash(1);
        stand(&stream, [60, LATE_US])
    };
    assert_eq!(crashed(json!([])), [false; 2], "a crash for good");
    assert_eq!(
        crashed(json!([{ "kind": "restart", "node": 1, "from_us": 70 }])),
        [true; 2],
        "after a wait of any length"
    );
    assert_eq!(crashed(json!([{ "kind": "restart", "from_us": 70 }])), [true; 2], "a role may be that process");
    assert_eq!(crashed(json!([{ "kind": "restart", "node": 2, "from_us": 70 }])), [false; 2], "P2 lives");
    for kind in ["elect", "propose", "crash"] {
        assert_eq!(crashed(json!([{ "kind": kind, "node": 2, "from_us": 70 }])), [false; 2], "{kind}");
    }
}

#[test]
fn a_planned_restart_is_over_when_it_comes() {
    let mut stream = planned(&json!([{ "kind": "restart", "node": 1, "from_us": 70 }]));
    stream.at(50).crash(1);
    restart(stream.at(80), 1);
    assert_eq!(stand(&stream, [90]), [false]);
    assert!(!interventions(&stream).outlasts(0, 180, 100), "the count begins anew");
    assert!(interventions(&stream).outlasts(0, 181, 100));
    stream.at(100).crash(1);
    assert_eq!(stand(&stream, [110]), [false], "it is crashed for good");
}

#[test]
fn a_restart_by_hand_before_the_planned_one_does_not_replace_it() {
    let mut stream = planned(&json!([{ "kind": "restart", "node": 1, "from_us": 70, "until_us": 75 }]));
    stream.at(20).crash(1);
    restart(stream.at(30), 1);
    stream.at(40).crash(1);
    assert_eq!(stand(&stream, [60, 75 + GRACE_US, 76 + GRACE_US]), [true, true, false]);
}

#[test]
fn a_restart_after_a_crash_for_a_time_is_over_when_that_time_is_past() {
    let acts = json!([{ "kind": "crash", "node": 1, "from_us": 50, "until_us": 50, "lasts_us": 1_000 }]);
    let mut stream = planned(&acts);
    stream.at(50).crash(1);
    assert_eq!(stand(&stream, [60, 1_050 + GRACE_US, 1_051 + GRACE_US]), [true, true, false]);
    restart(stream.at(100), 1);
    assert_eq!(stand(&stream, [110]), [false], "it was restarted by hand");
    stream.at(200).crash(2);
    assert_eq!(stand(&stream, [210]), [false], "P2 crashes for good");
    stream.at(300).crash(1);
    assert_eq!(stand(&stream, [310, 1_051 + GRACE_US]), [true, false], "the planned restart is still to come");
    restart(stream.at(1_060), 1);
    stream.at(1_070).crash(1);
    assert_eq!(stand(&stream, [1_080]), [false], "it has come");
}

#[test]
fn the_time_of_a_script_bounds_its_acts() {
    let script = |choice: Choice| {
        let mut stream = TestStream::new(3);
        stream.specification.script = vec![Scripted { at: Span(2_000), choice }];
        stream.at(50).crash(1);
        stand(&stream, [60, 2_000 + GRACE_US, 2_001 + GRACE_US])
    };
    let restart = |node| Choice::Restart { node: NodeId(node), state: RestartState::Stored };
    assert_eq!(script(restart(1)), [true, true, false]);
    assert_eq!(script(restart(2)), [false; 3], "a restart of a live process is refused");
    let suspect = |node| Choice::Suspect { node: NodeId(node), whom: NodeId(2) };
    assert_eq!(script(suspect(0)), [true, true, false]);
    assert_eq!(script(suspect(1)), [false; 3], "a crashed process takes no notice");
}

#[test]
fn a_suspicion_for_a_time_is_over_when_the_suspecting_process_crashes() {
    let acts = json!([{ "kind": "suspect", "node": 0, "from_us": 50, "lasts_us": 1_000 }]);
    let suspected = || {
        let mut stream = planned(&acts);
        assert_eq!(stand(&stream, [LATE_US]), [true], "it is still to come");
        order(stream.at(60), 0, Order::Suspect { whom: NodeId(1) });
        stream
    };
    assert_eq!(stand(&suspected(), [70, 1_060 + GRACE_US, 1_061 + GRACE_US]), [true, true, false]);
    let mut stream = suspected();
    order(stream.at(1_060), 0, Order::Trust { whom: NodeId(1) });
    assert_eq!(stand(&stream, [1_061]), [false]);
    let mut stream = suspected();
    stream.at(80).crash(0);
    assert_eq!(stand(&stream, [90]), [false]);
    let mut stream = suspected();
    stream.at(80).crash(1);
    assert_eq!(stand(&stream, [90]), [true], "P0 still learns that it trusts P1");
}

#[test]
fn where_a_detector_notifies_no_notice_is_awaited() {
    let mut stream = planned(&json!([{ "kind": "suspect", "node": 0, "from_us": 50 }]));
    stream.specification.detector = interlock_model::specification::Detector::Perfect;
    assert_eq!(stand(&stream, [60]), [false]);
}

#[test]
fn a_nemesis_restarts_only_the_processes_that_it_crashes() {
    let mut stream = TestStream::new(3);
    let nemesis = Some(NemesisCrashes { count: 1, longest_us: 1_000 });
    stream.specification.planned = Planned { nemesis, ..Planned::default() };
    let mut by_itself = stream.events.clone();
    stream.at(50).crash(1);
    assert_eq!(stand(&stream, [60, 1_050 + GRACE_US, 1_051 + GRACE_US]), [true, true, false]);
    restart(stream.at(70), 1);
    stream.at(80).crash(2);
    assert_eq!(stand(&stream, [90]), [false], "it draws no second crash");
    let cause = interlock_model::event::CrashCause::Unexpected("signal 9".into());
    by_itself.push(Event { seq: 100, at_us: 50, what: What::crashed(NodeId(1), 1, cause) });
    stream.events = by_itself;
    assert_eq!(stand(&stream, [60]), [false], "a process that ends by itself is no act of the nemesis");
}

#[test]
fn a_lapsed_act_lets_the_count_begin_anew() {
    let mut stream = planned(&json!([{ "kind": "restart", "node": 1, "from_us": 70, "until_us": 70 }]));
    stream.at(50).crash(1);
    let lapsed_us = 71 + GRACE_US;
    stream.at(lapsed_us).send(0, 2, "ANY");
    assert_eq!([100, 101].map(|more| interventions(&stream).outlasts(0, lapsed_us + more, 100)), [false, true]);
}

#[test]
fn at_rest_only_a_step_after_a_wait_is_still_to_come() {
    let elections = |acts: Value, now_us| interventions(&planned(&acts)).are_elections_to_come(now_us);
    for kind in ["restart", "suspect", "trust", "elect"] {
        assert!(elections(json!([{ "kind": kind, "node": 1, "from_us": 70 }]), LATE_US), "{kind}");
    }
    let within = json!([{ "kind": "elect", "node": 1, "from_us": 70, "until_us": 90 }]);
    assert_eq!([90 + GRACE_US, 91 + GRACE_US].map(|now_us| elections(within.clone(), now_us)), [true, false]);
    let passed = json!([{ "kind": "elect", "node": 1, "from_us": 70, "until_us": 70 }]);
    assert!(!elections(passed, 80), "it was done or refused: a step that is due counts as pending");
    let other = json!([{ "kind": "propose", "node": 1, "from_us": 70 }, { "kind": "crash", "node": 1, "from_us": 70 }]);
    assert!(!elections(other.clone(), 80));
    assert!(interventions(&planned(&other)).are_proposals_to_come(80));
}

#[test]
fn an_order_dies_with_its_process() {
    let acts = |last: Value| json!([{ "kind": "elect", "node": 1, "from_us": 0 }, last]);
    let crashed = |node| acts(json!({ "kind": "crash", "node": node, "from_us": 0 }));
    let to_come = |acts: Value, node| {
        let mut stream = planned(&acts);
        stream.at(50).crash(node);
        interventions(&stream).are_elections_to_come(60)
    };
    assert!(!to_come(crashed(1), 1), "the step before the crash has been taken");
    assert!(to_come(crashed(2), 2), "P1 takes its order later");
    assert!(to_come(acts(json!({ "kind": "elect", "node": 2, "from_us": 0 })), 1), "a crash by hand comes at any time");
}

#[test]
fn an_order_by_hand_takes_the_place_of_the_planned_one() {
    let elect = json!([{ "kind": "elect", "node": 1, "from_us": 70 }]);
    let propose = json!([{ "kind": "propose", "node": 1, "from_us": 70 }]);
    let value = || Order::Propose { instance: 0, value: "v".into() };
    let to_come = |acts: &Value, at_us, node, given: Order| {
        let mut stream = planned(acts);
        order(stream.at(at_us), node, given);
        let interventions = interventions(&stream);
        (interventions.are_elections_to_come(90), interventions.are_proposals_to_come(90))
    };
    assert_eq!(to_come(&elect, 80, 1, Order::Elect {}), (false, false));
    assert_eq!(to_come(&elect, 60, 1, Order::Elect {}), (true, false), "it came too early");
    assert_eq!(to_come(&elect, 80, 2, Order::Elect {}), (true, false), "another process got it");
    assert_eq!(to_come(&elect, 80, 1, value()), (true, false));
    assert_eq!(to_come(&propose, 80, 1, value()), (false, false));
    assert_eq!(to_come(&propose, 80, 1, Order::Elect {}), (false, true));
}

#[test]
fn an_order_that_ends_another_suspicion_or_comes_early_leaves_the_planned_trust() {
    let acts = json!([{ "kind": "suspect", "node": 0, "from_us": 50, "lasts_us": 1_000 }]);
    let trusts = |at_us, node, whom| {
        let mut stream = planned(&acts);
        order(stream.at(60), 0, Order::Suspect { whom: NodeId(1) });
        order(stream.at(at_us), node, Order::Trust { whom: NodeId(whom) });
        stand(&stream, [1_061])
    };
    assert_eq!(trusts(1_060, 0, 1), [false]);
    assert_eq!(trusts(1_061, 0, 1), [false]);
    assert_eq!(trusts(1_059, 0, 1), [true], "P0 may suspect P1 again before the planned trust");
    assert_eq!([trusts(1_060, 0, 2), trusts(1_060, 2, 1)], [[true]; 2], "it was another suspicion");
}

#[test]
fn a_restart_at_its_planned_time_is_the_planned_one() {
    let acts = json!([{ "kind": "crash", "node": 1, "from_us": 50, "until_us": 50, "lasts_us": 1_000 }]);
    let stands = |at_us| {
        let mut stream = planned(&acts);
        stream.at(50).crash(1);
        restart(stream.at(at_us), 1);
        stream.crash(1);
        stand(&stream, [1_051])
    };
    assert_eq!([stands(1_049), stands(1_050), stands(1_051)], [[true], [false], [false]]);
}

#[test]
fn an_act_is_to_come_until_the_last_step_is_done_and_undone() {
    let is_to_come = |stream: &TestStream| interventions(stream).is_act_to_come();
    assert!(!is_to_come(&planned(&json!([]))));
    assert!(is_to_come(&planned(&json!([{ "kind": "elect", "node": 1, "from_us": 70 }]))));
    let mut stream = planned(&json!([{ "kind": "crash", "node": 1, "from_us": 50, "lasts_us": 1_000 }]));
    stream.at(50).crash(1);
    assert!(is_to_come(&stream), "the restart of P1 is to come");
    restart(stream.at(1_050), 1);
    assert!(!is_to_come(&stream));
}

#[test]
fn only_a_crash_takes_the_earlier_orders_of_its_process() {
    let mut stream = planned(&json!([
        { "kind": "propose", "node": 1, "from_us": 0 },
        { "kind": "elect", "node": 1, "from_us": 0 },
    ]));
    order(stream.at(50), 1, Order::Elect {});
    let interventions = interventions(&stream);
    assert_eq!((interventions.are_elections_to_come(60), interventions.are_proposals_to_come(60)), (false, true));
}
