//! The events that the algorithm sees above its channels.
//!
//! From the algorithm's point of view, each message is sent once and received once. The algorithm does not see
//! which copies the channels retransmit, or which copies the network loses, duplicates or reorders. Judgements
//! about the algorithm use only the events that the algorithm sees; examples are the holder of the token and the
//! cost of an entry. Judgements about the network use all events.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::channel::{CHANNEL_ACK, Channel};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use interlock_model::event::{DropReason, Event, MessageKind, What};
use interlock_model::specification::Specification;

/// Translates the events of a run with channels into the events that the algorithm sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboveChannels {
    channel: Channel,
    /// Whether failure detectors send heartbeats. The algorithm does not see heartbeats.
    #[serde(default)]
    hearts_beat: bool,
    /// Messages that have been sent, but that the algorithm at the receiver has not received yet. The key is the id of
    /// the first copy.
    unheard: BTreeMap<MessageId, Unheard>,
}

/// A message that the algorithm at the receiver has not received yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Unheard {
    kind: MessageKind,
    /// Incarnation of the sender that sent the message.
    life: u32,
    /// Number of copies of the message in the network.
    copies: u32,
    /// Whether a copy has arrived and waits in the receiver's channel, which has not passed the message on yet.
    waits: bool,
    /// Whether the sender has sent its last copy of the message.
    last: bool,
}

impl Unheard {
    const fn is_lost(&self) -> bool {
        self.last && self.copies == 0 && !self.waits
    }
}

/// Returns the id of the first copy of a message.
const fn first(message: MessageId) -> MessageId {
    MessageId { copy: 0, ..message }
}

impl AboveChannels {
    /// Returns the translator before the first event of a run. Returns `None` if the algorithm uses the links
    /// directly.
    #[must_use]
    pub const fn new(specification: &Specification) -> Option<Self> {
        Self::between(specification.channel.kind, specification.detector.beats())
    }

    /// Returns the translator before the first event of a run with channels of the kind `channel`. `hearts_beat`
    /// says whether failure detectors send heartbeats.
    const fn between(channel: Channel, hearts_beat: bool) -> Option<Self> {
        if channel.is_raw() && !hearts_beat {
            return None;
        }
        Some(Self { channel, hearts_beat, unheard: BTreeMap::new() })
    }

    /// Translates an event, and calls `tell` with each event that the algorithm sees instead. The algorithm may see
    /// no event.
    pub fn follow(&mut self, event: &Event, mut tell: impl FnMut(&Event)) {
        match &event.what {
            what if self.hearts_beat && is_of_the_heart(what) => {}
            _ if self.channel.is_raw() => tell(event),
            What::Sent { message_kind, .. } if **message_kind == *CHANNEL_ACK => {}
            What::Sent { at, message, message_kind, .. } if message.copy == 0 => {
                let last = self.channel != Channel::Reliable;
                let said = Unheard { kind: message_kind.clone(), life: at.incarnation, copies: 1, waits: false, last };
                self.unheard.insert(*message, said);
                tell(event);
            }
            What::Sent { message, .. } | What::Duplicated { message, .. } => {
                if let Some(unheard) = self.unheard.get_mut(&first(*message)) {
                    unheard.copies += 1;
                }
            }
            What::Delivered { message, .. } => {
                if let Some(unheard) = self.unheard.get_mut(&first(*message)) {
                    unheard.copies = unheard.copies.saturating_sub(1);
                    unheard.waits = true;
                }
            }
            What::Taken { at, message, from, message_kind } => {
                let message = first(*message);
                self.unheard.remove(&message);
                let (from, message_kind) = (*from, message_kind.clone());
                let heard = What::Delivered { at: *at, message, from, message_kind, because: Vec::new(), view: None };
                tell(&Event { what: heard, ..*event });
            }
            What::Dropped { message, why, .. } => self.ended(event, *message, *why, tell),
            What::Refused { message: Some(message), .. } => {
                if let Some(unheard) = self.unheard.get_mut(&first(*message)) {
                    unheard.waits = false;
                }
                tell(event);
            }
            What::Held { .. } | What::Forwarded { .. } => {}
            What::Crashed { node, incarnation, .. } => {
                tell(event);
                self.crashed(event, *node, *incarnation, tell);
            }
            _ => tell(event),
        }
    }

