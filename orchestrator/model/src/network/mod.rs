//! The network between the nodes: links with faults, messages in transit and their delivery times, and held
//! messages.
//!
//! The network has no clock and no socket. Its caller passes the current time, so live and simulated runs share
//! this code. A message passes through the faults of a link in this order:
//!
//! 1. The message gets its number on the link. All random draws depend on (seed, from, to, number, copy, kind of
//!    fault). So enabling one fault does not change the draws of another fault.
//! 2. A partition that cuts the link drops the message, unless the partition holds messages.
//! 3. Targeted rules are tried in order, and only one rule acts on a message. A matching rule does not act if its
//!    random draw says so, if it must still skip messages, or if it has acted on its maximum number of messages. The
//!    rule that acts drops the message, holds it, duplicates it, or adds to its delay.
//! 4. The message may be duplicated by chance. Steps 5 to 8 apply to each copy separately.
//! 5. The message may be lost by chance, unless a rule holds it.
//! 6. If the link holds messages or a rule holds this message, the message waits for a manual delivery. A manual
//!    delivery ignores the delay and the order of messages.
//! 7. The delay is drawn: from the distribution for the message's kind, if there is one, otherwise from the
//!    distribution for the link. On a FIFO link, the message is never delivered before a message that was sent
//!    earlier, unless the earlier message was held.
//! 8. At its delivery time the message is delivered, unless a partition now cuts the link. So a partition also
//!    drops messages that are in transit when it begins. A partition that holds messages stops them at their
//!    delivery times, so links keep their order. When no partition cuts the link any longer, stopped messages are
//!    delivered.
//!
//! The links of a service carry TCP connections, which hide some faults. On such a link, no message is lost or
//! duplicated by chance, and every partition holds messages: TCP transmits again what a network has lost. The network
//! does not keep the order of messages there, because only messages of one connection have an order; the caller keeps
//! it. A rule or a user can still drop a message. Then nothing later of its connection arrives. Some faults of
//! connections ([`TcpFaults`]) stop messages as a partition does.

mod change;
mod fate;
mod link;
mod partition;
mod queue;
mod rule;
mod sequences;
mod setting;
mod tcp;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::channel::Header;
use interlock_machine::message_id::MessageId;
use serde::Serialize;

use crate::event::{DropReason, Hand, Json, MessageKind};
use crate::span::Span;

use fate::MessageDraws;
use link::Links;
use queue::Queue;
use sequences::Sequences;

pub use partition::{Direction, Lost, Partition, PartitionDraft};
pub use rule::{Match, Rule, RuleAction, RuleDraft};
pub use setting::{KindDelays, LinkOverride, LinkPatch, LinkSetting, link_errors};
pub use tcp::TcpFaults;

/// Maximum number of messages on one link. If the link is full, each further message is dropped, and an event
/// reports this.
pub const MOST_ON_A_LINK: usize = 20_000;

/// A message in the network. The network does not read its content, of type `C`.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlight<C> {
    /// Name of this copy.
    pub id: MessageId,
    /// Content of the message.
    pub content: C,
}

/// Content of the messages between live processes.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// Kind of the message, as in the paper.
    pub kind: MessageKind,
    /// Fields of the message, as in the paper.
    pub body: Json,
    /// Position of the message in the sequence of its channel, if the run has channels.
    pub header: Option<Header>,
}

/// The fate of an accepted message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The message will be delivered at this time, in microseconds since the start of the run.
    Due(u64),
    /// The message waits for manual delivery.
    Held,
    /// The message is lost.
    Dropped(DropReason),
}

impl Fate {
    /// Returns whether this fate results from the rule's action. If the rule only duplicates the message, the rule
    /// does not decide the fate.
    const fn is_due_to(self, action: Option<RuleAction>) -> bool {
        matches!(
            (self, action),
            (Self::Dropped(DropReason::Rule), _)
                | (Self::Held, Some(RuleAction::Hold))
                | (Self::Due(_), Some(RuleAction::Delay(_)))
        )
    }
}

/// The state of a message in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The message waits for manual delivery.
    Held,
    /// The message will be delivered at this time, in microseconds since the start of the run.
    Due(u64),
}

