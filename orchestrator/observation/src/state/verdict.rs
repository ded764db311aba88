//! How a run stands: well, slow, waiting for somebody's hand, stuck, or with a rule broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use super::State;
use super::lock::{Lock, Waiting};
use super::node::{Node, PendingTimer};
use super::wait_cycle::wait_cycle;
use super::wait_for::WaitEdge;
use interlock_model::event::{DropReason, Ending, Event, TimerLabel, Violation, Warning, What};
use interlock_model::process_status::ProcessStatus;

/// The name of the monitor that tells of a [`Standstill`] which no hand can change: its violations are not the run's for
/// ever, as those of other rules are.
pub const STUCK: &str = "stuck";

/// How a run stands; the worse outweighs the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All is well.
    Ok,
    /// Somebody has been waiting for long, though something still moves.
    Slow,
    /// Somebody waits, or an election or a proposal is open, and nothing moves by itself, but a hand can change that.
    WaitingForYou,
    /// The run ended before its time, and nobody knows how it would have gone on.
    Failed,
    /// Somebody waits and nothing can move any more.
    Stuck,
    /// A rule was broken, at some time in the run.
    Violated,
}

impl Status {
    /// All of them, from the best to the worst.
    pub const ALL: [Self; 6] = [Self::Ok, Self::Slow, Self::WaitingForYou, Self::Failed, Self::Stuck, Self::Violated];

    /// Its word in documents and conditions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Slow => "slow",
            Self::WaitingForYou => "waiting-for-you",
            Self::Failed => "failed",
            Self::Stuck => "stuck",
            Self::Violated => "violated",
        }
    }

    /// The status of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == word)
    }
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
    /// Time-outs on which the algorithm relies, and that have not been longer than the delays, now or before.
    pub warnings: Vec<Warning>,
}

/// Why a run does not stand well: a code and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// The first rule broken; or, in a run that has ended, how it was stuck.
    Violation(Violation),
    /// The run could not go on, for this reason.
    Failed(String),
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
    /// Who is in a section, of which lock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
    /// A cycle of waits: each process waits for a lock that the next one has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<WaitEdge>,
    /// Who has called an election and not learnt its end, or does not know of the latest coordinator.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub electing: Vec<NodeId>,
    /// The instances of agreement in which something is proposed, and nobody knows of a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<u64>,
    /// What a hand could do.
    #[serde(flatten, skip_serializing_if = "Hands::are_tied")]
    pub hands: Hands,
}

/// Somebody in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// Who.
    pub node: NodeId,
    /// Of which lock.
    pub lock: LockId,
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
    /// The processes that others suspect because a partition keeps their heartbeats away: it could be healed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_off: Vec<NodeId>,
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
    /// The monitors that have found a rule broken.
    #[serde(default)]
    monitors: BTreeSet<Arc<str>>,
    /// The first rule broken, getting stuck apart.
    broken: Option<Violation>,
    /// How the run is stuck, until something moves.
    stuck: Option<Violation>,
    ended: bool,
    /// Why it ended before its time, if it did.
    #[serde(default)]
    failed: Option<String>,
}

