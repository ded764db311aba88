use std::collections::BTreeSet;

use interlock_algorithm::{AbortCause, LockId, NodeId, Operation, Outcome, RequestId, Response};
use interlock_machine::wire::{ClientTimer, CommandItem, Order, TimerName};
use interlock_model::event::{StepId, What};

use super::Node;
use super::test_stream::{IDLE, TestStream};

/// A run of one process, whose outcomes the tests choose freely.
struct Run(TestStream);

impl Run {
    fn new() -> Self {
        Self(TestStream::new(1))
    }

    fn step(step: u64) -> StepId {
        StepId { node: NodeId(0), incarnation: 1, step }
    }

    fn outcome(&mut self, step: u64, outcome: Outcome) {
        self.0.outcome(Self::step(step), outcome);
    }

    fn order(&mut self, step: u64) {
        let command = CommandItem { id: 1, order: Order::Acquire { lock: LockId(0), hold_us: None } };
        self.0.push(What::Commanded { at: Self::step(step), command, because: Vec::new(), view: None });
    }

    fn ask(&mut self, step: u64, lock: u32, request: u64) {
        self.outcome(step, Outcome::requested(LockId(lock), RequestId(request)));
    }

    fn enter(&mut self, lock: u32, request: u64) {
        self.outcome(50, Outcome::Entered { lock: LockId(lock), request: RequestId(request), fence: None });
    }

    fn exit(&mut self, lock: u32, request: u64) {
        self.outcome(60, Outcome::Exited { lock: LockId(lock), request: RequestId(request) });
    }

    fn node(&self) -> Node {
        self.0.state().nodes()[0].clone()
    }

    /// Returns the locks that the node waits for or holds, each with the number of its request.
    fn claims(&self) -> Vec<(u32, u64)> {
        self.node().claims.iter().map(|claim| (claim.lock.0, claim.request.0)).collect()
    }
}

#[test]
fn an_exit_ends_the_claim_to_its_lock_and_no_other() {
    let mut run = Run::new();
    run.ask(1, 0, 1);
    run.ask(1, 1, 1);
    run.enter(0, 1);
    run.enter(1, 1);
    run.exit(0, 1);
    assert_eq!(run.claims(), [(1, 1)]);
    run.exit(1, 1);
    assert_eq!(run.claims(), []);
}

