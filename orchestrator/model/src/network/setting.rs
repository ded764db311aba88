//! How a link behaves.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_machine::distribution::Distribution;
use interlock_machine::quantity::optional_probability;
use serde::{Deserialize, Serialize};

use crate::field_error::{FieldError, token, unknown_message_kind, unknown_node};
use crate::schema::{Likelihood, Times};
use crate::strict;

/// The delays of some kinds of messages, by kind. To pass it on costs next to nothing, and nothing if it is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Distribution>", into = "BTreeMap<String, Distribution>")]
pub struct KindDelays(Option<Arc<BTreeMap<String, Distribution>>>);

impl KindDelays {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The delay of messages of this kind, if they have one of their own.
    #[must_use]
    pub fn of(&self, kind: &str) -> Option<&Distribution> {
        self.0.as_ref()?.get(kind)
    }

    /// The kinds that have a delay of their own.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|delays| delays.keys().map(String::as_str))
    }
}

impl From<BTreeMap<String, Distribution>> for KindDelays {
    fn from(delays: BTreeMap<String, Distribution>) -> Self {
        Self((!delays.is_empty()).then(|| Arc::new(delays)))
    }
}

impl From<KindDelays> for BTreeMap<String, Distribution> {
    fn from(KindDelays(delays): KindDelays) -> Self {
        delays.map(Arc::unwrap_or_clone).unwrap_or_default()
    }
}

/// How a link from one node to another behaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LinkSetting {
    /// How long a message is on its way, in ms. A later message with an earlier deadline overtakes.
    #[schema(value_type = String)]
    pub delay: Distribution,
    /// How long messages of some kinds are on their way instead, in ms, by kind; `TELL` is the application's.
    #[serde(default, skip_serializing_if = "KindDelays::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub delays: KindDelays,
    /// Whether messages keep their order: none is handed over before one that was sent earlier.
    pub fifo: bool,
    /// The probability that a message is lost, 0 … 1.
    pub loss: f64,
    /// The probability that a second copy of a message is made, 0 … 1.
    pub duplicate: f64,
    /// Whether messages wait until somebody delivers them by hand.
    pub hold: bool,
}

impl Default for LinkSetting {
    fn default() -> Self {
        Self {
            delay: Distribution::ZERO,
            delays: KindDelays::default(),
            fifo: false,
            loss: 0.0,
            duplicate: 0.0,
            hold: false,
        }
    }
}

/// Some of the settings of a link; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkPatch {
    /// How long a message is on its way, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Distribution>,
    /// How long messages of some kinds are on their way instead, in ms, by kind; this replaces what was said of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Times>>)]
    pub delays: Option<KindDelays>,
    /// Whether messages keep their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fifo: Option<bool>,
    /// The probability that a message is lost, 0 … 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub loss: Option<f64>,
    /// The probability that a second copy of a message is made, 0 … 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub duplicate: Option<f64>,
    /// Whether messages wait until somebody delivers them by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<bool>,
}

/// A link that behaves differently from the others: what is absent is as on the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(from = "FlatLinkOverride")]
pub struct LinkOverride {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// How it differs.
    #[serde(flatten)]
    pub patch: LinkPatch,
}

/// All fields side by side: unknown ones are refused, which a flattened patch would let pass.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatLinkOverride {
    from: NodeId,
    to: NodeId,
    delay: Option<Distribution>,
    delays: Option<KindDelays>,
    fifo: Option<bool>,
    #[serde(default, deserialize_with = "optional_probability")]
    loss: Option<f64>,
    #[serde(default, deserialize_with = "optional_probability")]
    duplicate: Option<f64>,
    hold: Option<bool>,
}

impl From<FlatLinkOverride> for LinkOverride {
    fn from(flat: FlatLinkOverride) -> Self {
        let FlatLinkOverride { from, to, delay, delays, fifo, loss, duplicate, hold } = flat;
        Self { from, to, patch: LinkPatch { delay, delays, fifo, loss, duplicate, hold } }
    }
}

impl LinkPatch {
    /// Reads it from a document. The reader is compiled here, once, and not in each crate that reads such documents.
    ///
    /// # Errors
    /// The first thing wrong with the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// `setting` with what is present here in its place.
    #[must_use]
    pub fn over(&self, setting: &LinkSetting) -> LinkSetting {
        LinkSetting {
            delay: self.delay.unwrap_or(setting.delay),
            delays: self.delays.as_ref().unwrap_or(&setting.delays).clone(),
            fifo: self.fifo.unwrap_or(setting.fifo),
            loss: self.loss.unwrap_or(setting.loss),
            duplicate: self.duplicate.unwrap_or(setting.duplicate),
            hold: self.hold.unwrap_or(setting.hold),
        }
    }

    /// The kinds of messages that have a delay of their own here.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.delays.iter().flat_map(KindDelays::kinds)
    }

    /// The probabilities that are none: the field and its value.
    pub fn impossible(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [("loss", self.loss), ("duplicate", self.duplicate)]
            .into_iter()
            .filter_map(|(field, value)| value.map(|value| (field, value)))
            .filter(|(_, value)| !(0.0..=1.0).contains(value))
    }
}

impl LinkOverride {
    /// What is wrong with it, standing at `pointer`, in a run of so many nodes whose algorithm sends messages of these
    /// kinds, if it is known.
    pub(crate) fn errors(&self, pointer: &str, nodes: u32, kinds: Option<&[&str]>) -> Vec<FieldError> {
        let mut errors = link_errors(pointer, &self.patch, kinds);
        errors.extend(unknown_node(&format!("{pointer}/from"), self.from, nodes));
        errors.extend(unknown_node(&format!("{pointer}/to"), self.to, nodes));
        if self.from == self.to {
            errors.push(FieldError::new(pointer, "a link has two ends: a node sends itself nothing"));
        }
        errors
    }
}

/// What is wrong with the settings of a link that stand at `pointer`, in a run whose algorithm sends messages of these
/// kinds, if it is known.
#[must_use]
pub fn link_errors(pointer: &str, patch: &LinkPatch, kinds: Option<&[&str]>) -> Vec<FieldError> {
    let impossible = patch.impossible().map(|(field, value)| {
        FieldError::new(format!("{pointer}/{field}"), format!("{value} is no probability: it is outside 0 … 1"))
    });
    let place = |kind| format!("{pointer}/delays{}", token(kind));
    let unknown = patch.kinds().filter_map(|kind| unknown_message_kind(&place(kind), kind, kinds));
    impossible.chain(unknown).collect()
}
