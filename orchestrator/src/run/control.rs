//! Changes of the network, and manual actions on messages.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::core::Core;
use super::error::RunError;
use interlock_model::event::{Change, DropReason, Hand, MessageKind, What};
use interlock_model::field_error::FieldError;
use interlock_model::impossible::Impossible;
use interlock_model::network::{
    InFlight, LinkPatch, LinkSetting, Partition, PartitionDraft, Payload, Rule, RuleDraft, Setup, Standing, link_errors,
};

/// Maximum number of rules that a run has at the same time, and maximum number of partitions.
const MOST_CHANGES: usize = 200;

impl Core {
    /// Returns the settings of the network.
    #[must_use]
    pub fn network_setup(&self) -> Setup {
        self.network.setup()
    }

    /// Changes the default settings of links.
    ///
    /// # Errors
    /// If a probability is out of range, a named kind of messages does not exist, or the run is over.
    pub fn patch_default(&mut self, patch: &LinkPatch) -> Result<LinkSetting, RunError> {
        self.changeable()?;
        let specification = self.specification();
        let of_connections = patch.tcp.as_ref().and_then(|tcp| specification.tcp_error("/tcp", None, **tcp));
        let errors = link_errors("", patch, specification.known_kinds().as_deref());
        valid(errors.into_iter().chain(of_connections).collect())?;
        let setting = self.network.patch_default(patch);
        self.configured(Change::of_default(&setting));
        Ok(setting)
    }

