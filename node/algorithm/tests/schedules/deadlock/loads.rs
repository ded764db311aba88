//! Clients whose transactions take several resources.

use interlock_algorithm::{Algorithm, Command, Discipline, LockId, NodeId, Outcome, RequestId};

use crate::driver::log::What;
use crate::driver::play::Length;
use crate::driver::world::World;

/// Which resources a process takes in its transaction of this number, from 1, and in which order.
pub type Plan = fn(NodeId, u64) -> Vec<u32>;

/// Schedules in which anything goes for long: who gives up begins again at once, and only chance keeps processes from
/// getting into each other's way for ever.
pub const LONG: Length = Length { wild: 5_000, kind: 5_000 };

/// What a client is doing.
#[derive(Debug, Default)]
pub struct Doing {
    /// The latest request; 0 before the first.
    pub request: u64,
    /// What it waits for.
    pub wanted: Vec<LockId>,
    /// What it has.
    pub held: Vec<LockId>,
    /// Whether it gives everything back.
    leaving: bool,
    /// Whether it has given everything back.
    over: bool,
}

impl Doing {
    /// What the client of a node is doing, by what its node has told.
    pub fn of<A: Algorithm>(world: &World<A>, node: NodeId) -> Self {
        let mut doing = Self { over: true, ..Self::default() };
        for entry in world.log.iter().filter(|entry| entry.node == node) {
            match &entry.what {
                What::Commanded(command) => doing.commanded(command),
                What::Told(outcome) => doing.told(outcome),
                What::Crashed | What::Restarted => {}
            }
        }
        doing
    }

    fn commanded(&mut self, command: &Command) {
        match command {
            Command::Acquire { request, .. } | Command::AcquireTogether { request, .. } => {
                self.request = request.0;
                self.over = false;
            }
            Command::Release { .. } => self.leaving = true,
            _ => {}
        }
    }

    fn told(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Requested { lock, .. } => self.wanted.push(*lock),
            Outcome::Entered { lock, .. } => {
                self.wanted.retain(|wanted| wanted != lock);
                self.held.push(*lock);
            }
            Outcome::Exited { lock, .. } => {
                self.held.retain(|held| held != lock);
                self.over = self.held.is_empty();
                self.leaving &= !self.over;
            }
            Outcome::Aborted { .. } => {
                *self = Self { request: self.request, ..Self::default() };
            }
            _ => {}
        }
    }

    fn next(&self, plan: Plan, node: NodeId, rounds: u64, discipline: Discipline) -> Option<Command> {
        if !self.wanted.is_empty() {
            return None;
        }
        let request = if self.over { self.request + 1 } else { self.request };
        if request > rounds {
            return None;
        }
        let mut locks: Vec<LockId> = plan(node, request).into_iter().map(LockId).collect();
        if discipline != Discipline::AsPlanned {
            locks.sort_unstable();
        }
        let request = RequestId(request);
        let lock = self.held.last().copied().filter(|_| self.leaving || self.held.len() == locks.len());
        if let Some(lock) = lock {
            return Some(Command::Release { lock, request });
        }
        if discipline == Discipline::Together {
            return Some(Command::AcquireTogether { locks, request });
        }
        locks.get(self.held.len()).map(|&lock| Command::Acquire { lock, request })
    }
}

/// Everybody makes so many transactions, one after the other.
pub fn transactions<A: Algorithm>(
    plan: Plan,
    rounds: u64,
    discipline: Discipline,
) -> impl Fn(&World<A>, NodeId) -> Option<Command> {
    move |world, node| Doing::of(world, node).next(plan, node, rounds, discipline)
}

/// Five philosophers: each takes the fork of its own number, then the next.
pub fn philosophers(node: NodeId, _: u64) -> Vec<u32> {
    vec![node.0 % 5, (node.0 + 1) % 5]
}

/// Two or three of four resources, in an order that is not the same for all.
pub fn mixed(node: NodeId, round: u64) -> Vec<u32> {
    let first = (node.0 + u32::try_from(round).expect("a small number")) % 4;
    let step = if node.0.is_multiple_of(2) { 1 } else { 3 };
    (0..2 + node.0 % 2).map(|place| (first + step * place) % 4).collect()
}