    /// Records that a copy has left the network without being received.
    fn ended(&mut self, event: &Event, message: MessageId, why: DropReason, mut tell: impl FnMut(&Event)) {
        let message = first(message);
        let Some(unheard) = self.unheard.get_mut(&message) else { return };
        unheard.copies = unheard.copies.saturating_sub(1);
        if why == DropReason::Ended && unheard.copies == 0 || unheard.is_lost() {
            let lost = What::dropped(message, unheard.kind.clone(), why);
            self.unheard.remove(&message);
            tell(&Event { what: lost, ..*event });
        }
    }

    /// Records a crash. The crashed incarnation sends no more copies of its messages. Messages to the crashed process
    /// that its channels had not passed on are lost.
    fn crashed(&mut self, event: &Event, node: NodeId, incarnation: u32, mut tell: impl FnMut(&Event)) {
        for (message, unheard) in &mut self.unheard {
            unheard.last |= message.from == node && unheard.life == incarnation;
            unheard.waits &= message.to != node;
        }
        self.unheard.retain(|message, unheard| {
            let is_lost = unheard.is_lost();
            if is_lost {
                let lost = What::dropped(*message, unheard.kind.clone(), DropReason::Crashed);
                tell(&Event { what: lost, ..*event });
            }
            !is_lost
        });
    }
}

/// Returns whether an event concerns a heartbeat or a timer of a failure detector.
fn is_of_the_heart(what: &What) -> bool {
    let (What::Fired { timer, .. } | What::Armed { timer, .. } | What::Cancelled { timer, .. }) = what else {
        return what.is_heartbeat();
    };
    matches!(timer, TimerName::Detector(_))
}

#[cfg(test)]
mod tests {
    use interlock_machine::detector::HEARTBEAT;
    use interlock_machine::wire::DetectorTimer;

    use super::*;
    use crate::state::test_stream::{IDLE, TestStream};
    use interlock_model::event::StepId;

    /// Returns the events of a stream that remain above the channels: their kinds, and the ids of their messages.
    fn above(channel: Channel, stream: &TestStream) -> Vec<(&'static str, Option<MessageId>)> {
        let mut above = AboveChannels::between(channel, false).expect("a channel");
        let mut told = Vec::new();
        for event in &stream.events {
            above.follow(event, |event| {
                let message = match &event.what {
                    What::Sent { message, .. } | What::Delivered { message, .. } | What::Dropped { message, .. } => {
                        Some(*message)
                    }
                    _ => None,
                };
                told.push((event.kind(), message));
            });
        }
        told
    }

    fn messages(channel: Channel, stream: &TestStream) -> Vec<(&'static str, MessageId)> {
        above(channel, stream).into_iter().filter_map(|(kind, message)| Some((kind, message?))).collect()
    }

