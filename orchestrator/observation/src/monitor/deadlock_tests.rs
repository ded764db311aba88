use interlock_algorithm::{AbortCause, LockId, NodeId, Outcome, RequestId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, Order};
use serde_json::json;

use super::{Monitors, capacity, deadlocks, livelock, mutual_exclusion, sentence};
use crate::state::State;
use interlock_model::event::{CrashCause, DropReason, Event, Json, StepId, Violation, What};
use interlock_model::specification::{Declaration, Draft, Specification};

/// A stream of events that a test builds manually. Unless a method says otherwise, each event is in a new step.
pub(super) struct Stream {
    specification: Specification,
    events: Vec<Event>,
    now_us: u64,
    step: u64,
}

impl Stream {
    pub(super) fn new(algorithm: &str, variant: &str, parameters: &serde_json::Value) -> Self {
        let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": 3, "parameters": parameters });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        Self { specification: draft.complete().expect("a run"), events: Vec::new(), now_us: 0, step: 0 }
    }

    pub(super) fn at(&mut self, now_us: u64) -> &mut Self {
        self.now_us = now_us;
        self
    }

    pub(super) fn push(&mut self, what: What) -> &mut Self {
        self.events.push(Event { seq: self.events.len() as u64 + 1, at_us: self.now_us, what });
        self
    }

    pub(super) fn outcome(&mut self, at: StepId, outcome: Outcome) -> &mut Self {
        self.push(What::Outcome { at, outcome })
    }

    pub(super) fn next(&mut self, node: u32) -> StepId {
        self.step += 1;
        StepId { node: NodeId(node), incarnation: 1, step: self.step }
    }

