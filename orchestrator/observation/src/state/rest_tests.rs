use interlock_algorithm::NodeId;
use interlock_machine::channel::Channel;
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::{DetectorTimer, TimerName};
use interlock_model::event::{DropReason, Ending, MessageKind, RestartState, StepId, TimerLabel, What};
use interlock_model::span::Span;
use interlock_model::specification::{Detector, Heartbeats};

use super::Status;
use super::test_stream::{HOLD, IDLE, TestStream};

/// The timer after which a process sends its next heartbeats.
const BEAT: TimerLabel = TimerName::Detector(DetectorTimer::Beat);
/// The timer after which a channel retransmits a message to P0.
const TO_P0: TimerLabel = TimerName::Channel(NodeId(0));

/// Returns a run of two processes that communicate through channels.
fn channels() -> TestStream {
    let mut stream = TestStream::new(2);
    stream.specification.channel = Channel::Reliable.into();
    stream
}

/// Returns a run of two processes with heartbeats. A heartbeat must be missing twice before its sender is suspected.
fn heartbeats() -> TestStream {
    let mut stream = TestStream::new(2);
    let (interval, timeout) = (Some(Span(1_000)), Some(Span(2_000)));
    stream.specification.detector = Detector::Heartbeat(Heartbeats { interval, timeout, adaptive: false });
    (0..2).for_each(|node| stream.arm(node, BEAT, 1_000));
    stream
}

/// The heartbeat timer of each process fires often enough to settle the heartbeats.
fn settle(stream: &mut TestStream) {
    for node in [0, 1].repeat(4) {
        stream.fire(node, BEAT);
        stream.arm(node, BEAT, 1_000);
    }
}

fn suspect(stream: &mut TestStream, who: u32, whom: u32) {
    let at = StepId { node: NodeId(who), incarnation: 1, step: 1 };
    stream.push(What::Suspected { at, whom: NodeId(whom) });
}

fn lose_heartbeat(stream: &mut TestStream, from: u32, to: u32, why: DropReason) {
    let message = stream.send(from, to, HEARTBEAT);
    stream.push(What::dropped(message, MessageKind::named(HEARTBEAT), why));
}

fn only_layers_go_on(stream: &TestStream) -> bool {
    stream.state().only_layers_go_on()
}

#[test]
fn without_layers_nothing_goes_on_in_them() {
    assert!(!only_layers_go_on(&TestStream::new(2)));
    assert!(only_layers_go_on(&channels()));
    let mut stream = heartbeats();
    settle(&mut stream);
    assert!(only_layers_go_on(&stream));
}

#[test]
fn a_channel_goes_on_alone_while_its_receiver_cannot_receive() {
    let calls = |change: fn(&mut TestStream)| {
        let mut stream = channels();
        stream.arm(1, TO_P0, 1_000);
        change(&mut stream);
        only_layers_go_on(&stream)
    };
    assert!(!calls(|_| {}), "P0 runs");
    assert!(calls(|stream| _ = stream.crash(0)));
    assert!(calls(|stream| stream.pause(0)));
    let restarted = |stream: &mut TestStream| {
        stream.crash(0);
        stream.restart(0, RestartState::Stored);
    };
    assert!(!calls(restarted), "P0 starts");
    assert!(calls(|stream| _ = stream.push(What::Ended { why: Ending::Stopped })));
}

#[test]
fn a_timer_of_a_client_may_have_an_effect() {
    for timer in [IDLE, HOLD] {
        for timers in [true, false] {
            let mut stream = channels();
            stream.specification.timers = timers;
            stream.arm(1, timer.clone(), 1_000);
            assert!(!only_layers_go_on(&stream));
            stream.pause(1);
            assert!(!only_layers_go_on(&stream), "P1 is paused, and may be resumed");
            stream.crash(1);
            assert!(only_layers_go_on(&stream));
        }
    }
}

#[test]
fn heartbeats_go_on_alone_once_they_are_settled() {
    let mut stream = heartbeats();
    assert!(!only_layers_go_on(&stream));
    settle(&mut stream);
    assert!(only_layers_go_on(&stream));
    suspect(&mut stream, 0, 1);
    assert!(!only_layers_go_on(&stream), "the suspicion may have an effect");
    settle(&mut stream);
    assert!(only_layers_go_on(&stream));
    stream.send(1, 0, HEARTBEAT);
    assert!(!only_layers_go_on(&stream), "the heartbeat may end the suspicion");
    stream.pause(0);
    settle(&mut stream);
    assert!(only_layers_go_on(&stream), "P0 is paused");
}

#[test]
fn a_lost_heartbeat_matters_only_while_a_process_wants_something() {
    let loses = |want: fn(&mut TestStream)| {
        let mut stream = heartbeats();
        want(&mut stream);
        settle(&mut stream);
        assert!(only_layers_go_on(&stream));
        lose_heartbeat(&mut stream, 0, 1, DropReason::Loss);
        only_layers_go_on(&stream)
    };
    assert!(loses(|_| {}));
    assert!(!loses(|stream| _ = stream.request(1)), "P1 waits");
    let done = |stream: &mut TestStream| {
        stream.request(1);
        stream.enter(1);
        stream.exit(1);
    };
    assert!(loses(done), "P1 has left");
}

#[test]
fn settled_heartbeats_do_not_keep_a_run_from_being_stuck() {
    let mut stream = heartbeats();
    stream.at(10).request(1);
    let status = |stream: &TestStream| stream.state().verdict(3_000, 0).status;
    assert_eq!(status(&stream), Status::Ok, "a suspicion may help");
    settle(&mut stream);
    assert_eq!(status(&stream), Status::Stuck);
    stream.pause(0);
    settle(&mut stream);
    assert_eq!(status(&stream), Status::WaitingForYou);
}

#[test]
fn who_is_cut_off_waits_for_you_to_heal_the_partition() {
    let cut = |why: DropReason| {
        let mut stream = heartbeats();
        stream.at(10).request(1);
        lose_heartbeat(&mut stream, 0, 1, why);
        suspect(&mut stream, 1, 0);
        settle(&mut stream);
        (stream.state().verdict(3_000, 0).status, stream.state().cut_off())
    };
    assert_eq!(cut(DropReason::Partition), (Status::WaitingForYou, vec![NodeId(0)]));
    assert_eq!(cut(DropReason::Loss), (Status::Stuck, Vec::new()));
}