#[test]
fn an_aborted_request_ends_its_claims_and_no_others() {
    let mut run = Run::new();
    run.ask(1, 0, 1);
    run.ask(1, 1, 1);
    run.ask(2, 2, 2);
    run.outcome(3, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
    assert_eq!(run.claims(), [(2, 2)]);
}

#[test]
fn an_operation_has_a_number_like_a_request_and_ends_a_round() {
    let mut run = Run::new();
    for request in [1, 2] {
        run.outcome(request, Outcome::Invoked { request: RequestId(request), operation: Operation::Generate {} });
        assert_eq!((run.node().next_request, run.node().rounds), (RequestId(request + 1), request - 1));
        run.outcome(request, Outcome::Returned { request: RequestId(request), response: Response::Done {} });
        assert_eq!(run.node().rounds, request);
    }
}

/// Returns the number of rounds after requests for lock 0 and lock 1. Each request is given by its step and its number.
/// If `ordered`, both requests are ordered.
fn rounds(first: (u64, u64), second: (u64, u64), ordered: bool) -> u64 {
    let mut run = Run::new();
    for (lock, (step, request)) in (0..).zip([first, second]) {
        if ordered {
            run.order(step);
        }
        run.ask(step, lock, request);
        if step != second.0 {
            run.enter(lock, request);
        }
    }
    for (lock, (_, request)) in (0..).zip([first, second]) {
        run.enter(lock, request);
    }
    assert!(run.node().entries >= 2);
    run.node().rounds
}

#[test]
fn requests_are_of_one_round_if_they_are_of_one_step_or_tied_together() {
    assert_eq!(rounds((1, 1), (1, 2), true), 1, "two requests in one step");
    assert_eq!(rounds((1, 1), (2, 2), true), 2, "two orders");
    assert_eq!(rounds((1, 1), (2, 1), true), 1, "one request");
    assert_eq!(rounds((1, 1), (2, 2), false), 1, "the client's own round");
}

#[test]
fn each_round_counts_once_however_many_sections_it_has() {
    let mut run = Run::new();
    for round in [1, 2, 3] {
        for lock in [0, 1] {
            run.ask(10 * round + u64::from(lock), lock, round);
            run.enter(lock, round);
            assert_eq!(run.node().rounds, round);
        }
        run.exit(0, round);
        run.exit(1, round);
    }
    assert_eq!(run.node().entries, 6);
}

#[test]
fn a_node_is_idle_unless_it_waits_or_is_inside() {
    let mut run = Run::new();
    let is = |run: &Run| (run.node().is_idle(), run.node().wants(), run.node().is_inside());
    assert_eq!(is(&run), (true, false, false));
    run.ask(1, 1, 1);
    assert_eq!(is(&run), (false, true, false));
    run.enter(1, 1);
    assert_eq!(is(&run), (false, false, true));
    run.exit(1, 1);
    assert_eq!(is(&run), (true, false, false));
}

#[test]
fn a_node_is_inside_of_a_lock_that_it_holds() {
    let mut run = Run::new();
    run.ask(1, 0, 1);
    run.ask(1, 1, 1);
    let locks = [None, Some(LockId(0)), Some(LockId(1)), Some(LockId(2))];
    let inside = |run: &Run| locks.map(|lock| run.node().is_inside_of(lock));
    assert_eq!(inside(&run), [false, false, false, false], "it waits for both");
    run.enter(1, 1);
    assert_eq!(inside(&run), [true, false, true, false]);
}

#[test]
fn a_node_has_left_a_lock_once_it_was_inside_and_has_no_claim_to_it() {
    let mut run = Run::new();
    let locks = [None, Some(LockId(0)), Some(LockId(1))];
    let left = |run: &Run| locks.map(|lock| run.node().has_left(lock));
    assert_eq!(left(&run), [false, false, false], "it has never been inside");
    run.ask(1, 0, 1);
    run.ask(1, 1, 1);
    run.enter(0, 1);
    assert_eq!(left(&run), [false, false, false]);
    run.exit(0, 1);
    assert_eq!(left(&run), [false, true, false], "it waits for lock 1");
    run.enter(1, 1);
    run.exit(1, 1);
    assert_eq!(left(&run), [true, true, true]);
    run.ask(2, 0, 2);
    assert_eq!(left(&run), [false, false, true], "it waits for lock 0 again");
    run.0.crash(0);
    assert_eq!(left(&run), [true, true, true], "the process that waited has crashed");
}

/// Returns whether the node stays in the section of `lock` until it is ordered to leave, while this timer is pending.
fn stays(lock: u32, ordered: bool, timer: Option<ClientTimer>) -> bool {
    let mut run = Run::new();
    if ordered {
        run.order(1);
    }
    run.ask(1, lock, 1);
    assert!(!run.node().stays_in_section(), "it is not inside yet");
    run.enter(lock, 1);
    if let Some(timer) = timer {
        run.0.arm(0, TimerName::Client(timer), 1_000);
    }
    run.node().stays_in_section()
}

#[test]
fn a_node_stays_in_its_section_unless_a_timer_of_this_section_is_pending() {
    let timers = [
        None,
        Some(ClientTimer::Idle),
        Some(ClientTimer::Queued),
        Some(ClientTimer::Hold),
        Some(ClientTimer::HoldLock(LockId(1))),
        Some(ClientTimer::HoldLock(LockId(2))),
        Some(ClientTimer::Next),
        Some(ClientTimer::Again),
    ];
    let ends = |lock, ordered| -> BTreeSet<_> {
        timers.into_iter().filter(|timer| !stays(lock, ordered, *timer)).flatten().collect()
    };
    let hold_1 = ClientTimer::HoldLock(LockId(1));
    assert_eq!(ends(1, true), [hold_1].into(), "its own timer");
    assert_eq!(ends(1, false), [hold_1, ClientTimer::Hold, ClientTimer::Next, ClientTimer::Again].into());
    assert_eq!(ends(0, true), [ClientTimer::Hold].into(), "the timer of lock 0");
    assert!(stays(1, true, None) && stays(1, false, None));
}

#[test]
fn only_a_timer_of_the_client_ends_a_section() {
    let mut run = Run::new();
    run.ask(1, 0, 1);
    run.enter(0, 1);
    run.0.arm(0, TimerName::Channel(NodeId(0)), 1_000);
    run.0.arm(0, IDLE, 1_000);
    assert!(run.node().stays_in_section());
}
