//! What is being done to a run, what is still to be done to it, and how far loss stretches patience.
//!
//! Some properties can be judged only by patience: what has not happened after so long will not happen. An intervention
//! makes everything last as long as somebody likes, so as long as one stands nothing can be said:
//!
//! - a paused process, a held message, a partition between live processes;
//! - a rule that drops or holds messages between live processes, until it has used up its count;
//! - loss of every message on a link between live processes;
//! - a crashed process, if the script or the scenario still restarts one or notifies the others.
//!
//! A crash for good is none of these: the survivors are judged. When the last intervention is over, the count begins anew.
//!
//! Partial loss does not end patience but stretches it. A round of requests and replies succeeds only if none of its
//! messages is lost, so with loss *p* among *n* processes it takes 1 / (1 − *p*)²ⁿ tries on average.

mod network;
mod pace;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::Order;

use crate::choice::Choice;
use crate::event::{DropReason, Event, What};
use crate::specification::{Detector, Planned, Specification};

use network::Faults;
pub use network::Groups;
use pace::Pace;

/// How long after its time an act of a script may still come, in microseconds: a live run takes its time.
const SCRIPT_GRACE_US: u64 = 10_000_000;

/// What is being done to a run.
#[derive(Clone, Debug, Default)]
pub struct Interventions {
    nodes: u32,
    crashed: BTreeSet<NodeId>,
    paused: BTreeSet<NodeId>,
    held: BTreeSet<MessageId>,
    faults: Faults,
    /// What a script or a scenario still does.
    planned: Planned,
    /// When the last of it was to be done, if a script says so.
    planned_until_us: Option<u64>,
    /// Whether suspicions come from scripts and scenarios alone.
    notices_by_hand: bool,
    /// When the last intervention was over.
    since_us: u64,
    pace: Pace,
}

impl Interventions {
    /// Those of a run, before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let mut planned = specification.planned;
        specification.script.iter().for_each(|scripted| planned.add(&scripted.choice, false));
        let can_help =
            |choice: &Choice| matches!(choice, Choice::Restart { .. } | Choice::Suspect { .. } | Choice::Trust { .. });
        let helpful = specification.script.iter().filter(|scripted| can_help(&scripted.choice));
        let last = helpful.map(|scripted| scripted.at.0).max();
        Self {
            nodes: specification.nodes,
            faults: Faults::new(specification),
            planned,
            planned_until_us: last.map(|at| at.saturating_add(SCRIPT_GRACE_US)),
            notices_by_hand: specification.detector == Detector::None,
            pace: Pace::new(specification),
            ..Self::default()
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) {
        let stood = self.stand_at(event.at_us);
        self.pace.observe(event, !stood, self.since_us);
        let disturbs = self.follow(event);
        if disturbs || (stood && !self.stand_at(event.at_us)) {
            self.since_us = event.at_us;
        }
    }

    /// Follows an event, and returns whether it disturbs what goes on although nothing stands afterwards.
    fn follow(&mut self, event: &Event) -> bool {
        match &event.what {
            What::Held { message, .. } => _ = self.held.insert(*message),
            What::Dropped { message, why, .. } => {
                self.held.remove(message);
                return *why == DropReason::Hand;
            }
            What::Forwarded { message, .. } | What::Delivered { message, .. } if !self.held.is_empty() => {
                self.held.remove(message);
            }
            What::Paused { node, .. } => _ = self.paused.insert(*node),
            What::Resumed { node, .. } => _ = self.paused.remove(node),
            What::Crashed { node, .. } => {
                self.paused.remove(node);
                self.crashed.insert(*node);
                return self.faults.measure(&self.crashed);
            }
            What::Restarted { .. } => self.planned.restarts = self.planned.restarts.saturating_sub(1),
            What::Started { node, .. } => return self.crashed.remove(node) && self.faults.measure(&self.crashed),
            What::Commanded { command, .. } => self.ordered(&command.order),
            What::Sent { rule: Some(rule), .. } => self.faults.acted(*rule, &self.crashed),
            What::Configured { change } => return self.faults.change(change, event.seq, &self.crashed),
            _ => {}
        }
        false
    }

