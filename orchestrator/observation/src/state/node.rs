//! One node as the stream of events tells it.

use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, RequestId};
use interlock_machine::wire::{ClientTimer, TimerName};
use serde::{Deserialize, Serialize};

use super::Bond;
use interlock_model::event::{Event, Json, RestartState, StepId, TimerLabel, What};
use interlock_model::process_status::ProcessStatus;

/// What a node wants or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interest {
    /// The lock.
    pub lock: LockId,
    /// The number of the node's request.
    pub request: RequestId,
    /// The request that began the round to which it belongs.
    #[serde(default)]
    pub round: RequestId,
    /// Since when it wants or has it, in microseconds since the run began.
    pub since_us: u64,
    /// Whether it has it.
    pub inside: bool,
    /// Whether its client was ordered to ask.
    #[serde(default)]
    pub ordered: bool,
}

impl Interest {
    /// A claim that is made by this request, of a round of its own.
    const fn new(lock: LockId, Bond { request, ordered }: Bond, since_us: u64) -> Self {
        Self { lock, request, round: request, since_us, inside: false, ordered }
    }

    const fn bond(&self) -> Bond {
        Bond { request: self.request, ordered: self.ordered }
    }

    /// Whether the node keeps this, if it has it, until it gets the other, if it waits for that.
    #[must_use]
    pub fn is_kept_for(&self, other: &Self) -> bool {
        self.inside && !other.inside && self.bond().ties(other.bond())
    }
}

/// Whom a node takes for the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Leader {
    /// The coordinator.
    pub leader: NodeId,
    /// Of which term.
    pub term: u64,
}

/// A timer that was set and has neither run out nor been cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingTimer {
    /// Which.
    pub timer: TimerLabel,
    /// When it is to run out, in microseconds since the run began.
    pub due_us: u64,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What its process is doing.
    pub process: ProcessStatus,
    /// Which life of the node this is, from 1.
    pub incarnation: u32,
    /// The process id, while there is a process.
    pub pid: Option<u32>,
    /// What it wants and has, in the order in which it asked.
    pub claims: Vec<Interest>,
    /// What its state looks like, as last reported in this life.
    pub view: Option<Json>,
    /// Its pending timers.
    pub timers: Vec<PendingTimer>,
    /// What survives a crash.
    pub stored: Option<Json>,
    /// How often it has entered, over all its lives.
    pub entries: u64,
    /// How many of its client's rounds came as far as a section, over all its lives.
    pub rounds: u64,
    /// Those of them that may go on.
    #[serde(default)]
    open_rounds: Vec<RequestId>,
    /// Whom it takes for the coordinator in this life.
    pub leader: Option<Leader>,
    /// The number that its next request gets, over all its lives.
    pub next_request: RequestId,
    /// The elections that it has called in this life and whose end it has not learnt: the latest term for each lock.
    #[serde(default)]
    elections: FlatMap<LockId, u64>,
    /// The latest step that followed an order, and the latest in which it asked for something.
    #[serde(default)]
    ordered: Option<StepId>,
    #[serde(default)]
    asked: Option<StepId>,
    /// Whom its failure detector takes for dead.
    #[serde(default)]
    pub suspected: FlatSet<NodeId>,
    /// The locks whose critical section it has left, over all its lives.
    #[serde(default, skip_serializing_if = "FlatSet::is_empty")]
    left: FlatSet<LockId>,
}

impl Node {
    /// A node before its process has been started.
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

    /// Takes an event of this node.
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
            What::Requested { at, lock, request } => {
                let bond = Bond::new(*request, *at, self.ordered);
                self.ask(*at, Interest::new(*lock, bond, event.at_us));
            }
            What::Entered { lock, request, .. } => self.enter(*lock, *request, event.at_us),
            What::Exited { lock, request, .. } => {
                self.left.insert(*lock);
                self.claims.retain(|claim| (claim.lock, claim.request) != (*lock, *request));
            }
            What::Suspected { whom, .. } => _ = self.suspected.insert(*whom),
            What::Trusted { whom, .. } => _ = self.suspected.remove(whom),
            What::Invoked { request, .. } => self.counted(*request),
            What::Returned { .. } => self.rounds += 1,
            What::Aborted { request, .. } => self.claims.retain(|claim| claim.request != *request),
            What::Called { lock, term, .. } => drop(self.elections.insert(*lock, *term)),
            What::Elected { lock, leader, term, .. } => {
                self.leader = Some(Leader { leader: *leader, term: *term });
                if self.elections.get(lock).is_some_and(|called| called <= term) {
                    self.elections.remove(lock);
                }
            }
            _ => {}
        }
        if let Some(view) = view(&event.what) {
            self.view = Some(view.clone());
        }
    }

    /// A request has this number; the next has another.
    fn counted(&mut self, request: RequestId) {
        self.next_request = self.next_request.max(RequestId(request.0.saturating_add(1)));
    }

    fn ask(&mut self, at: StepId, mut asked: Interest) {
        self.counted(asked.request);
        self.claims.retain(|claim| (claim.lock, claim.request) != (asked.lock, asked.request));
        // What is asked for in one step is wanted together, also under several numbers.
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

    /// Whether it wants and has nothing.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.claims.is_empty()
    }

    /// Whether it waits for a lock.
    #[must_use]
    pub fn wants(&self) -> bool {
        self.claims.iter().any(|claim| !claim.inside)
    }

    /// Whether it is in a critical section, whatever else it may want.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.claims.iter().any(|claim| claim.inside)
    }

    /// Whether it is in the critical section of this lock, or of any.
    #[must_use]
    pub fn is_inside_of(&self, lock: Option<LockId>) -> bool {
        self.claims.iter().any(|claim| claim.inside && lock.is_none_or(|lock| lock == claim.lock))
    }

    /// Whether it has been in the critical section of this lock, or of any, and now wants and has nothing there.
    #[must_use]
    pub fn has_left(&self, lock: Option<LockId>) -> bool {
        match lock {
            None => self.is_idle() && self.entries > 0,
            Some(lock) => self.left.contains(&lock) && !self.claims.iter().any(|claim| claim.lock == lock),
        }
    }

    /// Whether it has called an election and does not know how it has ended.
    #[must_use]
    pub fn is_electing(&self) -> bool {
        !self.elections.is_empty()
    }

    /// The run has ended.
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

    /// Everything that dies with the process is gone.
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

    /// Whether it is in a section until somebody orders it to leave.
    pub(super) fn stays_in_section(&self) -> bool {
        let stays =
            |claim: &&Interest| !self.claims.iter().any(|other| claim.is_kept_for(other)) && !self.leaves(claim);
        self.claims.iter().filter(|claim| claim.inside).any(|claim| stays(&claim))
    }

    /// Whether a timer is set after which it leaves this section by itself, or asks for more before.
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

/// The node that `event` happened at and changes.
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
