//! The client of a node as a pure machine. It requests, holds and releases locks, either by itself or because of an
//! order.
//!
//! A round is a set of locks that the client wants to hold together. By itself, the client begins a round only
//! after the previous round has ended. Orders may begin several rounds at the same time. If all requests of a
//! client form one transaction, an order adds its lock to the open round instead.

mod client_context;
mod orders;
mod round;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use interlock_algorithm::{Command, Discipline, LockId, NodeId, Outcome, RequestId, Ticks};
use smallvec::SmallVec;

use self::round::{Doing, Hold, Item, Round};
use crate::application::Told;
use crate::draw::{draw, evenly, unit};
use crate::lock_choice::LockChoice;
use crate::service::Service;
use crate::wire::ClientTimer;
use crate::workload::{ClientLoop, LoopKind};

pub use client_context::ClientContext;
pub use orders::OrderError;

/// Key for the random draws of idle times. Each kind of draw has its own key, so draws of different kinds are
/// independent.
const IDLE_DRAWS: u64 = u64::from_be_bytes(*b"idletime");
/// Key for the random draws of hold times.
const HOLD_DRAWS: u64 = u64::from_be_bytes(*b"holdtime");
/// Key for the random draws of the locks of a round.
const LOCK_DRAWS: u64 = u64::from_be_bytes(*b"locklist");
/// Key for the random draws of the times between the locks of a round.
const BETWEEN_DRAWS: u64 = u64::from_be_bytes(*b"between-");
/// Key for the random draws of back-offs.
const AGAIN_DRAWS: u64 = u64::from_be_bytes(*b"back-off");
/// Key for the random draws that decide whether a client notifies another client.
const TELL_DRAWS: u64 = u64::from_be_bytes(*b"tellings");

/// An effect of the client, which the driver of the node executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Set a timer. The second field is its delay in microseconds.
    Set(ClientTimer, Ticks),
    /// Cancel a timer.
    Cancel(ClientTimer),
    /// Send a message of the application.
    Tell(NodeId, Told),
}

/// The client of one node.
///
/// A request that an order causes does not stop the idle timer. In a closed loop, if the timer expires while such a
/// request is open, the client begins no round. The next idle time then begins when the client exits.
#[derive(Clone, Debug)]
pub struct Client {
    /// Loop of the client. Clients with equal loops may share it.
    habit: Option<Arc<ClientLoop>>,
    context: ClientContext,
    /// Locks that the client may never acquire. The client never requests these locks by itself.
    barred: Vec<LockId>,
    nodes: u32,
    seed: u64,
    node: NodeId,
    next_request: RequestId,
    /// Number of rounds that reached a critical section, over all incarnations of the node.
    entered: u64,
    rounds: SmallVec<[Round; 1]>,
    /// Open request to a service: the service has not answered this request yet.
    invoked: Option<RequestId>,
    idle_pending: bool,
    /// Number of requests that were aborted.
    aborts: u64,
    /// In an open loop: number of requests that have arrived at the client so far.
    arrived: u64,
    queued: u64,
}

/// Two clients of the same node in the same run are equal if their possible futures are the same.
impl PartialEq for Client {
    fn eq(&self, other: &Self) -> bool {
        self.changing() == other.changing()
    }
}

impl Eq for Client {}

impl Hash for Client {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.changing().hash(hasher);
    }
}

impl Client {
    /// Returns the state that changes during an incarnation. State that affects only random draws is not included.
    fn changing(&self) -> impl Eq + Hash {
        let numbers = (self.next_request, self.entered, self.arrived, self.queued, self.invoked);
        (self.rounds.as_slice(), self.idle_pending, numbers)
    }