    pub(super) fn ask(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::requested(LockId(lock), RequestId(1)))
    }

    fn enter(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::Entered { lock: LockId(lock), request: RequestId(1), fence: None })
    }

    /// In one step, the node receives an order to acquire a lock, and makes the request with the number `request`.
    fn ordered(&mut self, node: u32, lock: u32, request: u64) -> &mut Self {
        let at = self.next(node);
        let command = CommandItem { id: 1, order: Order::Acquire { lock: LockId(lock), hold_us: None } };
        self.push(What::Commanded { at, command, because: Vec::new(), view: None });
        self.outcome(at, Outcome::requested(LockId(lock), RequestId(request)))
    }

    /// The node makes the request with the number `request` by itself, without an order.
    fn planned(&mut self, node: u32, lock: u32, request: u64) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::requested(LockId(lock), RequestId(request)))
    }

    fn granted(&mut self, node: u32, lock: u32, request: u64) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::Entered { lock: LockId(lock), request: RequestId(request), fence: None })
    }

    pub(super) fn have(&mut self, node: u32, lock: u32) -> &mut Self {
        self.ask(node, lock).enter(node, lock)
    }

    fn leave(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::Exited { lock: LockId(lock), request: RequestId(1) })
    }

    /// In one step, the node leaves the section of a lock and is aborted.
    pub(super) fn abort(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.outcome(at, Outcome::Exited { lock: LockId(lock), request: RequestId(1) });
        self.outcome(at, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim })
    }

    /// In the current step, the node sends a message.
    fn send(&mut self, from: u32, to: u32) -> MessageId {
        let at = StepId { node: NodeId(from), incarnation: 1, step: self.step };
        let message = MessageId { from: NodeId(from), to: NodeId(to), number: self.step, copy: 0 };
        let (message_kind, body) = ("REQUEST".into(), Json::NULL);
        self.push(What::Sent { at, message, to: NodeId(to), message_kind, body, due_us: Some(100_000), rule: None });
        message
    }

    fn deliver(&mut self, message: MessageId) {
        let (at, from, message_kind) = (self.next(message.to.0), message.from, "REQUEST".into());
        self.push(What::Delivered { at, message, from, message_kind, because: Vec::new(), view: None });
    }

    fn report(&mut self, cycle: &[u32]) -> &mut Self {
        let at = self.next(2);
        let cycle: Vec<NodeId> = cycle.iter().copied().map(NodeId).collect();
        let victim = cycle[0];
        self.outcome(at, Outcome::Reported { cycle, victim })
    }

    /// P0 holds lock 0 and requests lock 1. P1 holds lock 1 and requests lock 0.
    fn circle(&mut self) -> &mut Self {
        self.have(0, 0).have(1, 1).ask(0, 1).ask(1, 0)
    }

    /// Returns the monitors and the state after all events, and the violations that were found in them.
    fn observed(&self) -> (Monitors, State, Vec<Violation>) {
        let (mut monitors, mut state) = (Monitors::new(&self.specification), State::new(&self.specification));
        let mut found = Vec::new();
        for event in &self.events {
            state.apply(event);
            monitors.observe(event, &mut found);
        }
        (monitors, state, found)
    }

    /// Returns the violations that are found in the events, and when the last step has ended. Further inputs are pending.
    pub(super) fn found(&self) -> Vec<Violation> {
        let (mut monitors, state, mut found) = self.observed();
        monitors.settle(&state, 1, &mut found);
        // These streams contain no messages, so their sections are not ordered by happened-before. Only the
        // monitors listed here can judge them.
        found.retain(|violation| [deadlocks::NAME, livelock::NAME, capacity::NAME].contains(&&*violation.monitor));
        found
    }

    /// The monitor judges the run at rest twice, with `pending_inputs` pending inputs. Returns the codes of the
    /// violations that were found.
    fn settled(&self, pending_inputs: usize) -> Vec<String> {
        let (mut monitors, state, mut found) = self.observed();
        found.clear();
        monitors.settle(&state, pending_inputs, &mut found);
        monitors.settle(&state, pending_inputs, &mut found);
        found.retain(|violation| *violation.monitor == *deadlocks::NAME);
        found.iter().map(|violation| violation.code.to_string()).collect()
    }

    /// Starts all nodes.
    fn up(&mut self) -> &mut Self {
        for node in (0..3).map(NodeId) {
            self.push(What::Started { node, incarnation: 1, pid: None });
        }
        self
    }

    fn pause(&mut self) -> &mut Self {
        self.push(What::paused(NodeId(2), 1))
    }

    fn resume(&mut self) -> &mut Self {
        self.push(What::Resumed { node: NodeId(2), incarnation: 1 })
    }

    pub(super) fn codes(&self) -> Vec<String> {
        self.found().iter().map(|violation| violation.code.to_string()).collect()
    }
}

#[test]
fn where_nobody_gives_up_a_circle_is_a_deadlock_at_once() {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.have(0, 0).have(1, 1).ask(0, 1);
    assert_eq!(stream.codes(), [""; 0]);
    stream.ask(1, 0);
    let found = stream.found();
    let [deadlock] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(&*deadlock.code, deadlocks::CYCLE);
    assert_eq!(
        sentence(deadlock),
        "Deadlock: P1 waits for lock 0, held by P0; P0 waits for lock 1, held by P1. All four conditions hold: mutual \
         exclusion, hold and wait, no preemption, circular wait."
    );
    assert_eq!(deadlock.events, [6, 5], "the events in which they asked");
}

#[test]
fn where_somebody_gives_up_a_circle_may_stand_for_a_while() {
    let mut stream = Stream::new("wait-die", "original", &json!({}));
    stream.circle().at(5_000).abort(1, 1).enter(0, 1);
    assert_eq!(stream.codes(), [""; 0]);
    let mut stream = Stream::new("wait-die", "original", &json!({}));
    stream.circle().at(10_000_000).have(2, 2);
    assert_eq!(stream.codes(), [deadlocks::CYCLE]);
}

