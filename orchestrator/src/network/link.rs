//! The links: how each behaves, and what each has carried.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::NodeId;
use interlock_node::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use super::MOST_ON_A_LINK;
use crate::specification::{LinkOverride, LinkPatch, LinkSetting};

type Ends = (NodeId, NodeId);

/// The most nodes for which the links of each sender are kept in a row.
const LONGEST_ROW: u32 = 1_024;

/// All links of a run. Only links that have been used or changed take room.
#[derive(Debug)]
pub(super) struct Links {
    default: LinkSetting,
    overrides: BTreeMap<Ends, LinkPatch>,
    used: Table,
}

#[derive(Debug, Default)]
struct Used {
    accepted: u64,
    /// How many messages are on it, held or on their way.
    carrying: usize,
    latest_due_us: u64,
    /// The number of copies made of the messages of which copies were made.
    copies: BTreeMap<u64, u32>,
}

/// What the used links have carried: rows by sender where a row is short, a map where it would be long.
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
}

impl Links {
    pub fn new(nodes: u32, default: LinkSetting, overrides: &[LinkOverride]) -> Self {
        let overrides = overrides.iter().map(|link| ((link.from, link.to), link.patch)).collect();
        Self { default, overrides, used: Table::new(nodes) }
    }

    pub const fn default_setting(&self) -> LinkSetting {
        self.default
    }

    pub fn overrides(&self) -> Vec<LinkOverride> {
        self.overrides.iter().map(|(&(from, to), &patch)| LinkOverride { from, to, patch }).collect()
    }

    pub fn setting(&self, from: NodeId, to: NodeId) -> LinkSetting {
        if self.overrides.is_empty() {
            return self.default;
        }
        self.overrides.get(&(from, to)).map_or(self.default, |patch| patch.over(self.default))
    }

    pub fn patch_default(&mut self, patch: &LinkPatch) -> LinkSetting {
        self.default = patch.over(self.default);
        self.default
    }

    /// Replaces what is different about a link; false if nothing was and nothing is.
    pub fn set_override(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> bool {
        match patch {
            Some(patch) => {
                self.overrides.insert((from, to), patch);
                true
            }
            None => self.overrides.remove(&(from, to)).is_some(),
        }
    }

    /// The number of the next message of a link.
    pub fn number(&mut self, from: NodeId, to: NodeId) -> u64 {
        let used = self.used(from, to);
        used.accepted += 1;
        used.accepted
    }

    /// The name of the next copy of a message.
    pub fn copy(&mut self, id: MessageId) -> MessageId {
        let all = &mut self.used(id.from, id.to).copies;
        let copies = all.entry(id.number).or_default();
        *copies += 1;
        let copy = *copies;
        // As many messages as fit on a link are remembered; older ones have long left it.
        if all.len() > MOST_ON_A_LINK {
            all.pop_first();
        }
        MessageId { copy, ..id }
    }

    #[inline]
    fn used(&mut self, from: NodeId, to: NodeId) -> &mut Used {
        match &mut self.used {
            Table::Rows { nodes, rows } => {
                let row = &mut rows[from.index()];
                if row.is_empty() {
                    row.resize_with(*nodes, Used::default);
                }
                &mut row[to.index()]
            }
            Table::Map(map) => map.entry((from, to)).or_default(),
        }
    }

    /// Whether no more messages fit on a link.
    pub fn is_full(&mut self, from: NodeId, to: NodeId) -> bool {
        self.used(from, to).carrying >= MOST_ON_A_LINK
    }

    /// A message is on a link from now on.
    pub fn enter(&mut self, from: NodeId, to: NodeId) {
        self.used(from, to).carrying += 1;
    }

    /// A message has left a link.
    pub fn leave(&mut self, from: NodeId, to: NodeId) {
        let used = self.used(from, to);
        used.carrying = used.carrying.saturating_sub(1);
    }

    /// The deadline of a message that would be due at `due_us`: on a fifo link not before the ones before it.
    pub fn deadline(&mut self, from: NodeId, to: NodeId, due_us: u64) -> u64 {
        let fifo = self.setting(from, to).fifo;
        let used = self.used(from, to);
        let due_us = if fifo { due_us.max(used.latest_due_us) } else { due_us };
        used.latest_due_us = used.latest_due_us.max(due_us);
        due_us
    }
}
