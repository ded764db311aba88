//! Faults of the links of a run: partitions, rules, loss and hold.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use interlock_algorithm::{FlatSet, NodeId};

use interlock_model::event::{Change, TELL};
use interlock_model::network::{Direction, LinkOverride, LinkPatch, LinkSetting, Lost, Match, Partition, RuleAction};
use interlock_model::specification::Specification;
use interlock_model::strict;
use serde::Deserialize;

/// Maximum number of earlier sets of cut links that are stored.
const REMEMBERED: usize = 64;
/// Maximum number of nodes for which groups are computed. The time for this grows with the square of the number of
/// nodes.
const MOST_NODES: u32 = 2_048;

/// The current and earlier faults of the links between processes.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    links: Links,
    /// Earlier states of the links in which some links were cut. Each state comes with the event that ended it.
    earlier: VecDeque<(Links, u64)>,
    /// The event that ended the entry which was removed from `earlier` last.
    forgotten: u64,
    /// Whether some fault between live processes blocks all messages to which it applies.
    blocks: bool,
    /// Whether the current faults have blocked a message so far.
    has_kept: bool,
    /// The largest loss probability below 1 on the links between live processes.
    loss: f64,
    /// The latest event that changed the set of cut links.
    separated: u64,
}

/// The settings, partitions and rules of all links.
#[derive(Clone, Debug, Default)]
struct Links {
    default: LinkSetting,
    overrides: BTreeMap<(NodeId, NodeId), LinkPatch>,
    partitions: BTreeMap<Arc<str>, Partition>,
    rules: BTreeMap<u64, Rule>,
}

/// A rule that blocks messages. `count` is the number of messages on which it may still act; none means no limit.
#[derive(Clone, Debug, Deserialize)]
struct Rule {
    id: u64,
    #[serde(rename = "match")]
    matches: Match,
    action: RuleAction,
    count: Option<u64>,
    #[serde(default)]
    probability: Option<f64>,
}

impl Rule {
    /// Returns whether the rule can prevent messages of the algorithm from arriving.
    fn keeps_messages_away(&self) -> bool {
        let is_about_the_algorithm = self.matches.message_kind.as_deref() != Some(TELL);
        is_about_the_algorithm && matches!(self.action, RuleAction::Drop | RuleAction::Hold)
    }

    fn probability(&self) -> f64 {
        self.probability.unwrap_or(1.0)
    }

    /// Returns whether the rule drops all messages from one node to another.
    fn cuts(&self, from: NodeId, to: NodeId) -> bool {
        let Match { from: of, to: whom, .. } = &self.matches;
        self.is_total() && of.is_none_or(|node| node == from) && whom.is_none_or(|node| node == to)
    }

    /// Returns whether the rule drops all messages on the links to which it applies.
    fn is_total(&self) -> bool {
        self.action == RuleAction::Drop
            && self.probability() >= 1.0
            && self.count.is_none()
            && self.matches.message_kind.is_none()
    }

    /// Returns whether the rule blocks all messages that it matches.
    fn blocks(&self) -> bool {
        self.action == RuleAction::Hold || self.probability() >= 1.0
    }
}

/// The faults that can cut links. Two equal values of this type cut the same links.
#[derive(Debug, Default, PartialEq)]
struct Cuts<'a> {
    /// Whether the default setting cuts links. This setting applies to all links without a loss of their own.
    is_all: bool,
    links: Vec<((NodeId, NodeId), bool)>,
    partitions: Vec<&'a Partition>,
    /// The messages that each rule matches, and whether the rule drops all messages on the links to which it applies.
    rules: Vec<(&'a Match, bool)>,
}

impl Links {
    /// Returns whether all messages from one node to another are lost. Links on which messages are held do not count,
    /// since held messages may be delivered manually.
    fn cut(&self, from: NodeId, to: NodeId) -> bool {
        let own = self.overrides.get(&(from, to));
        let loss = own.and_then(|patch| patch.loss).unwrap_or(self.default.loss);
        loss >= 1.0
            || self.partitions.values().any(|partition| partition.cuts(from, to))
            || self.rules.values().any(|rule| rule.cuts(from, to))
    }

    /// Returns whether some link can be cut.
    fn can_cut(&self) -> bool {
        self.cuts() != Cuts::default()
    }

