//! Settings of links.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_machine::distribution::Distribution;
use interlock_machine::quantity::optional_probability;
use serde::{Deserialize, Serialize};

use crate::field_error::{FieldError, token, unknown_message_kind, unknown_node};
use crate::schema::{Likelihood, Times};
use crate::strict;

use super::tcp::TcpFaults;

/// Delays for some kinds of messages, by kind. All clones share one table, so cloning is fast.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Distribution>", into = "BTreeMap<String, Distribution>")]
pub struct KindDelays(Option<Arc<BTreeMap<String, Distribution>>>);

impl KindDelays {
    /// Returns whether no kind of message has its own delay.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the delay of messages of the kind `kind`, if this kind has its own delay.
    #[must_use]
    pub fn of(&self, kind: &str) -> Option<&Distribution> {
        self.0.as_ref()?.get(kind)
    }

    /// Returns the kinds that have their own delay.
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

/// Settings of a link from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LinkSetting {
    /// Delay of a message, in ms. On a link without order, a message with an earlier delivery time overtakes
    /// messages that were sent before it.
    #[schema(value_type = String)]
    pub delay: Distribution,
    /// Delays for some kinds of messages, in ms, by kind. For these kinds, they replace `delay`. `TELL` is the kind
    /// of the application's messages.
    #[serde(default, skip_serializing_if = "KindDelays::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub delays: KindDelays,
    /// Whether the link keeps the order of messages: no message is delivered before a message that was sent
    /// earlier.
    pub fifo: bool,
    /// Probability that a message is lost, 0 … 1.
    pub loss: f64,
    /// Probability that a message is duplicated, 0 … 1.
    pub duplicate: f64,
    /// Whether messages are held until they are delivered manually.
    pub hold: bool,
    /// Faults of TCP connections, on a link of a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Box<TcpFaults>>,
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
            tcp: None,
        }
    }
}

impl LinkSetting {
    /// Returns whether nothing happens to messages except their delay.
    #[must_use]
    pub fn is_faultless(&self) -> bool {
        self.loss <= 0.0 && self.duplicate <= 0.0 && !self.hold && self.tcp.is_none()
    }
}

/// Changes to the settings of a link. If a field is absent, its setting does not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkPatch {
    /// Delay of a message, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Distribution>,
    /// Delays for some kinds of messages, in ms, by kind. For these kinds, they replace `delay`. This table
    /// replaces the whole earlier table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Times>>)]
    pub delays: Option<KindDelays>,
    /// Whether the link keeps the order of messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fifo: Option<bool>,
    /// Probability that a message is lost, 0 … 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub loss: Option<f64>,
    /// Probability that a message is duplicated, 0 … 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub duplicate: Option<f64>,
    /// Whether messages are held until they are delivered manually.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<bool>,
    /// Faults of TCP connections, on a link of a service. They replace all earlier faults of this kind; `{}` ends
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Box<TcpFaults>>,
}

/// A link with its own settings. If a field is absent, the default setting of all links applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(from = "FlatLinkOverride")]
pub struct LinkOverride {
    /// Number of the sending node.
    pub from: NodeId,
    /// Number of the receiving node.
    pub to: NodeId,
    /// Settings that differ from the default.
    #[serde(flatten)]
    pub patch: LinkPatch,
}

/// The fields of [`LinkOverride`] and its [`LinkPatch`] in one struct, for deserialization. With `#[serde(flatten)]`,
/// serde could not reject unknown fields.
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
    tcp: Option<Box<TcpFaults>>,
}

impl From<FlatLinkOverride> for LinkOverride {
    fn from(flat: FlatLinkOverride) -> Self {
        let FlatLinkOverride { from, to, delay, delays, fifo, loss, duplicate, hold, tcp } = flat;
        Self { from, to, patch: LinkPatch { delay, delays, fifo, loss, duplicate, hold, tcp } }
    }
}

