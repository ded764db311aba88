//! Identification of messages by their origins. An origin stays the same if earlier actions are left out.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::attempted::Attempted;
use crate::schedule::Schedule;
use interlock_model::choice::{Choice, MessageName};

/// The origin of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    /// The index of the action of the original schedule that sends the message; none if it is sent before the first
    /// action.
    place: Option<usize>,
    from: NodeId,
    to: NodeId,
    /// The number of the message among the messages that the action sends on this link, from 1.
    number: u64,
    /// 0 for the message itself, 1 … for its copies.
    copy: u32,
}

/// The origins of the messages of the original schedule.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    of: HashMap<MessageId, Origin>,
    /// The index of the action that delivers or loses each message; `usize::MAX` if there is no such action.
    ended: HashMap<Origin, usize>,
    /// Whether no timer of an algorithm expires while a message is late.
    pub is_patient: bool,
}

impl Origins {
    /// Returns the origins of the messages in a schedule that has been executed.
    pub fn of(schedule: &Schedule, played: &Attempted) -> Self {
        let begins = |place: usize| matches!(schedule.choices[place].choice, Choice::Begin { .. });
        let mut named = Named::default();
        for (place, message) in &played.sent {
            named.learn(place.filter(|place| !begins(*place)), *message);
        }
        let of: HashMap<MessageId, Origin> = named.names.iter().map(|(origin, name)| (*name, *origin)).collect();
        let mut ended: HashMap<Origin, usize> = of.values().map(|origin| (*origin, usize::MAX)).collect();
        for (place, scheduled) in schedule.choices.iter().enumerate() {
            if let Choice::Deliver(MessageName(message)) | Choice::Lose(MessageName(message)) = scheduled.choice
                && let Some(origin) = original(&of, message)
            {
                ended.insert(origin, place);
            }
        }
        Self { of, ended, is_patient: played.is_patient }
    }

    /// Returns whether message `one` overtakes message `other` in the original schedule. Returns false if the
    /// original schedule does not send both messages.
    fn overtakes(&self, one: Origin, other: Origin) -> bool {
        let ended = |origin| self.ended.get(&origin);
        ended(other).is_some_and(|other| ended(one).is_some_and(|one| one < other))
    }
}

fn original(of: &HashMap<MessageId, Origin>, message: MessageId) -> Option<Origin> {
    let sent = MessageId { copy: 0, ..message };
    of.get(&sent).map(|origin| Origin { copy: message.copy, ..*origin })
}

/// The messages of the present run, by origin.
#[derive(Debug, Default)]
pub(super) struct Named {
    names: HashMap<Origin, MessageId>,
    origins: HashMap<MessageId, Origin>,
    numbers: BTreeMap<(Option<usize>, NodeId, NodeId), u64>,
}

impl Named {
    /// Stores the origin of `message`, which is sent in this run at the action with index `place` of the original
    /// schedule.
    pub fn learn(&mut self, place: Option<usize>, message: MessageId) {
        let MessageId { from, to, .. } = message;
        let number = self.numbers.entry((place, from, to)).or_default();
        *number += 1;
        let origin = Origin { place, from, to, number: *number, copy: 0 };
        self.names.insert(origin, message);
        self.origins.insert(message, origin);
    }

    /// Returns an action of the original schedule with the message id of this run. Returns none if the message does
    /// not exist in this run.
    pub fn translated(&self, origins: &Origins, choice: &Choice) -> Option<Choice> {
        let name = |message: &MessageName| self.name(origins, message.0).map(MessageName);
        Some(match choice {
            Choice::Deliver(message) => Choice::Deliver(name(message)?),
            Choice::Lose(message) => Choice::Lose(name(message)?),
            Choice::Hold(message) => Choice::Hold(name(message)?),
            Choice::Duplicate(message) => Choice::Duplicate(name(message)?),
            Choice::Arrive(message) => Choice::Arrive(name(message)?),
            Choice::Forward(message) => Choice::Forward(name(message)?),
            other => other.clone(),
        })
    }

    fn name(&self, origins: &Origins, message: MessageId) -> Option<MessageId> {
        // The origins are determined from a run of the original schedule itself. During this run they are unknown,
        // and the message ids are already correct.
        if origins.of.is_empty() {
            return Some(message);
        }
        let origin = original(&origins.of, message)?;
        let sent = self.names.get(&Origin { copy: 0, ..origin })?;
        Some(MessageId { copy: origin.copy, ..*sent })
    }

    /// Returns whether a message on a FIFO link may be delivered before earlier messages of its link that are in
    /// transit. The message may only overtake messages that it also overtakes in the original schedule.
    pub fn may_overtake(&self, origins: &Origins, message: MessageId, under_way: &[MessageId]) -> bool {
        let origin = |message: MessageId| original(&self.origins, message);
        let earlier = under_way.iter().filter(|other| {
            (other.from, other.to, other.copy) == (message.from, message.to, 0) && other.number < message.number
        });
        let Some(one) = origin(message) else { return true };
        earlier.copied().filter_map(origin).all(|other| origins.overtakes(one, other))
    }
}
