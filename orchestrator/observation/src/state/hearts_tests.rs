use interlock_algorithm::NodeId;
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{DetectorTimer, TimerName};
use interlock_model::event::{Change, CrashCause, DropReason, Hand, Json, MessageKind, StepId, TimerLabel, What};
use interlock_model::span::Span;
use interlock_model::specification::{Detector, Heartbeats};

use super::Hearts;
use super::test_stream::{IDLE, specification, violated};

/// The timer after which a process sends its next heartbeats.
const BEAT: TimerLabel = TimerName::Detector(DetectorTimer::Beat);
/// The patience of the detectors in these tests, in heartbeats.
const PATIENCE: u32 = 2;
/// The number of heartbeats in a row after which heartbeats are settled.
const ENOUGH: u32 = PATIENCE + 2;

/// The heartbeats of a run in which each process has sent its first heartbeat.
struct Run {
    hearts: Hearts,
    nodes: u32,
}

impl Run {
    fn new(nodes: u32) -> Self {
        let mut specification = specification(nodes);
        let (interval, timeout) = (Some(Span(1_000)), Some(Span(1_000 * u64::from(PATIENCE))));
        specification.detector = Detector::Heartbeat(Heartbeats { interval, timeout, adaptive: false });
        let mut run = Self { hearts: Hearts::new(&specification).expect("a run with heartbeats"), nodes };
        for node in 0..nodes {
            run.say(&What::Armed { at: at(node), timer: BEAT, delay_us: 1_000 });
        }
        run
    }

    /// Returns a run whose heartbeats are settled.
    fn settled(nodes: u32) -> Self {
        let mut run = Self::new(nodes);
        run.all_beat(ENOUGH);
        assert!(run.is_settled());
        run
    }

    fn say(&mut self, what: &What) {
        self.hearts.apply(what);
    }

    /// The heartbeat timer of a process fires.
    fn beat(&mut self, node: u32) {
        self.say(&What::Fired { at: at(node), timer: BEAT, because: Vec::new(), view: None });
    }

    /// The heartbeat timer of each process fires this many times.
    fn all_beat(&mut self, times: u32) {
        let nodes = self.nodes;
        (0..times).flat_map(|_| 0..nodes).for_each(|node| self.beat(node));
    }

    fn suspect(&mut self, who: u32, whom: u32) {
        self.say(&What::Suspected { at: at(who), whom: NodeId(whom) });
    }

    fn send(&mut self, from: u32, to: u32) {
        let (message, message_kind) = (heartbeat(from, to), MessageKind::named(HEARTBEAT));
        let (at, to, body) = (at(from), NodeId(to), Json::NULL);
        self.say(&What::Sent { at, message, to, message_kind, body, due_us: Some(1), rule: None });
    }

    fn deliver(&mut self, from: u32, to: u32) {
        let (message, message_kind) = (heartbeat(from, to), MessageKind::named(HEARTBEAT));
        let (at, from) = (at(to), NodeId(from));
        self.say(&What::Delivered { at, message, from, message_kind, because: Vec::new(), view: None });
    }

    fn lose(&mut self, from: u32, to: u32, why: DropReason) {
        self.say(&What::dropped(heartbeat(from, to), MessageKind::named(HEARTBEAT), why));
    }

    fn crash(&mut self, node: u32) {
        self.say(&What::crashed(NodeId(node), 1, CrashCause::Ordered));
    }

    fn is_settled(&self) -> bool {
        self.hearts.are_settled(|_| true)
    }

    /// Returns the processes that are cut off if only these processes run.
    fn cut_off(&self, running: &[u32]) -> Vec<u32> {
        self.hearts.cut_off(|node| running.contains(&node.0)).into_iter().map(|node| node.0).collect()
    }
}

const fn at(node: u32) -> StepId {
    StepId { node: NodeId(node), incarnation: 1, step: 1 }
}

const fn heartbeat(from: u32, to: u32) -> MessageId {
    MessageId { from: NodeId(from), to: NodeId(to), number: 1, copy: 0 }
}

fn configured() -> What {
    What::Configured { change: Change { subject: "partition".into(), id: Some("1".into()), value: None } }
}

#[test]
fn a_run_without_heartbeats_has_none() {
    assert_eq!(Hearts::new(&specification(2)), None);
}

#[test]
fn heartbeats_settle_once_every_running_process_has_sent_more_than_any_patience() {
    let mut run = Run::new(2);
    assert!(!run.is_settled());
    run.all_beat(ENOUGH - 1);
    run.beat(0);
    assert!(!run.is_settled() && !run.hearts.are_settled_but_for_losses(|_| true), "P1 has sent one too few");
    assert!(run.hearts.are_settled(|node| node.0 == 0), "P1 does not run");
    run.beat(1);
    assert!(run.is_settled() && run.hearts.are_settled_but_for_losses(|_| true));
}

#[test]
fn a_process_that_sends_no_heartbeats_is_not_waited_for() {
    let mut run = Run::new(2);
    run.crash(1);
    (0..ENOUGH).for_each(|_| run.beat(0));
    assert!(run.is_settled());
    run.say(&What::Armed { at: at(1), timer: BEAT, delay_us: 1_000 });
    assert!(!run.is_settled(), "its next incarnation sends heartbeats");
}

#[test]
fn any_other_event_starts_the_count_again_except_remarks() {
    let stirs = [
        What::Suspected { at: at(0), whom: NodeId(1) },
        What::Trusted { at: at(0), whom: NodeId(1) },
        What::crashed(NodeId(1), 1, CrashCause::Ordered),
        What::paused(NodeId(1), 1),
        What::Fired { at: at(0), timer: IDLE, because: Vec::new(), view: None },
        configured(),
    ];
    for what in stirs {
        let mut run = Run::settled(2);
        run.say(&what);
        assert!(!run.is_settled() && !run.hearts.are_settled_but_for_losses(|_| true), "{what:?}");
    }
    for what in [What::Noted { detail: "a remark".into() }, violated("mutual-exclusion")] {
        let mut run = Run::settled(2);
        run.say(&what);
        assert!(run.is_settled(), "{what:?}");
    }
}