    const fn ordered(&mut self, order: &Order) {
        let planned = match order {
            Order::Suspect { .. } | Order::Trust { .. } => &mut self.planned.notices,
            Order::Elect {} => &mut self.planned.elections,
            Order::Propose { .. } => &mut self.planned.proposals,
            _ => return,
        };
        *planned = planned.saturating_sub(1);
    }

    /// Whether an intervention stands, or a script or a scenario is still to undo one.
    #[must_use]
    pub fn stand_at(&self, now_us: u64) -> bool {
        !self.held.is_empty() || !self.paused.is_empty() || self.faults.block() || self.is_help_to_come(now_us)
    }

    /// Whether a crashed process is still to be restarted, or a process to be notified of a crash.
    fn is_help_to_come(&self, now_us: u64) -> bool {
        let Planned { restarts, notices, nemesis_restarts, .. } = self.planned;
        let is_in_time = self.planned_until_us.is_none_or(|until_us| now_us <= until_us);
        let restarts = !self.crashed.is_empty() && (restarts > 0 || nemesis_restarts);
        is_in_time && (restarts || (self.notices_by_hand && notices > 0))
    }

    /// Whether a scenario is still to do something that can end an election, or to call another.
    #[must_use]
    pub const fn are_elections_to_come(&self) -> bool {
        self.planned.restarts > 0 || self.planned.notices > 0 || self.planned.elections > 0
    }

    /// Whether a scenario is still to do something that can lead to a choice of a value.
    #[must_use]
    pub const fn are_proposals_to_come(&self) -> bool {
        self.planned.restarts > 0 || self.planned.notices > 0 || self.planned.proposals > 0
    }

    /// Whether what began at `since_us` has lasted longer than `patience_us` by `now_us`, with no intervention and as far
    /// as loss stretches it. All in microseconds.
    #[must_use]
    pub fn outlasts(&self, since_us: u64, now_us: u64, patience_us: u64) -> bool {
        !self.stand_at(now_us) && now_us > since_us.max(self.since_us).saturating_add(self.stretched(patience_us))
    }

    /// A time or a number of tries without loss, stretched by the loss that there is.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rough measure, at most the largest number"
    )]
    pub fn stretched(&self, without_loss: u64) -> u64 {
        let kept = 1.0 - self.faults.loss();
        if kept >= 1.0 {
            return without_loss;
        }
        (without_loss as f64 * kept.powf(-2.0 * f64::from(self.nodes))) as u64
    }

    /// Which live processes can hear each other.
    #[must_use]
    pub fn groups(&self) -> Groups<'_> {
        self.faults.groups(self.nodes, &self.crashed)
    }

    /// Whether two processes could not hear each other at some time since this event.
    #[must_use]
    pub fn were_separated_since(&self, seq: u64, one: NodeId, other: NodeId) -> bool {
        self.faults.were_separated_since(seq, self.nodes, &self.crashed, [one, other])
    }

    /// Whether links could be cut at some time since this event, and are no longer as they were then.
    #[must_use]
    pub fn were_links_cut_since(&self, seq: u64) -> bool {
        self.faults.were_cut_since(seq)
    }

    /// Whether a message is on its way to this node that may be about this lock.
    #[must_use]
    pub fn is_one_coming_to(&self, node: NodeId, lock: LockId) -> bool {
        self.pace.is_one_coming_to(node, lock)
    }

    /// The longest that a message has been on its way without an intervention, in microseconds.
    #[must_use]
    pub const fn longest_us(&self) -> u64 {
        self.pace.longest_us()
    }

    /// The longest time that an algorithm has set a timer for, in microseconds.
    #[must_use]
    pub const fn longest_time_out_us(&self) -> u64 {
        self.pace.longest_time_out_us()
    }
}
