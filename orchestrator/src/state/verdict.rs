//! How a run stands: well, slow, waiting for somebody's hand, stuck, or with a rule broken.

use interlock_algorithm::{LockId, NodeId};
use serde::{Deserialize, Serialize};

use super::lock::Waiting;
use super::node::{Node, ProcessStatus};
use super::{Messages, State};
use crate::event::{DropReason, Event, Violation, What};
use crate::monitor::stuck;

/// How a run stands; the worse outweighs the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All is well.
    Ok,
    /// Somebody has been waiting for long, though something still moves.
    Slow,
    /// Somebody waits and nothing moves by itself, but a hand can change that.
    WaitingForYou,
    /// Somebody waits and nothing can move any more.
    Stuck,
    /// A rule was broken, at some time in the run.
    Violated,
}

/// How a run stands, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How it stands.
    pub status: Status,
    /// How many violations were found so far, those of getting stuck included.
    pub violations: u64,
    /// Why it does not stand well.
    pub because: Option<Because>,
}

/// Why a run does not stand well: a code and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// The first rule broken; or, in a run that has ended, how it was stuck.
    Violation(Violation),
    /// Nothing moves.
    Standstill(Standstill),
    /// The one who has been waiting longest.
    Slow(SlowWait),
}

/// A wait that is longer than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SlowWait {
    /// Who waits.
    pub node: NodeId,
    /// For which lock.
    pub lock: LockId,
    /// Since when, in microseconds since the run began.
    pub since_us: u64,
    /// For how long, in ms.
    pub waited_ms: u64,
}

/// Somebody wants, and nothing moves by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standstill {
    /// Who wants.
    pub waiting: Vec<Waiting>,
    /// Who is dead.
    pub dead: Vec<NodeId>,
    /// What a hand could do.
    #[serde(flatten, skip_serializing_if = "Hands::are_tied")]
    pub hands: Hands,
}

/// What a hand could do to get things moving.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hands {
    /// How many messages could be delivered.
    pub held: usize,
    /// Who could be resumed.
    pub paused: Vec<NodeId>,
    /// Who could be told to leave the section.
    pub in_section: Vec<NodeId>,
    /// Whose timers could be told to run out.
    pub timers: Vec<NodeId>,
}

impl Hands {
    /// Whether nothing can be done.
    #[must_use]
    pub fn are_tied(&self) -> bool {
        *self == Self::default()
    }
}

/// The violations so far, and whether the run has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    violations: u64,
    /// The first rule broken, getting stuck apart.
    broken: Option<Violation>,
    /// How the run is stuck, until something moves.
    stuck: Option<Violation>,
    ended: bool,
}

impl Record {
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Violated { violation } => {
                self.violations += 1;
                let place = if *violation.monitor == *stuck::NAME { &mut self.stuck } else { &mut self.broken };
                place.get_or_insert_with(|| violation.clone());
            }
            // The messages that a run drops when it ends are no sign of anything.
            What::Ended { .. } | What::Dropped { why: DropReason::Ended, .. } => self.ended = true,
            What::Initialized { .. } | What::Commanded { .. } | What::Fired { .. } | What::Delivered { .. } => {
                self.stuck = None;
            }
            _ => {}
        }
    }
}

impl State {
    /// How the run stands at `now_us` (microseconds since it began). `pending_inputs` are the commands that were
    /// handed to nodes which are not paused, and whose steps are not yet reported.
    #[must_use]
    pub fn verdict(&self, now_us: u64, pending_inputs: usize) -> Verdict {
        let (status, because) = self.judge(now_us, pending_inputs);
        Verdict { status, violations: self.record.violations, because }
    }