/// A copy of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Name of the copy.
    pub id: MessageId,
    /// Cause of the duplication.
    pub by: Hand,
    /// Number of the rule that made the copy, if one did.
    pub rule: Option<u64>,
    /// Fate of the copy.
    pub fate: Fate,
}

/// The result of accepting a message. There are at most two copies: one made by a rule, and one made by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Name of the message.
    pub id: MessageId,
    /// Fate of the message.
    pub fate: Fate,
    /// Number of the rule that decided this fate: the rule dropped, holds or delays the message.
    pub rule: Option<u64>,
    /// Copies of the message.
    pub copies: [Option<Copied>; 2],
}

/// A message whose delivery time has been reached.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival<C> {
    /// The message is delivered.
    HandOver(InFlight<C>),
    /// The message is lost, because a partition has cut the link while the message was in transit.
    Cut(InFlight<C>),
    /// A partition has cut the link while the message was in transit, and holds the message. The message stays in
    /// the network.
    Stopped(InFlight<C>),
}

/// The setup of the network, as the API serves it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Setup {
    /// Default settings of all links.
    pub default: LinkSetting,
    /// Links with settings of their own.
    pub links: Vec<LinkOverride>,
    /// Active partitions.
    pub partitions: Vec<Partition>,
    /// Targeted rules, in the order in which they are tried.
    pub rules: Vec<Rule>,
}

/// The network of one run.
#[derive(Debug)]
pub struct Network<C = Payload> {
    nodes: u32,
    /// Number of the first process that is a service.
    services_from: u32,
    seed: u64,
    links: Links,
    partitions: Vec<Partition>,
    /// Messages that partitions or faults of connections have stopped. Some of them may have left the network since.
    stopped: BTreeSet<MessageId>,
    rules: Vec<Rule>,
    next_id: u64,
    queue: Queue<C>,
    /// For each message on a channel, its number on the channel and its number on the link.
    sequences: Sequences,
}

impl<C: Clone> Network<C> {
    /// Creates a network of `nodes` nodes. All links have the default settings, except those in `links`. The seed
    /// determines all random draws.
    #[must_use]
    pub fn new(nodes: u32, seed: u64, default: LinkSetting, links: &[LinkOverride]) -> Self {
        Self {
            nodes,
            services_from: nodes,
            seed,
            links: Links::new(nodes, default, links),
            partitions: Vec::new(),
            stopped: BTreeSet::new(),
            rules: Vec::new(),
            next_id: 1,
            queue: Queue::default(),
            sequences: Sequences::default(),
        }
    }

    /// Returns the network with one change: the processes from number `first` on are services.
    #[must_use]
    pub fn with_services_from(self, first: u32) -> Self {
        Self { services_from: first, ..self }
    }

    /// Whether the messages from `from` to `to` are parts of TCP connections.
    #[inline(always)]
    const fn is_stream(&self, from: NodeId, to: NodeId) -> bool {
        from.0 >= self.services_from || to.0 >= self.services_from
    }

    /// Accepts a message of the kind `kind` from `from` to `to` at `now_us`. Decides the fates of the message and
    /// of its copies.
    #[inline(always)]
    pub fn accept(&mut self, now_us: u64, from: NodeId, to: NodeId, kind: &str, content: C) -> Accepted {
        let is_plain = self.partitions.is_empty() && self.rules.is_empty() && !self.is_stream(from, to);
        if let Some(delay) = self.links.plain_delay().filter(|_| is_plain) {
            return self.accept_plain(now_us.saturating_add(delay), from, to, content);
        }
        let id = self.name(from, to);
        self.accept_as(now_us, id, kind, content)
    }

    /// Accepts a message that a channel has numbered in `header`. A retransmission gets the id of a further copy of the
    /// first transmission. If the first transmission is no longer recorded, it gets the id of a new message.
    pub fn accept_on_a_channel(
        &mut self,
        now_us: u64,
        from: NodeId,
        to: NodeId,
        kind: &str,
        content: C,
        header: Header,
    ) -> Accepted {
        let again = header.again.then(|| self.sequences.number(from, to, &header)).flatten();
        let id = if let Some(number) = again {
            self.links.copy(MessageId { from, to, number, copy: 0 })
        } else {
            let id = self.name(from, to);
            self.sequences.sent(id, &header);
            id
        };
        self.accept_as(now_us, id, kind, content)
    }

