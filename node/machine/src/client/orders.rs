//! Orders to a client, and the reasons to refuse an order.

use interlock_algorithm::{Command, Discipline, LockId, NodeId, RequestId, Ticks};
use smallvec::SmallVec;

use super::client_context::ClientContext;
use super::round::{Doing, Hold, Item, Round};
use super::{Client, ClientEffect};
use crate::application::Told;
use crate::wire::Order;
use crate::wording::numbered;

/// The reason why an order cannot be executed now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The run has no lock with the given number. The second field is the number of locks.
    #[error("there is no lock {0}: the run has {locks}", locks = numbered("lock", *.1))]
    UnknownLock(LockId, u32),
    /// The order requires an idle client, but a request of the client is open.
    #[error("request {0} is still open; only an idle node can send a request")]
    NotIdle(RequestId),
    /// The client of the node already wants or holds the lock.
    #[error("the node already requests or holds lock {0}, with request {1}")]
    Taken(LockId, RequestId),
    /// Under the algorithm of the run, a client can request only one lock at a time.
    #[error("its algorithm requests one lock after the other; request each by its own command")]
    OneByOne,
    /// The order names no lock, or it names a lock twice although a node can hold only one unit of this lock.
    #[error("cannot send the request: {0}")]
    NotEachOnce(String),
    /// The order requires that the client is in the critical section, but the client is not.
    #[error("the node is not in the critical section")]
    NotInSection,
    /// The message has no valid receiver.
    #[error("cannot send to {0}: write another node in 0 … {1}, not the sender itself")]
    NobodyToTell(NodeId, u32),
}

impl Client {
    /// Executes an order, and returns the resulting command for the algorithm, if there is one.
    ///
    /// # Errors
    /// If the client must not send the command now. The error contains the reason.
    pub fn order(&mut self, order: &Order, out: &mut Vec<ClientEffect>) -> Result<Option<Command>, OrderError> {
        match order {
            Order::Acquire { lock, hold_us } => self.acquire(*lock, *hold_us, out).map(Some),
            Order::AcquireTogether { locks, hold_us } => self.acquire_together(locks, *hold_us).map(Some),
            Order::Release { lock } => self.release(*lock, out).map(Some),
            Order::Elect {} => Ok(Some(Command::Elect)),
            Order::Propose { instance, value } => {
                Ok(Some(Command::Propose { instance: *instance, value: value.clone() }))
            }
            Order::Corrupt { choice } => Ok(Some(Command::Corrupt { choice: *choice })),
            // The failure detector handles these orders. The client ignores them.
            Order::Suspect { .. } | Order::Trust { .. } => Ok(None),
            Order::Tell { to, .. } if to.0 >= self.nodes || *to == self.node => {
                Err(OrderError::NobodyToTell(*to, self.nodes.saturating_sub(1)))
            }
            Order::Tell { to, asks, hold_us } => {
                out.push(ClientEffect::Tell(*to, Told { clock: None, asks: *asks, hold_us: *hold_us }));
                Ok(None)
            }
        }
    }

    fn acquire(
        &mut self,
        lock: LockId,
        hold_us: Option<Ticks>,
        out: &mut Vec<ClientEffect>,
    ) -> Result<Command, OrderError> {
        self.known(lock)?;
        let hold = hold_us.map_or(Hold::UntilReleased, Hold::Exactly);
        if self.context.transactions && !self.rounds.is_empty() {
            return self.extend(lock, hold, out);
        }
        if let Some(taken) = self.rounds.iter().find(|round| round.has(lock)).filter(|_| !self.context.shares) {
            let request = taken.request();
            let only = self.context.locks == 1;
            return Err(if only { OrderError::NotIdle(request) } else { OrderError::Taken(lock, request) });
        }
        let request = self.number();
        let items = SmallVec::from_buf([Item { lock, request, doing: Doing::Wanting }]);
        self.rounds.push(Round::new(items, hold, false));
        Ok(match self.context.discipline {
            Discipline::Together => Command::AcquireTogether { locks: vec![lock], request },
            _ => Command::Acquire { lock, request },
        })
    }