/// P0 and P1 wait for each other's lock. If `runs_out`, P1's lease expires in time and P0 enters. Otherwise no process
/// enters, even though a lease should have expired.
#[test]
fn a_cycle_that_a_lease_ends_is_not_a_deadlock() {
    let codes = |variant: &str, runs_out: bool| {
        let mut stream = Stream::new("centralised", variant, &json!({}));
        stream.specification.locks = 2;
        stream.circle();
        if runs_out {
            stream.at(500_000).enter(0, 1);
        }
        stream.at(10_000_000).ask(2, 0).codes()
    };
    let soon = |variant: &str| {
        let mut stream = Stream::new("centralised", variant, &json!({}));
        stream.specification.locks = 2;
        stream.circle().at(100_000).ask(2, 0).codes()
    };
    assert_eq!(soon("lease"), [""; 0], "the lease lasts longer");
    assert_eq!(soon("arrival-order"), [deadlocks::CYCLE], "there is no lease");
    assert_eq!(codes("lease", true), [""; 0]);
    assert_eq!(codes("lease", false), [deadlocks::CYCLE]);
    assert_eq!(codes("arrival-order", false), [deadlocks::CYCLE]);
}

#[test]
fn a_report_in_a_run_with_one_lock_is_judged() {
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.specification.locks = 1;
    stream.have(0, 0).ask(1, 0);
    assert_eq!(stream.codes(), [""; 0]);
    assert_eq!(stream.report(&[0, 1]).codes(), [deadlocks::PHANTOM]);
}

#[test]
fn a_report_is_true_late_or_of_a_phantom() {
    let detection = || Stream::new("central-detection", "original", &json!({}));
    let mut stream = detection();
    stream.circle().report(&[1, 0]);
    assert_eq!(stream.codes(), [""; 0]);
    stream.abort(1, 1).report(&[0, 1]);
    assert_eq!(stream.codes(), [deadlocks::LATE]);
    let said = sentence(&stream.found()[0]);
    assert_eq!(said, "P2 reports a deadlock of P0 and P1 that was already broken, and P0 must give up as well.");
    let mut stream = detection();
    stream.have(0, 0).have(1, 1).ask(0, 1).report(&[0, 1]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM]);
    let said = sentence(&stream.found()[0]);
    assert_eq!(said, "P2 reports a deadlock of P0 and P1 that never existed, and P0 must give up needlessly.");
}

#[test]
fn of_a_phantom_it_is_said_who_had_given_up_since_the_victim_began_to_wait() {
    let said = |events: fn(&mut Stream)| {
        let mut stream = Stream::new("edge-chasing", "original", &json!({}));
        events(stream.have(0, 0).have(1, 1).have(2, 2));
        let found = stream.report(&[0, 1]).found();
        assert_eq!(found.iter().map(|violation| &*violation.code).collect::<Vec<_>>(), [deadlocks::PHANTOM]);
        (found[0].arguments["gave_up"].clone(), sentence(&found[0]).ends_with(": P1 had already given up."))
    };
    assert_eq!(said(|stream| _ = stream.ask(0, 1)), (json!([]), false));
    assert_eq!(said(|stream| _ = stream.ask(0, 1).ask(1, 2).abort(1, 2)), (json!([1]), true));
    assert_eq!(said(|stream| _ = stream.ask(1, 2).abort(1, 2).ask(0, 1)), (json!([]), false), "before");
    assert_eq!(said(|stream| _ = stream.ask(0, 1).ask(2, 1).abort(2, 1)), (json!([]), false), "another");
}

#[test]
fn what_stood_long_ago_is_a_phantom_now() {
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.circle().report(&[1, 0]).abort(1, 1).at(60_000_000).report(&[1, 0]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM]);
}

#[test]
fn who_gives_up_for_ever_is_in_a_livelock_and_who_is_done_is_not() {
    for (done, expected) in [(false, vec![livelock::LIVELOCK]), (true, vec![])] {
        let mut stream = Stream::new("prevention", "give-way", &json!({}));
        for time in 0..200 {
            stream.at(time).have(0, 0).ask(0, 1).abort(0, 0);
            if done && time % 40 == 0 {
                stream.have(1, 1).leave(1, 1);
            }
        }
        assert_eq!(stream.codes(), expected);
    }
}