    fn accept_as(&mut self, now_us: u64, id: MessageId, kind: &str, content: C) -> Accepted {
        let MessageId { from, to, .. } = id;
        let is_stream = self.is_stream(from, to);
        if self.cut(from, to) == Some(Lost::Drop) && !is_stream {
            return Accepted { id, fate: Fate::Dropped(DropReason::Partition), rule: None, copies: [None; 2] };
        }
        let draws = MessageDraws { seed: self.seed, id };
        let acting = rule::first_action(&mut self.rules, draws, kind);
        let action = acting.map(|acting| acting.action);
        let of_rule = |does: bool| acting.filter(|_| does).map(|acting| acting.rule);
        let by_rule = (action == Some(RuleAction::Duplicate) && !is_stream).then_some(Hand::Rule);
        let is_doubled = !is_stream && draws.duplicated(self.links.setting(from, to).duplicate);
        let by_chance = is_doubled.then_some(Hand::Chance);
        if by_rule.is_none() && by_chance.is_none() {
            let fate = self.decide(now_us, kind, InFlight { id, content }, action);
            return Accepted { id, fate, rule: of_rule(fate.is_due_to(action)), copies: [None; 2] };
        }
        let fate = self.decide(now_us, kind, InFlight { id, content: content.clone() }, action);
        let rule = of_rule(fate.is_due_to(action));
        let copies = [by_rule, by_chance].map(|by| {
            by.map(|by| {
                let id = self.links.copy(id);
                let fate = self.decide(now_us, kind, InFlight { id, content: content.clone() }, None);
                Copied { id, by, rule: of_rule(by == Hand::Rule), fate }
            })
        });
        Accepted { id, fate, rule, copies }
    }

    /// Accepts a message as [`Network::accept`] does, in a network without faults and with a constant delay.
    #[inline(always)]
    fn accept_plain(&mut self, due_us: u64, from: NodeId, to: NodeId, content: C) -> Accepted {
        let fifo = self.links.default_setting().fifo;
        let used = self.links.used(from, to);
        let id = MessageId { from, to, number: used.number(), copy: 0 };
        let fate = if used.is_full() || self.queue.is_full() {
            Fate::Dropped(DropReason::Full)
        } else {
            let due_us = used.deadline(fifo, due_us);
            used.enter();
            self.queue.send(due_us, InFlight { id, content });
            Fate::Due(due_us)
        };
        Accepted { id, fate, rule: None, copies: [None; 2] }
    }

    /// Returns a name for a message that is received in the instant in which it is sent, and so does not pass
    /// through the network.
    pub fn name(&mut self, from: NodeId, to: NodeId) -> MessageId {
        MessageId { from, to, number: self.links.used(from, to).number(), copy: 0 }
    }

    fn decide(&mut self, now_us: u64, kind: &str, in_flight: InFlight<C>, action: Option<RuleAction>) -> Fate {
        let id = in_flight.id;
        let is_stream = self.is_stream(id.from, id.to);
        let setting = self.links.setting(id.from, id.to);
        let is_stopped = is_stream && setting.tcp.as_ref().is_some_and(|tcp| tcp.stop(kind));
        let draws = MessageDraws { seed: self.seed, id };
        let fate = match action {
            Some(RuleAction::Drop) => Fate::Dropped(DropReason::Rule),
            Some(RuleAction::Hold) => Fate::Held,
            _ if !is_stream && draws.lost(setting.loss) => Fate::Dropped(DropReason::Loss),
            _ if setting.hold || is_stopped => Fate::Held,
            _ => Fate::Due(
                now_us
                    + draws.delay(setting.delays.of(kind).unwrap_or(&setting.delay))
                    + action.map_or(0, RuleAction::extra_delay_us),
            ),
        };
        match fate {
            Fate::Dropped(_) => fate,
            _ if self.links.used(id.from, id.to).is_full() || self.queue.is_full() => Fate::Dropped(DropReason::Full),
            Fate::Held => {
                self.links.used(id.from, id.to).enter();
                self.queue.hold(in_flight);
                if is_stopped {
                    self.stopped.insert(id);
                }
                fate
            }
            Fate::Due(due_us) => {
                let used = self.links.used(id.from, id.to);
                let due_us = used.deadline(setting.fifo && !is_stream, due_us);
                used.enter();
                self.queue.send(due_us, in_flight);
                Fate::Due(due_us)
            }
        }
    }

