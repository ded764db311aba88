//! A node, computed from the events.

use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, Outcome, RequestId};
use interlock_machine::wire::{ClientTimer, TimerName};
use serde::{Deserialize, Serialize};

use super::Bond;
use interlock_model::event::{Event, Json, RestartState, StepId, TimerLabel, What};
use interlock_model::process_status::ProcessStatus;

/// A lock for which a node waits or which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interest {
    /// The lock.
    pub lock: LockId,
    /// The number of the node's request.
    pub request: RequestId,
    /// The first request of the round to which this request belongs. In a round, a client acquires several locks one
    /// after the other.
    #[serde(default)]
    pub round: RequestId,
    /// Start of the wait for the lock or, if the node holds the lock, of the hold time, in microseconds since the
    /// run began.
    pub since_us: u64,
    /// Whether the node holds the lock.
    pub inside: bool,
    /// Whether the client made the request because a command ordered it to.
    #[serde(default)]
    pub ordered: bool,
}

impl Interest {
    /// Returns the claim of a request, as the first claim of a new round.
    const fn new(lock: LockId, Bond { request, ordered }: Bond, since_us: u64) -> Self {
        Self { lock, request, round: request, since_us, inside: false, ordered }
    }

    const fn bond(&self) -> Bond {
        Bond { request: self.request, ordered: self.ordered }
    }

    /// Returns whether the node holds the lock of this claim, and keeps it until the lock of the claim `other` is
    /// granted.
    #[must_use]
    pub fn is_kept_for(&self, other: &Self) -> bool {
        self.inside && !other.inside && self.bond().ties(other.bond())
    }
}

/// The process that a node believes to be the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Leader {
    /// The coordinator.
    pub leader: NodeId,
    /// The coordinator's term.
    pub term: u64,
}

/// A timer that was set and has neither fired nor been cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingTimer {
    /// The timer.
    pub timer: TimerLabel,
    /// Time at which the timer fires, in microseconds since the run began.
    pub due_us: u64,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Status of the node's process.
    pub process: ProcessStatus,
    /// Number of the current incarnation, from 1.
    pub incarnation: u32,
    /// The operating system's process id, while the process exists.
    pub pid: Option<u32>,
    /// The locks that the node waits for or holds, in the order of its requests.
    pub claims: Vec<Interest>,
    /// The node's view of its state, as last reported in this incarnation.
    pub view: Option<Json>,
    /// The pending timers of the node.
    pub timers: Vec<PendingTimer>,
    /// The node's stored state, which survives a crash.
    pub stored: Option<Json>,
    /// Number of entries to a critical section, over all incarnations of the node.
    pub entries: u64,
    /// Number of rounds in which the client has entered at least one section, over all incarnations of the node.
    pub rounds: u64,
    /// The rounds that are counted in `rounds` and have not ended. In these rounds, the client may make further
    /// requests.
    #[serde(default)]
    open_rounds: Vec<RequestId>,
    /// The process that the node, in this incarnation, believes to be the coordinator.
    pub leader: Option<Leader>,
    /// Number of the node's next request. Numbers continue from one incarnation to the next.
    pub next_request: RequestId,
    /// Elections that the node has called in this incarnation and whose result it does not know yet: the latest term
    /// for each lock.
    #[serde(default)]
    elections: FlatMap<LockId, u64>,
    /// The latest step whose input was an order. `asked` is the latest step that made a request.
    #[serde(default)]
    ordered: Option<StepId>,
    #[serde(default)]
    asked: Option<StepId>,
    /// Nodes that the node's failure detector suspects.
    #[serde(default)]
    pub suspected: FlatSet<NodeId>,
    /// Locks whose critical section the node has left at some time, in any incarnation.
    #[serde(default, skip_serializing_if = "FlatSet::is_empty")]
    left: FlatSet<LockId>,
}

