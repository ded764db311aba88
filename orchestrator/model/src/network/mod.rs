//! The network between the nodes: links with faults, messages that wait, deadlines that are kept.
//!
//! It knows no clock and no socket: whoever drives it says what time it is, so the same code serves live runs and
//! simulated ones. How the faults of a link compose, in this order:
//!
//! 1. The message gets its number on the link. All chance depends on (seed, from, to, number, copy, kind of fault), so
//!    switching one fault on does not shift the draws of another.
//! 2. A partition that cuts the link drops it, unless it is one that holds.
//! 3. The first targeted rule that matches, if chance has it, and has neither matches left to skip nor used up its count acts: it drops
//!    the message, holds it, makes a copy, or adds to its delay.
//! 4. Chance may make a copy. Every copy fares by itself from here on.
//! 5. Loss may drop it.
//! 6. A link on hold, or a rule, holds it: it waits for manual delivery, which bypasses delay and order.
//! 7. The delay is drawn, from the distribution of the message's kind if that has its own. On a fifo link the deadline is
//!    never before that of an earlier message that was not held.
//! 8. At its deadline the message is handed over, unless a partition has cut the link meanwhile: a partition drops
//!    messages in flight, too. One that holds stops them at their deadlines, so that links keep their order, and they are
//!    handed over when no partition cuts the link any more.

mod change;
mod fate;
mod link;
mod partition;
mod queue;
mod rule;
mod sequences;
mod setting;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::channel::Header;
use interlock_machine::message_id::MessageId;
use serde::Serialize;

use crate::event::{DropReason, Hand, Json, MessageKind};

use fate::MessageDraws;
use link::Links;
use queue::Queue;
use sequences::Sequences;

pub use partition::{Direction, Lost, Partition, PartitionDraft};
pub use rule::{Match, Rule, RuleAction, RuleDraft};
pub use setting::{KindDelays, LinkOverride, LinkPatch, LinkSetting, link_errors};

/// The most messages that can wait on one link; further ones are dropped, visibly.
pub const MOST_ON_A_LINK: usize = 20_000;

/// A message in the network, which carries `C` without looking into it.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlight<C> {
    /// The name of this copy.
    pub id: MessageId,
    /// What is carried.
    pub content: C,
}

/// What the network of live processes carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// The kind of the message, as in the paper.
    pub kind: MessageKind,
    /// Its fields, as in the paper.
    pub body: Json,
    /// Its place on the channel, where there is one.
    pub header: Option<Header>,
}

/// What becomes of a message that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It will be handed over at this time, in microseconds since the run began.
    Due(u64),
    /// It waits for a hand.
    Held,
    /// It is lost.
    Dropped(DropReason),
}

impl Fate {
    /// Whether it would be another but for what a rule does: of a rule that makes a copy it is not.
    const fn is_due_to(self, action: Option<RuleAction>) -> bool {
        matches!(
            (self, action),
            (Self::Dropped(DropReason::Rule), _)
                | (Self::Held, Some(RuleAction::Hold))
                | (Self::Due(_), Some(RuleAction::Delay(_)))
        )
    }
}

/// How it stands with a message in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It waits for a hand.
    Held,
    /// It will be handed over at this time, in microseconds since the run began.
    Due(u64),
}

/// A copy that was made of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The copy.
    pub id: MessageId,
    /// Whose doing it was.
    pub by: Hand,
    /// The number of the rule that made it, if one did.
    pub rule: Option<u64>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What became of a message on acceptance: at most a rule and chance make a copy each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its name.
    pub id: MessageId,
    /// What becomes of it.
    pub fate: Fate,
    /// The number of the rule by which that becomes of it: that dropped it, holds it or makes it slower.
    pub rule: Option<u64>,
    /// The copies made of it.
    pub copies: [Option<Copied>; 2],
}

/// A message whose time has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival<C> {
    /// It is handed over.
    HandOver(InFlight<C>),
    /// A partition has cut its link meanwhile: it is lost.
    Cut(InFlight<C>),
    /// A partition has cut its link meanwhile, and holds it: this is what stays in the network.
    Stopped(InFlight<C>),
}

/// How the network is set up, as the API shows it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Setup {
    /// How links behave unless told otherwise.
    pub default: LinkSetting,
    /// Links that behave differently.
    pub links: Vec<LinkOverride>,
    /// The partitions.
    pub partitions: Vec<Partition>,
    /// The targeted rules, in the order in which they are tried.
    pub rules: Vec<Rule>,
}