    #[test]
    fn a_retransmitted_message_is_sent_once_and_delivered_once() {
        let mut stream = TestStream::new(2);
        let token = stream.send(0, 1, "TOKEN");
        stream.lose(token);
        let again = stream.send_again(token, "TOKEN");
        let copy = stream.duplicate(again);
        stream.deliver(again);
        stream.take(again, "TOKEN");
        stream.send(1, 0, CHANNEL_ACK);
        stream.deliver(copy);
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token), ("delivered", token)]);
        assert_eq!(AboveChannels::between(Channel::Raw, false), None);
    }

    #[test]
    fn a_message_ahead_of_its_turn_is_delivered_in_order() {
        let mut stream = TestStream::new(2);
        let (first, second) = (stream.send(0, 1, "REQUEST"), stream.send(0, 1, "RELEASE"));
        stream.deliver(second);
        assert_eq!(messages(Channel::Fifo, &stream).len(), 2, "nothing is delivered yet");
        stream.deliver(first);
        stream.take(first, "REQUEST");
        stream.take(second, "RELEASE");
        assert_eq!(messages(Channel::Fifo, &stream)[2..], [("delivered", first), ("delivered", second)]);
    }

    #[test]
    fn a_fifo_channel_loses_a_message_with_its_last_copy() {
        let mut stream = TestStream::new(2);
        let token = stream.send(0, 1, "TOKEN");
        let copy = stream.duplicate(token);
        stream.lose(token);
        assert_eq!(messages(Channel::Fifo, &stream), [("sent", token)], "the copy is on its way");
        stream.lose(copy);
        assert_eq!(messages(Channel::Fifo, &stream), [("sent", token), ("dropped", token)]);
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token)], "it will be sent again");
    }

    /// A crashed sender sends no further copy, so a message is lost when its last copy is lost.
    #[test]
    fn a_message_of_a_crashed_sender_is_lost_with_its_last_copy() {
        let mut stream = TestStream::new(2);
        let token = stream.send(0, 1, "TOKEN");
        let again = stream.send_again(token, "TOKEN");
        stream.lose(token);
        stream.crash(0);
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token)]);
        stream.lose(again);
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token), ("dropped", token)]);
    }

    #[test]
    fn a_waiting_message_is_lost_if_both_processes_crash() {
        for (sender_crashes, expected) in [(false, 1), (true, 2)] {
            let mut stream = TestStream::new(2);
            let token = stream.send(0, 1, "TOKEN");
            stream.deliver(token);
            if sender_crashes {
                stream.crash(0);
            }
            stream.crash(1);
            assert_eq!(messages(Channel::Reliable, &stream).len(), expected, "sender crashes: {sender_crashes}");
        }
    }

    /// Returns the kinds of the events that remain above channels of this kind and heartbeats.
    fn above_hearts(channel: Channel, stream: &TestStream) -> Vec<&'static str> {
        let mut above = AboveChannels::between(channel, true).expect("heartbeats");
        let mut told = Vec::new();
        stream.events.iter().for_each(|event| above.follow(event, |event| told.push(event.kind())));
        told
    }

    #[test]
    fn heartbeats_and_their_timers_are_hidden_from_the_algorithm() {
        let mut stream = TestStream::unstarted(2);
        let beat = TimerName::Detector(DetectorTimer::Beat);
        for (timer, kind) in [(beat, HEARTBEAT), (IDLE, "REQUEST")] {
            stream.arm(0, timer.clone(), 10);
            stream.fire(0, timer.clone());
            let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
            stream.push(What::Cancelled { at, timer });
            let message = stream.send(0, 1, kind);
            stream.deliver_kind(message, kind);
        }
        let expected = ["armed", "fired", "cancelled", "sent", "delivered"];
        assert_eq!(above_hearts(Channel::Raw, &stream), expected);
        assert_eq!(above_hearts(Channel::Fifo, &stream), expected[..4], "the channel has not passed it on");
    }

    #[test]
    fn a_held_message_is_not_shown_above_a_channel_and_a_refused_one_is() {
        let mut stream = TestStream::unstarted(2);
        let token = stream.send(0, 1, "TOKEN");
        stream.hold(token);
        stream.push(What::forwarded(token, "TOKEN".into()));
        let at = StepId { node: NodeId(1), incarnation: 1, step: 1 };
        stream.deliver(token);
        stream.push(What::Refused { at, message: Some(token), detail: "no such kind".into() });
        let kinds =
            |stream: &TestStream| above(Channel::Fifo, stream).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(kinds(&stream), ["sent", "refused"]);
        let copy = stream.duplicate(token);
        stream.lose(copy);
        assert_eq!(kinds(&stream), ["sent", "refused", "dropped"], "it no longer waits for its turn");
    }

    #[test]
    fn at_the_end_of_a_run_a_message_is_dropped_with_its_last_copy() {
        let mut stream = TestStream::new(2);
        let token = stream.send(0, 1, "TOKEN");
        let copy = stream.duplicate(token);
        let ended = |message| What::dropped(message, "TOKEN".into(), DropReason::Ended);
        stream.push(ended(token));
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token)]);
        stream.push(ended(copy));
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token), ("dropped", token)]);
    }

    #[test]
    fn the_crash_of_another_process_loses_no_waiting_message() {
        let dropped = |crashed: u32| {
            let mut stream = TestStream::new(3);
            let token = stream.send(0, 1, "TOKEN");
            stream.deliver(token);
            stream.crash(crashed);
            messages(Channel::Fifo, &stream).len() == 2
        };
        assert_eq!([0, 1, 2].map(dropped), [false, true, false]);
    }

    #[test]
    fn other_events_pass_unchanged() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter(0);
        stream.exit(0);
        let kinds: Vec<&str> = above(Channel::Reliable, &stream).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, stream.events.iter().map(Event::kind).collect::<Vec<_>>());
    }
}