#[test]
fn who_is_aborted_while_others_are_done_starves() {
    let mut stream = Stream::new("wait-die", "timestamp-renewed", &json!({}));
    for time in 0..400 {
        stream.at(time).have(0, 0).ask(0, 1).abort(0, 0);
        let (first, second) = (stream.next(1), stream.next(1));
        let request = RequestId(time + 2);
        stream.outcome(first, Outcome::requested(LockId(1), request));
        stream.outcome(first, Outcome::Entered { lock: LockId(1), request, fence: None });
        stream.outcome(second, Outcome::Exited { lock: LockId(1), request });
    }
    assert_eq!(stream.codes(), [livelock::STARVATION]);
}

/// P0 and P1 wait for each other. But P2 holds the second unit of lock 0 and waits for nothing, so it will release the
/// unit.
#[test]
fn with_several_units_a_circle_alone_is_no_deadlock() {
    let units = |existing: &str| Stream::new("banker", "original", &json!({ "existing": existing }));
    let mut stream = units("2,1");
    stream.have(0, 0).have(2, 0).have(1, 1).ask(0, 1).ask(1, 0);
    assert_eq!(stream.codes(), [""; 0]);
    let mut stream = units("1,1");
    stream.circle();
    assert_eq!(stream.codes(), [deadlocks::CYCLE]);
}

/// P0 and P2 hold the two units of lock 0 and wait for lock 1. P1 holds lock 1 and waits for a unit of lock 0.
#[test]
fn with_several_units_it_is_a_deadlock_if_no_unit_is_given_back() {
    let wanted = |third: Ask, second: u64| {
        let mut stream = Stream::new("banker", "original", &json!({ "existing": "2,1" }));
        stream.have(0, 0).have(1, 1);
        third(&mut stream, 2, 0, 1).granted(2, 0, 1);
        stream.ask(0, 1);
        third(&mut stream, 2, 1, second).ask(1, 0);
        stream.codes()
    };
    assert_eq!(wanted(Stream::planned, 1), [deadlocks::CYCLE]);
    assert_eq!(wanted(Stream::ordered, 2), [""; 0], "P2 gives its unit back, whatever becomes of its other request");
}

#[test]
fn more_than_there_are_units_is_too_many() {
    let mut stream = Stream::new("banker", "original", &json!({ "existing": "2,1" }));
    stream.have(2, 0).leave(2, 0).have(0, 0).have(1, 0);
    assert_eq!(stream.codes(), [""; 0], "two units, and nothing of mutual exclusion");
    stream.have(2, 0);
    assert_eq!(stream.codes(), [capacity::TOO_MANY]);
}

/// A function that makes a node request a lock. Its arguments are the node, the lock, and the number of the request.
type Ask = fn(&mut Stream, u32, u32, u64) -> &mut Stream;

/// P0 requests lock 0, and P1 requests lock 1, by means of `asks[0]`. Both requests are granted. Then P0 requests
/// lock 1 and P1 requests lock 0, by means of `asks[1]`. These second requests have the number `second`. Returns the
/// codes of the violations that were found.
fn crossed(asks: [Ask; 2], second: u64) -> Vec<String> {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    for (node, lock) in [(0, 0), (1, 1)] {
        asks[0](&mut stream, node, lock, 1).granted(node, lock, 1);
    }
    for (node, lock) in [(0, 1), (1, 0)] {
        asks[1](&mut stream, node, lock, second);
    }
    stream.codes()
}

#[test]
fn two_requests_that_were_ordered_apart_are_not_hold_and_wait() {
    assert_eq!(crossed([Stream::ordered, Stream::ordered], 2), [""; 0], "each is given back by itself");
    assert_eq!(crossed([Stream::ordered, Stream::ordered], 1), [deadlocks::CYCLE], "one transaction");
    assert_eq!(crossed([Stream::planned, Stream::planned], 2), [deadlocks::CYCLE], "one round");
    assert_eq!(crossed([Stream::planned, Stream::ordered], 2), [""; 0], "a round, and an order besides");
}