    /// Removes and returns the next message whose delivery time is at or before `now_us`.
    #[inline(always)]
    pub fn arrival(&mut self, now_us: u64) -> Option<Arrival<C>> {
        let in_flight = self.queue.pop(now_us)?;
        Some(self.let_through(in_flight))
    }

    /// Removes a message whose delivery time has been reached, and returns its arrival; none if the message is not
    /// in the network.
    pub fn arrive(&mut self, id: MessageId) -> Option<Arrival<C>> {
        let in_flight = self.queue.take(id)?;
        Some(self.let_through(in_flight))
    }

    #[inline(always)]
    fn let_through(&mut self, in_flight: InFlight<C>) -> Arrival<C> {
        let id = in_flight.id;
        match self.cut(id.from, id.to) {
            Some(lost) if lost == Lost::Hold || self.is_stream(id.from, id.to) => {
                self.queue.hold(in_flight.clone());
                self.stopped.insert(id);
                Arrival::Stopped(in_flight)
            }
            cut => {
                self.links.used(id.from, id.to).leave();
                if cut.is_some() { Arrival::Cut(in_flight) } else { Arrival::HandOver(in_flight) }
            }
        }
    }

    /// Returns the time of the next delivery, in microseconds since the start of the run.
    #[inline(always)]
    pub fn next_due_us(&mut self) -> Option<u64> {
        self.queue.next_due_us()
    }

    /// Removes a message, held or in transit, from the network.
    pub fn take(&mut self, id: MessageId) -> Option<InFlight<C>> {
        let in_flight = self.queue.take(id)?;
        self.links.used(id.from, id.to).leave();
        Some(in_flight)
    }

    /// Returns the name of the message with the earliest delivery time.
    #[must_use]
    pub fn next(&self) -> Option<MessageId> {
        self.queue.next()
    }

    /// Returns the state of a message; none if the message is not in the network.
    #[must_use]
    pub fn standing(&self, id: MessageId) -> Option<Standing> {
        self.queue.standing(id)
    }

    /// Returns a message that is in the network, held or in transit.
    #[must_use]
    pub fn find(&self, id: MessageId) -> Option<&InFlight<C>> {
        self.queue.find(id)
    }

    /// Returns all messages in the network, unordered.
    pub fn in_flight(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.queue.all()
    }

    /// Returns the messages in transit, unordered. Held messages are not included.
    pub fn due(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.queue.due()
    }

