//! Messages, known by where they come from.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::attempted::Attempted;
use crate::schedule::Schedule;
use interlock_model::choice::{Choice, MessageName};

/// Where a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    /// At which choice of the original it is sent; none if before the first.
    place: Option<usize>,
    from: NodeId,
    to: NodeId,
    /// The how manieth on its link at that choice.
    number: u64,
    /// 0 for the message itself, 1 … for its copies.
    copy: u32,
}

/// Where the messages of the original come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    of: HashMap<MessageId, Origin>,
    /// At which choice a message is taken or lost by hand; behind all if at none.
    ended: HashMap<Origin, usize>,
    /// Whether no timer runs out while a message is late.
    pub is_patient: bool,
}

impl Origins {
    /// Those of the messages of a schedule that was played.
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

    /// Whether one message overtakes another in the original: one that is not sent there is not overtaken.
    fn overtakes(&self, one: Origin, other: Origin) -> bool {
        let ended = |origin| self.ended.get(&origin);
        ended(other).is_some_and(|other| ended(one).is_some_and(|one| one < other))
    }
}

fn original(of: &HashMap<MessageId, Origin>, message: MessageId) -> Option<Origin> {
    let sent = MessageId { copy: 0, ..message };
    of.get(&sent).map(|origin| Origin { copy: message.copy, ..*origin })
}

/// The messages of another run, by where those that they stand for come from.
#[derive(Debug, Default)]
pub(super) struct Named {
    names: HashMap<Origin, MessageId>,
    origins: HashMap<MessageId, Origin>,
    numbers: BTreeMap<(Option<usize>, NodeId, NodeId), u64>,
}

impl Named {
    /// A message is sent at this choice of the original.
    pub fn learn(&mut self, place: Option<usize>, message: MessageId) {
        let MessageId { from, to, .. } = message;
        let number = self.numbers.entry((place, from, to)).or_default();
        *number += 1;
        let origin = Origin { place, from, to, number: *number, copy: 0 };
        self.names.insert(origin, message);
        self.origins.insert(message, origin);
    }

    /// What a choice of the original means in this run; none if its message is not there.
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
        // Before anything is known of the original, it is what is played.
        if origins.of.is_empty() {
            return Some(message);
        }
        let origin = original(&origins.of, message)?;
        let sent = self.names.get(&Origin { copy: 0, ..origin })?;
        Some(MessageId { copy: origin.copy, ..*sent })
    }

    /// Whether a message may be taken before others that are under way: where links keep their order only those that it
    /// overtakes in the original, too.
    pub fn may_overtake(&self, origins: &Origins, message: MessageId, under_way: &[MessageId]) -> bool {
        let origin = |message: MessageId| original(&self.origins, message);
        let earlier = under_way.iter().filter(|other| {
            (other.from, other.to, other.copy) == (message.from, message.to, 0) && other.number < message.number
        });
        let Some(one) = origin(message) else { return true };
        earlier.copied().filter_map(origin).all(|other| origins.overtakes(one, other))
    }
}
