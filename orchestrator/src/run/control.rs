//! The network, told to behave differently, and messages handled by hand.

use interlock_algorithm::NodeId;
use interlock_node::message_id::MessageId;
use serde::Serialize;
use serde_json::Value;

use super::core::Core;
use super::error::RunError;
use crate::event::{DropReason, Hand, What};
use crate::network::{Partition, PartitionDraft, Rule, RuleDraft, Setup};
use crate::specification::{FieldError, LinkOverride, LinkPatch, LinkSetting, link_errors};

/// What can be done to a message by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByHand {
    /// Hand it over at once, before others if need be.
    Deliver,
    /// Lose it.
    Drop,
    /// Make a copy, which is held.
    Duplicate,
}

impl Core {
    /// How the network is set up.
    #[must_use]
    pub fn network_setup(&self) -> Setup {
        self.network.setup()
    }

    /// Changes how links behave unless told otherwise.
    ///
    /// # Errors
    /// When a probability is none, no message is of a kind that is named, or the run is over.
    pub fn patch_default(&mut self, patch: &LinkPatch) -> Result<LinkSetting, RunError> {
        self.changeable()?;
        valid(link_errors("", patch, Some(self.kinds)))?;
        let setting = self.network.patch_default(patch);
        self.configured("default", None, json(&setting));
        self.settle();
        Ok(setting)
    }

    /// Makes one link behave differently, or with nothing like the others again.
    ///
    /// # Errors
    /// When there is no such link or nothing to remove, a probability is none, no message is of a kind that is named, or
    /// the run is over.
    pub fn override_link(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> Result<(), RunError> {
        self.process(from)?;
        self.process(to)?;
        if from == to {
            return Err(RunError::Unknown(format!("link from {from} to itself")));
        }
        valid(patch.iter().flat_map(|patch| link_errors("", patch, Some(self.kinds))).collect())?;
        if !self.network.override_link(from, to, patch.clone()) {
            return Err(RunError::Unknown(format!("setting of its own for the link from {from} to {to}")));
        }
        let value = patch.and_then(|patch| json(&LinkOverride { from, to, patch }));
        self.configured("link", Some(format!("{}-{}", from.0, to.0)), value);
        self.settle();
        Ok(())
    }

    /// Cuts links.
    ///
    /// # Errors
    /// When the groups make no sense, or the run is over.
    pub fn add_partition(&mut self, draft: PartitionDraft) -> Result<Partition, RunError> {
        self.changeable()?;
        valid(draft.errors(self.specification.nodes))?;
        let partition = self.network.add_partition(draft);
        self.configured("partition", Some(partition.id.to_string()), json(&partition));
        self.settle();
        Ok(partition)
    }

    /// Mends links.
    ///
    /// # Errors
    /// When there is no such partition, or the run is over.
    pub fn remove_partition(&mut self, id: u64) -> Result<(), RunError> {
        self.changeable()?;
        if !self.network.remove_partition(id) {
            return Err(RunError::Unknown(format!("partition {id}")));
        }
        self.configured("partition", Some(id.to_string()), None);
        self.settle();
        Ok(())
    }

    /// Adds a targeted rule.
    ///
    /// # Errors
    /// When it can match no message, or the run is over.
    pub fn add_rule(&mut self, draft: RuleDraft) -> Result<Rule, RunError> {
        self.changeable()?;
        let kinds: Vec<&str> = self.kinds.iter().map(AsRef::as_ref).collect();
        valid(draft.errors(self.specification.nodes, &kinds))?;
        let rule = self.network.add_rule(draft);
        self.configured("rule", Some(rule.id.to_string()), json(&rule));
        self.settle();
        Ok(rule)
    }

    /// Removes a targeted rule.
    ///
    /// # Errors
    /// When there is no such rule, or the run is over.
    pub fn remove_rule(&mut self, id: u64) -> Result<(), RunError> {
        self.changeable()?;
        if !self.network.remove_rule(id) {
            return Err(RunError::Unknown(format!("rule {id}")));
        }
        self.configured("rule", Some(id.to_string()), None);
        self.settle();
        Ok(())
    }

    /// Does something to a message that is held or on its way. Returns the message that it concerns: the copy, if one
    /// was made.
    ///
    /// # Errors
    /// When the network has no such message, or the run is over.
    pub fn handle(&mut self, message: MessageId, by_hand: ByHand) -> Result<MessageId, RunError> {
        self.changeable()?;
        let unknown = RunError::UnknownMessage(message);
        let concerned = match by_hand {
            ByHand::Deliver => {
                let carried = self.network.take(message).ok_or(unknown)?;
                self.emit_now(What::Forwarded { message });
                self.hand_over(carried);
                message
            }
            ByHand::Drop => {
                self.network.take(message).ok_or(unknown)?;
                self.emit_now(What::Dropped { message, why: DropReason::Hand });
                message
            }
            ByHand::Duplicate => {
                let copy = self.network.duplicate(message).ok_or(unknown)?;
                self.emit_now(What::Duplicated { message, copy, by: Hand::Hand, due_us: None });
                self.emit_now(What::Held { message: copy });
                copy
            }
        };
        self.settle();
        Ok(concerned)
    }

    /// Hands over all held messages, in the order in which they were held, and says how many.
    ///
    /// # Errors
    /// When the run is over.
    pub fn release_held(&mut self) -> Result<usize, RunError> {
        self.changeable()?;
        let held = self.network.held();
        for &message in &held {
            self.handle(message, ByHand::Deliver)?;
        }
        Ok(held.len())
    }

    /// Takes all faults away: no loss, no copies, nothing held, no link of its own kind, no partition, no rule. The
    /// delay and the order of links stay as they are.
    ///
    /// # Errors
    /// When the run is over.
    pub fn heal_network(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        let Setup { default, links, partitions, rules } = self.network.setup();
        if default.loss > 0.0 || default.duplicate > 0.0 || default.hold {
            let whole = LinkPatch { loss: Some(0.0), duplicate: Some(0.0), hold: Some(false), ..LinkPatch::default() };
            self.patch_default(&whole)?;
        }
        for link in links {
            self.override_link(link.from, link.to, None)?;
        }
        for partition in partitions {
            self.remove_partition(partition.id)?;
        }
        for rule in rules {
            self.remove_rule(rule.id)?;
        }
        self.release_held()?;
        Ok(())
    }

    fn changeable(&self) -> Result<(), RunError> {
        if self.ended.is_some() { Err(RunError::Ended) } else { Ok(()) }
    }
}

fn valid(errors: Vec<FieldError>) -> Result<(), RunError> {
    if errors.is_empty() { Ok(()) } else { Err(RunError::Invalid(errors)) }
}

fn json<T: Serialize>(value: &T) -> Option<Value> {
    serde_json::to_value(value).ok()
}
