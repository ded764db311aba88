//! The verdict on a run: ok, slow, waiting for manual action, failed, stuck, or a property violated.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};

use super::State;
use super::lock::{Lock, Waiting};
use super::node::Node;
use super::wait_cycle::wait_cycle;
use super::wait_for::WaitEdge;
use interlock_model::event::{DropReason, Ending, Event, TimerLabel, Violation, Warning, What};
use interlock_model::process_status::ProcessStatus;

/// Name of the monitor that reports a [`Standstill`] which no manual action can resolve. Once something moves again,
/// this violation no longer counts. All other violations count until the end of the run.
pub const STUCK: &str = "stuck";

/// The status of a run. If several statuses apply, the run has the worst of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// None of the other statuses applies.
    Ok,
    /// A process has been waiting for too long, but something still moves.
    Slow,
    /// A process waits, or an election or a proposal is open, and nothing moves by itself. A manual action can help.
    WaitingForYou,
    /// The run ended early, so its further course is unknown.
    Failed,
    /// A process waits and nothing can move.
    Stuck,
    /// A property was violated at some time in the run.
    Violated,
}

impl Status {
    /// All statuses, from best to worst.
    pub const ALL: [Self; 6] = [Self::Ok, Self::Slow, Self::WaitingForYou, Self::Failed, Self::Stuck, Self::Violated];

    /// Returns the name of the status in documents and conditions.
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

    /// Returns the status with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == word)
    }
}

/// The status of a run and the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// Number of violations so far. Each time that the run got stuck counts as a violation.
    pub violations: u64,
    /// The reason for any status other than `ok`.
    pub because: Option<Because>,
    /// Warnings about time-outs that are too short now, or were too short earlier in the run. The algorithm needs
    /// time-outs that are longer than the message delays.
    pub warnings: Vec<Warning>,
}

/// The reason why the status of a run is not `ok`.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// The first violation of a property in the run. If the run ended while it was stuck, and no other property was
    /// violated, this is the violation of getting stuck.
    Violation(Violation),
    /// The run could not continue. The text gives the reason.
    Failed(String),
    /// A process wants something, and nothing moves by itself.
    Standstill(Standstill),
    /// A process has been waiting for too long. This is the longest wait.
    Slow(SlowWait),
}

/// A wait that lasts longer than the limit set for the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SlowWait {
    /// The waiting node.
    pub node: NodeId,
    /// The lock for which the node waits.
    pub lock: LockId,
    /// Start of the wait, in microseconds since the run began.
    pub since_us: u64,
    /// Duration of the wait, in ms.
    pub waited_ms: u64,
}

/// A state of a run in which a process wants something and nothing moves by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standstill {
    /// The waiting nodes.
    pub waiting: Vec<Waiting>,
    /// The crashed nodes.
    pub dead: Vec<NodeId>,
    /// The nodes in a critical section, each with the lock of the section.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
    /// A cycle of waits: each process waits for a lock that the next process holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<WaitEdge>,
    /// Nodes that have called an election whose result they do not know, and nodes that do not know the latest
    /// coordinator.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub electing: Vec<NodeId>,
    /// Instances of agreement in which a value was proposed, but no node has learnt which value was chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<u64>,
    /// The manual actions that could help.
    #[serde(flatten, skip_serializing_if = "Hands::are_tied")]
    pub hands: Hands,
}

/// A node in a critical section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// The node.
    pub node: NodeId,
    /// The lock of the section.
    pub lock: LockId,
}

/// Manual actions after which the run could make progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hands {
    /// Number of held messages that could be delivered.
    pub held: usize,
    /// Paused nodes that could be resumed.
    pub paused: Vec<NodeId>,
    /// Nodes that could be ordered to leave their critical section.
    pub in_section: Vec<NodeId>,
    /// Nodes whose pending timers could be fired manually.
    pub timers: Vec<NodeId>,
    /// Processes that others suspect because a partition blocks their heartbeats. If the partition is healed, the
    /// suspicions can end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_off: Vec<NodeId>,
}

