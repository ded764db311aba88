//! Holders of the tokens of a token-based algorithm, computed from the events.
//!
//! No event names the first holder. A node is known to be the holder once it has entered with the token or has
//! received it. If the holder crashes, stored state may bring the token back. The holder is then unknown until a
//! node enters with the token or receives it.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId, Outcome};
use interlock_machine::message_id::MessageId;
use serde::{Deserialize, Serialize};

use super::NamedMessage;
use super::label::lock_of;
use interlock_model::event::{Event, Json, MessageKind, What};
use interlock_model::specification::Specification;

/// The known holders of tokens. There is one token, or one token for each lock if each lock has its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// The kinds of messages that carry a token; empty if the algorithm has no token.
    kinds: Vec<String>,
    /// Whether there are several locks. In that case, only the body of a message names the lock of the token.
    several: bool,
    has: BTreeMap<LockId, NodeId>,
    /// The messages in transit that carry a token, each with the lock of the token.
    #[serde(default)]
    under_way: BTreeMap<MessageId, LockId>,
    /// The message lost last that carried a token, and the lock of the token. After losing this message, the
    /// network may still duplicate it.
    #[serde(default)]
    latest: Option<(MessageId, LockId)>,
    /// The kind of this message.
    #[serde(default)]
    latest_kind: Option<MessageKind>,
}

impl Tokens {
    /// Returns the tokens before the first event of a run, when no holder is known.
    pub(super) fn new(specification: &Specification) -> Self {
        let kinds = specification.known_algorithm().map(|known| known.token_kinds).unwrap_or_default();
        let kinds = kinds.into_iter().map(ToOwned::to_owned).collect();
        Self { kinds, several: specification.locks > 1, ..Self::default() }
    }

    /// Returns the holder of the token. With several locks, returns the known holder for the lowest-numbered lock.
    /// Returns `None` while the token is in transit, after it was lost, and before an event has shown its holder.
    #[must_use]
    pub fn first(&self) -> Option<NodeId> {
        self.has.values().next().copied()
    }

    /// Returns the holder of the token of a lock. For unknown holders see [`Self::first`].
    #[must_use]
    pub fn holder(&self, lock: LockId) -> Option<NodeId> {
        self.has.get(&lock).copied()
    }

    /// Returns whether the token of a lock was lost, and no other one is known to exist.
    #[must_use]
    pub fn is_lost(&self, lock: LockId) -> bool {
        let was_lost = self.latest.is_some_and(|(_, lost)| lost == lock);
        was_lost && !self.has.contains_key(&lock) && !self.under_way.values().any(|&carried| carried == lock)
    }

    /// Returns the message that carried the token of a lock and was lost last.
    pub(crate) fn lost_with(&self, lock: LockId) -> Option<NamedMessage> {
        let (message, _) = self.latest.filter(|(_, lost)| *lost == lock)?;
        Some(NamedMessage { message, message_kind: self.latest_kind.clone()? })
    }

    /// Processes the next event above the channels.
    #[inline]
    pub(super) fn apply(&mut self, event: &Event) {
        if !self.kinds.is_empty() {
            self.follow(event);
        }
    }