    /// Creates the client of a node before its first step. `habit` is the client's loop, `nodes` is the number of
    /// nodes in the run, and `seed` is the seed of the run.
    #[must_use]
    pub fn new(node: NodeId, nodes: u32, seed: u64, habit: Option<Arc<ClientLoop>>, context: ClientContext) -> Self {
        Self {
            habit,
            context,
            barred: Vec::new(),
            nodes,
            seed,
            node,
            next_request: RequestId(1),
            entered: 0,
            rounds: SmallVec::new(),
            invoked: None,
            idle_pending: false,
            aborts: 0,
            arrived: 0,
            queued: 0,
        }
    }

    /// Returns the same client with `barred` as the locks that it may never acquire.
    #[must_use]
    pub fn barred_from(self, barred: Vec<LockId>) -> Self {
        Self { barred, ..self }
    }

    /// Returns the client for a later incarnation of its node. `entered` is the number of rounds that reached a
    /// critical section in earlier incarnations.
    #[must_use]
    pub fn reborn(self, next_request: RequestId, entered: u64) -> Self {
        Self {
            next_request,
            entered,
            arrived: entered,
            barred: self.barred,
            ..Self::new(self.node, self.nodes, self.seed, self.habit, self.context)
        }
    }

    /// Returns the number of nodes in the run.
    pub(crate) const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Returns the locks whose critical sections the client is in.
    pub fn inside(&self) -> impl Iterator<Item = LockId> {
        let has = |item: &&Item| matches!(item.doing, Doing::InSection | Doing::Leaving);
        self.rounds.iter().flat_map(|round| &round.items).filter(has).map(|item| item.lock)
    }