    /// Returns the faults that can cut links.
    fn cuts(&self) -> Cuts<'_> {
        let of_link = |patch: &LinkPatch| patch.loss.map(|loss| loss >= 1.0);
        let is_all = self.default.loss >= 1.0;
        let links = self.overrides.iter().filter_map(|(ends, patch)| Some((*ends, of_link(patch)?)));
        Cuts {
            is_all,
            links: links.filter(|(_, is_cut)| *is_cut != is_all).collect(),
            partitions: self.partitions.values().collect(),
            rules: self.rules.values().map(|rule| (&rule.matches, rule.is_total())).collect(),
        }
    }

    fn separate(&self, one: NodeId, other: NodeId) -> bool {
        self.cut(one, other) || self.cut(other, one)
    }

    /// Returns the rules that can apply to a message between two processes for which `is_among` returns true. Rules
    /// that apply only to crashed processes do not matter, since a message of a crashed process does not help a
    /// live one.
    fn rules_among<'a>(&'a self, is_among: &'a dyn Fn(NodeId) -> bool) -> impl Iterator<Item = &'a Rule> {
        let is_one = move |node: Option<NodeId>| node.is_none_or(is_among);
        self.rules.values().filter(move |rule| is_one(rule.matches.from) && is_one(rule.matches.to))
    }

    /// Returns the loss probabilities in the settings of the links between processes for which `is_among` returns
    /// true.
    fn losses_among<'a>(&'a self, is_among: &'a dyn Fn(NodeId) -> bool) -> impl Iterator<Item = f64> {
        let own = self.overrides.iter().filter(move |((from, to), _)| is_among(*from) && is_among(*to));
        own.filter_map(|(_, patch)| patch.loss).chain([self.default.loss])
    }

    /// Returns whether a partition separates processes for which `is_among` returns true. Also returns true if a
    /// rule or total loss blocks all messages on some link between such processes.
    fn block(&self, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        let is_in = |group: &&Vec<NodeId>| group.iter().any(|node| is_among(*node));
        let separates = |partition: &Partition| partition.groups.iter().filter(is_in).count() > 1;
        self.partitions.values().any(separates)
            || self.rules_among(is_among).any(Rule::blocks)
            || self.losses_among(is_among).any(|loss| loss >= 1.0)
    }

    /// Returns the largest probability, among those below 1, with which a message between two processes is lost.
    /// Only processes for which `is_among` returns true count. Returns the largest loss probability below 1 on the
    /// links between processes for which `is_among` returns true.
    fn loss(&self, is_among: &dyn Fn(NodeId) -> bool) -> f64 {
        let of_links = self.losses_among(is_among).filter(|loss| *loss < 1.0).fold(0.0, f64::max);
        let by_chance = |rule: &&Rule| rule.action == RuleAction::Drop && rule.probability() < 1.0;
        let kept = self.rules_among(is_among).filter(by_chance).map(|rule| 1.0 - rule.probability());
        1.0 - kept.fold(1.0 - of_links, |all, kept| all * kept)
    }

    fn change(&mut self, change: &Change) {
        let Change { subject, id, value } = change;
        match (&**subject, id, value) {
            ("default", _, Some(value)) => {
                _ = strict::deserialize::<LinkSetting>(value).map(|setting| self.default = setting);
            }
            ("link", Some(id), value) => {
                let link = value.as_ref().and_then(|value| strict::deserialize::<LinkOverride>(value).ok());
                match link {
                    Some(LinkOverride { from, to, patch }) => _ = self.overrides.insert((from, to), patch),
                    None => self.overrides.retain(|(from, to), _| format!("{}-{}", from.0, to.0) != **id),
                }
            }
            ("partition", Some(id), Some(value)) => {
                let (direction, lost) = (Direction::Both, Lost::Drop);
                let nobody = Partition { id: 0, groups: Vec::new(), direction, lost, reset: None };
                self.partitions.insert(Arc::clone(id), strict::deserialize::<Partition>(value).unwrap_or(nobody));
            }
            ("partition", Some(id), None) => _ = self.partitions.remove(id),
            ("rule", _, Some(value)) => {
                let rule = strict::deserialize::<Rule>(value).ok().filter(Rule::keeps_messages_away);
                self.rules.extend(rule.map(|rule| (rule.id, rule)));
            }
            ("rule", Some(id), None) => {
                _ = id.parse().map(|id: u64| self.rules.remove(&id));
            }
            _ => {}
        }
    }
}

impl Faults {
    pub(super) fn new(specification: &Specification) -> Self {
        let overrides = specification.links.iter().map(|link| ((link.from, link.to), link.patch.clone()));
        let links =
            Links { default: specification.network.clone(), overrides: overrides.collect(), ..Links::default() };
        let mut faults = Self { links, ..Self::default() };
        faults.measure(&FlatSet::new());
        faults
    }

    /// Computes `loss` and `blocks` anew for the links between live processes. Returns whether `loss` or the result of
    /// [`Self::block`] has changed.
    pub(super) fn measure(&mut self, crashed: &FlatSet<NodeId>) -> bool {
        let (loss, kept) = (self.loss, self.block());
        let lives = |node| !crashed.contains(&node);
        self.loss = self.links.loss(&lives);
        self.blocks = self.links.block(&lives);
        self.has_kept &= self.blocks;
        loss.to_bits() != self.loss.to_bits() || kept != self.block()
    }

    /// Applies a change of the network, which the event `seq` reports. Returns the result of [`Self::measure`] after
    /// the change.
    pub(super) fn change(&mut self, change: &Change, seq: u64, crashed: &FlatSet<NodeId>) -> bool {
        let before = self.links.clone();
        self.links.change(change);
        if before.cuts() != self.links.cuts() {
            self.separated = seq;
            if before.can_cut() {
                self.remember(before, seq);
            }
        }
        self.measure(crashed)
    }