impl Hands {
    /// Returns whether no manual action could help.
    #[must_use]
    pub fn are_tied(&self) -> bool {
        *self == Self::default()
    }
}

/// The violations so far, and whether the run has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    violations: u64,
    /// The monitors that have found their property violated.
    #[serde(default)]
    monitors: BTreeSet<Arc<str>>,
    /// The first violation, apart from violations of getting stuck.
    broken: Option<Violation>,
    /// The latest violation of getting stuck. It is removed as soon as something moves.
    stuck: Option<Violation>,
    ended: bool,
    /// The reason why the run ended early, if it did.
    #[serde(default)]
    failed: Option<String>,
    /// The latest losses of messages, oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    losses: VecDeque<Loss>,
}

/// Maximum number of losses that are stored.
const MOST_LOSSES: usize = 100;

/// The loss of a message.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Loss {
    from: NodeId,
    to: NodeId,
    at_us: u64,
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
            // When a run ends, the network drops all messages. These drops do not show that anything moves.
            What::Ended { .. } | What::Dropped { why: DropReason::Ended, .. } => self.ended = true,
            What::Dropped { from, to, message_kind, .. } if **message_kind != *HEARTBEAT => {
                if self.losses.len() >= MOST_LOSSES {
                    self.losses.pop_front();
                }
                self.losses.push_back(Loss { from: *from, to: *to, at_us: event.at_us });
            }
            // A timer of a channel or of a failure detector does not show that anything moves: its message may reach
            // no process.
            What::Fired { timer: TimerName::Channel(_) | TimerName::Detector(_), .. } => {}
            // A delivered heartbeat does not show that anything moves. If it ends a suspicion, the event `trusted`
            // shows that.
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
    /// Returns the verdict on the run at `now_us`, in microseconds since the run began. `pending_inputs` is the
    /// number of commands to nodes that are not paused, for which no node has reported a step yet.
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

    /// Returns the standstill if a process wants something and nothing moves by itself. Nothing moves if all of the
    /// following hold:
    ///
    /// - No message is in transit to a node that can receive it.
    /// - No timer or command is pending.
    /// - No process is starting.
    ///
    /// An input counts as in transit until its node has reported the step, so no input is overlooked. Call this
    /// function only between steps. In a run that has ended, nothing is expected to move, so the result is `None`. An
    /// open election or proposal counts only if a manual action can help. Otherwise the monitors of elections and
    /// agreement judge it.
    #[must_use]
    pub fn standstill(&self, pending_inputs: usize) -> Option<Standstill> {
        let wanted = self.locks.iter().any(|(_, lock)| !lock.waiting.is_empty());
        if pending_inputs > 0 || self.record.ended || self.anything_moves() || !(wanted || self.is_open()) {
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

    /// Returns whether an election or a proposal has no result yet.
    fn is_open(&self) -> bool {
        !self.electing().is_empty() || self.agreement.undecided().next().is_some()
    }

    /// Returns the nodes that wait for the result of an election: the nodes that have called an election. If
    /// messages are held, nodes that do not know the latest coordinator also count. A paused node that does not
    /// know the latest coordinator always counts.
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

    /// Returns whether nothing moves by itself, and no manual action could deliver a message, resume a node or fire a
    /// timer. Call this function only between steps. For `pending_inputs` see [`Self::verdict`]. If the run has ended,
    /// returns false.
    #[must_use]
    pub fn is_at_rest(&self, pending_inputs: usize) -> bool {
        let untouched = |Hands { held, paused, timers, .. }: Hands| held == 0 && paused.is_empty() && timers.is_empty();
        pending_inputs == 0 && !self.record.ended && !self.anything_moves() && untouched(self.hands())
    }

    /// Returns whether something moves by itself: a node starts, receives a message, or has a timer that fires. This is
    /// asked after every report, and mostly a message moves. The numbers of messages are close together in memory, so
    /// they are read first.
    fn anything_moves(&self) -> bool {
        self.messages.receivers().any(|node| self.node(node).is_some_and(|node| self.receives(node)))
            || self.nodes.iter().any(|node| self.begins_or_fires(node))
    }

    /// Returns whether a message in transit to `node` matters.
    const fn receives(&self, node: &Node) -> bool {
        match node.process {
            ProcessStatus::Starting | ProcessStatus::Running => true,
            // Without channels, messages in transit to a crashed process still matter: the network drops them, or the
            // next incarnation receives them. With channels such messages do not matter, since channels retransmit.
            ProcessStatus::Crashed => !self.setting.channels,
            ProcessStatus::Paused | ProcessStatus::Stopped => false,
        }
    }

    /// Returns whether `node` starts, or has a timer that fires.
    fn begins_or_fires(&self, node: &Node) -> bool {
        match node.process {
            ProcessStatus::Starting => true,
            ProcessStatus::Running => {
                self.setting.timers && node.timers.iter().any(|pending| self.leads_on(&pending.timer))
            }
            ProcessStatus::Crashed | ProcessStatus::Paused | ProcessStatus::Stopped => false,
        }
    }

    /// Returns whether no pending timer can have an effect. Each pending timer then belongs to a channel that
    /// retransmits to a node which cannot receive, or to a failure detector whose beliefs are settled.
    #[must_use]
    pub fn only_layers_go_on(&self) -> bool {
        let heeded = |timer: &TimerLabel| match timer {
            // Random loss can change beliefs at any time. It therefore delays the end of a run only while a process
            // wants something.
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

    /// Returns whether no node waits for a lock or holds one.
    fn is_done(&self) -> bool {
        self.nodes.iter().all(Node::is_idle)
    }

    /// Returns whether a belief of a failure detector may still change. A change that needs a rare series of losses
    /// does not count.
    fn beliefs_may_change(&self) -> bool {
        self.hearts.as_ref().is_some_and(|hearts| !hearts.are_settled_but_for_losses(|node| self.runs(node)))
    }

    /// Returns whether a timer can have an effect. A channel's timer has no effect if the receiver cannot receive the
    /// retransmitted message.
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

    /// Returns whether a node receives messages now, or will receive them once it has started.
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

    /// Returns the processes that others suspect because a partition blocks their heartbeats.
    #[must_use]
    pub fn cut_off(&self) -> Vec<NodeId> {
        self.hearts.as_ref().map(|hearts| hearts.cut_off(|node| self.runs(node))).unwrap_or_default()
    }

    fn nodes_where(&self, holds: impl Fn(&Node) -> bool) -> Vec<NodeId> {
        NodeId::all(self.node_count()).zip(&self.nodes).filter(|(_, node)| holds(node)).map(|(id, _)| id).collect()
    }

    /// Returns whether a message between two nodes was lost since this time, in microseconds since the run began. If
    /// `other` is `None`, messages between `node` and any other node count. In runs with channels, which retransmit
    /// lost messages, returns false.
    #[must_use]
    pub fn has_lost(&self, node: NodeId, other: Option<NodeId>, since_us: u64) -> bool {
        let is_between = |from, to| from == node && other.is_none_or(|other| other == to);
        let counts = |loss: &&Loss| loss.at_us >= since_us;
        let mut losses = self.record.losses.iter().rev().take_while(counts);
        !self.setting.channels && losses.any(|&Loss { from, to, .. }| is_between(from, to) || is_between(to, from))
    }

    /// Returns whether this monitor has found its property violated.
    #[must_use]
    pub fn has_violated(&self, monitor: &str) -> bool {
        self.record.monitors.contains(monitor)
    }

    /// Returns the time from which the longest wait counts as too long, in microseconds since the run began. The
    /// wait must continue until then.
    #[must_use]
    pub fn slow_from_us(&self) -> Option<u64> {
        let first = self.locks.iter().filter_map(|(_, lock)| lock.waiting.first()).map(|wait| wait.since_us).min();
        first.map(|since_us| since_us.saturating_add(self.setting.slow_after_us).saturating_add(1))
    }

    /// Returns whether a process has been waiting for too long. The status of the run may nevertheless be worse
    /// than slow.
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