impl From<LinkSetting> for LinkPatch {
    /// Returns the changes that give a link exactly these settings. If the link has no faults of TCP connections, the
    /// changes do not mention them: only links of services have them, and no schedule is recorded of such runs.
    fn from(LinkSetting { delay, delays, fifo, loss, duplicate, hold, tcp }: LinkSetting) -> Self {
        let [loss, duplicate] = [loss, duplicate].map(Some);
        Self { delay: Some(delay), delays: Some(delays), fifo: Some(fifo), loss, duplicate, hold: Some(hold), tcp }
    }
}

impl LinkPatch {
    /// Names of the fields that are probabilities of faults.
    pub const PROBABILITIES: [&'static str; 2] = ["loss", "duplicate"];

    /// Returns the changes that end all faults of a link. Its delay and the order of its messages do not change.
    pub(super) fn faultless() -> Self {
        Self { loss: Some(0.0), duplicate: Some(0.0), hold: Some(false), tcp: Some(Box::default()), ..Self::default() }
    }

    /// Reads the changes of a link's settings from a document. This function is compiled once, in this crate, and not
    /// again in each crate that reads such documents.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns `setting` after these changes.
    #[must_use]
    pub fn over(&self, setting: &LinkSetting) -> LinkSetting {
        LinkSetting {
            delay: self.delay.unwrap_or(setting.delay),
            delays: self.delays.as_ref().unwrap_or(&setting.delays).clone(),
            fifo: self.fifo.unwrap_or(setting.fifo),
            loss: self.loss.unwrap_or(setting.loss),
            duplicate: self.duplicate.unwrap_or(setting.duplicate),
            hold: self.hold.unwrap_or(setting.hold),
            tcp: self.tcp.as_ref().or(setting.tcp.as_ref()).filter(|tcp| ***tcp != TcpFaults::default()).cloned(),
        }
    }

    /// Returns the kinds of messages for which these changes set a delay.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.delays.iter().flat_map(KindDelays::kinds)
    }

    /// Returns the probabilities that are not in the range 0 … 1, each with the name of its field.
    pub fn impossible(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let named = Self::PROBABILITIES.into_iter().zip([self.loss, self.duplicate]);
        named
            .filter_map(|(field, value)| value.map(|value| (field, value)))
            .filter(|(_, value)| !(0.0..=1.0).contains(value))
    }
}

impl LinkOverride {
    /// Returns the errors of this link at `pointer`, for a run of `nodes` nodes whose messages are of the kinds
    /// `kinds`. If `kinds` is absent, any kind is valid.
    pub(crate) fn errors(&self, pointer: &str, nodes: u32, kinds: Option<&[&str]>) -> Vec<FieldError> {
        let mut errors = link_errors(pointer, &self.patch, kinds);
        errors.extend(unknown_node(&format!("{pointer}/from"), self.from, nodes));
        errors.extend(unknown_node(&format!("{pointer}/to"), self.to, nodes));
        if self.from == self.to {
            errors.push(FieldError::new(pointer, "the ends of a link must differ; a node does not send to itself"));
        }
        errors
    }
}

/// Returns the errors of the link settings at `pointer`, for a run whose messages are of the kinds `kinds`. If
/// `kinds` is absent, any kind is valid.
#[must_use]
pub fn link_errors(pointer: &str, patch: &LinkPatch, kinds: Option<&[&str]>) -> Vec<FieldError> {
    let impossible = patch.impossible().map(|(field, value)| {
        FieldError::new(format!("{pointer}/{field}"), format!("{value} is not a probability: it is outside 0 … 1"))
    });
    let place = |kind| format!("{pointer}/delays{}", token(kind));
    let unknown = patch.kinds().filter_map(|kind| unknown_message_kind(&place(kind), kind, kinds));
    let of_connections = patch.tcp.as_ref().and_then(|tcp| tcp.errors(&format!("{pointer}/tcp")));
    impossible.chain(unknown).chain(of_connections).collect()
}