    /// Overrides the settings of one link, or removes the override if `patch` is none.
    ///
    /// # Errors
    /// If the link does not exist or has no override to remove. If a probability is out of range, a named kind of
    /// messages does not exist, or the run is over.
    pub fn override_link(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> Result<(), RunError> {
        self.process(from)?;
        self.process(to)?;
        if from == to {
            return Err(Impossible::Unknown(format!("link from {from} to itself")).into());
        }
        let specification = self.specification();
        let kinds = specification.known_kinds();
        let tcp = patch.as_ref().and_then(|patch| patch.tcp.as_deref());
        let of_connections = tcp.and_then(|tcp| specification.tcp_error("/tcp", Some((from, to)), *tcp));
        let errors = patch.iter().flat_map(|patch| link_errors("", patch, kinds.as_deref()));
        valid(errors.chain(of_connections).collect())?;
        if !self.network.override_link(from, to, patch.clone()) {
            return Err(Impossible::no_setting(from, to).into());
        }
        self.configured(Change::of_link(from, to, patch));
        Ok(())
    }

    /// Adds a partition, which cuts the links between groups of nodes.
    ///
    /// # Errors
    /// If the groups are invalid, there are too many partitions, or the run is over.
    pub fn add_partition(&mut self, draft: PartitionDraft) -> Result<Partition, RunError> {
        self.changeable()?;
        let of_reset = self.specification().reset_error("/reset", &draft);
        valid(draft.errors(self.specification().nodes).into_iter().chain(of_reset).collect())?;
        leaves_room("partitions", self.network.setup().partitions.len())?;
        let partition = self.network.add_partition(draft);
        self.configured(Change::of_partition(&partition));
        Ok(partition)
    }

    /// Heals a partition, and delivers the messages that the partition held.
    ///
    /// # Errors
    /// If the partition does not exist, or the run is over.
    pub fn remove_partition(&mut self, id: u64) -> Result<(), RunError> {
        self.changeable()?;
        let unknown = || Impossible::Unknown(format!("partition {id}"));
        let free = self.network.remove_partition(id).ok_or_else(unknown)?;
        self.configured(Change::without_partition(id));
        // If a schedule has separate actions for arrivals ("in parts"), later actions deliver these messages.
        if !self.driver.follows_parts() {
            for message in free {
                self.deliver(message)?;
            }
        }
        Ok(())
    }

    /// Adds a targeted rule.
    ///
    /// # Errors
    /// If no message can match the rule, there are too many rules, or the run is over.
    pub fn add_rule(&mut self, draft: RuleDraft) -> Result<Rule, RunError> {
        self.changeable()?;
        valid(draft.errors(self.specification().nodes, self.specification().known_kinds().as_deref()))?;
        leaves_room("rules", self.network.setup().rules.len())?;
        let rule = self.network.add_rule(draft);
        self.configured(Change::of_rule(&rule));
        Ok(rule)
    }

    /// Removes a targeted rule.
    ///
    /// # Errors
    /// If the rule does not exist, or the run is over.
    pub fn remove_rule(&mut self, id: u64) -> Result<(), RunError> {
        self.changeable()?;
        if !self.network.remove_rule(id) {
            return Err(Impossible::Unknown(format!("rule {id}")).into());
        }
        self.configured(Change::without_rule(id));
        Ok(())
    }

    /// Delivers a message immediately, even before earlier messages of its link. The message may be held or in
    /// transit. Returns the message.
    ///
    /// # Errors
    /// If the network has no such message, or the run is over.
    pub fn deliver(&mut self, message: MessageId) -> Result<MessageId, RunError> {
        let in_flight = self.take_out(message)?;
        let now_us = self.time.now_us();
        self.emit(now_us, What::forwarded(message, in_flight.content.kind.clone()));
        self.hand_over_at(now_us, in_flight);
        self.settle();
        Ok(message)
    }

    /// Drops a message, which may be held or in transit. Returns the message.
    ///
    /// # Errors
    /// If the network has no such message, or the run is over.
    pub fn lose(&mut self, message: MessageId) -> Result<MessageId, RunError> {
        let lost = self.take_out(message)?;
        self.emit_now(What::dropped(message, lost.content.kind, DropReason::Hand));
        self.piece_lost(message);
        self.settle();
        Ok(message)
    }

    /// Holds a message that is in transit. Returns the message.
    ///
    /// # Errors
    /// If the network has no such message, the message is already held, or the run is over.
    pub fn hold(&mut self, message: MessageId) -> Result<MessageId, RunError> {
        self.changeable()?;
        let kind = self.kind_of(message)?;
        if self.network.standing(message) == Some(Standing::Held) {
            return Err(Impossible::HeldAlready(message).into());
        }
        self.network.hold(message);
        self.emit_now(What::held(message, kind));
        self.settle();
        Ok(message)
    }

    /// Duplicates a message, which may be held or in transit. Holds the copy, and returns the name of the copy.
    ///
    /// # Errors
    /// If the network has no such message, the message is a part of a connection, or the run is over.
    pub fn duplicate(&mut self, message: MessageId) -> Result<MessageId, RunError> {
        self.changeable()?;
        let kind = self.kind_of(message)?;
        if self.streams.has(message) {
            return Err(Impossible::Stream(message).into());
        }
        let copy = self.network.duplicate(message).ok_or(Impossible::UnknownMessage(message))?;
        let now_us = self.time.now_us();
        self.emit(now_us, What::duplicated(message, kind.clone(), copy, Hand::Hand, None));
        self.emit(now_us, What::held(copy, kind));
        self.settle();
        Ok(copy)
    }

    /// Returns the kind of a message that is in the network.
    fn kind_of(&self, message: MessageId) -> Result<MessageKind, Impossible> {
        let found = self.network.find(message).ok_or(Impossible::UnknownMessage(message))?;
        Ok(found.content.kind.clone())
    }

    fn take_out(&mut self, message: MessageId) -> Result<InFlight<Payload>, RunError> {
        self.changeable()?;
        Ok(self.network.take(message).ok_or(Impossible::UnknownMessage(message))?)
    }

    /// Delivers all held messages, in the order in which the network started to hold them. Returns the number of
    /// messages.
    ///
    /// # Errors
    /// If the run is over.
    pub fn release_held(&mut self) -> Result<usize, RunError> {
        self.changeable()?;
        let held = self.network.held();
        for &message in &held {
            self.deliver(message)?;
        }
        Ok(held.len())
    }

    /// Removes all faults and delivers the held messages: see
    /// [`Network::mend`](interlock_model::network::Network::mend).
    ///
    /// # Errors
    /// If the run is over.
    pub fn heal_network(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        for change in self.network.mend() {
            self.configured(change);
        }
        self.release_held()?;
        Ok(())
    }

    /// Returns an error if the run is over.
    pub(super) fn changeable(&self) -> Result<(), RunError> {
        if self.is_ended() { Err(RunError::Ended) } else { Ok(()) }
    }
}

/// Returns an error if there are already [`MOST_CHANGES`] rules or partitions. Their number is limited because
/// each message is compared with all of them.
fn leaves_room(what: &'static str, count: usize) -> Result<(), RunError> {
    if count < MOST_CHANGES { Ok(()) } else { Err(RunError::TooManyChanges(what, count)) }
}

fn valid(errors: Vec<FieldError>) -> Result<(), RunError> {
    if errors.is_empty() { Ok(()) } else { Err(RunError::Invalid(errors)) }
}
