//! What is done to the links of a run: partitions, rules, loss and hold.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use interlock_algorithm::NodeId;
use serde::Deserialize;

use crate::event::{Change, TELL};
use crate::network::{Direction, LinkOverride, LinkPatch, LinkSetting, Lost, Match, Partition, RuleAction};
use crate::specification::Specification;

/// How many earlier separations are remembered.
const REMEMBERED: usize = 64;
/// In larger runs nobody asks who can hear whom: time grows with the square of this.
const MOST_NODES: u32 = 2_048;

/// What stands between processes, now and earlier.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    links: Links,
    /// Earlier separations, each with the event that ended it.
    earlier: VecDeque<(Links, u64)>,
    /// The event that ended the latest separation that is not remembered.
    forgotten: u64,
    /// Whether something keeps messages away altogether.
    blocks: bool,
    /// The largest probability with which a message is lost on some link.
    loss: f64,
}

/// How all links behave.
#[derive(Clone, Debug, Default)]
struct Links {
    default: LinkSetting,
    overrides: BTreeMap<(NodeId, NodeId), LinkPatch>,
    partitions: BTreeMap<Arc<str>, Partition>,
    rules: BTreeMap<u64, Rule>,
}

/// A rule by which messages do not arrive, as far as it has not used up its count.
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
    /// Whether messages of the algorithm do not arrive because of it.
    fn keeps_messages_away(&self) -> bool {
        let is_about_the_algorithm = self.matches.message_kind.as_deref() != Some(TELL);
        is_about_the_algorithm && matches!(self.action, RuleAction::Drop | RuleAction::Hold)
    }

    fn probability(&self) -> f64 {
        self.probability.unwrap_or(1.0)
    }

    /// Whether nothing from one node to another arrives because of it.
    fn cuts(&self, from: NodeId, to: NodeId) -> bool {
        let Match { from: of, to: whom, message_kind } = &self.matches;
        self.action == RuleAction::Drop
            && self.probability() >= 1.0
            && self.count.is_none()
            && message_kind.is_none()
            && of.is_none_or(|node| node == from)
            && whom.is_none_or(|node| node == to)
    }
}

impl Links {
    /// Whether nothing from one node arrives at another. What is held may be delivered by hand.
    fn cut(&self, from: NodeId, to: NodeId) -> bool {
        let own = self.overrides.get(&(from, to));
        let loss = own.and_then(|patch| patch.loss).unwrap_or(self.default.loss);
        loss >= 1.0
            || self.partitions.values().any(|partition| partition.cuts(from, to))
            || self.rules.values().any(|rule| rule.cuts(from, to))
    }

    /// Whether some link can be cut.
    fn can_cut(&self) -> bool {
        let of_link = |patch: &LinkPatch| patch.loss.is_some_and(|loss| loss >= 1.0);
        self.default.loss >= 1.0
            || self.overrides.values().any(of_link)
            || !self.partitions.is_empty()
            || !self.rules.is_empty()
    }

    fn separate(&self, one: NodeId, other: NodeId) -> bool {
        self.cut(one, other) || self.cut(other, one)
    }

    /// The rules that can act on a message between two live processes. Nothing that a crashed process sends or receives
    /// helps a live one.
    fn rules_among_live<'a>(&'a self, crashed: &'a BTreeSet<NodeId>) -> impl Iterator<Item = &'a Rule> {
        let lives = |node: Option<NodeId>| node.is_none_or(|node| !crashed.contains(&node));
        self.rules.values().filter(move |rule| lives(rule.matches.from) && lives(rule.matches.to))
    }

    /// Whether a partition separates live processes, or a rule lets no message of theirs through.
    fn block(&self, crashed: &BTreeSet<NodeId>) -> bool {
        let blocks = |rule: &Rule| rule.action == RuleAction::Hold || rule.probability() >= 1.0;
        let lives = |group: &&Vec<NodeId>| group.iter().any(|node| !crashed.contains(node));
        let separates = |partition: &Partition| partition.groups.iter().filter(lives).count() > 1;
        self.partitions.values().any(separates) || self.rules_among_live(crashed).any(blocks)
    }

    fn loss(&self, crashed: &BTreeSet<NodeId>) -> f64 {
        let lives = |(from, to): &(NodeId, NodeId)| !crashed.contains(from) && !crashed.contains(to);
        let of_live = self.overrides.iter().filter(|(ends, _)| lives(ends));
        let of_links = of_live.filter_map(|(_, patch)| patch.loss).fold(self.default.loss, f64::max);
        let by_chance = |rule: &&Rule| rule.action == RuleAction::Drop && rule.probability() < 1.0;
        let kept = self.rules_among_live(crashed).filter(by_chance).map(|rule| 1.0 - rule.probability());
        1.0 - kept.fold(1.0 - of_links, |all, kept| all * kept)
    }

