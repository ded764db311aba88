//! The numbers by which Ricart and Agrawala's algorithm orders requests, in all variants, correct and faulty.

use interlock_algorithm::clock::Timestamp;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::{Reason, RicartAgrawala, RicartAgrawalaMessage};
use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, RequestId, Value};
use interlock_model::choice::{Choice, MessageName};
use proptest::collection::vec;
use proptest::prelude::{any, proptest};
use proptest::sample::Index;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{Cost, breaks_at_random, holds_at_random};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Possible, exclusion, exclusion_and_order};
use crate::driver::run::Run;
use crate::driver::script::{Script, Taken};
use crate::driver::watch::Watch;

type Stage = Script<RicartAgrawala>;

/// Returns the REQUEST of a process in its first incarnation.
pub const fn request(clock: u64, process: NodeId) -> RicartAgrawalaMessage {
    RicartAgrawalaMessage::Request { clock, process, life: 1 }
}

/// Returns a REPLY to a process in its first incarnation. The REPLY does not name the request that it answers.
pub const fn reply(clock: Option<u64>) -> RicartAgrawalaMessage {
    RicartAgrawalaMessage::Reply { clock, to_life: 1, request: None }
}

const REQUEST_AND_REPLY: &Cost = &[("REQUEST", 1), ("REPLY", 1)];
const TOLD: Faults = Faults { tells: 6, ..OVERTAKING };

#[test]
fn with_sequence_numbers_every_schedule_of_a_small_run_is_right() {
    for variant in ["sequence-numbers", "modulo"] {
        for channel in [FIFO, OVERTAKING] {
            holds::<RicartAgrawala>(variant, 1, 2, channel);
            holds::<RicartAgrawala>(variant, 2, 3, channel);
            holds::<RicartAgrawala>(variant, 3, 1, channel);
        }
    }
}

#[test]
fn with_sequence_numbers_schedules_drawn_at_random_are_right_and_cost_the_same() {
    for variant in ["sequence-numbers", "modulo"] {
        for channel in [FIFO, OVERTAKING, TOLD] {
            holds_at_random::<RicartAgrawala>(variant, channel, &exclusion(), REQUEST_AND_REPLY);
        }
    }
}

#[test]
fn replying_at_a_tie_lets_both_in() {
    let steps = breaks::<RicartAgrawala>("reply-at-tie", 2, 1, FIFO, Broken::Exclusion);
    let both = ["acquire 0", "acquire 1", "deliver REQUEST 1→0", "deliver REQUEST 0→1"];
    assert_eq!((&steps[..4], steps.len()), (&both.map(String::from)[..], 6));
    breaks_at_random::<RicartAgrawala>("reply-at-tie", 4, FIFO, &exclusion(), "two in the section");
}

#[test]
fn deferring_at_a_tie_lets_nobody_in() {
    let steps = breaks::<RicartAgrawala>("defer-at-tie", 2, 1, FIFO, Broken::Progress);
    assert_eq!(steps, ["acquire 0", "acquire 1", "deliver REQUEST 1→0", "deliver REQUEST 0→1"]);
    breaks_at_random::<RicartAgrawala>("defer-at-tie", 4, FIFO, &exclusion(), "stuck");
}

/// With FIFO links, a violation requires three processes. With only two processes, a process that replies before it
/// requests lets the other process enter first.
#[test]
fn who_learns_no_number_from_a_request_may_undercut_it() {
    let steps = breaks::<RicartAgrawala>("no-clock-update", 2, 1, OVERTAKING, Broken::Exclusion);
    let undercut = ["acquire 1", "deliver REQUEST 1→0", "acquire 0", "deliver REQUEST 0→1"];
    assert_eq!((&steps[..4], steps.len()), (&undercut.map(String::from)[..], 6));
    holds::<RicartAgrawala>("no-clock-update", 2, 2, FIFO);
    assert_eq!(breaks::<RicartAgrawala>("no-clock-update", 3, 1, FIFO, Broken::Exclusion).len(), 10);
    breaks_at_random::<RicartAgrawala>("no-clock-update", 4, FIFO, &exclusion(), "two in the section");
}

