//! The client of a node as a pure machine: it asks, holds and releases, by itself or by command.
//!
//! What it wants together is a round: by itself it makes one after the other; by command several may be open,
//! unless all locks are taken by one transaction, which commands then extend.

mod client_context;
mod orders;
mod round;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

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

/// Sets the draws of idle times apart from all others.
const IDLE_DRAWS: u64 = u64::from_be_bytes(*b"idletime");
/// Sets the draws of hold times apart from all others.
const HOLD_DRAWS: u64 = u64::from_be_bytes(*b"holdtime");
/// Sets the draws of locks apart from all others.
const LOCK_DRAWS: u64 = u64::from_be_bytes(*b"locklist");
/// Sets the draws of the times between locks apart from all others.
const BETWEEN_DRAWS: u64 = u64::from_be_bytes(*b"between-");
/// Sets the draws of back-offs apart from all others.
const AGAIN_DRAWS: u64 = u64::from_be_bytes(*b"back-off");
/// Sets the draws of what is told to whom apart from all others.
const TELL_DRAWS: u64 = u64::from_be_bytes(*b"tellings");

/// What the client wants of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Set a timer, to run out after this many microseconds.
    Set(ClientTimer, Ticks),
    /// Forget a timer.
    Cancel(ClientTimer),
    /// Send a message of the application.
    Tell(NodeId, Told),
}

/// The client of one node.
///
/// The idle timer keeps running when somebody asks by command meanwhile; if it runs out before that request is over,
/// the next idle time begins with the exit.
#[derive(Clone, Debug)]
pub struct Client {
    habit: Option<ClientLoop>,
    context: ClientContext,
    /// The locks that it may never have, and for which it does not ask by itself.
    barred: Vec<LockId>,
    nodes: u32,
    seed: u64,
    node: NodeId,
    next_request: RequestId,
    /// How many rounds have come as far as a section, over all lives of the node.
    entered: u64,
    rounds: SmallVec<[Round; 1]>,
    /// What it has asked a service for, and not got an answer to.
    invoked: Option<RequestId>,
    idle_pending: bool,
    /// How often a request was aborted.
    aborts: u64,
    /// In an open loop: how many requests have come, and how many of them wait in line.
    arrived: u64,
    queued: u64,
}

