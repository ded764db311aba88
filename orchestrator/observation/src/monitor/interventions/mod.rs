//! Present and planned interventions in a run, and the effect of loss on the patience of monitors.
//!
//! Some properties can be judged only with patience: if a process has not made progress after a long enough time,
//! it never will. An intervention may delay everything for any length of time. A property that needs patience
//! therefore cannot be judged while an intervention is in force. These are the interventions:
//!
//! - a paused process, a held message, or a partition between live processes;
//! - a rule that drops or holds messages between live processes, until it has acted on its maximum number of messages;
//! - loss of all messages on a link between live processes;
//! - a crashed process, if the script or the scenario will restart a crashed process or notify another of the crash.
//!
//! A crash without a planned restart is not an intervention: the live processes are judged. When the last intervention
//! ends, the time of patience starts again.
//!
//! An intervention without an effect does not count. A fault of the network has no effect until it has blocked a
//! message. A pause has no effect if no message is in transit to the paused process and the process has nothing to do
//! by itself.
//!
//! A request may need the answer of a quorum, of a coordinator, or of the processes on a path of a tree. The
//! monitor does not know which answers a request needs. Therefore an intervention at any process excuses all
//! waiting processes. The exception is a request for a token that goes to all processes: see [`super::progress`].
//!
//! Partial loss does not suspend patience but increases it. A round of requests and replies succeeds only if none
//! of its messages is lost. If each message is lost with probability *p*, a round among *n* processes takes 1 / (1
//! − *p*)²ⁿ tries on average.

#[cfg(test)]
mod bystander_tests;
mod network;
mod pace;
mod plan;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, Outcome};
use interlock_machine::message_id::MessageId;

use interlock_model::event::{DropReason, Event, What};
use interlock_model::specification::{ActKind, Specification};

use network::Faults;
pub use network::Groups;
use pace::Pace;
use plan::Plan;

/// The present and planned interventions in a run.
#[derive(Clone, Debug, Default)]
pub struct Interventions {
    nodes: u32,
    crashed: FlatSet<NodeId>,
    /// The paused processes, each with the number of messages that have arrived at it or are in transit to it.
    paused: FlatMap<NodeId, usize>,
    /// For each process, whether it has something to do by itself: it has made a request, has set a timer, or has
    /// not yet begun.
    is_busy: Vec<bool>,
    held: BTreeSet<MessageId>,
    faults: Faults,
    plan: Plan,
    /// Whether an intervention was in force after the latest event.
    stand: bool,
    /// Time at which the last intervention ended. If a later event disturbed the run, the time of that event.
    since_us: u64,
    /// Number of events so far that may have changed the interventions in force. `disturbed` is the value of `changes`
    /// when the run was last disturbed.
    changes: u64,
    disturbed: u64,
    pace: Pace,
}