    fn judge(&self, now_us: u64, pending_inputs: usize) -> (Status, Option<Because>) {
        let Record { broken, stuck, ended, .. } = &self.record;
        if let Some(broken) = broken {
            (Status::Violated, Some(Because::Violation(broken.clone())))
        } else if let (true, Some(stuck)) = (ended, stuck) {
            (Status::Stuck, Some(Because::Violation(stuck.clone())))
        } else if let Some(standstill) = self.standstill(pending_inputs) {
            let status = if standstill.hands.are_tied() { Status::Stuck } else { Status::WaitingForYou };
            (status, Some(Because::Standstill(standstill)))
        } else if let Some(slow) = self.slow(now_us) {
            (Status::Slow, Some(Because::Slow(slow)))
        } else {
            (Status::Ok, None)
        }
    }

    /// Whether somebody wants and nothing moves by itself: no message is on its way to a node that takes it, no timer
    /// is pending, no process is starting and no command is under way. What was handed to a node counts as on its way
    /// until the node has reported the step, so nothing can be overlooked; but ask only between steps, not in the
    /// middle of one. In a run that has ended nothing is expected to move.
    #[must_use]
    pub fn standstill(&self, pending_inputs: usize) -> Option<Standstill> {
        let wanted = self.locks.iter().any(|(_, lock)| !lock.waiting.is_empty());
        if !wanted || pending_inputs > 0 || self.record.ended || self.anything_moves() {
            return None;
        }
        Some(Standstill {
            waiting: self.locks.iter().flat_map(|(_, lock)| lock.waiting.iter().copied()).collect(),
            dead: self.nodes_where(|node| node.process == ProcessStatus::Crashed),
            hands: self.hands(),
        })
    }

    /// Whether nothing moves by itself, and no message or timer is left that a hand could move: to be asked between
    /// steps, with `pending_inputs` as above. A run that has ended is not at rest.
    #[must_use]
    pub fn is_at_rest(&self, pending_inputs: usize) -> bool {
        let Hands { held, paused, timers, .. } = self.hands();
        let untouched = held == 0 && paused.is_empty() && timers.is_empty();
        untouched && pending_inputs == 0 && !self.record.ended && !self.anything_moves()
    }

    fn anything_moves(&self) -> bool {
        NodeId::all(self.node_count())
            .zip(&self.nodes)
            .any(|(id, node)| moves(id, node, &self.messages, self.setting.timers))
    }

    fn hands(&self) -> Hands {
        let running = |node: &Node| node.process == ProcessStatus::Running;
        Hands {
            held: self.messages.held(),
            paused: self.nodes_where(|node| node.process == ProcessStatus::Paused),
            in_section: self.nodes_where(|node| running(node) && node.stays_in_section()),
            timers: self.nodes_where(|node| running(node) && !node.timers.is_empty()),
        }
    }

    fn nodes_where(&self, holds: impl Fn(&Node) -> bool) -> Vec<NodeId> {
        NodeId::all(self.node_count()).zip(&self.nodes).filter(|(_, node)| holds(node)).map(|(id, _)| id).collect()
    }

    fn slow(&self, now_us: u64) -> Option<SlowWait> {
        let longest =
            self.locks.iter().filter_map(|(_, lock)| lock.waiting.first()).min_by_key(|wait| wait.since_us)?;
        let waited_us = now_us.saturating_sub(longest.since_us);
        (!self.record.ended && waited_us > self.setting.slow_after_us).then_some(SlowWait {
            node: longest.node,
            lock: longest.lock,
            since_us: longest.since_us,
            waited_ms: waited_us / 1_000,
        })
    }
}

/// Whether something at `node` goes on by itself.
fn moves(id: NodeId, node: &Node, messages: &Messages, timers_run: bool) -> bool {
    match node.process {
        ProcessStatus::Starting => true,
        ProcessStatus::Running => messages.moves_to(id) || (timers_run && !node.timers.is_empty()),
        // The network still has to drop what is on its way to a dead process, or a new one takes it.
        ProcessStatus::Crashed => messages.moves_to(id),
        ProcessStatus::Paused | ProcessStatus::Stopped => false,
    }
}