/// With FIFO links, a violation requires three processes. One process must already have a REPLY when it sends a
/// REPLY to the process with the smallest id.
#[test]
fn without_timestamps_the_smaller_overtakes_who_has_its_reply() {
    let steps = breaks::<RicartAgrawala>("no-timestamps", 2, 1, OVERTAKING, Broken::Exclusion);
    let overtaken = ["acquire 1", "deliver REQUEST 1→0", "acquire 0", "deliver REQUEST 0→1"];
    assert_eq!((&steps[..4], steps.len()), (&overtaken.map(String::from)[..], 6));
    holds::<RicartAgrawala>("no-timestamps", 2, 2, FIFO);
    assert_eq!(breaks::<RicartAgrawala>("no-timestamps", 3, 1, FIFO, Broken::Exclusion).len(), 10);
    breaks_at_random::<RicartAgrawala>("no-timestamps", 4, FIFO, &exclusion(), "two in the section");
}

#[test]
fn a_tie_is_told_as_one() {
    let answer = |variant| {
        let mut stage = Stage::begin(variant, 2);
        stage.acquire(0);
        stage.acquire(1);
        stage.deliver("REQUEST", 1, 0).reasons
    };
    let [ours, theirs] = [0, 1].map(|node| Timestamp { clock: 1, process: NodeId(node) });
    assert_eq!(answer("reply-at-tie"), [Reason::RepliedAtTie { theirs, ours }]);
    assert_eq!(answer("defer-at-tie"), [Reason::DeferredAtTie { theirs, ours }]);
    assert_eq!(answer("lamport-clock"), [Reason::DeferredYounger { theirs, ours }]);
}

/// Process 0 requests, and then replies to process 2. Process 2 enters, leaves, and requests again before the
/// request of 0 arrives. Process 1 enters next. Returns which of 0 and 2 enters after process 1.
fn overtaken(variant: &str) -> Vec<u32> {
    let mut stage = Stage::begin(variant, 3);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 1);
    stage.acquire(1);
    stage.deliver("REQUEST", 1, 0);
    stage.acquire(0);
    stage.deliver("REQUEST", 2, 0);
    stage.deliver("REPLY", 0, 2);
    stage.deliver("REPLY", 1, 2);
    assert_eq!(stage.inside(), [2]);
    stage.release(2);
    stage.acquire(2);
    stage.deliver_all();
    assert_eq!(stage.inside(), [1]);
    stage.release(1);
    stage.deliver_all();
    stage.inside()
}

#[test]
fn without_a_number_on_the_reply_a_later_request_overtakes() {
    assert_eq!(overtaken("sequence-numbers"), [2]);
    assert_eq!(overtaken("modulo"), [2]);
    assert_eq!(overtaken("lamport-clock"), [0]);
    for variant in ["sequence-numbers", "modulo"] {
        breaks_at_random::<RicartAgrawala>(variant, 3, OVERTAKING, &exclusion_and_order(), "out of order");
    }
}

/// FIFO links do not restore the order: they order the messages of one link, but not messages on different links.
#[test]
fn with_sequence_numbers_fifo_does_not_keep_the_order() {
    breaks_at_random::<RicartAgrawala>("sequence-numbers", 3, FIFO, &exclusion_and_order(), "out of order");
}

#[test]
fn a_number_beyond_the_modulus_is_ignored() {
    let mut stage = Stage::begin("modulo", 3);
    let from = NodeId(1);
    stage.push(NodeId(1), NodeId(0), request(5, from));
    let taken = stage.deliver("REQUEST", 1, 0);
    assert_eq!((taken.reasons, taken.sent), (vec![Reason::NoSuchNumber { from, number: 5 }], vec![]));
}

/// A REPLY to a request carries a later clock than this request.
#[test]
fn a_reply_that_is_not_later_than_the_request_is_to_an_earlier_one() {
    let mut stage = Stage::begin("lamport-clock", 3);
    stage.acquire(0);
    let ours = Timestamp { clock: 1, process: NodeId(0) };
    let from = NodeId(1);
    for (sent, reasons) in [(1, vec![Reason::LateReply { from, sent: 1, ours }]), (2, vec![])] {
        stage.push(NodeId(1), NodeId(0), reply(Some(sent)));
        assert_eq!(stage.deliver("REPLY", 1, 0).reasons, reasons, "{sent}");
    }
    assert_eq!(stage.view(0).waits_for, [NodeId(2)]);
}

