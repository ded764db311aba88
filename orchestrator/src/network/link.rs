//! The links: how each behaves, and what each has carried.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::NodeId;
use interlock_node::message_id::MessageId;

use super::MOST_ON_A_LINK;
use crate::specification::{LinkOverride, LinkPatch, LinkSetting};

type Ends = (NodeId, NodeId);

/// All links of a run. Only links that have been used or changed take room.
#[derive(Debug)]
pub(super) struct Links {
    default: LinkSetting,
    overrides: BTreeMap<Ends, LinkPatch>,
    used: HashMap<Ends, Used>,
}

#[derive(Debug, Default)]
struct Used {
    accepted: u64,
    latest_due_us: u64,
    /// The number of copies made of the messages of which copies were made.
    copies: BTreeMap<u64, u32>,
}

impl Links {
    pub fn new(default: LinkSetting, overrides: &[LinkOverride]) -> Self {
        let overrides = overrides.iter().map(|link| ((link.from, link.to), link.patch)).collect();
        Self { default, overrides, used: HashMap::new() }
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
        let used = self.used.entry((from, to)).or_default();
        used.accepted += 1;
        used.accepted
    }

    /// The name of the next copy of a message.
    pub fn copy(&mut self, id: MessageId) -> MessageId {
        let all = &mut self.used.entry((id.from, id.to)).or_default().copies;
        let copies = all.entry(id.number).or_default();
        *copies += 1;
        let copy = *copies;
        // As many messages as fit on a link are remembered; older ones have long left it.
        if all.len() > MOST_ON_A_LINK {
            all.pop_first();
        }
        MessageId { copy, ..id }
    }

    /// The deadline of a message that would be due at `due_us`: on a fifo link not before the ones before it.
    pub fn deadline(&mut self, from: NodeId, to: NodeId, due_us: u64) -> u64 {
        let fifo = self.setting(from, to).fifo;
        let used = self.used.entry((from, to)).or_default();
        let due_us = if fifo { due_us.max(used.latest_due_us) } else { due_us };
        used.latest_due_us = used.latest_due_us.max(due_us);
        due_us
    }
}
