//! Changes to a network, in the form in which events report them, and the removal of all faults.

use interlock_algorithm::NodeId;
use serde::Serialize;

use super::{LinkOverride, LinkPatch, LinkSetting, Network, Partition, Rule, Setup};
use crate::event::{Change, value_of};

impl Change {
    fn new(subject: &str, id: Option<String>, value: Option<&impl Serialize>) -> Self {
        let value = value.map(value_of);
        Self { subject: subject.into(), id: id.map(Into::into), value }
    }

    /// Returns the change to the default settings of links.
    #[must_use]
    pub fn of_default(setting: &LinkSetting) -> Self {
        Self::new("default", None, Some(setting))
    }

    /// Returns the change to the settings of one link. If `patch` is absent, the settings of the link are removed.
    #[must_use]
    pub fn of_link(from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> Self {
        let link = patch.map(|patch| LinkOverride { from, to, patch });
        Self::new("link", Some(format!("{}-{}", from.0, to.0)), link.as_ref())
    }

    /// Returns the change that reports an added partition.
    #[must_use]
    pub fn of_partition(partition: &Partition) -> Self {
        Self::new("partition", Some(partition.id.to_string()), Some(partition))
    }

    /// Returns the change that reports a removed partition.
    #[must_use]
    pub fn without_partition(id: u64) -> Self {
        Self::new("partition", Some(id.to_string()), None::<&()>)
    }

    /// Returns the change that reports an added rule.
    #[must_use]
    pub fn of_rule(rule: &Rule) -> Self {
        Self::new("rule", Some(rule.id.to_string()), Some(rule))
    }

    /// Returns the change that reports a removed rule.
    #[must_use]
    pub fn without_rule(id: u64) -> Self {
        Self::new("rule", Some(id.to_string()), None::<&()>)
    }
}

impl<C: Clone> Network<C> {
    /// Removes all faults: loss, duplication, holding, settings of single links, partitions and rules. Delay and
    /// order of links do not change, and held messages stay held. Returns the changes.
    pub fn mend(&mut self) -> Vec<Change> {
        let Setup { default, links, partitions, rules } = self.setup();
        let mut changes = Vec::new();
        if !default.is_faultless() {
            changes.push(Change::of_default(&self.patch_default(&LinkPatch::faultless())));
        }
        for LinkOverride { from, to, .. } in links {
            self.override_link(from, to, None);
            changes.push(Change::of_link(from, to, None));
        }
        for Partition { id, .. } in partitions {
            self.remove_partition(id);
            changes.push(Change::without_partition(id));
        }
        for Rule { id, .. } in rules {
            self.remove_rule(id);
            changes.push(Change::without_rule(id));
        }
        changes
    }
}