#[test]
fn who_is_alone_asks_nobody() {
    let scene = Scene::<RicartAgrawala>::new("lamport-clock", 1, FIFO, lockers(1));
    let mut out = Effects::default();
    let command = Command::Acquire { lock: LockId(0), request: RequestId(1) };
    RicartAgrawala::new(&scene.setting, NodeId(0)).step(&scene.setting, NodeId(0), Input::Command(command), &mut out);
    assert!(!out.as_slice().iter().any(|effect| matches!(effect, Effect::Send { .. })), "{out:?}");
    assert!(matches!(out.as_slice().last(), Some(Effect::Outcome(Outcome::Entered { .. }))));
}

#[test]
fn people_see_the_variables_of_the_paper() {
    let mut stage = Stage::begin("sequence-numbers", 3);
    let variables = |stage: &Stage| {
        ["Requesting_Critical_Section", "Outstanding_Reply_Count", "Reply_Deferred"].map(|name| stage.variable(0, name))
    };
    let nothing = [Value::Flag(false), Value::Number(0), Value::Numbers(vec![])];
    assert_eq!(variables(&stage), nothing);
    stage.acquire(0);
    stage.acquire(1);
    stage.deliver("REQUEST", 0, 2);
    stage.deliver("REPLY", 2, 0);
    stage.deliver("REQUEST", 1, 0);
    assert_eq!(variables(&stage), [Value::Flag(true), Value::Number(1), Value::Numbers(vec![1])]);
    let view = stage.view(0);
    assert_eq!((view.clock, view.waits_for), (Some(1), vec![NodeId(1)]));
    stage.deliver_all();
    stage.release(0);
    assert_eq!(variables(&stage), nothing);
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["lamport-clock", "sequence-numbers", "modulo"] {
        survives(&Scene::<RicartAgrawala>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}

fn reduce(step: Taken<RicartAgrawala>, modulus: u64) -> Taken<RicartAgrawala> {
    let time = |at: Timestamp| Timestamp { clock: at.clock % modulus, ..at };
    let message = |message| match message {
        RicartAgrawalaMessage::Request { clock, process, life } => {
            RicartAgrawalaMessage::Request { clock: clock % modulus, process, life }
        }
        other => other,
    };
    let reason = |reason| match reason {
        Reason::RepliedOlder { theirs, ours } => Reason::RepliedOlder { theirs: time(theirs), ours: time(ours) },
        Reason::DeferredYounger { theirs, ours } => Reason::DeferredYounger { theirs: time(theirs), ours: time(ours) },
        other => other,
    };
    // A number modulo m does not order all requests, so no event reports it as a timestamp.
    let outcome = |outcome| match outcome {
        Outcome::Requested { lock, request, .. } => Outcome::Requested { lock, request, timestamp: None },
        other => other,
    };
    Taken {
        sent: step.sent.into_iter().map(|(to, sent)| (to, message(sent))).collect(),
        outcomes: step.outcomes.into_iter().map(outcome).collect(),
        reasons: step.reasons.into_iter().map(reason).collect(),
    }
}

/// If the action delivers a REQUEST, returns the distances between its number and the numbers with which the
/// recipient compares it.
fn differences(run: &Run<'_, RicartAgrawala>, choice: &Choice) -> Vec<u64> {
    let Choice::Deliver(MessageName(name)) = choice else { return Vec::new() };
    let link = run.link(name.from.0, name.to.0);
    let message = link.iter().find(|(other, _)| other == name).map(|(_, message)| **message);
    let Some(RicartAgrawalaMessage::Request { clock: theirs, .. }) = message else { return Vec::new() };
    let view = run.view(name.to.0);
    let ours = view.request.map(|request| request.clock);
    view.clock.into_iter().chain(ours).map(|ours| ours.abs_diff(theirs)).collect()
}

proptest! {
    /// In every schedule, the variants `sequence-numbers` and `modulo` react in the same way at each step. Both
    /// send the same messages to the same nodes, and report the same outcomes for the same reasons.
    #[test]
    fn modulo_2n_minus_1_nothing_changes(nodes in 1_u32..7, fifo in any::<bool>(), choices in vec(any::<Index>(), 1..300)) {
        let scene = |variant| Scene::<RicartAgrawala>::new(variant, nodes, Faults { fifo, ..FIFO }, lockers(20));
        let (numbers, circle) = (scene("sequence-numbers"), scene("modulo"));
        let mut watches = [&numbers, &circle].map(|scene| Watch::new(&scene.specification, true));
        let [watch_one, watch_other] = &mut watches;
        let mut one = Run::new(&numbers, &numbers.specification, watch_one);
        let mut other = Run::new(&circle, &circle.specification, watch_other);
        for choice in choices.iter().cycle().take(1_000) {
            let possible = [one.commands(), one.arrivals()].concat();
            assert_eq!(possible, [other.commands(), other.arrivals()].concat());
            if possible.is_empty() {
                break;
            }
            let choice = &possible[choice.index(possible.len())];
            let window = differences(&one, choice);
            assert!(window.iter().all(|&apart| apart < nodes.into()), "{window:?}");
            assert_eq!(reduce(one.take(choice), (2 * nodes - 1).into()), other.take(choice));
        }
    }
}

/// The processes 1 … N−1 request one after the other, each after it has received the request of its predecessor.
/// Process 0 receives only the last request. So the number of the request of process 0 exceeds the first number by N−1.
#[test]
fn the_whole_window_is_used() {
    for nodes in 3..9 {
        let mut stage = Stage::begin("sequence-numbers", nodes);
        stage.acquire(1);
        for node in 2..nodes {
            stage.deliver("REQUEST", node - 1, node);
            stage.acquire(node);
        }
        assert_eq!(stage.view(0).clock, Some(0));
        stage.deliver("REQUEST", nodes - 1, 0);
        assert_eq!(stage.view(0).clock, Some((nodes - 1).into()), "ahead by N-1");
        stage.acquire(0);
        assert_eq!(stage.time(0) - stage.time(1), u64::from(nodes - 1), "behind by N-1");
    }
}

/// With 2N−2 numbers, two numbers can be exactly half the modulus apart. Then both processes reply to each other.
#[test]
fn a_smaller_modulus_breaks() {
    breaks::<RicartAgrawala>("modulo-too-small", 2, 2, FIFO, Broken::Exclusion);
    breaks::<RicartAgrawala>("modulo-too-small", 2, 1, OVERTAKING, Broken::Exclusion);
    breaks::<RicartAgrawala>("modulo-too-small", 3, 1, FIFO, Broken::Exclusion);
    breaks_at_random::<RicartAgrawala>("modulo-too-small", 4, FIFO, &exclusion(), "two in the section");
}

/// Negative control: the modulus is large enough for sequence numbers, but too small for a clock that every message
/// advances.
#[test]
fn a_lamport_clock_modulo_2n_minus_1_breaks() {
    breaks::<RicartAgrawala>("lamport-clock-modulo", 3, 2, FIFO, Broken::Exclusion);
    breaks_at_random::<RicartAgrawala>("lamport-clock-modulo", 4, FIFO, &exclusion(), "two in the section");
}

/// Every message advances a Lamport clock, but only requests advance sequence numbers. After a single entry, the
/// next request can exceed the clock of another process by N or more. The paper's modulus is too small for such a
/// distance.
#[test]
fn lamport_clocks_drift_apart_further_than_n() {
    for nodes in 2..9 {
        let ahead = |variant| {
            let mut stage = Stage::begin(variant, nodes);
            stage.enter_alone(0);
            stage.acquire(0);
            stage.time(0) - stage.view(1).clock.expect("a clock")
        };
        assert_eq!(ahead("sequence-numbers"), 1);
        let apart = ahead("lamport-clock");
        assert!(apart >= nodes.into(), "{nodes}: {apart}");
    }
}
