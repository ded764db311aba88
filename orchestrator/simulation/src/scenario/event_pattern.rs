//! Patterns that select the events that a step waits for.

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::message_id::MessageId;
use serde::Deserialize;
use utoipa::ToSchema;

use interlock_model::event::{Event, MessageKind, What};
use interlock_model::field_error::{FieldError, unknown_lock, unknown_message_kind, unknown_node};
use interlock_model::specification::Specification;

/// The kinds of events that belong to no node.
const AT_NO_NODE: [&str; 9] =
    ["created", "ended", "duplicated", "held", "forwarded", "dropped", "noted", "configured", "violated"];
/// The kinds of events that concern a message and contain its kind.
const OF_A_MESSAGE: [&str; 7] = ["sent", "delivered", "taken", "duplicated", "held", "forwarded", "dropped"];
/// The kinds of events that concern a lock.
const OF_A_LOCK: [&str; 7] = ["requested", "entered", "exited", "blocked", "expired", "called", "elected"];
/// The only kind of event that concerns a message in some cases only. Such an event contains the id of the message
/// but not its kind.
const PERHAPS_OF_A_MESSAGE: &str = "refused";

/// A pattern of events. If a field is absent, any value matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventPattern {
    /// The kind of the event.
    pub kind: Option<String>,
    /// The node at which the event occurred.
    pub node: Option<NodeId>,
    /// The lock that the event concerns.
    pub lock: Option<LockId>,
    /// The message that the event concerns.
    pub message: Option<MessageId>,
    /// The kind of the message, with its name in the paper.
    pub message_kind: Option<String>,
    /// The sender of the message.
    pub from: Option<NodeId>,
    /// The receiver of the message.
    pub to: Option<NodeId>,
}

/// Returns the message that an event concerns, and its kind.
const fn message_of(what: &What) -> (Option<MessageId>, Option<&MessageKind>) {
    match what {
        What::Sent { message, message_kind, .. }
        | What::Delivered { message, message_kind, .. }
        | What::Taken { message, message_kind, .. }
        | What::Duplicated { message, message_kind, .. }
        | What::Held { message, message_kind, .. }
        | What::Forwarded { message, message_kind, .. }
        | What::Dropped { message, message_kind, .. } => (Some(*message), Some(message_kind)),
        What::Refused { message, .. } => (*message, None),
        _ => (None, None),
    }
}

impl EventPattern {
    /// Returns whether an event matches the pattern.
    #[must_use]
    pub fn matches(&self, event: &Event) -> bool {
        let (message, message_kind) = message_of(&event.what);
        self.kind.as_deref().is_none_or(|kind| kind == event.kind())
            && self.node.is_none_or(|node| Some(node) == event.node())
            && self.lock.is_none_or(|lock| Some(lock) == event.lock())
            && self.message_kind.as_deref().is_none_or(|wanted| message_kind.is_some_and(|kind| **kind == *wanted))
            && self.message.is_none_or(|wanted| Some(wanted) == message)
            && self.from.is_none_or(|node| message.is_some_and(|message| message.from == node))
            && self.to.is_none_or(|node| message.is_some_and(|message| message.to == node))
    }

    /// Returns an error for each field, at `pointer`, whose value no event of this run can have.
    #[must_use]
    pub fn errors(&self, pointer: &str, run: &Specification) -> Vec<FieldError> {
        let mut errors = self.errors_in(pointer, run.nodes, run.known_kinds().as_deref());
        errors.extend(self.lock.and_then(|lock| unknown_lock(&format!("{pointer}/lock"), lock, run.locks)));
        errors
    }

    /// Returns the errors of [`errors`](Self::errors) except those of the field `lock`. The run has this number of
    /// nodes and, if they are known, these message kinds.
    fn errors_in(&self, pointer: &str, nodes: u32, kinds: Option<&[&str]>) -> Vec<FieldError> {
        let at = |name: &str| format!("{pointer}/{name}");
        let ends = [
            ("node", self.node),
            ("from", self.from),
            ("to", self.to),
            ("message", self.message.map(|message| message.from)),
            ("message", self.message.map(|message| message.to)),
        ];
        let mut errors: Vec<_> =
            ends.iter().filter_map(|(name, node)| unknown_node(&at(name), (*node)?, nodes)).collect();
        errors.extend(self.kind.as_deref().and_then(|kind| unknown_kind(&at("kind"), kind)));
        if errors.is_empty() {
            errors.extend(self.absent().map(|(name, detail)| FieldError::new(at(name), detail)));
        }
        if errors.is_empty()
            && let Some(kind) = &self.message_kind
        {
            errors.extend(unknown_message_kind(&at("message_kind"), kind, kinds));
        }
        errors
    }

