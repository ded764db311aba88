//! What happens above the channels, as if there were none and the links did what the channels do.
//!
//! The algorithm says a thing once and hears it once, whatever is sent again, lost, doubled or overtaken below. So all that
//! is about the algorithm (who has heard of whom, where the token is, what an entry costs) looks at the events that are
//! left here; all that is about the network looks at all.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::channel::{CHANNEL_ACK, Channel};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use super::{DropReason, Event, MessageKind, What};
use crate::specification::Specification;

/// Follows what channels do to messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboveChannels {
    channel: Channel,
    /// Whether failure detectors send heartbeats, which no algorithm hears.
    #[serde(default)]
    hearts_beat: bool,
    /// What was said and not heard yet, by the name under which it was sent first.
    unheard: BTreeMap<MessageId, Unheard>,
}

/// Something that was said and not heard yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Unheard {
    kind: MessageKind,
    /// Which life of the sender said it.
    life: u32,
    /// How many copies of it are in the network.
    copies: u32,
    /// Whether one has come to the receiver, and waits for its turn.
    waits: bool,
    /// Whether nobody can send it again.
    last: bool,
}

impl Unheard {
    const fn is_lost(&self) -> bool {
        self.last && self.copies == 0 && !self.waits
    }
}

/// The name under which a message was sent first.
const fn first(message: MessageId) -> MessageId {
    MessageId { copy: 0, ..message }
}

impl AboveChannels {
    /// Before the first event of a run; none if there is nothing between the algorithm and the links.
    #[must_use]
    pub const fn new(specification: &Specification) -> Option<Self> {
        Self::between(specification.channel.kind, specification.detector.beats())
    }

    /// Before the first event of a run with such channels, whose processes say that they are alive or do not; none if there
    /// is nothing.
    const fn between(channel: Channel, hearts_beat: bool) -> Option<Self> {
        if channel.is_raw() && !hearts_beat {
            return None;
        }
        Some(Self { channel, hearts_beat, unheard: BTreeMap::new() })
    }

    /// Calls `tell` with what an event is above the channels: itself, something else, or nothing.
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

    /// A copy has left the network without being taken.
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

    /// A life is over: it sends nothing again, and what waited in it for its turn is gone.
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

/// Whether it is a heartbeat, or a timer of one.
fn is_of_the_heart(what: &What) -> bool {
    let (What::Fired { timer, .. } | What::Armed { timer, .. } | What::Cancelled { timer, .. }) = what else {
        return what.is_heartbeat();
    };
    matches!(timer, TimerName::Detector(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::test_stream::TestStream;

    /// What happens above the channels of a stream: kinds, and names of messages.
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
    fn what_is_lost_sent_again_and_acknowledged_is_said_once_and_heard_once() {
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
    fn what_comes_early_is_heard_when_its_turn_has_come() {
        let mut stream = TestStream::new(2);
        let (first, second) = (stream.send(0, 1, "REQUEST"), stream.send(0, 1, "RELEASE"));
        stream.deliver(second);
        assert_eq!(messages(Channel::Fifo, &stream).len(), 2, "nothing is heard yet");
        stream.deliver(first);
        stream.take(first, "REQUEST");
        stream.take(second, "RELEASE");
        assert_eq!(messages(Channel::Fifo, &stream)[2..], [("delivered", first), ("delivered", second)]);
    }

    #[test]
    fn on_a_fifo_channel_what_is_lost_is() {
        let mut stream = TestStream::new(2);
        let token = stream.send(0, 1, "TOKEN");
        let copy = stream.duplicate(token);
        stream.lose(token);
        assert_eq!(messages(Channel::Fifo, &stream), [("sent", token)], "the copy is on its way");
        stream.lose(copy);
        assert_eq!(messages(Channel::Fifo, &stream), [("sent", token), ("dropped", token)]);
        assert_eq!(messages(Channel::Reliable, &stream), [("sent", token)], "it will be sent again");
    }

    /// Nobody can send it again: it is lost when its last copy is, and not before.
    #[test]
    fn what_the_dead_have_said_is_lost_with_its_last_copy() {
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
    fn what_waits_for_its_turn_dies_with_the_receiver_unless_it_is_sent_again() {
        for (sender_dies, expected) in [(false, 1), (true, 2)] {
            let mut stream = TestStream::new(2);
            let token = stream.send(0, 1, "TOKEN");
            stream.deliver(token);
            if sender_dies {
                stream.crash(0);
            }
            stream.crash(1);
            assert_eq!(messages(Channel::Reliable, &stream).len(), expected, "sender dies: {sender_dies}");
        }
    }

    #[test]
    fn all_else_is_as_it_is() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter(0);
        stream.exit(0);
        let kinds: Vec<&str> = above(Channel::Reliable, &stream).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, stream.events.iter().map(Event::kind).collect::<Vec<_>>());
    }
}