    fn change(&mut self, change: &Change) {
        let Change { subject, id, value } = change;
        match (&**subject, id, value) {
            ("default", _, Some(value)) => {
                _ = LinkSetting::deserialize(value).map(|setting| self.default = setting);
            }
            ("link", Some(id), value) => {
                let link = value.as_ref().and_then(|value| LinkOverride::deserialize(value).ok());
                match link {
                    Some(LinkOverride { from, to, patch }) => _ = self.overrides.insert((from, to), patch),
                    None => self.overrides.retain(|(from, to), _| format!("{}-{}", from.0, to.0) != **id),
                }
            }
            ("partition", Some(id), Some(value)) => {
                let (direction, lost) = (Direction::Both, Lost::Drop);
                let nobody = Partition { id: 0, groups: Vec::new(), direction, lost };
                self.partitions.insert(Arc::clone(id), Partition::deserialize(value).unwrap_or(nobody));
            }
            ("partition", Some(id), None) => _ = self.partitions.remove(id),
            ("rule", _, Some(value)) => {
                let rule = Rule::deserialize(value).ok().filter(Rule::keeps_messages_away);
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
        faults.measure(&BTreeSet::new());
        faults
    }

    /// Measures what stands between the live processes; returns whether that has changed.
    pub(super) fn measure(&mut self, crashed: &BTreeSet<NodeId>) -> bool {
        let before = (self.loss, self.blocks);
        self.loss = self.links.loss(crashed);
        self.blocks = self.loss >= 1.0 || self.links.block(crashed);
        before != (self.loss, self.blocks)
    }

    /// Takes account of a change, told by the event of this number; returns whether messages may have been kept away until
    /// then that are not from now on, or the other way round.
    pub(super) fn change(&mut self, change: &Change, seq: u64, crashed: &BTreeSet<NodeId>) -> bool {
        if self.links.can_cut() {
            self.earlier.push_back((self.links.clone(), seq));
            if self.earlier.len() > REMEMBERED
                && let Some((_, ended)) = self.earlier.pop_front()
            {
                self.forgotten = ended;
            }
        }
        self.links.change(change);
        self.measure(crashed)
    }

    /// A rule has acted on a message.
    pub(super) fn acted(&mut self, rule: u64, crashed: &BTreeSet<NodeId>) {
        let Some(standing) = self.links.rules.get_mut(&rule) else { return };
        if let Some(left) = &mut standing.count {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.links.rules.remove(&rule);
                self.measure(crashed);
            }
        }
    }

    /// Whether something keeps messages away altogether.
    pub(super) const fn block(&self) -> bool {
        self.blocks
    }

    /// The largest probability with which a message is lost on some link.
    pub(super) const fn loss(&self) -> f64 {
        self.loss
    }

    pub(super) const fn groups<'a>(&'a self, nodes: u32, crashed: &'a BTreeSet<NodeId>) -> Groups<'a> {
        Groups { links: &self.links, nodes, crashed }
    }

    /// Whether some link could be cut at some time since this event, other than now.
    pub(super) fn were_cut_since(&self, seq: u64) -> bool {
        self.forgotten > seq || self.earlier.iter().any(|(_, ended)| *ended > seq)
    }

    pub(super) fn were_separated_since(
        &self,
        seq: u64,
        nodes: u32,
        crashed: &BTreeSet<NodeId>,
        pair: [NodeId; 2],
    ) -> bool {
        let separate = |links| !Groups { links, nodes, crashed }.are_one(pair[0], pair[1]);
        self.forgotten > seq
            || separate(&self.links)
            || self.earlier.iter().any(|(links, ended)| *ended > seq && separate(links))
    }
}

/// The live processes, divided into groups that hear each other.
///
/// A group is what Garcia-Molina 1982 speaks of: all in it hear each other, and nobody else. Where one hears two who do
/// not hear each other there is no such group, and nothing is known of those who are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    links: &'a Links,
    nodes: u32,
    crashed: &'a BTreeSet<NodeId>,
}

impl Groups<'_> {
    /// Whether nothing separates anybody from anybody.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let live = NodeId::all(self.nodes).len() - self.crashed.len();
        let first = NodeId::all(self.nodes).find(|node| !self.crashed.contains(node));
        !self.links.can_cut() || first.is_none_or(|first| self.of(first).is_some_and(|group| group.len() == live))
    }

    /// How many of these a process can hear and be heard by, itself included.
    #[must_use]
    pub fn in_reach(&self, node: NodeId, others: &[NodeId]) -> usize {
        let reaches = |other: &&NodeId| **other == node || !self.links.separate(node, **other);
        others.iter().filter(reaches).count()
    }

    /// Whether two processes are in one group.
    #[must_use]
    pub fn are_one(&self, one: NodeId, other: NodeId) -> bool {
        !self.links.can_cut() || self.of(one).is_some_and(|group| group.contains(&other))
    }

    /// The group of a process; none if it hears two who do not hear each other.
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