    /// Whether the client waits for a lock that it has requested, or will request another lock of an open round by
    /// itself.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.wanted().next().is_some()
    }

    /// Returns the locks that the client has requested and not acquired yet, and also the locks of open rounds that
    /// it will request by itself.
    pub fn wanted(&self) -> impl Iterator<Item = LockId> {
        self.rounds.iter().flat_map(|round| {
            let wants = |doing| doing == Doing::Wanting || (!round.leaving && doing == Doing::Planned);
            round.items.iter().filter(move |item| wants(item.doing)).map(|item| item.lock)
        })
    }

    /// Returns the number of the client's next request.
    #[must_use]
    pub const fn next_request(&self) -> RequestId {
        self.next_request
    }

    /// If no round is open, restarts the numbering of the client's requests at 1.
    pub fn forget_requests(&mut self) {
        if self.rounds.is_empty() {
            self.next_request = RequestId(1);
            self.entered = 0;
        }
    }

    /// Returns the number of rounds in which the client reached a critical section, over all incarnations of the
    /// node.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.entered
    }

    /// Begins an incarnation of the client: the first incarnation, or a later incarnation after a crash.
    pub fn begin(&mut self, out: &mut Vec<ClientEffect>) {
        self.idle_again(out);
    }

    /// Handles an expired timer of the client.
    pub fn run_out(&mut self, timer: ClientTimer, out: &mut Vec<ClientEffect>) -> Option<Command> {
        match timer {
            ClientTimer::Idle => self.idle_over(out),
            ClientTimer::Queued => self.ask_queued(out),
            ClientTimer::Hold | ClientTimer::HoldLock(_) => {
                let round = self.rounds.iter().position(|round| round.timer == Some(timer))?;
                self.rounds[round].timer = None;
                self.leave(round)
            }
            ClientTimer::Next | ClientTimer::Again => self.go_on(out),
        }
    }

    fn idle_over(&mut self, out: &mut Vec<ClientEffect>) -> Option<Command> {
        self.idle_pending = false;
        if self.is_open() {
            self.arrived = self.arrived.saturating_add(1);
            self.queued = self.queued.saturating_add(1);
            self.idle_again(out);
            return self.ask_queued(out);
        }
        if !self.rounds.is_empty() || self.invoked.is_some() || self.used_up() {
            return None;
        }
        match self.habit.as_ref().and_then(|habit| habit.service) {
            Some(service) => Some(self.invoke(service)),
            None => self.begin_round(Hold::Drawn, out),
        }
    }

    /// Sends the next request to a service.
    fn invoke(&mut self, service: Service) -> Command {
        let request = self.number();
        self.invoked = Some(request);
        Command::Invoke { request, operation: service.operation(self.seed, self.nodes, self.node, request) }
    }

    /// Handles the answer of a service to a request. A failed request is handled in the same way.
    fn returned(&mut self, request: RequestId, out: &mut Vec<ClientEffect>) {
        if self.invoked == Some(request) {
            self.invoked = None;
            self.entered = self.entered.saturating_add(1);
            self.idle_again(out);
        }
    }

    /// If no round is open, sends the oldest queued request.
    fn ask_queued(&mut self, out: &mut Vec<ClientEffect>) -> Option<Command> {
        if !self.rounds.is_empty() || self.queued == 0 {
            return None;
        }
        self.queued -= 1;
        self.begin_round(Hold::Drawn, out)
    }

    /// Handles a message of the application. If the message asks the receiver to request, and the client is idle,
    /// the client begins a round. If the message contains a hold time, that time applies; otherwise, the client's
    /// loop determines the hold time.
    pub fn told(&mut self, told: Told, out: &mut Vec<ClientEffect>) -> Option<Command> {
        let hold = match told.hold_us.filter(|_| told.asks) {
            Some(hold_us) => Hold::Exactly(hold_us),
            None if told.asks && !self.used_up() => Hold::Drawn,
            None => return None,
        };
        if self.rounds.is_empty() { self.begin_round(hold, out) } else { None }
    }

    /// Handles an outcome of the algorithm.
    pub fn observe(&mut self, outcome: &Outcome, out: &mut Vec<ClientEffect>) {
        match outcome {
            Outcome::Entered { lock, request, .. } => self.got(*lock, *request, out),
            Outcome::Exited { lock, request } => self.left(*lock, *request, out),
            Outcome::Aborted { request, .. } => self.aborted(*request, out),
            Outcome::Returned { request, .. } => self.returned(*request, out),
            _ => {}
        }
    }

    fn number(&mut self) -> RequestId {
        let request = self.next_request;
        self.next_request = RequestId(request.0.saturating_add(1));
        request
    }

    /// Plans a round with the locks that the client's loop selects, and requests the first lock of the round.
    fn begin_round(&mut self, hold: Hold, out: &mut Vec<ClientEffect>) -> Option<Command> {
        if self.context.locks == 0 {
            return None;
        }
        let first = self.next_request;
        let keys = self.keys(LOCK_DRAWS, first.0);
        let choice = self.habit.as_ref().map(|habit| habit.locks.clone()).unwrap_or_default();
        let mut items = SmallVec::<[Item; 1]>::new();
        for lock in choice.locks(self.node, self.context.locks, &keys) {
            if self.barred.contains(&lock) {
                continue;
            }
            let request = if self.context.transactions { first } else { self.number() };
            items.push(Item { lock, request, doing: Doing::Planned });
        }
        if items.is_empty() {
            self.begin_no_round(&choice, out);
            return None;
        }
        if self.context.transactions {
            self.number();
        }
        if self.context.discipline != Discipline::AsPlanned {
            items.sort_unstable_by_key(|item| item.lock);
        }
        // Lock coupling applies only to a round with the directory and one file. A round with all files holds the
        // directory until it releases the files.
        let couples = choice.is_of_a_directory() && items.len() == 2;
        self.rounds.push(Round { couples, ..Round::new(items, hold, true) });
        if let Some(other) = self.tells(first) {
            out.push(ClientEffect::Tell(other, Told { clock: None, asks: true, hold_us: None }));
        }
        self.ask(self.rounds.len() - 1)
    }

    /// Handles a round for which no lock is left, because the client may never acquire the selected locks. If the
    /// loop draws its locks, another idle time begins, because the next draw may select other locks.
    fn begin_no_round(&mut self, choice: &LockChoice, out: &mut Vec<ClientEffect>) {
        self.number();
        let is_drawn = matches!(choice, LockChoice::One | LockChoice::Some(_) | LockChoice::Directory(_));
        if is_drawn && self.barred.len() < self.context.locks as usize && !self.is_open() {
            self.idle_again(out);
        }
    }

    /// Requests the next lock of a round. If the algorithm grants all locks of a request together, requests all
    /// locks of the round.
    fn ask(&mut self, round: usize) -> Option<Command> {
        let together = self.context.discipline == Discipline::Together;
        let round = self.rounds.get_mut(round)?;
        if together && round.all(Doing::Planned) {
            round.items.iter_mut().for_each(|item| item.doing = Doing::Wanting);
            let locks = round.items.iter().map(|item| item.lock).collect();
            return Some(Command::AcquireTogether { locks, request: round.request() });
        }
        let Item { lock, request, doing } = round.next_planned()?;
        *doing = Doing::Wanting;
        Some(Command::Acquire { lock: *lock, request: *request })
    }

    /// Releases the next lock of a round. From now on, the round releases all its locks, one after the other.
    fn leave(&mut self, round: usize) -> Option<Command> {
        let round = self.rounds.get_mut(round)?;
        round.leaving = true;
        let Item { lock, request, doing } = round.next_held()?;
        *doing = Doing::Leaving;
        Some(Command::Release { lock: *lock, request: *request })
    }

    /// Releases a lock of a round with lock coupling, if the round already holds its last lock.
    fn pass(&mut self, round: usize) -> Option<Command> {
        let Item { lock, request, doing } = self.rounds.get_mut(round)?.next_to_pass()?;
        *doing = Doing::Leaving;
        Some(Command::Release { lock: *lock, request: *request })
    }

    /// Sends the next command of an open round: a release, or the request for another lock, for example after an
    /// abort.
    fn go_on(&mut self, out: &mut Vec<ClientEffect>) -> Option<Command> {
        self.settle(out);
        for place in 0..self.rounds.len() {
            let command = if self.rounds[place].leaving {
                self.leave(place)
            } else {
                self.pass(place).or_else(|| self.ask(place))
            };
            if command.is_some() {
                return command;
            }
        }
        None
    }

    fn got(&mut self, lock: LockId, request: RequestId, out: &mut Vec<ClientEffect>) {
        let hold_bits = draw(&self.keys(HOLD_DRAWS, request.0));
        let pause_bits = draw(&self.keys(BETWEEN_DRAWS ^ u64::from(lock.0), request.0));
        let Some(round) = self.rounds.iter_mut().find(|round| round.includes(lock, request)) else { return };
        if let Some(item) = round.find(lock, request) {
            item.doing = Doing::InSection;
        }
        // After an abort, the request is repeated in the same round. If a round was counted before the abort, it is
        // not counted again.
        if !std::mem::replace(&mut round.entered, true) {
            self.entered = self.entered.saturating_add(1);
        }
        if round.leaving {
            // While the client waited for this lock, the algorithm took away an earlier lock of the round. So the
            // round must release its locks.
            return out.push(ClientEffect::Set(ClientTimer::Next, 0));
        }
        let habit = self.habit.as_ref();
        if round.next_planned().is_some() {
            let pause = habit.map_or(0, |habit| habit.between.sample(pause_bits));
            return out.push(ClientEffect::Set(ClientTimer::Next, pause));
        }
        if round.all(Doing::InSection) {
            let drawn = habit.map(|habit| habit.hold.sample(hold_bits));
            round.hold_on(lock, drawn, out);
            if round.couples {
                out.push(ClientEffect::Set(ClientTimer::Next, 0));
            }
        }
    }

    fn left(&mut self, lock: LockId, request: RequestId, out: &mut Vec<ClientEffect>) {
        let Some(round) = self.rounds.iter_mut().find(|round| round.includes(lock, request)) else { return };
        let Some(item) = round.find(lock, request) else { return };
        let by_itself = std::mem::replace(&mut item.doing, Doing::Left) != Doing::Leaving;
        // If the algorithm has taken the lock away, the client did not release it in exchange for the next lock.
        // Lock coupling therefore ends for this round.
        round.couples &= !by_itself;
        if !round.couples || !round.any(Doing::InSection) {
            round.forget_hold(out);
        }
        if by_itself || self.rounds.iter().any(|round| round.leaving && round.any(Doing::InSection)) {
            // The algorithm may have taken the lock away because of an abort. An abort is reported later in the
            // same step. So the client continues the round only after the step, when this timer expires.
            out.push(ClientEffect::Set(ClientTimer::Next, 0));
        } else {
            self.settle(out);
        }
    }

    fn aborted(&mut self, request: RequestId, out: &mut Vec<ClientEffect>) {
        let Some(round) = self.rounds.iter_mut().find(|round| round.items.iter().any(|item| item.request == request))
        else {
            return;
        };
        round.items.iter_mut().for_each(|item| item.doing = Doing::Planned);
        round.leaving = false;
        self.aborts = self.aborts.saturating_add(1);
        out.push(ClientEffect::Cancel(ClientTimer::Next));
        let bits = draw(&self.keys(AGAIN_DRAWS, self.aborts));
        let back_off = self.habit.as_ref().map_or(crate::workload::BACK_OFF, |habit| habit.again);
        out.push(ClientEffect::Set(ClientTimer::Again, back_off.sample(bits)));
    }

    /// Removes the finished rounds. If a round was removed, begins the idle time before the next round.
    fn settle(&mut self, out: &mut Vec<ClientEffect>) {
        for round in &mut self.rounds {
            // A round that the client began by itself may lose a lock to an order or to the algorithm. Then the client
            // releases the other locks of this round.
            if round.items.iter().any(|item| item.doing == Doing::Left) && round.own && !round.couples {
                round.leaving = true;
            }
            if round.leaving {
                round.items.retain(|item| item.doing != Doing::Planned);
            }
        }
        let before = self.rounds.len();
        self.rounds.retain(|round| !round.all(Doing::Left));
        if self.rounds.len() == before {
            return;
        }
        if self.queued > 0 {
            out.push(ClientEffect::Set(ClientTimer::Queued, 0));
        }
        self.idle_again(out);
    }

    fn idle_again(&mut self, out: &mut Vec<ClientEffect>) {
        let Some(habit) = &self.habit else { return };
        if self.idle_pending || self.used_up() || self.context.locks == 0 {
            return;
        }
        let number = if self.is_open() { self.arrived.saturating_add(1) } else { self.next_request.0 };
        let bits = draw(&self.keys(IDLE_DRAWS, number));
        out.push(ClientEffect::Set(ClientTimer::Idle, habit.idle.sample(bits)));
        self.idle_pending = true;
    }

    /// Returns the node to which the client sends an application message after `request`. Returns `None` if there is
    /// no such node.
    fn tells(&self, request: RequestId) -> Option<NodeId> {
        let tell = self.habit.as_ref().map_or(0.0, |habit| habit.tell);
        if tell <= 0.0 || self.nodes < 2 || unit(draw(&self.keys(TELL_DRAWS, request.0))) >= tell {
            return None;
        }
        let bits = draw(&self.keys(TELL_DRAWS, !request.0));
        let other = u32::try_from(evenly(bits, 0, u64::from(self.nodes - 2))).unwrap_or(0);
        Some(NodeId(other + u32::from(other >= self.node.0)))
    }

    fn used_up(&self) -> bool {
        let used = if self.is_open() { self.arrived } else { self.entered };
        self.habit.as_ref().is_none_or(|habit| habit.entries.is_some_and(|most| used >= most))
    }

    fn is_open(&self) -> bool {
        self.habit.as_ref().is_some_and(|habit| habit.kind == LoopKind::Open)
    }

    /// Returns the keys of a random draw. `number` is the number of the draw among all draws of kind `kind`.
    fn keys(&self, kind: u64, number: u64) -> [u64; 4] {
        [self.seed, u64::from(self.node.0), kind, number]
    }
}