    fn remember(&mut self, before: Links, seq: u64) {
        self.earlier.push_back((before, seq));
        if self.earlier.len() > REMEMBERED
            && let Some((_, ended)) = self.earlier.pop_front()
        {
            self.forgotten = ended;
        }
    }

    /// Records that a fault has blocked a message.
    pub(super) const fn keep(&mut self) {
        self.has_kept = self.blocks;
    }

    /// Records that a rule has been applied to a message, so that it can act on one message fewer.
    pub(super) fn acted(&mut self, rule: u64, crashed: &FlatSet<NodeId>) {
        let Some(standing) = self.links.rules.get_mut(&rule) else { return };
        if let Some(left) = &mut standing.count {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.links.rules.remove(&rule);
                self.measure(crashed);
            }
        }
    }

    /// Returns whether some fault blocks all messages to which it applies, and has blocked at least one message.
    pub(super) const fn block(&self) -> bool {
        self.blocks && self.has_kept
    }

    /// Returns the same as [`Self::block`], but counts only faults between processes for which `is_among` returns
    /// true.
    pub(super) fn block_among(&self, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        self.block() && self.links.block(is_among)
    }

    /// Returns the largest loss probability below 1 on the links between live processes.
    pub(super) const fn loss(&self) -> f64 {
        self.loss
    }

    /// Returns the same as [`Self::loss`], but only for messages between processes for which `is_among` returns
    /// true. Returns the largest loss probability below 1 on the links between processes for which `is_among`
    /// returns true.
    pub(super) fn loss_among(&self, is_among: &dyn Fn(NodeId) -> bool) -> f64 {
        if self.loss > 0.0 { self.links.loss(is_among) } else { 0.0 }
    }

    /// Returns the latest event that changed the set of cut links.
    pub(super) const fn separated(&self) -> u64 {
        self.separated
    }

    pub(super) const fn groups<'a>(&'a self, nodes: u32, crashed: &'a FlatSet<NodeId>) -> Groups<'a> {
        Groups { links: &self.links, nodes, crashed }
    }

    /// Returns whether the set of cut links has changed after the event `seq`. A change does not count if no link
    /// was cut before the change.
    pub(super) fn were_cut_since(&self, seq: u64) -> bool {
        self.earlier.back().is_some_and(|(_, ended)| *ended > seq)
    }

    pub(super) fn were_separated_since(
        &self,
        seq: u64,
        nodes: u32,
        crashed: &FlatSet<NodeId>,
        pair: [NodeId; 2],
    ) -> bool {
        let separate = |links| !Groups { links, nodes, crashed }.are_one(pair[0], pair[1]);
        self.forgotten > seq
            || separate(&self.links)
            || self.earlier.iter().any(|(links, ended)| *ended > seq && separate(links))
    }
}

/// The live processes, divided into groups.
///
/// In a group in the sense of Garcia-Molina 1982, all members can communicate with each other, and with no other
/// process. Suppose that a process can communicate with two others that cannot communicate with each other. Then none
/// of the three processes is in a group, and the monitors do not judge these processes.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    links: &'a Links,
    nodes: u32,
    crashed: &'a FlatSet<NodeId>,
}

impl Groups<'_> {
    /// Returns whether all live processes are in one group.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let live = NodeId::all(self.nodes).len() - self.crashed.len();
        let first = NodeId::all(self.nodes).find(|node| !self.crashed.contains(node));
        !self.links.can_cut() || first.is_none_or(|first| self.of(first).is_some_and(|group| group.len() == live))
    }

    /// Returns the number of processes in `others` that can communicate with `node` in both directions. If `others`
    /// contains `node` itself, `node` also counts.
    #[must_use]
    pub fn in_reach(&self, node: NodeId, others: &[NodeId]) -> usize {
        let reaches = |other: &&NodeId| **other == node || !self.links.separate(node, **other);
        others.iter().filter(reaches).count()
    }

    /// Returns whether two processes are in one group.
    #[must_use]
    pub fn are_one(&self, one: NodeId, other: NodeId) -> bool {
        !self.links.can_cut() || self.of(one).is_some_and(|group| group.contains(&other))
    }

    /// Returns the group of a process. Returns `None` if the process is in no group, or if the run has more than
    /// `MOST_NODES` nodes.
    #[must_use]
    pub fn of(&self, node: NodeId) -> Option<Vec<NodeId>> {
        if self.nodes > MOST_NODES {
            return None;
        }
        let lives = |other: &NodeId| *other == node || !self.crashed.contains(other);
        let heard = |node: NodeId| {
            let hears = move |other: &NodeId| *other == node || !self.links.separate(node, *other);
            NodeId::all(self.nodes).filter(lives).filter(hears).collect::<Vec<_>>()
        };
        let group = heard(node);
        group.iter().all(|member| heard(*member) == group).then_some(group)
    }
}