impl Node {
    /// Returns a node before its process has started.
    pub(super) const fn new() -> Self {
        Self {
            process: ProcessStatus::Starting,
            incarnation: 1,
            pid: None,
            claims: Vec::new(),
            view: None,
            timers: Vec::new(),
            stored: None,
            entries: 0,
            rounds: 0,
            open_rounds: Vec::new(),
            leader: None,
            next_request: RequestId(1),
            elections: FlatMap::new(),
            ordered: None,
            asked: None,
            suspected: FlatSet::new(),
            left: FlatSet::new(),
        }
    }

    /// Processes an event of this node.
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Started { .. }
            | What::Crashed { .. }
            | What::Paused { .. }
            | What::Resumed { .. }
            | What::Restarted { .. } => self.live(&event.what),
            What::Armed { timer, delay_us, .. } => self.arm(timer, event.at_us.saturating_add(*delay_us)),
            What::Cancelled { timer, .. } | What::Fired { timer, .. } => self.disarm(timer),
            What::Stored { state, .. } => self.stored = Some(state.clone()),
            What::Commanded { at, .. } => self.ordered = Some(*at),
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => {
                    let bond = Bond::new(*request, *at, self.ordered);
                    self.ask(*at, Interest::new(*lock, bond, event.at_us));
                }
                Outcome::Entered { lock, request, .. } => self.enter(*lock, *request, event.at_us),
                Outcome::Exited { lock, request } => {
                    self.left.insert(*lock);
                    self.claims.retain(|claim| (claim.lock, claim.request) != (*lock, *request));
                }
                Outcome::Invoked { request, .. } => self.counted(*request),
                Outcome::Returned { .. } => self.rounds += 1,
                Outcome::Aborted { request, .. } => self.claims.retain(|claim| claim.request != *request),
                Outcome::Called { lock, term } => drop(self.elections.insert(*lock, *term)),
                Outcome::Elected { lock, leader, term } => {
                    self.leader = Some(Leader { leader: *leader, term: *term });
                    if self.elections.get(lock).is_some_and(|called| called <= term) {
                        self.elections.remove(lock);
                    }
                }
                _ => {}
            },
            What::Suspected { whom, .. } => _ = self.suspected.insert(*whom),
            What::Trusted { whom, .. } => _ = self.suspected.remove(whom),
            _ => {}
        }
        if let Some(view) = view(&event.what) {
            self.view = Some(view.clone());
        }
    }

    /// Records that a request has the number `request`, so that the next request gets a higher number.
    fn counted(&mut self, request: RequestId) {
        self.next_request = self.next_request.max(RequestId(request.0.saturating_add(1)));
    }

    fn ask(&mut self, at: StepId, mut asked: Interest) {
        self.counted(asked.request);
        self.claims.retain(|claim| (claim.lock, claim.request) != (asked.lock, asked.request));
        // Requests that are made in one step belong to one round, even if their numbers differ.
        let at_once = self.asked.replace(at) == Some(at);
        let of_the_round = |claim: &&Interest| at_once || claim.bond().ties(asked.bond());
        asked.round = self.claims.iter().rfind(of_the_round).map_or(asked.request, |claim| claim.round);
        self.claims.push(asked);
        let goes_on = |round: &RequestId| self.claims.iter().any(|claim| claim.round == *round);
        self.open_rounds.retain(goes_on);
    }

    fn enter(&mut self, lock: LockId, request: RequestId, since_us: u64) {
        self.entries += 1;
        let mut round = request;
        if let Some(claim) = self.claims.iter_mut().find(|claim| (claim.lock, claim.request) == (lock, request)) {
            (claim.since_us, claim.inside, round) = (since_us, true, claim.round);
        } else {
            let bond = Bond { request, ordered: false };
            self.claims.push(Interest { inside: true, ..Interest::new(lock, bond, since_us) });
        }
        if !self.open_rounds.contains(&round) {
            self.open_rounds.push(round);
            self.rounds += 1;
        }
    }

    /// Returns whether the node neither waits for a lock nor holds one.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.claims.is_empty()
    }

    /// Returns whether the node waits for a lock.
    #[must_use]
    pub fn wants(&self) -> bool {
        self.claims.iter().any(|claim| !claim.inside)
    }

    /// Returns whether the node is in a critical section. At the same time it may wait for other locks.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.claims.iter().any(|claim| claim.inside)
    }

    /// Returns whether the node is in the critical section of this lock. If `lock` is `None`, any lock counts.
    #[must_use]
    pub fn is_inside_of(&self, lock: Option<LockId>) -> bool {
        self.claims.iter().any(|claim| claim.inside && lock.is_none_or(|lock| lock == claim.lock))
    }

    /// Returns whether the node has been in the critical section of this lock and now neither waits for the lock nor
    /// holds it. If `lock` is `None`, the node must have entered any section, and must now neither wait for a lock nor
    /// hold one.
    #[must_use]
    pub fn has_left(&self, lock: Option<LockId>) -> bool {
        match lock {
            None => self.is_idle() && self.entries > 0,
            Some(lock) => self.left.contains(&lock) && !self.claims.iter().any(|claim| claim.lock == lock),
        }
    }

    /// Returns whether the node has called an election and does not know its result.
    #[must_use]
    pub fn is_electing(&self) -> bool {
        !self.elections.is_empty()
    }

    /// Records that the run has ended.
    pub(super) fn end(&mut self) {
        self.pid = None;
        if self.process != ProcessStatus::Crashed {
            self.process = ProcessStatus::Stopped;
        }
    }

    fn live(&mut self, what: &What) {
        match what {
            What::Started { incarnation, pid, .. } => {
                self.process = ProcessStatus::Running;
                self.incarnation = *incarnation;
                self.pid = *pid;
            }
            What::Paused { .. } => self.process = ProcessStatus::Paused,
            What::Resumed { .. } => self.process = ProcessStatus::Running,
            What::Crashed { .. } => self.lose(ProcessStatus::Crashed),
            What::Restarted { incarnation, state, .. } => {
                self.lose(ProcessStatus::Starting);
                self.incarnation = *incarnation;
                if *state == RestartState::None {
                    self.stored = None;
                }
            }
            _ => {}
        }
    }

    /// Clears the part of the node's state that is lost when its process ends.
    fn lose(&mut self, process: ProcessStatus) {
        self.process = process;
        self.pid = None;
        self.claims.clear();
        self.leader = None;
        self.elections.clear();
        self.suspected.clear();
        self.view = None;
        self.timers.clear();
    }

    fn arm(&mut self, timer: &TimerLabel, due_us: u64) {
        self.disarm(timer);
        self.timers.push(PendingTimer { timer: timer.clone(), due_us });
    }

    fn disarm(&mut self, timer: &TimerLabel) {
        self.timers.retain(|pending| pending.timer != *timer);
    }

    /// Returns whether the node is in a section that it leaves only when ordered to.
    pub(super) fn stays_in_section(&self) -> bool {
        let stays =
            |claim: &&Interest| !self.claims.iter().any(|other| claim.is_kept_for(other)) && !self.leaves(claim);
        self.claims.iter().filter(|claim| claim.inside).any(|claim| stays(&claim))
    }

    /// Returns whether the node will leave the section of `claim` without an order. This is so if a pending timer
    /// will make the node leave, or make its next request.
    fn leaves(&self, claim: &Interest) -> bool {
        let is_about = |timer: &ClientTimer| match timer {
            ClientTimer::Idle | ClientTimer::Queued => false,
            ClientTimer::HoldLock(lock) => *lock == claim.lock,
            ClientTimer::Hold => !claim.ordered || claim.lock == LockId(0),
            ClientTimer::Next | ClientTimer::Again => !claim.ordered,
        };
        self.timers.iter().any(|pending| matches!(&pending.timer, TimerName::Client(timer) if is_about(timer)))
    }
}

/// Returns the node at which `event` happened.
pub(super) fn concerned<'a>(nodes: &'a mut [Node], event: &Event) -> Option<&'a mut Node> {
    event.node().map(NodeId::index).and_then(|index| nodes.get_mut(index))
}

fn view(what: &What) -> Option<&Json> {
    match what {
        What::Initialized { view, .. }
        | What::Commanded { view, .. }
        | What::Fired { view, .. }
        | What::Delivered { view, .. } => view.as_ref(),
        _ => None,
    }
}