    fn follow(&mut self, event: &Event) {
        match &event.what {
            What::Sent { at, message, message_kind, body, .. } if self.is_token(message_kind) => {
                let Some(lock) = self.lock(body) else { return };
                self.under_way.insert(*message, lock);
                if self.has.get(&lock) == Some(&at.node) {
                    self.has.remove(&lock);
                }
            }
            What::Duplicated { message, copy, .. } => {
                let latest = self.latest.filter(|(lost, _)| lost == message).map(|(_, lock)| lock);
                if let Some(lock) = self.under_way.get(message).copied().or(latest) {
                    self.under_way.insert(*copy, lock);
                }
            }
            What::Delivered { at, message, .. } => {
                if let Some(lock) = self.under_way.remove(message) {
                    self.has.insert(lock, at.node);
                }
            }
            What::Dropped { message, message_kind, .. } => self.lose(*message, Some(message_kind)),
            What::Refused { message: Some(message), .. } => self.lose(*message, None),
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } => {
                self.has.insert(*lock, at.node);
            }
            What::Crashed { node, .. } => self.has.retain(|_, has| has != node),
            _ => {}
        }
    }

    fn lose(&mut self, message: MessageId, kind: Option<&MessageKind>) {
        if let Some(lock) = self.under_way.remove(&message) {
            self.latest = Some((message, lock));
            self.latest_kind = kind.cloned();
        }
    }

    fn is_token(&self, kind: &str) -> bool {
        self.kinds.iter().any(|token| token == kind)
    }

    /// Returns the lock of the token that a message with this body carries.
    fn lock(&self, body: &Json) -> Option<LockId> {
        if self.several { lock_of(body) } else { Some(LockId(0)) }
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::NodeId;
    use serde_json::json;

    use crate::state::test_stream::TestStream;

    fn stream() -> TestStream {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "suzuki-kasami".to_owned();
        stream
    }

    fn has(stream: &TestStream) -> Option<u32> {
        stream.state().tokens().first().map(|NodeId(node)| node)
    }

    #[test]
    fn who_got_it_has_it_until_it_is_sent_on() {
        let mut stream = stream();
        assert_eq!(has(&stream), None, "no event says who had it at first");
        let token = stream.send(0, 1, "TOKEN");
        assert_eq!(has(&stream), None, "it is under way");
        stream.deliver(token);
        assert_eq!(has(&stream), Some(1));
        let request = stream.send(1, 2, "REQUEST");
        stream.deliver(request);
        assert_eq!(has(&stream), Some(1), "a request is not a token");
        let token = stream.send(1, 2, "TOKEN");
        stream.lose(token);
        assert_eq!(has(&stream), None, "it is lost");
    }

    #[test]
    fn who_enters_has_it_until_it_dies() {
        let mut stream = stream();
        stream.request(0);
        stream.enter(0);
        stream.exit(0);
        assert_eq!(has(&stream), Some(0), "it is kept after the section");
        stream.crash(2);
        assert_eq!(has(&stream), Some(0));
        stream.crash(0);
        assert_eq!(has(&stream), None);
    }

    #[test]
    fn a_copy_of_a_lost_token_is_a_token() {
        let copied = |lost_last: bool| {
            let mut stream = stream();
            let token = stream.send(0, 1, "TOKEN");
            stream.lose(token);
            let request = stream.send(0, 1, "REQUEST");
            let copy = stream.duplicate(if lost_last { token } else { request });
            stream.deliver(copy);
            has(&stream)
        };
        assert_eq!((copied(true), copied(false)), (Some(1), None));
        let mut stream = self::stream();
        let lost = [0, 1].map(|_| {
            let token = stream.send(0, 1, "TOKEN");
            stream.lose(token);
            token
        });
        let copy = stream.duplicate(lost[0]);
        stream.deliver(copy);
        assert_eq!(has(&stream), None, "the network can duplicate only the message lost last");
        let mut stream = self::stream();
        let token = stream.send(0, 1, "TOKEN");
        let copy = stream.duplicate(token);
        stream.lose(token);
        stream.deliver(copy);
        assert_eq!(has(&stream), Some(1), "a copy that is made before the loss");
    }

    #[test]
    fn each_lock_has_its_own_token() {
        let mut stream = stream();
        stream.specification.locks = 2;
        for (lock, receiver) in [(Some(0), 1), (Some(1), 2), (None, 1)] {
            let body = lock.map_or_else(|| json!({}), |lock| json!({ "lock": lock }));
            let token = stream.send_saying(0, receiver, "TOKEN", &body);
            stream.deliver(token);
            assert_eq!(has(&stream), Some(1), "the holder of the token of lock 0");
        }
        stream.crash(1);
        assert_eq!(has(&stream), Some(2), "the holder of the token of lock 1");
    }

    #[test]
    fn nobody_has_the_token_of_an_algorithm_without_one() {
        let mut stream = TestStream::new(3);
        stream.request(0);
        stream.enter(0);
        assert_eq!(has(&stream), None);
    }
}