/// The network of one run.
#[derive(Debug)]
pub struct Network<C = Payload> {
    nodes: u32,
    seed: u64,
    links: Links,
    partitions: Vec<Partition>,
    /// The messages that partitions hold; some may be gone meanwhile.
    stopped: BTreeSet<MessageId>,
    rules: Vec<Rule>,
    next_id: u64,
    queue: Queue<C>,
    /// Which message on its link is which on its channel.
    sequences: Sequences,
}

impl<C: Clone> Network<C> {
    /// A network between so many nodes, whose chance is drawn from this seed and whose links behave like this, but for
    /// those named.
    #[must_use]
    pub fn new(nodes: u32, seed: u64, default: LinkSetting, links: &[LinkOverride]) -> Self {
        Self {
            nodes,
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

    /// Takes a message of this kind from `from` to `to` at `now_us` and decides what becomes of it and of the copies
    /// made of it.
    #[inline(always)]
    pub fn accept(&mut self, now_us: u64, from: NodeId, to: NodeId, kind: &str, content: C) -> Accepted {
        let is_plain = self.partitions.is_empty() && self.rules.is_empty();
        if let Some(delay) = self.links.plain_delay().filter(|_| is_plain) {
            return self.accept_plain(now_us.saturating_add(delay), from, to, content);
        }
        let id = self.name(from, to);
        self.accept_as(now_us, id, kind, content)
    }

    /// The same for what has a place on a channel: what is sent again is a copy of what was sent first.
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
        if self.cut(from, to) == Some(Lost::Drop) {
            return Accepted { id, fate: Fate::Dropped(DropReason::Partition), rule: None, copies: [None; 2] };
        }
        let draws = MessageDraws { seed: self.seed, id };
        let acting = rule::first_action(&mut self.rules, draws, kind);
        let action = acting.map(|acting| acting.action);
        let of_rule = |does: bool| acting.filter(|_| does).map(|acting| acting.rule);
        let by_rule = (action == Some(RuleAction::Duplicate)).then_some(Hand::Rule);
        let by_chance = draws.duplicated(self.links.setting(from, to).duplicate).then_some(Hand::Chance);
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

    /// What [`Network::accept`] comes to where nothing but a constant delay can happen.
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

    /// The name of a message that does not go through the network, because no time passes before it is read.
    pub fn name(&mut self, from: NodeId, to: NodeId) -> MessageId {
        MessageId { from, to, number: self.links.used(from, to).number(), copy: 0 }
    }

    fn decide(&mut self, now_us: u64, kind: &str, in_flight: InFlight<C>, action: Option<RuleAction>) -> Fate {
        let id = in_flight.id;
        let setting = self.links.setting(id.from, id.to);
        let draws = MessageDraws { seed: self.seed, id };
        let fate = match action {
            Some(RuleAction::Drop) => Fate::Dropped(DropReason::Rule),
            Some(RuleAction::Hold) => Fate::Held,
            _ if draws.lost(setting.loss) => Fate::Dropped(DropReason::Loss),
            _ if setting.hold => Fate::Held,
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
                fate
            }
            Fate::Due(due_us) => {
                let used = self.links.used(id.from, id.to);
                let due_us = used.deadline(setting.fifo, due_us);
                used.enter();
                self.queue.send(due_us, in_flight);
                Fate::Due(due_us)
            }
        }
    }

    /// The next message whose time has come at `now_us`.
    #[inline(always)]
    pub fn arrival(&mut self, now_us: u64) -> Option<Arrival<C>> {
        let in_flight = self.queue.pop(now_us)?;
        Some(self.let_through(in_flight))
    }

    /// Lets a message arrive whose time has come; none if it is not in the network.
    pub fn arrive(&mut self, id: MessageId) -> Option<Arrival<C>> {
        let in_flight = self.queue.take(id)?;
        Some(self.let_through(in_flight))
    }

    #[inline(always)]
    fn let_through(&mut self, in_flight: InFlight<C>) -> Arrival<C> {
        let id = in_flight.id;
        match self.cut(id.from, id.to) {
            Some(Lost::Hold) => {
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

    /// When the next message is to be handed over.
    #[inline(always)]
    pub fn next_due_us(&mut self) -> Option<u64> {
        self.queue.next_due_us()
    }

    /// Takes a message out of the network, held or on its way.
    pub fn take(&mut self, id: MessageId) -> Option<InFlight<C>> {
        let in_flight = self.queue.take(id)?;
        self.links.used(id.from, id.to).leave();
        Some(in_flight)
    }

    /// The message that is to be handed over next.
    #[must_use]
    pub fn next(&self) -> Option<MessageId> {
        self.queue.next()
    }

    /// How it stands with a message; none if it is not in the network.
    #[must_use]
    pub fn standing(&self, id: MessageId) -> Option<Standing> {
        self.queue.standing(id)
    }

    /// A message that is in the network, held or on its way.
    #[must_use]
    pub fn find(&self, id: MessageId) -> Option<&InFlight<C>> {
        self.queue.find(id)
    }

    /// What is in the network, in no order.
    pub fn in_flight(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.queue.all()
    }

    /// What goes on by itself, in no order.
    pub fn due(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.queue.due()
    }

    /// All messages in the network, in the order of their names.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        let mut all: Vec<MessageId> = self.in_flight().map(|in_flight| in_flight.id).collect();
        all.sort_unstable();
        all
    }

    /// Holds a message that is on its way; false if it is not in the network.
    pub fn hold(&mut self, id: MessageId) -> bool {
        let in_flight = self.queue.take(id);
        in_flight.map(|in_flight| self.queue.hold(in_flight)).is_some()
    }

    /// The held messages, in the order in which they were held.
    #[must_use]
    pub fn held(&self) -> Vec<MessageId> {
        self.queue.held()
    }

    /// Everything in the network, in order of names, to be dropped because the run ends.
    pub fn clear(&mut self) -> Vec<InFlight<C>> {
        let all = self.queue.clear();
        for InFlight { id, .. } in &all {
            self.links.used(id.from, id.to).leave();
        }
        all
    }

    /// Makes a copy of a message that is held or on its way; the copy is held.
    pub fn duplicate(&mut self, id: MessageId) -> Option<MessageId> {
        let content = self.queue.find(id)?.content.clone();
        let id = self.links.copy(id);
        self.links.used(id.from, id.to).enter();
        self.queue.hold(InFlight { id, content });
        Some(id)
    }

    /// How it is set up.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            default: self.links.default_setting().clone(),
            links: self.links.overrides(),
            partitions: self.partitions.clone(),
            rules: self.rules.clone(),
        }
    }

    /// Changes how links behave unless told otherwise, and returns how they do now.
    pub fn patch_default(&mut self, patch: &LinkPatch) -> LinkSetting {
        self.links.patch_default(patch)
    }

    /// Makes a link behave differently from the others, or with nothing like them.
    pub fn override_link(&mut self, from: NodeId, to: NodeId, patch: Option<LinkPatch>) -> bool {
        self.links.set_override(from, to, patch)
    }

    /// The partition of this number, if there is one.
    #[must_use]
    pub fn partition(&self, id: u64) -> Option<&Partition> {
        self.partitions.iter().find(|partition| partition.id == id)
    }

    /// Whether there is a rule of this number.
    #[must_use]
    pub fn has_rule(&self, id: u64) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
    }