#[test]
fn a_wrong_suspicion_makes_the_detectors_more_patient() {
    let mut run = Run::settled(2);
    run.say(&What::Trusted { at: at(0), whom: NodeId(1) });
    run.all_beat(ENOUGH);
    assert!(!run.is_settled());
    run.all_beat(1);
    assert!(run.is_settled());
}

#[test]
fn only_a_heartbeat_that_is_lost_by_chance_starts_the_count_again() {
    for (why, settled) in [
        (DropReason::Loss, false),
        (DropReason::Full, false),
        (DropReason::Partition, true),
        (DropReason::Crashed, true),
    ] {
        let mut run = Run::settled(2);
        run.send(0, 1);
        assert!(run.is_settled(), "a heartbeat in transit");
        run.lose(0, 1, why);
        assert_eq!(run.is_settled(), settled, "{why:?}");
        assert!(run.hearts.are_settled_but_for_losses(|_| true), "{why:?}");
    }
}

#[test]
fn the_last_heartbeat_of_a_crashed_process_starts_the_count_again() {
    let arrives = |crashes: bool| {
        let mut run = Run::new(2);
        run.send(1, 0);
        if crashes {
            run.crash(1);
        }
        run.all_beat(ENOUGH);
        run.deliver(1, 0);
        run.is_settled()
    };
    assert!(arrives(false));
    assert!(!arrives(true));
}

/// Returns a run with settled heartbeats in which P0 suspects P1.
fn suspecting() -> Run {
    let mut run = Run::new(3);
    run.suspect(0, 1);
    run.all_beat(ENOUGH);
    run
}

#[test]
fn a_heartbeat_in_transit_that_would_end_a_suspicion_may_have_an_effect() {
    let mut run = suspecting();
    assert!(run.is_settled());
    run.send(0, 1);
    run.send(1, 2);
    assert!(run.is_settled(), "P1 and P2 suspect nobody");
    run.send(1, 0);
    assert!(!run.is_settled());
    assert!(run.hearts.are_settled(|node| node.0 != 0), "P0 does not run");
    run.deliver(1, 0);
    assert!(run.is_settled(), "it was of an earlier incarnation");
}

#[test]
fn a_copy_in_transit_may_end_a_suspicion_like_its_original() {
    let mut run = suspecting();
    run.send(1, 0);
    let copy = MessageId { copy: 1, ..heartbeat(1, 0) };
    let (kind, due_us) = (MessageKind::named(HEARTBEAT), Some(1));
    run.say(&What::duplicated(heartbeat(1, 0), kind, copy, Hand::Chance, due_us));
    run.lose(1, 0, DropReason::Partition);
    assert!(!run.is_settled(), "the copy is in transit");
    run.lose(1, 0, DropReason::Partition);
    assert!(run.is_settled());
}

#[test]
fn a_suspicion_ends_with_trust_or_with_the_suspecting_process() {
    let both = || {
        let mut run = suspecting();
        run.suspect(1, 2);
        run
    };
    let trusted = What::Trusted { at: at(0), whom: NodeId(1) };
    let crashed = What::crashed(NodeId(0), 1, CrashCause::Ordered);
    for ends in [trusted, crashed] {
        let settles = |from, to| {
            let mut run = both();
            run.say(&ends);
            run.all_beat(ENOUGH + 1);
            run.send(from, to);
            run.is_settled()
        };
        assert!(settles(1, 0), "P0 suspects P1 no longer: {ends:?}");
        assert!(!settles(2, 1), "P1 still suspects P2: {ends:?}");
    }
}

/// Returns a run in which partitions have dropped heartbeats from P1 and P2 to P0, and from P0 to P1. Each receiver
/// suspects the sender.
fn partitioned() -> Run {
    let mut run = Run::new(3);
    for (from, to) in [(1, 0), (0, 1), (2, 0)] {
        run.send(from, to);
        run.lose(from, to, DropReason::Partition);
        run.suspect(to, from);
    }
    run
}

#[test]
fn a_process_is_cut_off_if_a_partition_blocks_its_heartbeats_to_a_process_that_suspects_it() {
    assert_eq!(partitioned().cut_off(&[0, 1, 2]), [0, 1, 2]);
    assert_eq!(partitioned().cut_off(&[0, 1]), [0, 1], "P2 does not run");
    assert_eq!(partitioned().cut_off(&[1, 2]), [] as [u32; 0], "P0 does not run");
    let mut run = Run::new(2);
    run.lose(1, 0, DropReason::Partition);
    assert_eq!(run.cut_off(&[0, 1]), [] as [u32; 0], "nobody suspects it");
    run.lose(0, 1, DropReason::Loss);
    run.suspect(1, 0);
    assert_eq!(run.cut_off(&[0, 1]), [] as [u32; 0], "its heartbeat was lost by chance");
}

#[test]
fn a_link_is_cut_until_a_heartbeat_arrives_or_the_network_changes_or_one_end_crashes() {
    let mut run = partitioned();
    run.deliver(1, 0);
    assert_eq!(run.cut_off(&[0, 1, 2]), [0, 2]);
    let mut run = partitioned();
    run.say(&configured());
    assert_eq!(run.cut_off(&[0, 1, 2]), [] as [u32; 0]);
    let mut run = partitioned();
    run.crash(1);
    assert_eq!(run.cut_off(&[0, 1, 2]), [2]);
}