/// P1 holds locks 1 and 2, which do not depend on each other, and waits for lock 0. It keeps lock 2 until lock 0 is
/// granted, but not lock 1. A cycle through lock 1 is therefore not a deadlock.
#[test]
fn a_circle_goes_only_through_what_is_kept() {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.ordered(0, 0, 1).granted(0, 0, 1).ordered(1, 1, 1).granted(1, 1, 1).ordered(1, 2, 2).granted(1, 2, 2);
    stream.ordered(0, 1, 1).ordered(1, 0, 2);
    assert_eq!(stream.codes(), [""; 0], "P1 gives lock 1 back, whatever becomes of its other request");
    stream.ordered(2, 0, 1);
    assert_eq!(stream.codes(), [""; 0]);
    stream.planned(0, 2, 1);
    let found = stream.found();
    assert_eq!(found.len(), 1, "lock 2 is kept until P1 has lock 0");
    let circle = json!([{ "node": 0, "lock": 2, "on": 1 }, { "node": 1, "lock": 0, "on": 0 }]);
    assert_eq!(found[0].arguments, json!({ "circle": circle }));
}

#[test]
fn where_somebody_gives_up_a_circle_in_which_nothing_moves_is_a_deadlock_told_once() {
    let mut stream = Stream::new("wait-die", "original", &json!({}));
    stream.up().circle();
    assert_eq!((stream.codes(), stream.settled(0)), (vec![], vec![deadlocks::CYCLE.to_owned()]));
    assert_eq!(stream.settled(1), [""; 0], "a command is under way");
    stream.leave(1, 1);
    assert_eq!(stream.settled(0), [""; 0], "broken");
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.up().circle().pause();
    assert_eq!((stream.codes(), stream.settled(0)), (vec![deadlocks::CYCLE.to_owned()], vec![]), "told already");
}

/// P1's request closes the cycle. It is announced to P0 by a message. Returns the codes of the violations that were found
/// after the callback has added further events, before and after nothing can move.
fn announced(events: fn(&mut Stream, MessageId)) -> [Vec<String>; 2] {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.up().have(0, 0).have(1, 1).ask(0, 1).ask(1, 0);
    let message = stream.send(1, 0);
    events(&mut stream, message);
    [stream.codes(), stream.settled(0)]
}

#[test]
fn a_wait_counts_when_its_request_has_arrived() {
    let (at_once, never) = ([vec![deadlocks::CYCLE.to_owned()], Vec::new()], [Vec::<String>::new(), Vec::new()]);
    assert_eq!(announced(|_, _| {}), never);
    assert_eq!(announced(|stream, _| _ = stream.at(90_000).have(2, 2)), never, "others make progress");
    assert_eq!(announced(Stream::deliver), at_once);
    let lost = |stream: &mut Stream, message| {
        _ = stream.push(What::dropped(message, "REQUEST".into(), DropReason::Loss));
    };
    assert_eq!(announced(lost), at_once, "P1 waits for good");
    let later = |stream: &mut Stream, message| {
        stream.deliver(message);
        stream.next(1);
        stream.send(1, 0);
    };
    assert_eq!(announced(later), at_once, "another message is in transit");
}

/// The algorithm exists only in users' own programs. The monitor therefore does not know whether processes give up or
/// leases expire.
#[test]
fn a_cycle_of_an_own_algorithm_is_reported_when_nothing_moves() {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.specification.algorithm = "own".to_owned();
    stream.up().circle();
    assert_eq!((stream.codes(), stream.settled(0)), (vec![], vec![deadlocks::CYCLE.to_owned()]));
}