    /// Returns the names of all messages in the network, sorted.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        let mut all: Vec<MessageId> = self.in_flight().map(|in_flight| in_flight.id).collect();
        all.sort_unstable();
        all
    }

    /// Holds a message that is in transit. Returns false if the message is not in the network.
    pub fn hold(&mut self, id: MessageId) -> bool {
        let in_flight = self.queue.take(id);
        in_flight.map(|in_flight| self.queue.hold(in_flight)).is_some()
    }

    /// Returns the held messages, in the order in which they were held.
    #[must_use]
    pub fn held(&self) -> Vec<MessageId> {
        self.queue.held()
    }

    /// Removes and returns all messages, ordered by name. Used at the end of the run, when all messages are
    /// dropped.
    pub fn clear(&mut self) -> Vec<InFlight<C>> {
        let all = self.queue.clear();
        for InFlight { id, .. } in &all {
            self.links.used(id.from, id.to).leave();
        }
        all
    }

    /// Duplicates a message that is held or in transit; the copy is held.
    pub fn duplicate(&mut self, id: MessageId) -> Option<MessageId> {
        let content = self.queue.find(id)?.content.clone();
        let id = self.links.copy(id);
        self.links.used(id.from, id.to).enter();
        self.queue.hold(InFlight { id, content });
        Some(id)
    }

    /// Returns the setup of the network.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            default: self.links.default_setting().clone(),
            links: self.links.overrides(),
            partitions: self.partitions.clone(),
            rules: self.rules.clone(),
        }
    }

    /// Changes the default settings of links, and returns the new ones.
    pub fn patch_default(&mut self, patch: &LinkPatch) -> LinkSetting {
        self.links.patch_default(patch)
    }

    /// Sets the settings of one link, or removes the settings if `patch` is absent. Returns false if there were no
    /// settings to remove.
    pub fn override_link(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> bool {
        self.links.set_override(from, to, patch)
    }

    /// Returns the partition with this number, if it exists.
    #[must_use]
    pub fn partition(&self, id: u64) -> Option<&Partition> {
        self.partitions.iter().find(|partition| partition.id == id)
    }

    /// Returns whether a rule with this number exists.
    #[must_use]
    pub fn has_rule(&self, id: u64) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
    }

    /// Adds a partition.
    pub fn add_partition(&mut self, draft: PartitionDraft) -> Partition {
        let partition = draft.with_id(self.fresh_id());
        self.partitions.push(partition.clone());
        partition
    }

    /// Removes a partition. Returns the messages that the partition stopped and that no other partition holds, in
    /// the order in which they were stopped. These messages stay held until the caller releases them. If there is
    /// no such partition, returns none.
    pub fn remove_partition(&mut self, id: u64) -> Option<Vec<MessageId>> {
        let place = self.partitions.iter().position(|partition| partition.id == id)?;
        self.partitions.remove(place);
        Some(self.freed())
    }

    /// Returns the stopped messages that nothing stops any longer, in the order in which they were stopped. Each is
    /// returned once, and stays held until the caller releases it.
    pub fn freed(&mut self) -> Vec<MessageId> {
        if self.stopped.is_empty() {
            return Vec::new();
        }
        let mut free = self.held();
        free.retain(|id| self.stopped.contains(id) && !self.is_stopped(id.from, id.to));
        let freed: BTreeSet<MessageId> = free.iter().copied().collect();
        self.stopped.retain(|id| !freed.contains(id) && self.queue.find(*id).is_some());
        free
    }

    /// Whether a partition or a fault of connections stops messages from `from` to `to`.
    fn is_stopped(&self, from: NodeId, to: NodeId) -> bool {
        let stops = |tcp: Box<TcpFaults>| tcp.timeout.is_some() || tcp.hang;
        self.cut(from, to).is_some() || self.links.setting(from, to).tcp.is_some_and(stops)
    }

    /// Returns the faults of the connections on a link.
    #[must_use]
    pub fn tcp(&self, from: NodeId, to: NodeId) -> TcpFaults {
        self.links.setting(from, to).tcp.map_or_else(TcpFaults::default, |tcp| *tcp)
    }

    /// Returns the time after which partitions reset the connections between two processes, if they do.
    #[must_use]
    pub fn reset_by_partitions(&self, one: NodeId, other: NodeId) -> Option<Span> {
        let separates = |partition: &&Partition| partition.cuts(one, other) || partition.cuts(other, one);
        self.partitions.iter().filter(separates).filter_map(|partition| partition.reset).min()
    }

    /// Adds a rule after the existing rules.
    pub fn add_rule(&mut self, draft: RuleDraft) -> Rule {
        let rule = draft.with_id(self.fresh_id());
        self.rules.push(rule.clone());
        rule
    }

    /// Removes a rule. Returns false if there is no such rule.
    pub fn remove_rule(&mut self, id: u64) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.id != id);
        self.rules.len() < before
    }

    /// Returns the number of nodes.
    #[must_use]
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// If a partition cuts the link from `from` to `to`, returns the fate of messages on this link. If one
    /// partition drops messages and another holds them, the messages are dropped.
    #[inline(always)]
    #[must_use]
    pub fn cut(&self, from: NodeId, to: NodeId) -> Option<Lost> {
        self.partitions.iter().filter(|partition| partition.cuts(from, to)).map(|partition| partition.lost).max()
    }

    fn fresh_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}
