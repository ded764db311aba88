//! The links of a network: settings and counters of each link.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::{NodeId, Ticks};
use interlock_machine::distribution::Distribution;
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use super::MOST_ON_A_LINK;
use super::setting::{LinkOverride, LinkPatch, LinkSetting};

type Ends = (NodeId, NodeId);

/// Maximum number of nodes for which the counters are stored as one row for each sender.
const LONGEST_ROW: u32 = 1_024;

/// All links of a run. Links that were neither used nor changed need no memory.
#[derive(Debug)]
pub(super) struct Links {
    default: LinkSetting,
    overrides: BTreeMap<Ends, LinkPatch>,
    /// Delay of all links, if they have the same constant delay and no faults; otherwise none.
    plain: Option<Ticks>,
    used: Table,
    /// For each link and each duplicated message, the number of copies.
    copies: BTreeMap<Ends, BTreeMap<u64, u32>>,
}

/// Counters of a link that was used.
#[derive(Debug, Default)]
pub(super) struct Used {
    accepted: u64,
    /// Number of messages on the link, held or in transit.
    carrying: usize,
    latest_due_us: u64,
}

/// Counters of the used links. With few nodes, each sender has a row of counters; with more nodes, there is a map.
#[derive(Debug)]
enum Table {
    Rows { nodes: usize, rows: Vec<Vec<Used>> },
    Map(HashMap<Ends, Used, FxBuildHasher>),
}

impl Table {
    fn new(nodes: u32) -> Self {
        if nodes > LONGEST_ROW {
            return Self::Map(HashMap::default());
        }
        let nodes = NodeId::all(nodes).len();
        Self::Rows { nodes, rows: (0..nodes).map(|_| Vec::new()).collect() }
    }

    #[inline(always)]
    fn of(&mut self, from: NodeId, to: NodeId) -> &mut Used {
        match self {
            Self::Rows { nodes, rows } => {
                let row = &mut rows[from.index()];
                if row.is_empty() {
                    row.resize_with(*nodes, Used::default);
                }
                &mut row[to.index()]
            }
            Self::Map(map) => map.entry((from, to)).or_default(),
        }
    }
}

impl Used {
    /// Counts a new message, and returns its number.
    #[inline(always)]
    pub const fn number(&mut self) -> u64 {
        self.accepted += 1;
        self.accepted
    }

    /// Returns whether the link is full.
    #[inline(always)]
    pub const fn is_full(&self) -> bool {
        self.carrying >= MOST_ON_A_LINK
    }

    /// Counts a message that is now on the link.
    #[inline(always)]
    pub const fn enter(&mut self) {
        self.carrying += 1;
    }

    /// Counts a message that is no longer on the link.
    #[inline(always)]
    pub const fn leave(&mut self) {
        self.carrying = self.carrying.saturating_sub(1);
    }

    /// Returns the delivery time of a message. `due_us` is the delivery time of the message on a link without
    /// order. On a FIFO link, the delivery time is not before those of earlier messages.
    /// - the delivery time is not before those of earlier messages. + the delivery time is not before the delivery
    ///   times of earlier messages.
    #[inline(always)]
    pub fn deadline(&mut self, fifo: bool, due_us: u64) -> u64 {
        let due_us = if fifo { due_us.max(self.latest_due_us) } else { due_us };
        self.latest_due_us = self.latest_due_us.max(due_us);
        due_us
    }
}

impl Links {
    pub fn new(nodes: u32, default: LinkSetting, overrides: &[LinkOverride]) -> Self {
        let overrides = overrides.iter().map(|link| ((link.from, link.to), link.patch.clone())).collect();
        let (used, copies) = (Table::new(nodes), BTreeMap::new());
        let mut links = Self { default, overrides, plain: None, used, copies };
        links.look_whether_plain();
        links
    }

    fn look_whether_plain(&mut self) {
        let LinkSetting { delay, delays, .. } = &self.default;
        let is_same = delays.is_empty() && self.overrides.is_empty();
        self.plain = match delay {
            // A constant delay needs no random draw.
            Distribution::Constant(_) if is_same && self.default.is_faultless() => Some(delay.sample(0)),
            _ => None,
        };
    }

    /// If all messages have the same constant delay and no fault can happen to any of them, returns the delay.
    #[inline(always)]
    pub const fn plain_delay(&self) -> Option<Ticks> {
        self.plain
    }

    /// Returns the counters of a link.
    #[inline(always)]
    pub fn used(&mut self, from: NodeId, to: NodeId) -> &mut Used {
        self.used.of(from, to)
    }

    pub const fn default_setting(&self) -> &LinkSetting {
        &self.default
    }

    pub fn overrides(&self) -> Vec<LinkOverride> {
        let link = |(&(from, to), patch): (&Ends, &LinkPatch)| LinkOverride { from, to, patch: patch.clone() };
        self.overrides.iter().map(link).collect()
    }

    pub fn setting(&self, from: NodeId, to: NodeId) -> LinkSetting {
        if self.overrides.is_empty() {
            return self.default.clone();
        }
        self.overrides.get(&(from, to)).map_or_else(|| self.default.clone(), |patch| patch.over(&self.default))
    }

    pub fn patch_default(&mut self, patch: &LinkPatch) -> LinkSetting {
        self.default = patch.over(&self.default);
        self.look_whether_plain();
        self.default.clone()
    }

    /// Sets the settings of one link, or removes them if `patch` is absent. Returns false if there were no settings
    /// to remove.
    pub fn set_override(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> bool {
        let changed = match patch {
            Some(patch) => {
                self.overrides.insert((from, to), patch);
                true
            }
            None => self.overrides.remove(&(from, to)).is_some(),
        };
        self.look_whether_plain();
        changed
    }

    /// Returns the name of the next copy of a message.
    pub fn copy(&mut self, id: MessageId) -> MessageId {
        let all = self.copies.entry((id.from, id.to)).or_default();
        let copies = all.entry(id.number).or_default();
        *copies += 1;
        let copy = *copies;
        // Only the latest messages are remembered: as many as fit on a link. Older messages have already left the
        // link.
        if all.len() > MOST_ON_A_LINK {
            all.pop_first();
        }
        MessageId { copy, ..id }
    }
}