#[test]
fn a_report_is_judged_by_the_circle_that_it_names() {
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.circle().report(&[0, 2]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM], "another circle stands");
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.have(0, 0).have(1, 1).have(2, 2).ask(0, 1).ask(1, 2).ask(2, 0).report(&[2, 0, 1]);
    assert_eq!(stream.codes(), [""; 0]);
    stream.report(&[0, 2, 1]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM], "the other way round");
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.circle().abort(1, 1).report(&[0, 2]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM], "another circle stood");
}

#[test]
fn each_of_the_circles_through_one_process_may_be_reported() {
    let mut stream = Stream::new("central-detection", "original", &json!({}));
    stream.have(0, 0).have(1, 1).have(2, 2).ask(0, 1).ask(0, 2).ask(1, 0).ask(1, 2).ask(2, 0);
    stream.report(&[0, 1]).report(&[0, 2]).report(&[0, 1, 2]);
    assert_eq!(stream.codes(), [""; 0], "each is in a shorter circle than that of all three");
    stream.report(&[0, 2, 1]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM], "P2 does not wait for P1");
}

#[test]
fn how_long_a_circle_may_stand_counts_from_when_nobody_has_a_hand_in_it() {
    // Returns the codes of the findings about a cycle, after the callback `hand` has added further events.
    let overdue = |hand: fn(&mut Stream)| {
        let mut stream = Stream::new("wait-die", "original", &json!({}));
        stream.circle();
        hand(&mut stream);
        stream.codes()
    };
    assert_eq!(overdue(|stream| _ = stream.at(10_000_000).leave(2, 2)), [deadlocks::CYCLE]);
    assert_eq!(overdue(|stream| _ = stream.pause().at(10_000_000).leave(2, 2)), [""; 0]);
    assert_eq!(overdue(|stream| _ = stream.pause().at(10_000_000).resume().leave(2, 2)), [""; 0]);
    let after = |stream: &mut Stream| _ = stream.pause().at(10_000_000).resume().at(20_000_000).leave(2, 2);
    assert_eq!(overdue(after), [deadlocks::CYCLE]);
}

#[test]
fn a_circle_that_was_broken_is_remembered_as_long_as_somebody_has_a_hand_in_it() {
    // Returns the codes of the findings about the report of a broken cycle. Between the abort that breaks the cycle and
    // the report, the callback `hand` adds events.
    let reported = |hand: fn(&mut Stream)| {
        let mut stream = Stream::new("central-detection", "original", &json!({}));
        stream.circle().abort(1, 1);
        hand(&mut stream);
        stream.report(&[1, 0]).codes()
    };
    assert_eq!(reported(|stream| _ = stream.pause().at(60_000_000)), [deadlocks::LATE]);
    assert_eq!(reported(|stream| _ = stream.pause().at(60_000_000).resume()), [deadlocks::LATE]);
    assert_eq!(reported(|stream| _ = stream.pause().resume().at(60_000_000)), [deadlocks::PHANTOM]);
}

/// The time for which a cycle may last grows with the message delay. With three nodes, it is ten message delays of 2 ms
/// each, plus the parameter `period`: 1 ms, or 10 ms by default.
#[test]
fn how_long_a_circle_may_stand_is_a_hop_for_each_message_on_its_way_round() {
    let stands = |until_us: u64, parameters: serde_json::Value| {
        let mut stream = Stream::new("central-detection", "original", &parameters);
        let at = stream.next(0);
        let message = interlock_machine::message_id::MessageId { from: NodeId(0), to: NodeId(1), number: 1, copy: 0 };
        let (to, body) = (NodeId(1), interlock_model::event::Json::NULL);
        stream.push(What::Sent { at, message, to, message_kind: "ANY".into(), body, due_us: Some(2_000), rule: None });
        stream.circle().at(until_us).leave(2, 2);
        stream.codes()
    };
    for period in [json!(1), json!("1"), json!("1ms")] {
        assert_eq!(stands(21_000, json!({ "period": period })), [""; 0]);
        assert_eq!(stands(21_001, json!({ "period": period })), [deadlocks::CYCLE]);
    }
    assert_eq!(stands(30_000, json!({})), [""; 0], "the period is 10 ms by default");
    assert_eq!(stands(30_001, json!({})), [deadlocks::CYCLE]);
}

