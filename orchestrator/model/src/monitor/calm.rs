//! Since when nobody has had a hand in the run, and how long a message takes.
//!
//! Some rules can be judged only by patience: what has not happened after so long will not happen. A message that somebody
//! holds, a process that somebody has paused and a partition make everything last as long as somebody likes, so as long
//! as there is one nothing can be said. When it is over the count begins anew.

use std::collections::{BTreeSet, HashMap};

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use rustc_hash::FxBuildHasher;

use crate::event::{Event, What};

/// Whether somebody has a hand in the run, and how long messages take without.
#[derive(Clone, Debug, Default)]
pub struct Calm {
    held: BTreeSet<MessageId>,
    paused: BTreeSet<NodeId>,
    partitions: BTreeSet<String>,
    since_us: u64,
    /// When each message that is on its way was sent.
    sent: HashMap<MessageId, u64, FxBuildHasher>,
    longest_us: u64,
    longest_time_out_us: u64,
    /// The longest time after which a channel sends again.
    longest_again_us: u64,
}

impl Calm {
    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) {
        let was_calm = self.is_calm();
        self.follow(event);
        match &event.what {
            What::Sent { due_us: Some(due_us), .. } | What::Duplicated { due_us: Some(due_us), .. } => {
                self.longest_us = self.longest_us.max(due_us.saturating_sub(event.at_us));
            }
            What::Armed { timer: TimerName::Algorithm(_), delay_us, .. } => {
                self.longest_time_out_us = self.longest_time_out_us.max(*delay_us);
            }
            What::Armed { timer: TimerName::Channel(_), delay_us, .. } => {
                self.longest_again_us = self.longest_again_us.max(*delay_us);
            }
            What::Held { message, .. } => {
                self.held.insert(*message);
            }
            What::Forwarded { message, .. } | What::Dropped { message, .. } | What::Delivered { message, .. }
                if !self.held.is_empty() =>
            {
                self.held.remove(message);
            }
            What::Paused { node, .. } => {
                self.paused.insert(*node);
            }
            What::Resumed { node, .. } | What::Crashed { node, .. } => {
                self.paused.remove(node);
            }
            What::Configured { change } if *change.subject == *"partition" => {
                if let Some(id) = change.id.as_deref().filter(|_| change.value.is_some()) {
                    self.partitions.insert(id.to_owned());
                } else if let Some(id) = &change.id {
                    self.partitions.remove(&**id);
                }
            }
            _ => {}
        }
        if !was_calm && self.is_calm() {
            self.since_us = event.at_us;
        }
    }

    /// Measures how long a message really is on its way: among processes longer than the network says, since it also waits
    /// for its sender's report and its receiver's turn.
    fn follow(&mut self, event: &Event) {
        match &event.what {
            What::Sent { message, due_us: Some(_), .. } | What::Duplicated { copy: message, due_us: Some(_), .. } => {
                self.sent.insert(*message, event.at_us);
            }
            What::Delivered { message, .. } => {
                let alone = self.is_calm();
                if let Some(sent) = self.sent.remove(message).filter(|sent| alone && *sent >= self.since_us) {
                    self.longest_us = self.longest_us.max(event.at_us.saturating_sub(sent));
                }
            }
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.sent.remove(message);
            }
            _ => {}
        }
    }

    /// Whether nobody has a hand in the run.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.held.is_empty() && self.paused.is_empty() && self.partitions.is_empty()
    }

    /// Whether a message is on its way to this node.
    #[must_use]
    pub fn is_one_coming_to(&self, node: NodeId) -> bool {
        self.sent.keys().any(|message| message.to == node)
    }

    /// The longest that a message has been on its way without anybody's doing, in microseconds. One that a channel sends
    /// again and again has taken three times the latest time-out at the most: each is about twice the one before, and up to
    /// half as much longer by chance.
    #[must_use]
    pub const fn longest_us(&self) -> u64 {
        self.longest_us.saturating_add(self.longest_again_us.saturating_mul(3))
    }

    /// The longest time that an algorithm has set a timer for, in microseconds.
    #[must_use]
    pub const fn longest_time_out_us(&self) -> u64 {
        self.longest_time_out_us
    }

    /// Whether what began at `since_us` has lasted longer than `patience_us` by `now_us`, without anybody's doing. All in
    /// microseconds.
    #[must_use]
    pub fn outlasts(&self, since_us: u64, now_us: u64, patience_us: u64) -> bool {
        self.is_calm() && now_us > since_us.max(self.since_us).saturating_add(patience_us)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::event::{Change, DropReason};
    use crate::state::test_stream::TestStream;

    /// Whether what began at 0 has lasted 100 µs at the end of a stream, which is at `now_us`.
    fn outlasts(stream: &TestStream, now_us: u64) -> bool {
        let mut calm = Calm::default();
        stream.events.iter().for_each(|event| calm.observe(event));
        calm.outlasts(0, now_us, 100)
    }

    #[test]
    fn what_a_channel_sends_again_is_on_its_way_for_longer() {
        let mut stream = TestStream::new(2);
        stream.send(0, 1, "REQUEST");
        let longest = |stream: &TestStream| {
            let mut calm = Calm::default();
            stream.events.iter().for_each(|event| calm.observe(event));
            (calm.longest_us(), calm.longest_time_out_us())
        };
        let (once, _) = longest(&stream);
        stream.arm(0, TimerName::Channel(NodeId(1)), 700);
        assert_eq!(longest(&stream), (once + 2_100, 0));
    }

    fn configure(stream: &mut TestStream, subject: &str, value: Option<serde_json::Value>) {
        stream.push(What::Configured { change: Change { subject: subject.into(), id: Some("1".into()), value } });
    }

    fn partition(stream: &mut TestStream, value: Option<serde_json::Value>) {
        configure(stream, "partition", value);
    }

    #[test]
    fn while_somebody_has_a_hand_in_it_nothing_lasts() {
        let mut stream = TestStream::new(2);
        assert!(!outlasts(&stream, 100));
        assert!(outlasts(&stream, 101));
        stream.at(50).pause(1);
        assert!(!outlasts(&stream, 1_000_000));
        stream.at(70).resume(1);
        assert!(!outlasts(&stream, 170));
        assert!(outlasts(&stream, 171), "the count begins anew");
        configure(&mut stream, "rule", Some(json!({})));
        assert!(outlasts(&stream, 171), "messages go on all the same");
        partition(&mut stream, Some(json!({})));
        configure(&mut stream, "rule", None);
        assert!(!outlasts(&stream, 1_000_000));
        stream.at(80);
        partition(&mut stream, None);
        assert!(!outlasts(&stream, 180));
        assert!(outlasts(&stream, 181));
        stream.pause(0);
        stream.at(90).crash(0);
        assert!(outlasts(&stream, 191), "the dead are not paused");
    }

    #[test]
    fn a_message_is_held_until_it_is_taken_sent_on_or_dropped() {
        let ends: [fn(&mut TestStream, MessageId); 3] = [
            |stream, message| _ = stream.deliver(message),
            |stream, message| _ = stream.push(What::forwarded(message, "ANY".into())),
            |stream, message| _ = stream.push(What::dropped(message, "ANY".into(), DropReason::Hand)),
        ];
        for end in ends {
            let mut stream = TestStream::new(2);
            let held = [1, 2].map(|_| stream.sent(0, 1, "ANY", None));
            for message in held {
                stream.hold(message);
            }
            stream.at(10);
            end(&mut stream, held[0]);
            assert!(!outlasts(&stream, 1_000), "one is still held");
            end(&mut stream, held[1]);
            assert!(outlasts(&stream, 111));
            assert!(!outlasts(&stream, 110));
        }
    }

    #[test]
    fn a_message_is_on_its_way_until_it_is_taken() {
        let longest = |meanwhile: fn(&mut TestStream)| {
            let mut stream = TestStream::new(3);
            let message = stream.at(5).sent(0, 1, "ANY", Some(5));
            meanwhile(&mut stream);
            stream.at(705).deliver(message);
            let mut calm = Calm::default();
            stream.events.iter().for_each(|event| calm.observe(event));
            (calm.longest_us(), calm.sent.len())
        };
        assert_eq!(longest(|_| ()), (700, 0), "it waited for its receiver's turn");
        let paused = longest(|stream| {
            stream.at(300).pause(2);
            stream.at(400).resume(2);
        });
        assert_eq!(paused, (0, 0), "somebody had a hand in it");
    }

    #[test]
    fn the_longest_delay_is_that_of_any_message_or_copy() {
        let mut stream = TestStream::new(2);
        let mut calm = Calm::default();
        let first = stream.at(5).sent(0, 1, "ANY", Some(25));
        stream.sent(0, 1, "ANY", Some(15));
        stream.events.iter().for_each(|event| calm.observe(event));
        assert_eq!(calm.longest_us(), 20);
        stream.duplicate(first);
        calm.observe(stream.events.last().expect("an event"));
        assert_eq!(calm.longest_us(), crate::state::test_stream::DELAY_US);
    }
}