    /// Cuts links.
    pub fn add_partition(&mut self, draft: PartitionDraft) -> Partition {
        let partition = draft.with_id(self.fresh_id());
        self.partitions.push(partition.clone());
        partition
    }

    /// Mends the links that a partition cut. Returns the messages that no partition holds any more, in the order in which
    /// they were stopped: they are held until somebody sets them free. None if there is no such partition.
    pub fn remove_partition(&mut self, id: u64) -> Option<Vec<MessageId>> {
        let place = self.partitions.iter().position(|partition| partition.id == id)?;
        self.partitions.remove(place);
        if self.stopped.is_empty() {
            return Some(Vec::new());
        }
        let mut free = self.held();
        free.retain(|id| self.stopped.contains(id) && self.cut(id.from, id.to).is_none());
        self.stopped.retain(|id| !free.contains(id) && self.queue.find(*id).is_some());
        Some(free)
    }

    /// Adds a rule after the others.
    pub fn add_rule(&mut self, draft: RuleDraft) -> Rule {
        let rule = draft.with_id(self.fresh_id());
        self.rules.push(rule.clone());
        rule
    }

    /// Removes a rule; false if there is no such rule.
    pub fn remove_rule(&mut self, id: u64) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.id != id);
        self.rules.len() < before
    }

    /// The number of nodes that it connects.
    #[must_use]
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// What becomes of messages on the link between them, in this direction, if a partition cuts it: what one loses is
    /// lost, whatever another holds.
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
