use interlock_algorithm::{AbortCause, LockId, NodeId, RequestId};
use serde_json::json;

use super::{Monitors, capacity, deadlocks, livelock, sentence};
use crate::event::{Event, StepId, Violation, What};
use crate::specification::{Draft, Specification};

/// Events made by hand, a step each unless said otherwise.
struct Stream {
    specification: Specification,
    events: Vec<Event>,
    now_us: u64,
    step: u64,
}

impl Stream {
    fn new(algorithm: &str, variant: &str, parameters: &serde_json::Value) -> Self {
        let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": 3, "parameters": parameters });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        Self { specification: draft.complete().expect("a run"), events: Vec::new(), now_us: 0, step: 0 }
    }

    fn at(&mut self, now_us: u64) -> &mut Self {
        self.now_us = now_us;
        self
    }

    fn push(&mut self, what: What) -> &mut Self {
        self.events.push(Event { seq: self.events.len() as u64 + 1, at_us: self.now_us, what });
        self
    }

    fn next(&mut self, node: u32) -> StepId {
        self.step += 1;
        StepId { node: NodeId(node), incarnation: 1, step: self.step }
    }

    fn ask(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.push(What::Requested { at, lock: LockId(lock), request: RequestId(1) })
    }

    fn enter(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.push(What::Entered { at, lock: LockId(lock), request: RequestId(1), fence: None })
    }

    fn have(&mut self, node: u32, lock: u32) -> &mut Self {
        self.ask(node, lock).enter(node, lock)
    }

    fn leave(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.push(What::Exited { at, lock: LockId(lock), request: RequestId(1) })
    }

    /// In one step it leaves a lock and gives up.
    fn abort(&mut self, node: u32, lock: u32) -> &mut Self {
        let at = self.next(node);
        self.push(What::Exited { at, lock: LockId(lock), request: RequestId(1) });
        self.push(What::Aborted { at, request: RequestId(1), cause: AbortCause::Victim })
    }

    fn report(&mut self, cycle: &[u32]) -> &mut Self {
        let at = self.next(2);
        let cycle: Vec<NodeId> = cycle.iter().copied().map(NodeId).collect();
        let victim = cycle[0];
        self.push(What::Reported { at, cycle, victim })
    }

    /// P0 has 0 and wants 1, P1 has 1 and wants 0.
    fn circle(&mut self) -> &mut Self {
        self.have(0, 0).have(1, 1).ask(0, 1).ask(1, 0)
    }

    fn found(&self) -> Vec<Violation> {
        let mut monitors = Monitors::new(&self.specification);
        let mut found = Vec::new();
        self.events.iter().for_each(|event| monitors.observe(event, &mut found));
        // These streams have no messages, so nothing happened before anything else.
        found.retain(|violation| [deadlocks::NAME, livelock::NAME, capacity::NAME].contains(&&*violation.monitor));
        found
    }

    fn codes(&self) -> Vec<String> {
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
        "Deadlock: P1 waits for lock 0, which P0 has; P0 waits for lock 1, which P1 has. All four conditions hold: one \
         at a time has a lock, each keeps what it has while it waits, nothing is taken away, and they wait in a circle."
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

#[test]
fn a_report_is_true_late_or_of_a_phantom() {
    let detection = || Stream::new("central-detection", "original", &json!({}));
    let mut stream = detection();
    stream.circle().report(&[1, 0]);
    assert_eq!(stream.codes(), [""; 0]);
    stream.abort(1, 1).report(&[0, 1]);
    assert_eq!(stream.codes(), [deadlocks::LATE]);
    let mut stream = detection();
    stream.have(0, 0).have(1, 1).ask(0, 1).report(&[0, 1]);
    assert_eq!(stream.codes(), [deadlocks::PHANTOM]);
    let said = sentence(&stream.found()[0]);
    assert_eq!(said, "P2 reports a deadlock of P0 and P1 that never was, and P0 is to give up for nothing.");
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
        stream.push(What::Requested { at: first, lock: LockId(1), request });
        stream.push(What::Entered { at: first, lock: LockId(1), request, fence: None });
        stream.push(What::Exited { at: second, lock: LockId(1), request });
    }
    assert_eq!(stream.codes(), [livelock::STARVATION]);
}

/// Of two units one is had by P2, who waits for nothing: it will give it back.
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

#[test]
fn more_than_there_are_units_is_too_many() {
    let mut stream = Stream::new("banker", "original", &json!({ "existing": "2,1" }));
    stream.have(0, 0).have(1, 0);
    assert_eq!(stream.codes(), [""; 0], "two units, and nothing of mutual exclusion");
    stream.have(2, 0);
    assert_eq!(stream.codes(), [capacity::TOO_MANY]);
}
