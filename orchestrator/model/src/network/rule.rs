//! Targeted rules, such as "drop the third REPLY from 2 to 0".

use std::fmt;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::quantity::{Duration, optional_probability};
use serde::{Deserialize, Serialize};

use super::fate::MessageDraws;
use crate::field_error::{FieldError, unknown_message_kind, unknown_node};
use crate::schema::Likelihood;
use crate::strict;

/// Longest delay that a rule can add, in ms: one hour.
const LONGEST_DELAY_MS: u64 = 3_600_000;

/// The messages that a rule matches. Each field is a condition. An absent field sets no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Number of the sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<NodeId>,
    /// Number of the receiver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<NodeId>,
    /// Kind of the message, as in the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_kind: Option<String>,
}

/// Action of a rule on a message: `drop`, `hold`, `duplicate`, `delay:50`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum RuleAction {
    /// The message is lost.
    Drop,
    /// The message waits for manual delivery.
    Hold,
    /// The message is duplicated.
    Duplicate,
    /// The delay of the message grows by this much, in ms.
    Delay(u64),
}

/// A targeted rule to create.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleDraft {
    /// The messages that the rule matches. If absent, the rule matches all messages.
    #[serde(default, rename = "match")]
    pub matches: Match,
    /// Action on a matching message: `drop`, `hold`, `duplicate`, or `delay:` with a time of 0 … 1 h, in ms unless it
    /// has a unit.
    #[schema(pattern = "^(drop|hold|duplicate|delay:.+)$")]
    pub action: RuleAction,
    /// Number of matching messages that pass before the rule acts [default: 0].
    #[serde(default)]
    pub skip: u64,
    /// Maximum number of messages on which the rule acts, from 1. Unlimited if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Probability that the rule acts on a matching message, above 0 and at most 1. If absent, the rule always
    /// acts.
    #[serde(default, deserialize_with = "optional_probability", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Likelihood>)]
    pub probability: Option<f64>,
}

/// An active targeted rule.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Rule {
    /// Number of the rule in the run.
    pub id: u64,
    /// The messages that the rule matches.
    #[serde(rename = "match")]
    pub matches: Match,
    /// Action on a matching message.
    pub action: RuleAction,
    /// Number of further matching messages that pass before the rule acts.
    pub skip: u64,
    /// Number of further messages on which the rule can act. Unlimited if absent.
    pub count: Option<u64>,
    /// Probability that the rule acts on a matching message. If absent, the rule always acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

impl RuleDraft {
    /// Reads a draft from a document. This function is compiled once, in this crate, and not again in each crate
    /// that reads such documents.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns the errors of the draft for a run of `nodes` nodes whose messages are of the kinds `kinds`. If
    /// `kinds` is absent, any kind is valid.
    #[must_use]
    pub fn errors(&self, nodes: u32, kinds: Option<&[&str]>) -> Vec<FieldError> {
        let ends = [("/match/from", self.matches.from), ("/match/to", self.matches.to)];
        let unknown = ends.into_iter().filter_map(|(pointer, node)| unknown_node(pointer, node?, nodes));
        let mut errors: Vec<_> = unknown.collect();
        let kind = self.matches.message_kind.as_deref();
        errors.extend(kind.and_then(|kind| unknown_message_kind("/match/message_kind", kind, kinds)));
        match self.probability {
            Some(0.0) => {
                let detail = "a rule with probability 0 has no effect; write a number above 0, at most 1, or null";
                errors.push(FieldError::new("/probability", detail));
            }
            Some(other) if !(0.0..=1.0).contains(&other) => {
                errors.push(FieldError::new(
                    "/probability",
                    format!("{other} is not a probability: it is outside 0 … 1"),
                ));
            }
            _ => {}
        }
        if self.count == Some(0) {
            errors.push(FieldError::new("/count", "a rule with count 0 has no effect; write 1 or more, or null"));
        }
        errors
    }

    /// Turns the draft into a rule with this number.
    #[must_use]
    pub fn with_id(self, id: u64) -> Rule {
        let Self { matches, action, skip, count, probability } = self;
        Rule { id, matches, action, skip, count, probability }
    }
}

impl Rule {
    fn matches(&self, from: NodeId, to: NodeId, kind: &str) -> bool {
        self.matches.from.is_none_or(|node| node == from)
            && self.matches.to.is_none_or(|node| node == to)
            && self.matches.message_kind.as_deref().is_none_or(|wanted| wanted == kind)
    }

    /// Counts a matching message, and returns whether the rule acts on the message. If the random draw decides that
    /// the rule does not act, the message counts neither for `skip` nor for `count`.
    fn acts(&mut self, draws: MessageDraws) -> bool {
        if self.probability.is_some_and(|probability| !draws.ruled(self.id, probability)) {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        match &mut self.count {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

/// The number and the action of a rule that acts on a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acting {
    /// Number of the rule.
    pub rule: u64,
    pub action: RuleAction,
}

/// Returns the first rule that acts on a message, with its action.
pub(super) fn first_action(rules: &mut [Rule], draws: MessageDraws, kind: &str) -> Option<Acting> {
    let MessageId { from, to, .. } = draws.id;
    rules.iter_mut().find_map(|rule| {
        let acts = rule.matches(from, to, kind) && rule.acts(draws);
        acts.then_some(Acting { rule: rule.id, action: rule.action })
    })
}

impl RuleAction {
    /// Returns the delay that the action adds to a message, in microseconds.
    #[must_use]
    pub const fn extra_delay_us(self) -> u64 {
        match self {
            Self::Delay(delay_ms) => delay_ms * 1000,
            Self::Drop | Self::Hold | Self::Duplicate => 0,
        }
    }
}

/// The text is not an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an action; write `drop`, `hold`, `duplicate` or `delay:50` (or `delay:2s`; 0 … {LONGEST_DELAY_MS} ms)"
)]
pub struct RuleActionError(String);

impl TryFrom<String> for RuleAction {
    type Error = RuleActionError;

    fn try_from(text: String) -> Result<Self, RuleActionError> {
        let delay = |text: &str| {
            let Duration(delay) = text.strip_prefix("delay:")?.parse().ok()?;
            Duration(delay).whole_ms().ok().filter(|delay| *delay <= LONGEST_DELAY_MS)
        };
        match text.as_str() {
            "drop" => Ok(Self::Drop),
            "hold" => Ok(Self::Hold),
            "duplicate" => Ok(Self::Duplicate),
            other => delay(other).map(Self::Delay).ok_or(RuleActionError(text)),
        }
    }
}

impl From<RuleAction> for String {
    fn from(action: RuleAction) -> Self {
        action.to_string()
    }
}

impl fmt::Display for RuleAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop => formatter.write_str("drop"),
            Self::Hold => formatter.write_str("hold"),
            Self::Duplicate => formatter.write_str("duplicate"),
            Self::Delay(delay_ms) => write!(formatter, "delay:{delay_ms}"),
        }
    }
}
