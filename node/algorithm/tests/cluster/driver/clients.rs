//! Clients that are often needed.

use interlock_algorithm::{Algorithm, Command, LockId, NodeId, Outcome, RequestId};

use super::log::What;
use super::world::World;

/// Nobody wants anything.
pub fn nobody<A: Algorithm>(_: &World<A>, _: NodeId) -> Option<Command> {
    None
}

/// These commands, to each node in the order in which they are listed.
pub fn listed<A: Algorithm>(commands: Vec<(u32, Command)>) -> impl Fn(&World<A>, NodeId) -> Option<Command> {
    move |world, node| {
        let given = world.commanded(node).count();
        commands.iter().filter(|(whose, _)| NodeId(*whose) == node).nth(given).map(|(_, command)| command.clone())
    }
}

/// Everybody takes one lock and leaves it again, `entries` times. What a crash interrupts is not asked for again.
pub fn lockers<A: Algorithm>(lock: LockId, entries: u64) -> impl Fn(&World<A>, NodeId) -> Option<Command> {
    move |world, node| match doing(world, node, lock) {
        Doing::Idle(asked) if asked < entries => Some(Command::Acquire { lock, request: RequestId(asked + 1) }),
        Doing::InSection(request) => Some(Command::Release { lock, request }),
        Doing::Idle(_) | Doing::Wanting(_) => None,
    }
}

/// What a client is doing with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Nothing; it has asked so many times.
    Idle(u64),
    /// It waits.
    Wanting(RequestId),
    /// It is in the section.
    InSection(RequestId),
}

/// What the client of a node is doing with a lock, by what its node has told.
pub fn doing<A: Algorithm>(world: &World<A>, node: NodeId, of: LockId) -> Doing {
    let (mut now, mut asked) = (Doing::Idle(0), 0);
    for entry in world.log.iter().filter(|entry| entry.node == node) {
        now = match &entry.what {
            What::Commanded(Command::Acquire { lock, request }) if *lock == of => {
                asked += 1;
                Doing::Wanting(*request)
            }
            What::Told(Outcome::Entered { lock, request, .. }) if *lock == of => Doing::InSection(*request),
            What::Told(Outcome::Exited { lock, .. }) if *lock == of => Doing::Idle(asked),
            What::Crashed => Doing::Idle(asked),
            _ => now,
        };
    }
    now
}