    /// Requests several locks at the same time. If a node may hold several units of a lock, each unit is a separate
    /// request, and the requests have successive numbers.
    fn acquire_together(&mut self, locks: &[LockId], hold_us: Option<Ticks>) -> Result<Command, OrderError> {
        locks.iter().try_for_each(|&lock| self.known(lock))?;
        let ClientContext { discipline, shares, .. } = self.context;
        if discipline != Discipline::Together && !shares {
            return Err(OrderError::OneByOne);
        }
        let mut locks = locks.to_vec();
        locks.sort_unstable();
        if locks.is_empty() {
            return Err(OrderError::NotEachOnce("it names no lock; name at least one".to_owned()));
        }
        let twice = locks.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[LockId]>::first);
        if let Some(lock) = twice.filter(|_| !shares) {
            return Err(OrderError::NotEachOnce(format!("it names lock {lock} twice; name each lock once")));
        }
        if let Some(open) = self.rounds.first().filter(|_| !shares) {
            return Err(OrderError::NotIdle(open.request()));
        }
        let first = self.number();
        let mut items = SmallVec::<[Item; 1]>::new();
        for (place, &lock) in locks.iter().enumerate() {
            let request = if shares && place > 0 { self.number() } else { first };
            items.push(Item { lock, request, doing: Doing::Wanting });
        }
        let hold = hold_us.map_or(Hold::UntilReleased, Hold::Exactly);
        self.rounds.push(Round::new(items, hold, false));
        Ok(Command::AcquireTogether { locks, request: first })
    }

    /// Requests one more lock for the open transaction. The transaction keeps its earlier locks at least until it
    /// has the new lock, even if their hold time would end earlier.
    fn extend(&mut self, lock: LockId, hold: Hold, out: &mut Vec<ClientEffect>) -> Result<Command, OrderError> {
        let Some(round) = self.rounds.first_mut() else { return Err(OrderError::NotInSection) };
        let request = round.request();
        if round.own || self.context.discipline == Discipline::Together || !round.all(Doing::InSection) {
            return Err(OrderError::NotIdle(request));
        }
        if round.has(lock) {
            return Err(OrderError::Taken(lock, request));
        }
        round.hold = hold;
        round.forget_hold(out);
        round.items.push(Item { lock, request, doing: Doing::Wanting });
        Ok(Command::Acquire { lock, request })
    }

    fn release(&mut self, lock: LockId, out: &mut Vec<ClientEffect>) -> Result<Command, OrderError> {
        self.known(lock)?;
        for round in &mut self.rounds {
            let mut items = round.items.iter_mut();
            if let Some(item) = items.find(|item| item.lock == lock && item.doing == Doing::InSection) {
                item.doing = Doing::Leaving;
                let request = item.request;
                round.forget_hold(out);
                return Ok(Command::Release { lock, request });
            }
        }
        Err(OrderError::NotInSection)
    }

    /// Reverts the changes of the client's state for a command that the algorithm has refused.
    pub fn withdraw(&mut self, command: &Command, out: &mut Vec<ClientEffect>) {
        match command {
            Command::Release { lock, request } => {
                if let Some(item) = self.rounds.iter_mut().find_map(|round| round.find(*lock, *request)) {
                    item.doing = Doing::InSection;
                }
            }
            Command::Acquire { request, .. } | Command::AcquireTogether { request, .. } => {
                for round in self.rounds.iter_mut().filter(|round| round.items.iter().any(|i| i.request == *request)) {
                    round.items.retain(|item| item.doing != Doing::Wanting && item.doing != Doing::Planned);
                    round.leaving |= round.own;
                }
                self.settle(out);
            }
            Command::Invoke { request, .. } => self.returned(*request, out),
            Command::Elect | Command::Propose { .. } | Command::Corrupt { .. } => {}
        }
    }

    fn known(&self, lock: LockId) -> Result<(), OrderError> {
        let locks = self.context.locks;
        if lock.0 < locks { Ok(()) } else { Err(OrderError::UnknownLock(lock, locks)) }
    }
}