impl Interventions {
    /// Returns the interventions of a run, before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let mut interventions = Self {
            nodes: specification.nodes,
            is_busy: NodeId::all(specification.nodes).map(|_| true).collect(),
            faults: Faults::new(specification),
            plan: Plan::new(specification),
            pace: Pace::new(specification),
            ..Self::default()
        };
        interventions.stand = interventions.stand_at(0);
        interventions
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        let stood = self.stand;
        self.pace.observe(event, !stood, self.since_us);
        let disturbs = self.follow(event);
        self.plan.observe(event, &self.crashed);
        self.stand = self.stand_at(event.at_us);
        if disturbs {
            self.changes += 1;
            self.disturbed = self.changes;
        }
        if disturbs || (stood && !self.stand) {
            self.since_us = event.at_us;
        }
    }

    /// Applies an event. Returns whether the event is a disturbance by itself. After a disturbance, the time of
    /// patience starts again even if no intervention is in force.
    fn follow(&mut self, event: &Event) -> bool {
        self.follow_waiting(&event.what);
        match &event.what {
            What::Held { message, .. } => {
                self.changes += 1;
                self.held.insert(*message);
            }
            What::Dropped { message, why, .. } => {
                self.release(message);
                if matches!(why, DropReason::Partition | DropReason::Rule | DropReason::Loss) {
                    self.faults.keep();
                }
                return *why == DropReason::Hand;
            }
            What::Forwarded { message, .. } | What::Delivered { message, .. } => self.release(message),
            What::Paused { node, .. } => {
                self.changes += 1;
                self.paused.insert(*node, self.pace.coming_to(*node));
            }
            What::Resumed { node, .. } => {
                self.changes += 1;
                self.paused.remove(node);
            }
            What::Crashed { node, .. } => {
                self.changes += 1;
                self.paused.remove(node);
                self.crashed.insert(*node);
                return self.faults.measure(&self.crashed);
            }
            What::Started { node, .. } => {
                self.changes += 1;
                return self.crashed.remove(node) && self.faults.measure(&self.crashed);
            }
            What::Sent { rule: Some(rule), .. } => self.faults.acted(*rule, &self.crashed),
            What::Configured { change } => {
                self.changes += 1;
                return self.faults.change(change, event.seq, &self.crashed);
            }
            _ => {}
        }
        false
    }

    fn release(&mut self, message: &MessageId) {
        if !self.held.is_empty() && self.held.remove(message) {
            self.changes += 1;
        }
    }

    /// For each process, tracks the messages and tasks that the process would handle when it resumes after a pause.
    fn follow_waiting(&mut self, what: &What) {
        let (node, is_busy) = match what {
            What::Started { node, .. } => (*node, true),
            What::Initialized { at, .. } => (at.node, false),
            What::Commanded { at, .. }
            | What::Outcome { at, outcome: Outcome::Requested { .. } }
            | What::Armed { at, .. } => (at.node, true),
            What::Sent { message, due_us: Some(_), .. } | What::Duplicated { copy: message, due_us: Some(_), .. } => {
                if let Some(waiting) = self.paused.get_mut(&message.to) {
                    *waiting += 1;
                }
                return;
            }
            What::Dropped { message, .. } => {
                if let Some(waiting) = self.paused.get_mut(&message.to) {
                    *waiting = waiting.saturating_sub(1);
                }
                return;
            }
            _ => return,
        };
        if let Some(busy) = self.is_busy.get_mut(node.index()) {
            *busy = is_busy;
        }
    }

    /// Returns whether an intervention was in force after the latest event.
    #[must_use]
    pub const fn stand(&self) -> bool {
        self.stand
    }

    /// Returns whether an intervention is in force that has an effect. A crash counts as an intervention if a script
    /// or a scenario will still restart the process or notify others.
    #[must_use]
    pub fn stand_at(&self, now_us: u64) -> bool {
        let all = |_| true;
        !self.held.is_empty() || self.are_missed(&all) || self.faults.block() || self.plan.is_help_to_come(now_us, &all)
    }

    /// Returns the same as [`Self::stand_at`], but counts only interventions that affect processes for which
    /// `is_among` returns true.
    #[must_use]
    pub fn stand_among(&self, now_us: u64, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        self.held.iter().any(|message| is_among(message.from) && is_among(message.to))
            || self.are_missed(is_among)
            || self.faults.block_among(&|node| is_among(node) && !self.crashed.contains(&node))
            || self.plan.is_help_to_come(now_us, is_among)
    }

    /// Returns whether a process for which `is_among` returns true is paused and has messages or tasks to handle.
    fn are_missed(&self, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        let is_busy = |node: NodeId| self.is_busy.get(node.index()).is_none_or(|busy| *busy);
        self.paused.iter().any(|(node, waiting)| (*waiting > 0 || is_busy(*node)) && is_among(*node))
    }

    /// Returns the time from which patience counts, in microseconds: the end of the last intervention, or the last
    /// disturbance.
    #[must_use]
    pub const fn since_us(&self) -> u64 {
        self.since_us
    }

    /// Returns a number that increases whenever the interventions in force may have changed.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns whether the run has been disturbed since the moment at which [`Self::changes`] returned this number.
    #[must_use]
    pub const fn was_disturbed_since(&self, changes: u64) -> bool {
        self.disturbed > changes
    }

    /// Returns whether a scenario plans an act that has not happened yet, whatever its time.
    #[must_use]
    pub fn is_act_to_come(&self) -> bool {
        self.plan.is_act_to_come()
    }

    /// In a run at rest, returns whether the scenario plans an act that can end an election or call another election.
    #[must_use]
    pub fn are_elections_to_come(&self, now_us: u64) -> bool {
        use ActKind::{Elect, Restart, Suspect, Trust};
        self.plan.is_step_to_come(&[Restart, Suspect, Trust, Elect], now_us)
    }

    /// In a run at rest, returns whether the scenario plans an act that can lead to the choice of a value.
    #[must_use]
    pub fn are_proposals_to_come(&self, now_us: u64) -> bool {
        use ActKind::{Propose, Restart, Suspect, Trust};
        self.plan.is_step_to_come(&[Restart, Suspect, Trust, Propose], now_us)
    }

    /// Returns whether a condition that began at `since_us` and still holds at `now_us` has lasted longer than
    /// `patience_us`. Message loss increases the patience. Time before the end of the last intervention does not
    /// count. If an intervention is in force, returns false. All times are in microseconds.
    #[must_use]
    pub fn outlasts(&self, since_us: u64, now_us: u64, patience_us: u64) -> bool {
        !self.stand_at(now_us) && now_us > since_us.max(self.since_us).saturating_add(self.stretched(patience_us))
    }

    /// Returns `without_loss`, a time or a number of tries, increased according to the current probability of
    /// message loss.
    #[must_use]
    pub fn stretched(&self, without_loss: u64) -> u64 {
        self.stretched_by(self.faults.loss(), without_loss)
    }

    /// Returns the same as [`Self::stretched`], but counts only the loss between live processes for which
    /// `is_among` returns true.
    #[must_use]
    pub fn stretched_among(&self, without_loss: u64, is_among: &dyn Fn(NodeId) -> bool) -> u64 {
        let loss = self.faults.loss_among(&|node| is_among(node) && !self.crashed.contains(&node));
        self.stretched_by(loss, without_loss)
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rough measure, at most the largest number"
    )]
    fn stretched_by(&self, loss: f64, without_loss: u64) -> u64 {
        let kept = 1.0 - loss;
        if kept >= 1.0 {
            return without_loss;
        }
        (without_loss as f64 * kept.powf(-2.0 * f64::from(self.nodes))) as u64
    }

    /// Returns the live processes, divided into groups whose members can communicate with each other.
    #[must_use]
    pub fn groups(&self) -> Groups<'_> {
        self.faults.groups(self.nodes, &self.crashed)
    }

    /// Returns whether, at some time since the event `seq`, the two processes were not in the same group.
    #[must_use]
    pub fn were_separated_since(&self, seq: u64, one: NodeId, other: NodeId) -> bool {
        self.faults.were_separated_since(seq, self.nodes, &self.crashed, [one, other])
    }

    /// Returns whether the set of cut links has changed since the event `seq`. A change does not count if no link
    /// was cut before the change.
    #[must_use]
    pub fn were_links_cut_since(&self, seq: u64) -> bool {
        self.faults.were_cut_since(seq)
    }

    /// Returns the latest event that changed the set of cut links.
    #[must_use]
    pub const fn separated(&self) -> u64 {
        self.faults.separated()
    }

    /// Returns whether a message is in transit to `node` that names `lock` or names no lock.
    #[must_use]
    pub fn is_one_coming_to(&self, node: NodeId, lock: LockId) -> bool {
        self.pace.is_one_coming_to(node, lock)
    }

    /// Returns the longest time for which a message was in transit while no intervention was in force, in
    /// microseconds.
    #[must_use]
    pub const fn longest_us(&self) -> u64 {
        self.pace.longest_us()
    }

    /// Returns the longest delay with which an algorithm has set a timer, in microseconds.
    #[must_use]
    pub const fn longest_time_out_us(&self) -> u64 {
        self.pace.longest_time_out_us()
    }
}
