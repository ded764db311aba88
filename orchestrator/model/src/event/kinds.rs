//! Properties that all events have, such as kind and node, and constructors of events.

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;

use super::{DropReason, Hand, MessageKind, StepId, What};

impl What {
    /// Returns the node at which the event happened, if it happened at a node.
    #[must_use]
    pub const fn node(&self) -> Option<NodeId> {
        match self {
            Self::Started { node, .. }
            | Self::Crashed { node, .. }
            | Self::Paused { node, .. }
            | Self::Resumed { node, .. }
            | Self::Restarted { node, .. }
            | Self::Misbehaved { node, .. } => Some(*node),
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
            | Self::Requested { at, .. }
            | Self::Entered { at, .. }
            | Self::Exited { at, .. }
            | Self::Blocked { at, .. }
            | Self::Aborted { at, .. }
            | Self::Expired { at, .. }
            | Self::Reported { at, .. }
            | Self::Called { at, .. }
            | Self::Elected { at, .. }
            | Self::Proposed { at, .. }
            | Self::Promised { at, .. }
            | Self::Accepted { at, .. }
            | Self::Decided { at, .. }
            | Self::Invoked { at, .. }
            | Self::Returned { at, .. }
            | Self::Refused { at, .. } => Some(at.node),
            Self::Put { write } => write.node,
            Self::Rejected { rejection } => rejection.node,
            Self::Created { .. }
            | Self::Ended { .. }
            | Self::Duplicated { .. }
            | Self::Held { .. }
            | Self::Forwarded { .. }
            | Self::Dropped { .. }
            | Self::Noted { .. }
            | Self::Configured { .. }
            | Self::Violated { .. } => None,
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

    /// Returns the event that reports an outcome of a node's step.
    #[must_use]
    pub fn outcome(at: StepId, outcome: Outcome) -> Self {
        match outcome {
            Outcome::Requested { lock, request } => Self::Requested { at, lock, request },
            Outcome::Entered { lock, request, fence } => Self::Entered { at, lock, request, fence },
            Outcome::Exited { lock, request } => Self::Exited { at, lock, request },
            Outcome::Blocked { lock, request, on } => Self::Blocked { at, lock, request, on },
            Outcome::Aborted { request, cause } => Self::Aborted { at, request, cause },
            Outcome::Expired { lock, holder, request } => Self::Expired { at, lock, holder, request },
            Outcome::Reported { cycle, victim } => Self::Reported { at, cycle, victim },
            Outcome::Called { lock, term } => Self::Called { at, lock, term },
            Outcome::Elected { lock, leader, term } => Self::Elected { at, lock, leader, term },
            Outcome::Proposed { instance, value } => Self::Proposed { at, instance, value: value.into() },
            Outcome::Promised { instance, ballot } => Self::Promised { at, instance, ballot },
            Outcome::Accepted { instance, ballot, value } => {
                Self::Accepted { at, instance, ballot, value: value.into() }
            }
            Outcome::Decided { instance, value } => Self::Decided { at, instance, value: value.into() },
            Outcome::Invoked { request, operation } => Self::Invoked { at, request, operation },
            Outcome::Returned { request, response } => Self::Returned { at, request, response },
        }
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

    /// Names of all kinds of events.
    pub const KINDS: [&'static str; 44] = [
        "created",
        "ended",
        "started",
        "crashed",
        "paused",
        "resumed",
        "restarted",
        "initialized",
        "commanded",
        "fired",
        "delivered",
        "taken",
        "suspected",
        "trusted",
        "sent",
        "duplicated",
        "held",
        "forwarded",
        "dropped",
        "armed",
        "cancelled",
        "stored",
        "requested",
        "entered",
        "exited",
        "blocked",
        "aborted",
        "expired",
        "reported",
        "called",
        "elected",
        "proposed",
        "promised",
        "accepted",
        "decided",
        "invoked",
        "returned",
        "put",
        "rejected",
        "refused",
        "misbehaved",
        "noted",
        "configured",
        "violated",
    ];

    /// Returns the name of the event's kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Created { .. } => "created",
            Self::Ended { .. } => "ended",
            Self::Started { .. } => "started",
            Self::Crashed { .. } => "crashed",
            Self::Paused { .. } => "paused",
            Self::Resumed { .. } => "resumed",
            Self::Restarted { .. } => "restarted",
            Self::Initialized { .. } => "initialized",
            Self::Commanded { .. } => "commanded",
            Self::Fired { .. } => "fired",
            Self::Delivered { .. } => "delivered",
            Self::Taken { .. } => "taken",
            Self::Suspected { .. } => "suspected",
            Self::Trusted { .. } => "trusted",
            Self::Sent { .. } => "sent",
            Self::Duplicated { .. } => "duplicated",
            Self::Held { .. } => "held",
            Self::Forwarded { .. } => "forwarded",
            Self::Dropped { .. } => "dropped",
            Self::Armed { .. } => "armed",
            Self::Cancelled { .. } => "cancelled",
            Self::Stored { .. } => "stored",
            Self::Requested { .. } => "requested",
            Self::Entered { .. } => "entered",
            Self::Exited { .. } => "exited",
            Self::Blocked { .. } => "blocked",
            Self::Aborted { .. } => "aborted",
            Self::Expired { .. } => "expired",
            Self::Reported { .. } => "reported",
            Self::Called { .. } => "called",
            Self::Elected { .. } => "elected",
            Self::Proposed { .. } => "proposed",
            Self::Promised { .. } => "promised",
            Self::Accepted { .. } => "accepted",
            Self::Decided { .. } => "decided",
            Self::Invoked { .. } => "invoked",
            Self::Returned { .. } => "returned",
            Self::Put { .. } => "put",
            Self::Rejected { .. } => "rejected",
            Self::Refused { .. } => "refused",
            Self::Misbehaved { .. } => "misbehaved",
            Self::Noted { .. } => "noted",
            Self::Configured { .. } => "configured",
            Self::Violated { .. } => "violated",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_kinds_is_complete() {
        // If serde meets an unknown variant, its error lists all known variants.
        let error = serde_json::from_str::<What>(r#"{"kind":"unheard-of"}"#).expect_err("no such kind").to_string();
        let listed: Vec<_> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(listed, What::KINDS);
    }
}