    /// Returns the first field of the pattern that makes a match impossible. Either events of the pattern's kind do
    /// not have the field, or the field contradicts another field.
    fn absent(&self) -> Option<(&'static str, String)> {
        let kind = self.kind.as_deref();
        let about = [
            ("message", self.message.is_some()),
            ("message_kind", self.message_kind.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
        ];
        if let Some(kind) = kind {
            if self.node.is_some() && AT_NO_NODE.contains(&kind) {
                let instead = if OF_A_MESSAGE.contains(&kind) { "; write `from` or `to`" } else { "" };
                return Some(("node", format!("an event `{kind}` has no node{instead}")));
            }
            if self.lock.is_some() && !OF_A_LOCK.contains(&kind) {
                return Some(("lock", format!("an event `{kind}` has no lock")));
            }
            if kind == PERHAPS_OF_A_MESSAGE && self.message_kind.is_some() {
                return Some(("message_kind", format!("an event `{kind}` has no message kind; write `message`")));
            }
            if !OF_A_MESSAGE.contains(&kind) && kind != PERHAPS_OF_A_MESSAGE {
                let (name, _) = about.iter().find(|(_, is_asked)| *is_asked)?;
                return Some((name, format!("an event `{kind}` has no message")));
            }
        }
        let ends = self.message.map(|message| [("from", self.from, message.from), ("to", self.to, message.to)]);
        let other = ends.into_iter().flatten().find(|(_, asked, is)| asked.is_some_and(|asked| asked != *is));
        other.map(|(name, _, is)| (name, format!("this contradicts the name of the message, which has {} here", is.0)))
    }
}

/// Returns an error if there is no such kind of event.
#[must_use]
pub fn unknown_kind(pointer: &str, kind: &str) -> Option<FieldError> {
    if What::KINDS.contains(&kind) {
        return None;
    }
    let mut error = FieldError::new(pointer, format!("there is no event `{kind}`"));
    error.allowed = What::KINDS.iter().map(|&kind| kind.to_owned()).collect();
    Some(error.meant_by(kind))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::scenario::Scenario;
    use crate::simulation::Simulation;

    fn pattern(value: Value) -> EventPattern {
        serde_json::from_value(value).expect("a pattern")
    }

    /// Returns the events of a run that contains events of all kinds about messages.
    fn rich(channel: &str) -> Vec<Event> {
        let rule = |kind: &str, action: &str| json!({ "rule": { "match": { "message_kind": kind, "from": 1 }, "action": action, "count": 1 } });
        let scenario = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "channel": channel,
            "steps": [rule("REQUEST", "duplicate"), rule("REQUEST", "hold"), rule("REPLY", "drop"),
                { "acquire": { "node": 1, "hold": 5 } }, { "sleep": "100ms" }, { "deliver": "REQUEST from 1" },
                { "acquire": { "node": 0 } }, { "sleep": "100ms" }, { "note": "so far" }, { "crash": 2 },
                { "sleep": "10ms" }, { "restart": { "node": 2 } }, { "sleep": "10ms" }, { "release": { "node": 2 } }] });
        let scenario = Arc::new(Scenario::read(scenario).expect("a scenario"));
        let specification = scenario.specification(None, false).expect("a specification");
        Simulation::of_scenario(specification).carry_out(&scenario).expect("a run").0.events
    }

    #[test]
    fn an_event_has_what_the_tables_say() {
        let mut seen = BTreeSet::new();
        for event in rich("raw").iter().chain(&rich("fifo")) {
            let kind = event.kind();
            seen.insert(kind);
            assert_eq!(event.node().is_none(), AT_NO_NODE.contains(&kind), "{event:?}");
            let (message, message_kind) = message_of(&event.what);
            assert_eq!(message_kind.is_some(), OF_A_MESSAGE.contains(&kind), "{event:?}");
            assert!(message.is_none() || kind == PERHAPS_OF_A_MESSAGE || message_kind.is_some(), "{event:?}");
        }
        let needed = AT_NO_NODE.iter().chain(&OF_A_MESSAGE).chain([&PERHAPS_OF_A_MESSAGE]);
        let missing: Vec<_> = needed.filter(|kind| !seen.contains(**kind) && **kind != "violated").collect();
        assert_eq!(missing, [&""; 0], "the runs have one of each");
    }

    #[test]
    fn what_became_of_a_kind_of_message_is_found() {
        let events = rich("raw");
        let number = |value: Value| {
            let pattern = pattern(value);
            events.iter().filter(|event| pattern.matches(event)).count()
        };
        assert_eq!(number(json!({ "kind": "held", "message_kind": "REQUEST" })), 1);
        assert_eq!(number(json!({ "kind": "held", "message_kind": "REPLY" })), 0);
        assert_eq!(number(json!({ "kind": "duplicated", "message_kind": "REQUEST", "from": 1 })), 1);
        assert_eq!(number(json!({ "kind": "duplicated", "message_kind": "REQUEST", "from": 0 })), 0);
        assert_eq!(number(json!({ "kind": "forwarded", "message_kind": "REQUEST" })), 1);
        assert_eq!(number(json!({ "kind": "dropped", "message_kind": "REPLY", "from": 1, "to": 0 })), 1);
        assert_eq!(number(json!({ "kind": "dropped", "message_kind": "REQUEST" })), 0);
    }

    #[test]
    fn what_no_event_can_have_is_refused_in_words() {
        let kinds = ["REQUEST", "REPLY"];
        let wrong = |value: Value| pattern(value).errors_in("/event", 3, Some(&kinds)).into_iter().next();
        for right in [
            json!({}),
            json!({ "kind": "dropped", "from": 1, "to": 2, "message": "1.2.4", "message_kind": "REPLY" }),
            json!({ "kind": "delivered", "node": 1, "message_kind": "TELL" }),
            json!({ "kind": "refused", "node": 2, "message": "1.2.4", "to": 2 }),
            json!({ "kind": "entered", "node": 2 }),
            json!({ "node": 2, "message_kind": "REQUEST" }),
        ] {
            assert_eq!(wrong(right), None);
        }
        for (value, pointer, detail) in [
            (json!({ "kind": "dropped", "node": 1 }), "/event/node", "has no node; write `from` or `to`"),
            (json!({ "kind": "noted", "node": 1 }), "/event/node", "an event `noted` has no node"),
            (json!({ "kind": "delivered", "lock": 1 }), "/event/lock", "an event `delivered` has no lock"),
            (json!({ "kind": "entered", "from": 1 }), "/event/from", "an event `entered` has no message"),
            (json!({ "kind": "entered", "message_kind": "REPLY" }), "/event/message_kind", "has no message"),
            (json!({ "kind": "created", "message": "0.1.1" }), "/event/message", "has no message"),
            (json!({ "kind": "refused", "message_kind": "REPLY" }), "/event/message_kind", "write `message`"),
            (
                json!({ "kind": "sent", "message": "1.2.4", "to": 0 }),
                "/event/to",
                "name of the message, which has 2 here",
            ),
            (json!({ "kind": "sent", "message_kind": "REPLI" }), "/event/message_kind", "did you mean `REPLY`?"),
            (json!({ "kind": "send" }), "/event/kind", "there is no event `send`"),
            (json!({ "kind": "sent", "from": 3 }), "/event/from", "there is no node 3: the run has nodes 0 … 2"),
            (json!({ "kind": "sent", "message": "0.3.1" }), "/event/message", "there is no node 3"),
            (json!({ "message": "4.0.1" }), "/event/message", "there is no node 4"),
        ] {
            let found = wrong(value).unwrap_or_else(|| panic!("{pointer} {detail} is not refused"));
            assert_eq!(found.pointer, pointer, "{found:?}");
            assert!(found.detail.contains(detail), "{found:?}");
        }
    }
}