impl Record {
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Violated { violation } => {
                self.violations += 1;
                if !self.monitors.contains(&violation.monitor) {
                    self.monitors.insert(Arc::clone(&violation.monitor));
                }
                let place = if *violation.monitor == *STUCK { &mut self.stuck } else { &mut self.broken };
                place.get_or_insert_with(|| violation.clone());
            }
            What::Ended { why: Ending::Failed(why) } => {
                self.ended = true;
                self.failed = Some(why.clone());
            }
            // The messages that a run drops when it ends are no sign of anything.
            What::Ended { .. } | What::Dropped { why: DropReason::Ended, .. } => self.ended = true,
            // That a channel sends again what nobody hears moves nothing.
            What::Fired { timer: TimerName::Channel(_) | TimerName::Detector(_), .. } => {}
            // Nor does that somebody is alive, but for the suspicions that it ends.
            What::Delivered { message_kind, .. } if **message_kind == *HEARTBEAT => {}
            What::Suspected { .. } | What::Trusted { .. } => self.stuck = None,
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
        Verdict { status, violations: self.record.violations, because, warnings: self.time_outs.warnings() }
    }

    fn judge(&self, now_us: u64, pending_inputs: usize) -> (Status, Option<Because>) {
        let Record { broken, stuck, ended, failed, .. } = &self.record;
        if let Some(broken) = broken {
            (Status::Violated, Some(Because::Violation(broken.clone())))
        } else if let (true, Some(stuck)) = (ended, stuck) {
            (Status::Stuck, Some(Because::Violation(stuck.clone())))
        } else if let Some(why) = failed {
            (Status::Failed, Some(Because::Failed(why.clone())))
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
    /// middle of one. In a run that has ended nothing is expected to move. An election or a proposal that is open counts
    /// only where a hand can help: how they end without, their monitors say.
    #[must_use]
    pub fn standstill(&self, pending_inputs: usize) -> Option<Standstill> {
        let wanted = self.locks.iter().any(|(_, lock)| !lock.waiting.is_empty());
        if pending_inputs > 0 || self.record.ended || !(wanted || self.is_open()) || self.anything_moves() {
            return None;
        }
        let mut hands = self.hands();
        if !wanted {
            hands.in_section.clear();
        }
        (wanted || !hands.are_tied()).then(|| Standstill {
            waiting: self.locks.iter().flat_map(|(_, lock)| lock.waiting.iter().copied()).collect(),
            dead: self.nodes_where(|node| node.process == ProcessStatus::Crashed),
            inside: self.inside(),
            cycle: if self.setting.exclusive { wait_cycle(&self.locks) } else { Vec::new() },
            electing: self.electing(),
            undecided: self.agreement.undecided().collect(),
            hands,
        })
    }

    /// Whether an election or a proposal is open.
    fn is_open(&self) -> bool {
        !self.electing().is_empty() || self.agreement.undecided().next().is_some()
    }

    /// Who waits for the end of an election: who has called one, and, where news of a coordinator can be held up, who
    /// does not know of the latest.
    fn electing(&self) -> Vec<NodeId> {
        let lives = |node: &Node| matches!(node.process, ProcessStatus::Running | ProcessStatus::Paused);
        let latest =
            self.nodes.iter().filter(|node| lives(node)).filter_map(|node| node.leader).map(|leader| leader.term);
        let latest = latest.max();
        let misses_news = |node: &Node| {
            let is_held_up = self.messages.held() > 0 || node.process == ProcessStatus::Paused;
            is_held_up && node.leader.map(|leader| leader.term) < latest
        };
        self.nodes_where(|node| lives(node) && (node.is_electing() || misses_news(node)))
    }

    fn inside(&self) -> Vec<Inside> {
        let of =
            |(lock, of): (LockId, &Lock)| of.holders.iter().map(move |&node| Inside { node, lock }).collect::<Vec<_>>();
        self.locks.iter().flat_map(of).collect()
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
        NodeId::all(self.node_count()).zip(&self.nodes).any(|(id, node)| self.moves(id, node))
    }

    /// Whether something at `node` goes on by itself.
    fn moves(&self, id: NodeId, node: &Node) -> bool {
        match node.process {
            ProcessStatus::Starting => true,
            ProcessStatus::Running => {
                let goes_on = |pending: &PendingTimer| self.leads_on(&pending.timer);
                self.messages.moves_to(id) || (self.setting.timers && node.timers.iter().any(goes_on))
            }
            // The network still has to drop what is on its way to a dead process, or a new one takes it; what channels send
            // is sent again.
            ProcessStatus::Crashed => self.messages.moves_to(id) && !self.setting.channels,
            ProcessStatus::Paused | ProcessStatus::Stopped => false,
        }
    }

    /// Whether no timer is left of which anything could come: each is of a channel that sends again what nobody hears, or of a
    /// failure detector whose mind is made up.
    #[must_use]
    pub fn only_layers_go_on(&self) -> bool {
        let heeded = |timer: &TimerLabel| match timer {
            // Losses by chance go on without end: they hold up the end only where somebody still wants something.
            TimerName::Detector(_) if self.is_done() => self.beliefs_may_change(),
            timer => self.leads_on(timer),
        };
        (self.setting.channels || self.hearts.is_some())
            && self.nodes.iter().all(|node| match node.process {
                ProcessStatus::Starting => false,
                ProcessStatus::Crashed | ProcessStatus::Stopped => true,
                ProcessStatus::Running | ProcessStatus::Paused => {
                    node.timers.iter().all(|pending| !heeded(&pending.timer))
                }
            })
    }

    /// Whether nobody wants or has anything, and no client will ask by itself.
    fn is_done(&self) -> bool {
        let is_of_client = |pending: &PendingTimer| matches!(pending.timer, TimerName::Client(_));
        self.nodes.iter().all(|node| node.is_idle() && !(self.setting.timers && node.timers.iter().any(is_of_client)))
    }

    /// Whether a belief of a failure detector may still change, but by a rare series of losses.
    fn beliefs_may_change(&self) -> bool {
        self.hearts.as_ref().is_some_and(|hearts| !hearts.are_settled_but_for_losses(|node| self.runs(node)))
    }

    /// Whether anything can come of a timer: a channel that sends again moves nothing where nobody hears it.
    fn leads_on(&self, timer: &TimerLabel) -> bool {
        match timer {
            TimerName::Channel(other) => self.hears(*other),
            TimerName::Detector(_) => {
                !self.hearts.as_ref().is_none_or(|hearts| hearts.are_settled(|node| self.runs(node)))
            }
            TimerName::Client(_) | TimerName::Algorithm(_) => true,
        }
    }

    fn runs(&self, node: NodeId) -> bool {
        self.node(node).is_some_and(|node| node.process == ProcessStatus::Running)
    }

    /// Whether a node takes what comes to it, now or as soon as it is there.
    fn hears(&self, node: NodeId) -> bool {
        let hears = |node: &Node| matches!(node.process, ProcessStatus::Running | ProcessStatus::Starting);
        self.node(node).is_some_and(hears)
    }

    fn hands(&self) -> Hands {
        let running = |node: &Node| node.process == ProcessStatus::Running;
        Hands {
            held: self.messages.held(),
            paused: self.nodes_where(|node| node.process == ProcessStatus::Paused),
            in_section: self.nodes_where(|node| running(node) && node.stays_in_section()),
            timers: self
                .nodes_where(|node| running(node) && node.timers.iter().any(|pending| self.leads_on(&pending.timer))),
            cut_off: self.cut_off(),
        }
    }

    /// The processes that others suspect because a partition keeps their heartbeats away.
    #[must_use]
    pub fn cut_off(&self) -> Vec<NodeId> {
        self.hearts.as_ref().map(|hearts| hearts.cut_off(|node| self.runs(node))).unwrap_or_default()
    }

    fn nodes_where(&self, holds: impl Fn(&Node) -> bool) -> Vec<NodeId> {
        NodeId::all(self.node_count()).zip(&self.nodes).filter(|(_, node)| holds(node)).map(|(id, _)| id).collect()
    }

    /// Whether this monitor has found its rule broken.
    #[must_use]
    pub fn has_violated(&self, monitor: &str) -> bool {
        self.record.monitors.contains(monitor)
    }

    /// From when on somebody has been waiting for too long, if all goes on waiting, in microseconds since the run began.
    #[must_use]
    pub fn slow_from_us(&self) -> Option<u64> {
        let first = self.locks.iter().filter_map(|(_, lock)| lock.waiting.first()).map(|wait| wait.since_us).min();
        first.map(|since_us| since_us.saturating_add(self.setting.slow_after_us).saturating_add(1))
    }

    /// Whether somebody has been waiting for too long, whatever else the verdict says.
    #[must_use]
    pub fn is_slow(&self, now_us: u64) -> bool {
        self.slow(now_us).is_some()
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