#[test]
fn each_circle_is_told_of_once_also_where_two_stand() {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.circle().have(2, 2).ask(1, 2);
    assert_eq!(stream.codes(), [deadlocks::CYCLE], "P1 wants more, and the circle is the same");
    stream.ask(0, 2).ask(2, 0);
    let found = stream.found();
    let nodes = |found: &Violation| found.arguments["circle"].as_array().map_or(0, Vec::len);
    assert_eq!(found.iter().map(nodes).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(found[1].arguments["circle"][0]["node"], json!(2));
}

#[test]
fn so_many_broken_circles_are_remembered() {
    let reported = |others: u64| {
        let mut stream = Stream::new("central-detection", "original", &json!({}));
        stream.pause().circle().abort(1, 1).leave(0, 0).enter(0, 1).leave(0, 1);
        for _ in 0..others {
            stream.have(1, 1).have(2, 2).ask(1, 2).ask(2, 1).abort(2, 2).enter(1, 2).leave(1, 2).leave(1, 1);
        }
        stream.report(&[0, 1]).codes()
    };
    assert_eq!(reported(999), [deadlocks::LATE]);
    assert_eq!(reported(1_000), [deadlocks::PHANTOM]);
}

#[test]
fn a_livelock_is_told_of_after_a_pause_too() {
    let rounds = |stream: &mut Stream, from: u64| {
        for time in from..from + 60 {
            stream.at(time).have(0, 0).ask(0, 1).abort(0, 0);
        }
    };
    let mut stream = Stream::new("prevention", "give-way", &json!({}));
    stream.pause();
    rounds(&mut stream, 1);
    assert_eq!(stream.codes(), [""; 0], "somebody has a hand in it");
    stream.resume();
    assert_eq!(stream.codes(), [""; 0]);
    rounds(&mut stream, 100);
    assert_eq!(stream.codes(), [livelock::LIVELOCK]);
}

#[test]
fn a_livelock_is_told_of_once_and_again_after_somebody_was_done() {
    let mut stream = Stream::new("prevention", "give-way", &json!({}));
    let rounds = |stream: &mut Stream, times: u64| {
        for _ in 0..times {
            stream.now_us += 1;
            stream.have(0, 0).ask(0, 1).abort(0, 0);
        }
        stream.codes().len()
    };
    assert_eq!(rounds(&mut stream, livelock::PATIENCE - 1), 0);
    assert_eq!(rounds(&mut stream, 1), 1);
    let said = "Livelock: requests of P0 were aborted 50 times, and none was completed in the meantime.";
    assert_eq!(sentence(&stream.found()[0]), said);
    assert_eq!(rounds(&mut stream, 200), 1);
    stream.have(1, 1).leave(1, 1);
    assert_eq!(rounds(&mut stream, livelock::PATIENCE - 1), 1);
    assert_eq!(rounds(&mut stream, 2), 2);
}

#[test]
fn who_has_asked_and_is_not_aborted_may_be_the_one_who_gets_on() {
    let asked = |lock| {
        let mut stream = Stream::new("prevention", "give-way", &json!({}));
        stream.ask(1, lock);
        for time in 1..200 {
            stream.at(time).have(0, 0).ask(0, 1).abort(0, 0);
        }
        stream
    };
    assert_eq!(asked(2).codes(), [livelock::LIVELOCK], "it does not compete");
    let mut stream = asked(1);
    assert_eq!(stream.codes(), [""; 0]);
    stream.push(What::crashed(NodeId(1), 1, CrashCause::Ordered));
    stream.have(0, 0).ask(0, 1).abort(0, 0);
    assert_eq!(stream.codes(), [livelock::LIVELOCK], "it has died");
}

#[test]
fn only_phantoms_and_late_reports_are_about_detection() {
    let about = |monitor: &str, code: &str| {
        let (arguments, events) = (json!({}), vec![]);
        deadlocks::is_about_detection(&Violation { monitor: monitor.into(), code: code.into(), arguments, events })
    };
    assert!(about(deadlocks::NAME, deadlocks::PHANTOM) && about(deadlocks::NAME, deadlocks::LATE));
    assert!(!about(deadlocks::NAME, deadlocks::CYCLE));
    assert!(!about(mutual_exclusion::NAME, deadlocks::LATE));
}

#[test]
fn with_one_lock_for_one_at_a_time_there_is_no_deadlock() {
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.specification.locks = 1;
    stream.circle();
    assert_eq!(stream.codes(), [""; 0]);
}

#[test]
fn what_was_taken_back_or_died_waits_for_nobody_and_has_nothing() {
    let broken: [fn(&mut Stream); 3] = [
        |stream| {
            let (at, holder, request) = (stream.next(2), NodeId(0), RequestId(1));
            let leases = Declaration { leases: Some(vec![at.node]), ..Declaration::default() };
            stream.specification.own = Some(leases);
            stream.outcome(at, Outcome::Expired { lock: LockId(0), holder, request });
        },
        |stream| {
            _ = stream.push(What::crashed(NodeId(0), 1, CrashCause::Ordered));
        },
        |stream| _ = stream.abort(0, 0),
    ];
    for breaks in broken {
        let mut stream = Stream::new("prevention", "none", &json!({}));
        stream.have(0, 0).have(1, 1).ask(0, 1);
        breaks(&mut stream);
        stream.ask(1, 0);
        assert_eq!(stream.codes(), [""; 0]);
    }
}

#[test]
fn the_death_of_one_who_has_nothing_frees_nothing() {
    let crash = |stream: &mut Stream| {
        stream.push(What::crashed(NodeId(2), 1, CrashCause::Ordered));
    };
    let mut stream = Stream::new("prevention", "none", &json!({}));
    stream.have(0, 0).have(1, 1);
    crash(&mut stream);
    stream.ask(0, 1).ask(1, 0);
    assert_eq!(stream.codes(), [deadlocks::CYCLE]);
    let mut stream = Stream::new("banker", "original", &json!({ "existing": "2,1" }));
    stream.have(0, 0).have(1, 0);
    crash(&mut stream);
    stream.have(2, 0);
    assert_eq!(stream.codes(), [capacity::TOO_MANY]);
}

#[test]
fn the_requests_of_a_crashed_process_are_forgotten() {
    for (crashes, expected) in [(true, &[][..]), (false, &[deadlocks::CYCLE])] {
        let mut stream = Stream::new("prevention", "none", &json!({}));
        stream.have(0, 0).ask(1, 0);
        if crashes {
            stream.push(What::crashed(NodeId(1), 1, CrashCause::Ordered));
        }
        stream.have(1, 1).ask(0, 1);
        assert_eq!(stream.codes(), expected);
    }
}

#[test]
fn who_gives_a_unit_back_or_dies_has_it_no_more() {
    let ends: [fn(&mut Stream); 2] = [
        |stream| _ = stream.leave(1, 0),
        |stream| {
            _ = stream.push(What::crashed(NodeId(1), 1, CrashCause::Ordered));
        },
    ];
    for end in ends {
        let mut stream = Stream::new("banker", "original", &json!({ "existing": "2,1" }));
        stream.have(0, 0).have(1, 0);
        end(&mut stream);
        stream.have(2, 0);
        assert_eq!(stream.codes(), [""; 0]);
        stream.have(1, 0);
        let found = stream.found();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].arguments, json!({ "lock": 0, "units": 2, "taken": 3 }));
        assert_eq!(sentence(&found[0]), "3 units of lock 0 were in use at the same time, but it has only 2.");
    }
}
