use interlock_algorithm::NodeId;
use interlock_machine::channel::{CHANNEL_ACK, Channel};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;

use super::channel::{ChannelDocument, StaysAway};
use crate::state::test_stream::TestStream;

/// Returns a run of processes that communicate through reliable channels.
fn channels(nodes: u32) -> TestStream {
    let mut stream = TestStream::new(nodes);
    stream.specification.channel = Channel::Reliable.into();
    stream
}

fn cost(stream: &TestStream) -> ChannelDocument {
    stream.metrics().document().channel
}

/// The sender's channel sends the message again this many times. Returns the last copy.
fn send_again(stream: &mut TestStream, message: MessageId, times: u32) -> MessageId {
    (0..times).fold(message, |message, _| stream.send_again(message, "REQUEST"))
}

const fn stays_away(from: u32, to: u32, times: u64) -> StaysAway {
    StaysAway { from: NodeId(from), to: NodeId(to), times }
}

#[test]
fn copies_and_acknowledgements_are_the_cost_of_a_channel() {
    let mut stream = channels(2);
    stream.request(0);
    let request = stream.send(0, 1, "REQUEST");
    assert_eq!(cost(&stream), ChannelDocument::default(), "the message itself costs nothing");
    send_again(&mut stream, request, 2);
    stream.send(1, 0, CHANNEL_ACK);
    stream.send(1, 0, CHANNEL_ACK);
    stream.send(1, 0, CHANNEL_ACK);
    let ChannelDocument { retransmissions, acknowledgements, .. } = cost(&stream);
    assert_eq!((retransmissions, acknowledgements), (2, 3));
    stream.specification.channel = Channel::Raw.into();
    assert_eq!(cost(&stream), ChannelDocument::default());
}

#[test]
fn a_message_is_kept_back_from_its_arrival_until_the_channel_passes_it_on() {
    let kept_back = |stream: &TestStream| cost(stream).kept_back;
    let mut stream = channels(2);
    stream.request(0);
    let requests = [stream.send(0, 1, "REQUEST"), stream.send(0, 1, "REQUEST")];
    stream.deliver_kind(requests[1], "REQUEST");
    assert_eq!(kept_back(&stream), 1);
    stream.deliver_kind(requests[0], "REQUEST");
    assert_eq!(kept_back(&stream), 2);
    stream.take(requests[0], "REQUEST");
    stream.take(requests[1], "REQUEST");
    assert_eq!(kept_back(&stream), 0);
    for kind in [CHANNEL_ACK, HEARTBEAT] {
        let message = stream.send(1, 0, kind);
        stream.deliver_kind(message, kind);
        assert_eq!(kept_back(&stream), 0, "{kind} is not for the algorithm");
    }
}

#[test]
fn a_receiver_stays_away_after_six_copies_of_one_message() {
    let mut stream = channels(3);
    stream.request(0);
    let first = stream.send(0, 1, "REQUEST");
    let last = send_again(&mut stream, first, 5);
    let second = stream.send(0, 1, "REQUEST");
    send_again(&mut stream, second, 3);
    assert_eq!(cost(&stream).stay_away, [], "five copies of the first message");
    send_again(&mut stream, last, 1);
    assert_eq!(cost(&stream).stay_away, [stays_away(0, 1, 6)]);
    assert_eq!(cost(&stream).retransmissions, 9);
}

#[test]
fn a_receiver_stays_away_until_it_acknowledges_or_the_sender_crashes() {
    let mut stream = channels(3);
    stream.request(0);
    for (from, to) in [(0, 1), (0, 2), (2, 0)] {
        let message = stream.send(from, to, "REQUEST");
        send_again(&mut stream, message, 6);
    }
    let reply = stream.send(2, 0, "REPLY");
    stream.deliver_kind(reply, "REPLY");
    let all = [stays_away(0, 1, 6), stays_away(0, 2, 6), stays_away(2, 0, 6)];
    assert_eq!(cost(&stream).stay_away, all, "a reply is no acknowledgement");
    let ack = stream.send(2, 0, CHANNEL_ACK);
    stream.deliver_kind(ack, CHANNEL_ACK);
    assert_eq!(cost(&stream).stay_away, [all[0], all[2]]);
    stream.crash(0);
    assert_eq!(cost(&stream).stay_away, [all[2]], "P2 still calls P0");
}
