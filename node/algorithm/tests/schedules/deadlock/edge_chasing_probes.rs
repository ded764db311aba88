//! The reactions of one process of edge chasing to each kind of message, with the reasons. No correct process sends
//! some of these messages.

use interlock_algorithm::deadlock::edge_chasing::{EdgeChasing, EdgeChasingMessage, Probe, Setting};
use interlock_algorithm::deadlock::reason::Reason;
use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, Message, NodeId, Recipients, RequestId};

use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::FIFO;

/// The reasons of a step, and the sent messages with their recipients and kinds.
type Said = (Vec<Reason>, Vec<(u32, &'static str)>);

const P0: NodeId = NodeId(0);
const P1: NodeId = NodeId(1);
const P2: NodeId = NodeId(2);
/// Number of the grant by which P1 gets resource 1.
const TURN: u64 = 1;

/// Process P1 in a run of three processes. Each process manages the resource with its own number.
struct Process {
    setting: Setting,
    state: EdgeChasing,
}

impl Process {
    fn step(&mut self, input: Input<EdgeChasing>) -> Said {
        let mut out = Effects::default();
        self.state.step(&self.setting, P1, input, &mut out);
        let (mut reasons, mut sent) = (Vec::new(), Vec::new());
        for effect in out.drain() {
            match effect {
                Effect::Because(reason) => reasons.push(reason),
                Effect::Send { to: Recipients::One(to), message } => sent.push((to.0, message.kind())),
                _ => {}
            }
        }
        (reasons, sent)
    }

    fn acquire(&mut self, lock: u32) -> Said {
        self.step(Input::Command(Command::Acquire { lock: LockId(lock), request: RequestId(1) }))
    }

    fn hear(&mut self, from: NodeId, message: EdgeChasingMessage) -> Said {
        self.step(Input::Message { from, message })
    }

    fn told_to_wait(&mut self, turn: u64) -> Said {
        self.hear(P2, EdgeChasingMessage::Wait { lock: LockId(2), ticket: 2, holder: P2, turn })
    }

    fn probed(&mut self, probe: Probe) -> Said {
        self.hear(probe.sender, EdgeChasingMessage::Probe(probe))
    }
}

/// Returns P1 in this state: it holds its own resource, waits for the resource of P2, and has sent its first probe
/// to P2.
fn blocked(variant: &str) -> Process {
    let setting = Scene::<EdgeChasing>::new(variant, 3, FIFO, nobody()).setting;
    let mut process = Process { setting, state: EdgeChasing::new(&setting, P1) };
    process.acquire(1);
    assert_eq!(process.acquire(2).1, [(2, "REQUEST")]);
    assert_eq!(process.told_to_wait(1), (vec![Reason::ProbeStarted { number: 1, holder: P2 }], vec![(2, "PROBE")]));
    process
}

/// Returns P1 in the state of [`blocked`], after P2 has granted the resource.
fn unblocked(variant: &str) -> Process {
    let mut process = blocked(variant);
    let granted = process.hear(P2, EdgeChasingMessage::Grant { lock: LockId(2), ticket: 2, turn: 2 });
    assert_eq!(granted.0, [Reason::GrantedByHome { home: P2 }]);
    process
}

/// Returns a probe that P0 has sent, because P0 waits for P1.
fn of_p0(number: u64) -> Probe {
    Probe { blocked: P0, sender: P0, receiver: P1, number, lock: LockId(1), turn: TURN, path: vec![P0] }
}

/// Returns a probe that P1 has initiated, and that comes back to P1 from `from`.
fn back(from: NodeId, number: u64) -> Probe {
    Probe { blocked: P1, sender: from, path: vec![P1, from], ..of_p0(number) }
}

fn forwarded() -> Said {
    (vec![Reason::ProbeForwarded { blocked: P0, holder: P2 }], vec![(2, "PROBE")])
}

fn outdated(blocked: NodeId) -> Said {
    (vec![Reason::ProbeOutdated { blocked }], vec![])
}

#[test]
fn what_is_known_of_a_wait_begins_no_probe_and_news_do() {
    let mut process = blocked("original");
    for turn in [1, 0] {
        assert_eq!(process.told_to_wait(turn), (vec![Reason::OldReport { from: P2 }], vec![]), "{turn}");
    }
    assert_eq!(process.told_to_wait(2), (vec![Reason::ProbeStarted { number: 2, holder: P2 }], vec![(2, "PROBE")]));
}

/// P2 may report P1 itself as the holder: P1 has released the resource, and the next grant to P1 is in transit. The
/// other two holders do not exist, because there are only three processes.
#[test]
fn to_wait_for_oneself_or_for_nobody_is_no_news() {
    for holder in [P1, NodeId(3), NodeId(4)] {
        let wait = EdgeChasingMessage::Wait { lock: LockId(2), ticket: 2, holder, turn: 2 };
        assert_eq!(blocked("original").hear(P2, wait), (vec![Reason::OldReport { from: P2 }], vec![]), "{holder}");
    }
}

#[test]
fn each_probe_is_sent_on_once_and_none_after_a_later_one() {
    let mut process = blocked("original");
    let said = [1, 1, 3, 2, 3, 4].map(|number| process.probed(of_p0(number)));
    let (on, over) = (forwarded(), outdated(P0));
    assert_eq!(said, [on.clone(), over.clone(), on.clone(), over.clone(), over, on]);
}

#[test]
fn a_probe_about_what_this_process_does_not_have_is_outdated() {
    for (lock, turn) in [(1, TURN + 1), (0, TURN)] {
        let probe = Probe { lock: LockId(lock), turn, ..of_p0(1) };
        assert_eq!(blocked("original").probed(probe), outdated(P0), "{lock} {turn}");
    }
}

/// A process that no longer waits does not forward a probe; only the faulty variant forwards it.
#[test]
fn at_who_is_blocked_no_more_a_probe_ends_unless_it_does_not_look() {
    assert_eq!(unblocked("original").probed(of_p0(1)), (vec![Reason::ProbeEnds { blocked: P0 }], vec![]));
    let on = (vec![Reason::ProbeForwardedUnblocked { blocked: P0, holder: P2 }], vec![(2, "PROBE")]);
    assert_eq!(unblocked("forwards-unblocked").probed(of_p0(1)), on);
    assert_eq!(blocked("forwards-unblocked").probed(of_p0(1)), forwarded());
}

#[test]
fn a_lower_probe_is_replaced_by_the_rule_of_the_highest() {
    let replaced = (vec![Reason::ProbeReplaced { blocked: P0, number: 2 }], vec![(2, "PROBE")]);
    assert_eq!(blocked("highest").probed(of_p0(1)), replaced);
    let of_p2 = Probe { blocked: P2, sender: P2, path: vec![P2], ..of_p0(1) };
    let on = (vec![Reason::ProbeForwarded { blocked: P2, holder: P2 }], vec![(2, "PROBE")]);
    assert_eq!(blocked("highest").probed(of_p2), on);
}

#[test]
fn a_probe_that_comes_back_counts_if_it_was_begun_along_a_wait_that_still_is() {
    let came_back = Reason::ProbeCameBack { number: 1 };
    assert_eq!(blocked("original").probed(back(P2, 1)).0.first(), Some(&came_back));
    assert_eq!(blocked("original").probed(back(P2, 2)), outdated(P1), "not begun");
    assert_eq!(blocked("original").probed(back(P0, 1)), outdated(P1), "P0 is not waited for");
    let mut process = blocked("original");
    process.told_to_wait(2);
    assert_eq!(process.probed(back(P2, 1)), outdated(P1), "P2 gave it back meanwhile, and got it again");
}

/// Each of these probes has one invalid field.
#[test]
fn probes_that_cannot_be_are_nonsense() {
    let by_way_of = |path: &[u32]| {
        let path: Vec<NodeId> = path.iter().copied().map(NodeId).collect();
        Probe { sender: *path.last().expect("a sender"), path, ..of_p0(1) }
    };
    let wrong = [
        Probe { blocked: P2, ..of_p0(1) },
        Probe { path: vec![P0, P2], ..of_p0(1) },
        Probe { path: vec![], ..of_p0(1) },
        Probe { receiver: P2, ..of_p0(1) },
        by_way_of(&[0, 2, 0]),
        by_way_of(&[0, 3, 2]),
    ];
    for probe in wrong {
        let nonsense = (vec![Reason::Nonsense { from: probe.sender }], vec![]);
        assert_eq!(blocked("original").probed(probe.clone()), nonsense, "{probe:?}");
    }
    let borrowed = EdgeChasingMessage::Probe(Probe { sender: P2, ..of_p0(1) });
    assert_eq!(blocked("original").hear(P0, borrowed), (vec![Reason::Nonsense { from: P0 }], vec![]));
}

#[test]
fn only_its_home_is_asked_about_a_resource_and_only_its_home_answers() {
    let (lock, ticket, turn) = (LockId(2), 2, 2);
    let messages = [
        EdgeChasingMessage::Request { lock, ticket },
        EdgeChasingMessage::Request { lock: LockId(4), ticket },
        EdgeChasingMessage::Release { lock, ticket },
        EdgeChasingMessage::Wait { lock, ticket, holder: P2, turn },
        EdgeChasingMessage::Grant { lock, ticket, turn },
    ];
    for message in messages {
        let said = blocked("original").hear(P0, message.clone());
        assert_eq!(said, (vec![Reason::NotFromThere { from: P0 }], vec![]), "{message:?}");
    }
}