/// Clients of the same node in the same run are compared by what may become of them.
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
    /// All of it that changes while its node lives, but for what only random draws depend on.
    fn changing(&self) -> impl Eq + Hash {
        let numbers = (self.next_request, self.entered, self.arrived, self.queued, self.invoked);
        (self.rounds.as_slice(), self.idle_pending, numbers)
    }

    /// The client of a node of a run of so many before it begins, with what it does by itself; `seed` is that of the
    /// run.
    #[must_use]
    pub fn new(node: NodeId, nodes: u32, seed: u64, habit: Option<ClientLoop>, context: ClientContext) -> Self {
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

    /// The same client, if it may never have these locks.
    #[must_use]
    pub fn barred_from(self, barred: Vec<LockId>) -> Self {
        Self { barred, ..self }
    }

    /// The same client in a later life of its node, with the number of its next request and how many of its rounds
    /// came as far as a section before.
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

    /// How many nodes the run has.
    pub(crate) const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The locks in whose section it is.
    pub fn inside(&self) -> impl Iterator<Item = LockId> {
        let has = |item: &&Item| matches!(item.doing, Doing::InSection | Doing::Leaving);
        self.rounds.iter().flat_map(|round| &round.items).filter(has).map(|item| item.lock)
    }

    /// Whether it has asked for a lock that it has not got yet, or will ask for it by itself.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.wanted().next().is_some()
    }

    /// The locks that it has asked for and not got yet, or will ask for by itself.
    pub fn wanted(&self) -> impl Iterator<Item = LockId> {
        self.rounds.iter().flat_map(|round| {
            let wants = |doing| doing == Doing::Wanting || (!round.leaving && doing == Doing::Planned);
            round.items.iter().filter(move |item| wants(item.doing)).map(|item| item.lock)
        })
    }

    /// The number of its next request.
    #[must_use]
    pub const fn next_request(&self) -> RequestId {
        self.next_request
    }

    /// Counts its requests from the first again, if none is open.
    pub fn forget_requests(&mut self) {
        if self.rounds.is_empty() {
            self.next_request = RequestId(1);
            self.entered = 0;
        }
    }

    /// How many of its rounds have come as far as a section, over all lives of the node.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.entered
    }

    /// The run begins, or the node is back after a crash.
    pub fn begin(&mut self, out: &mut Vec<ClientEffect>) {
        self.idle_again(out);
    }

    /// A timer of the client has run out.
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

    /// The next thing is asked of a service.
    fn invoke(&mut self, service: Service) -> Command {
        let request = self.number();
        self.invoked = Some(request);
        Command::Invoke { request, operation: service.operation(self.seed, self.nodes, self.node, request) }
    }

    /// What was asked for is answered, or given up.
    fn returned(&mut self, request: RequestId, out: &mut Vec<ClientEffect>) {
        if self.invoked == Some(request) {
            self.invoked = None;
            self.entered = self.entered.saturating_add(1);
            self.idle_again(out);
        }
    }

    /// The request that waits in line longest is made, if none is open.
    fn ask_queued(&mut self, out: &mut Vec<ClientEffect>) -> Option<Command> {
        if !self.rounds.is_empty() || self.queued == 0 {
            return None;
        }
        self.queued -= 1;
        self.begin_round(Hold::Drawn, out)
    }

    /// A message of the application has arrived: if it says that the node is to ask, it does if it is idle. It stays as
    /// long as the message says, or else as its loop does.
    pub fn told(&mut self, told: Told, out: &mut Vec<ClientEffect>) -> Option<Command> {
        let hold = match told.hold_us.filter(|_| told.asks) {
            Some(hold_us) => Hold::Exactly(hold_us),
            None if told.asks && !self.used_up() => Hold::Drawn,
            None => return None,
        };
        if self.rounds.is_empty() { self.begin_round(hold, out) } else { None }
    }

    /// The algorithm has brought something about.
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

    /// Plans a round of the locks that the loop chooses, and asks for the first.
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
        // A directory as a whole is kept for as long as what is in it.
        let couples = choice.is_of_a_directory() && items.len() == 2;
        self.rounds.push(Round { couples, ..Round::new(items, hold, true) });
        if let Some(other) = self.tells(first) {
            out.push(ClientEffect::Tell(other, Told { clock: None, asks: true, hold_us: None }));
        }
        self.ask(self.rounds.len() - 1)
    }

    /// A round of which the client may have nothing: the next one may be of other locks if they are drawn.
    fn begin_no_round(&mut self, choice: &LockChoice, out: &mut Vec<ClientEffect>) {
        self.number();
        let is_drawn = matches!(choice, LockChoice::One | LockChoice::Some(_) | LockChoice::Directory(_));
        if is_drawn && self.barred.len() < self.context.locks as usize && !self.is_open() {
            self.idle_again(out);
        }
    }

    /// Asks for the next lock of a round, or for all of them.
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

    /// Everything of a round is to be given back, one after the other.
    fn leave(&mut self, round: usize) -> Option<Command> {
        let round = self.rounds.get_mut(round)?;
        round.leaving = true;
        let Item { lock, request, doing } = round.next_held()?;
        *doing = Doing::Leaving;
        Some(Command::Release { lock: *lock, request: *request })
    }

    /// The lock that a round needs no more is given back.
    fn pass(&mut self, round: usize) -> Option<Command> {
        let Item { lock, request, doing } = self.rounds.get_mut(round)?.next_to_pass()?;
        *doing = Doing::Leaving;
        Some(Command::Release { lock: *lock, request: *request })
    }

    /// What comes next in a round that has more than one lock, or that was aborted.
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
        // What is asked for again after an abort belongs to the round that has been counted.
        if !std::mem::replace(&mut round.entered, true) {
            self.entered = self.entered.saturating_add(1);
        }
        if round.leaving {
            // What it had before was taken away while it waited for this.
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
        // What was taken away was not given back for the next.
        round.couples &= !by_itself;
        if !round.couples || !round.any(Doing::InSection) {
            round.forget_hold(out);
        }
        if by_itself || self.rounds.iter().any(|round| round.leaving && round.any(Doing::InSection)) {
            // What was taken away may have been aborted: the end of this step will tell.
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

    /// Forgets the rounds that are over; what comes next may begin.
    fn settle(&mut self, out: &mut Vec<ClientEffect>) {
        for round in &mut self.rounds {
            // A round of somebody who took its locks away one by one.
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

    /// Whom the client tells when it makes this request, if anybody.
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

    /// What the draws of one kind for this number are made from.
    fn keys(&self, kind: u64, number: u64) -> [u64; 4] {
        [self.seed, u64::from(self.node.0), kind, number]
    }
}
