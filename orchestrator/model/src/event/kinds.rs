//! Properties that all events have, such as kind and node, and constructors of events.

use interlock_algorithm::{NodeId, outcomes};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;

use super::{CrashCause, DropReason, Hand, MessageKind, StepId, What};

impl What {
    /// Returns the node at which the event happened, if it happened at a node.
    #[inline]
    #[must_use]
    pub const fn node(&self) -> Option<NodeId> {
        match self {
            Self::Started { node, .. }
            | Self::Crashed { node, .. }
            | Self::Paused { node, .. }
            | Self::Resumed { node, .. }
            | Self::Restarted { node, .. }
            | Self::Misbehaved { node, .. } => Some(*node),
            Self::Put { write } => write.node,
            Self::Rejected { rejection } => rejection.node,
            _ => match self.step() {
                Some(at) => Some(at.node),
                None => None,
            },
        }
    }

    /// Returns the step of a process to which the event belongs, if it belongs to one.
    #[inline]
    #[must_use]
    pub const fn step(&self) -> Option<&StepId> {
        match self {
            Self::Initialized { at, .. }
            | Self::Commanded { at, .. }
            | Self::Fired { at, .. }
            | Self::Delivered { at, .. }
            | Self::Taken { at, .. }
            | Self::Suspected { at, .. }
            | Self::Trusted { at, .. }
            | Self::Sent { at, .. }
            | Self::Armed { at, .. }
            | Self::Cancelled { at, .. }
            | Self::Stored { at, .. }
            | Self::Outcome { at, .. }
            | Self::Refused { at, .. } => Some(at),
            _ => None,
        }
    }

    /// Returns the kind of the message, if the event is about a message.
    #[inline]
    #[must_use]
    pub const fn message_kind(&self) -> Option<&MessageKind> {
        match self {
            Self::Delivered { message_kind, .. }
            | Self::Taken { message_kind, .. }
            | Self::Sent { message_kind, .. }
            | Self::Duplicated { message_kind, .. }
            | Self::Held { message_kind, .. }
            | Self::Forwarded { message_kind, .. }
            | Self::Dropped { message_kind, .. } => Some(message_kind),
            _ => None,
        }
    }

    /// Returns whether the event is `sent` or `delivered`. Most events of a run are of these two kinds.
    #[inline]
    #[must_use]
    pub const fn is_exchange(&self) -> bool {
        matches!(self, Self::Sent { .. } | Self::Delivered { .. })
    }

    /// Returns whether the event is about a heartbeat.
    #[inline]
    #[must_use]
    pub fn is_heartbeat(&self) -> bool {
        self.message_kind().is_some_and(|kind| **kind == *HEARTBEAT)
    }

    /// Returns the event of a duplicated message, with the field `rule` absent. If `due_us` is absent, the next
    /// event says whether the copy is held or dropped.
    #[must_use]
    pub const fn duplicated(
        message: MessageId,
        message_kind: MessageKind,
        copy: MessageId,
        by: Hand,
        due_us: Option<u64>,
    ) -> Self {
        let MessageId { from, to, .. } = message;
        Self::Duplicated { message, from, to, message_kind, copy, by, rule: None, due_us }
    }

    /// Returns the event of a held message, with the field `rule` absent.
    #[must_use]
    pub const fn held(message: MessageId, message_kind: MessageKind) -> Self {
        let MessageId { from, to, .. } = message;
        Self::Held { message, from, to, message_kind, rule: None }
    }

    /// Returns the event that a held message is released.
    #[must_use]
    pub const fn forwarded(message: MessageId, message_kind: MessageKind) -> Self {
        let MessageId { from, to, .. } = message;
        Self::Forwarded { message, from, to, message_kind }
    }

    /// Returns the event of a process that ended and had answered every order to release a lock.
    #[must_use]
    pub const fn crashed(node: NodeId, incarnation: u32, cause: CrashCause) -> Self {
        Self::Crashed { node, incarnation, cause, releasing: false }
    }

    /// Returns the event of a process that was paused and had answered every order to release a lock.
    #[must_use]
    pub const fn paused(node: NodeId, incarnation: u32) -> Self {
        Self::Paused { node, incarnation, releasing: false }
    }

    /// Returns the event of a lost message, with the field `rule` absent.
    #[must_use]
    pub const fn dropped(message: MessageId, message_kind: MessageKind, why: DropReason) -> Self {
        let MessageId { from, to, .. } = message;
        Self::Dropped { message, from, to, message_kind, why, rule: None }
    }

    /// Sets the number of the targeted rule that caused the event, if a rule caused it.
    #[must_use]
    pub fn by_rule(mut self, number: Option<u64>) -> Self {
        if let Self::Sent { rule, .. }
        | Self::Duplicated { rule, .. }
        | Self::Held { rule, .. }
        | Self::Dropped { rule, .. } = &mut self
        {
            *rule = number;
        }
        self
    }
}

macro_rules! kinds {
    ($($before:ident = $earlier:literal),+; $($outcome:literal),+; $($after:ident = $later:literal),+) => {
        impl What {
            /// Names of all kinds of events.
            pub const KINDS: &'static [&'static str] = &[$($earlier,)+ $($outcome,)+ $($later),+];

            /// Returns the name of the event's kind.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$before { .. } => $earlier,)+
                    Self::Outcome { outcome, .. } => outcome.name(),
                    $(Self::$after { .. } => $later,)+
                }
            }
        }
    };
}

macro_rules! define {
    ($($(#[$about:meta])* $outcome:literal $variant:ident { $($fields:tt)* },)+) => {
        kinds! {
            Created = "created", Ended = "ended", Started = "started", Crashed = "crashed", Paused = "paused",
            Resumed = "resumed", Restarted = "restarted", Initialized = "initialized", Commanded = "commanded",
            Fired = "fired", Delivered = "delivered", Taken = "taken", Suspected = "suspected", Trusted = "trusted",
            Sent = "sent", Duplicated = "duplicated", Held = "held", Forwarded = "forwarded", Dropped = "dropped",
            Armed = "armed", Cancelled = "cancelled", Stored = "stored";
            $($outcome),+;
            Put = "put", Rejected = "rejected", Refused = "refused", Misbehaved = "misbehaved", Noted = "noted",
            Configured = "configured", Violated = "violated"
        }
    };
}

outcomes!(define);

#[cfg(test)]
mod tests {
    use interlock_algorithm::Outcome;

    use super::*;

    #[test]
    fn the_list_of_kinds_is_complete() {
        // If serde meets an unknown variant, its error lists all variants that it knows: all except the outcomes.
        let mut unknown = serde_json::Deserializer::from_str(r#"{"kind":"unheard-of"}"#);
        let error = What::deserialize(&mut unknown).expect_err("no such kind").to_string();
        let listed: Vec<_> = error.split('`').skip(3).step_by(2).collect();
        let (outcomes, own): (Vec<_>, Vec<_>) = What::KINDS.iter().partition(|kind| Outcome::NAMES.contains(kind));
        assert_eq!((listed, outcomes.as_slice()), (own, Outcome::NAMES));
    }
}
