//! The client of a node as a pure machine: it asks, holds and releases, by itself or by command.

use interlock_algorithm::{Command, LockId, NodeId, Outcome, RequestId, Ticks};

use crate::draw::draw;
use crate::wire::{ClientTimer, Order};
use crate::workload::{ClientLoop, LoopKind};

/// The one lock of a run.
const LOCK: LockId = LockId(0);
/// Sets the draws of idle times apart from all others.
const IDLE_DRAWS: u64 = u64::from_be_bytes(*b"idletime");
/// Sets the draws of hold times apart from all others.
const HOLD_DRAWS: u64 = u64::from_be_bytes(*b"holdtime");

/// What the client wants of the timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Set a timer, to run out after this many microseconds.
    Set(ClientTimer, Ticks),
    /// Forget a timer.
    Cancel(ClientTimer),
}

/// Why an order cannot be followed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The run has no such lock.
    #[error("there is no lock {0}: the run has lock 0")]
    UnknownLock(LockId),
    /// A request is made only by who has none.
    #[error("request {0} is still open: only an idle node can ask")]
    NotIdle(RequestId),
    /// Only who is in the section can leave it.
    #[error("the node is not in the section")]
    NotInSection,
}

/// The client of one node.
///
/// The idle timer keeps running when somebody asks by command meanwhile; if it runs out before that request is over,
/// the next idle time begins with the exit.
#[derive(Clone, Debug)]
pub struct Client {
    habit: Option<ClientLoop>,
    seed: u64,
    node: NodeId,
    next_request: RequestId,
    entries: u64,
    phase: Phase,
    idle_pending: bool,
    hold_pending: bool,
    /// In an open loop: how many requests have come, and how many of them wait in line.
    arrived: u64,
    queued: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Wanting { request: RequestId, hold: Hold },
    InSection { request: RequestId },
    Leaving { request: RequestId },
}

/// How long to stay in the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    Drawn,
    Exactly(Ticks),
    UntilReleased,
}

impl Client {
    /// The client of a node before the run begins, with what it does by itself; `seed` is that of the run.
    #[must_use]
    pub const fn new(node: NodeId, seed: u64, habit: Option<ClientLoop>) -> Self {
        Self {
            habit,
            seed,
            node,
            next_request: RequestId(1),
            entries: 0,
            phase: Phase::Idle,
            idle_pending: false,
            hold_pending: false,
            arrived: 0,
            queued: 0,
        }
    }

    /// The same client in a later life of its node, with the number of its next request and what it entered before.
    #[must_use]
    pub const fn reborn(self, next_request: RequestId, entries: u64) -> Self {
        Self { next_request, entries, arrived: entries, ..Self::new(self.node, self.seed, self.habit) }
    }

    /// The run begins, or the node is back after a crash.
    pub fn begin(&mut self, out: &mut Vec<ClientEffect>) {
        self.idle_again(out);
    }

    /// The idle timer has run out.
    pub fn idle_over(&mut self, out: &mut Vec<ClientEffect>) -> Option<Command> {
        self.idle_pending = false;
        if self.is_open() {
            self.arrived = self.arrived.saturating_add(1);
            self.queued = self.queued.saturating_add(1);
            self.idle_again(out);
            return self.ask_queued();
        }
        (self.phase == Phase::Idle && !self.used_up()).then(|| self.ask(Hold::Drawn))
    }

    /// The request that waits in line longest is made, if none is open.
    pub fn ask_queued(&mut self) -> Option<Command> {
        if self.phase != Phase::Idle || self.queued == 0 {
            return None;
        }
        self.queued -= 1;
        Some(self.ask(Hold::Drawn))
    }

    /// The hold timer has run out.
    pub fn hold_over(&mut self) -> Option<Command> {
        self.hold_pending = false;
        self.leave()
    }

    /// Somebody outside orders something.
    ///
    /// # Errors
    /// When the contract of the algorithms does not allow it now.
    pub fn order(&mut self, order: Order, out: &mut Vec<ClientEffect>) -> Result<Command, OrderError> {
        match order {
            Order::Acquire { lock, .. } | Order::Release { lock } if lock != LOCK => Err(OrderError::UnknownLock(lock)),
            Order::Acquire { hold_us, .. } => match self.phase {
                Phase::Idle => Ok(self.ask(hold_us.map_or(Hold::UntilReleased, Hold::Exactly))),
                Phase::Wanting { request, .. } | Phase::InSection { request } | Phase::Leaving { request } => {
                    Err(OrderError::NotIdle(request))
                }
            },
            Order::Release { .. } => {
                let command = self.leave().ok_or(OrderError::NotInSection)?;
                self.forget_hold(out);
                Ok(command)
            }
        }
    }

    /// The algorithm has brought something about.
    pub fn observe(&mut self, outcome: &Outcome, out: &mut Vec<ClientEffect>) {
        match outcome {
            Outcome::Entered { request, .. } => self.entered(*request, out),
            Outcome::Exited { .. } => {
                self.phase = Phase::Idle;
                self.forget_hold(out);
                if self.queued > 0 {
                    out.push(ClientEffect::Set(ClientTimer::Queued, 0));
                }
                self.idle_again(out);
            }
            _ => {}
        }
    }

    fn ask(&mut self, hold: Hold) -> Command {
        let request = self.next_request;
        self.next_request = RequestId(request.0.saturating_add(1));
        self.phase = Phase::Wanting { request, hold };
        Command::Acquire { lock: LOCK, request }
    }

    fn leave(&mut self) -> Option<Command> {
        let Phase::InSection { request } = self.phase else { return None };
        self.phase = Phase::Leaving { request };
        Some(Command::Release { lock: LOCK, request })
    }

    fn entered(&mut self, request: RequestId, out: &mut Vec<ClientEffect>) {
        self.entries = self.entries.saturating_add(1);
        let hold_us = match self.phase {
            Phase::Wanting { hold: Hold::Exactly(hold_us), .. } => Some(hold_us),
            Phase::Wanting { hold: Hold::Drawn, .. } => self
                .habit
                .map(|client| client.hold.sample(draw(&[self.seed, u64::from(self.node.0), HOLD_DRAWS, request.0]))),
            _ => None,
        };
        self.phase = Phase::InSection { request };
        if let Some(hold_us) = hold_us {
            self.hold_pending = true;
            out.push(ClientEffect::Set(ClientTimer::Hold, hold_us));
        }
    }

    fn forget_hold(&mut self, out: &mut Vec<ClientEffect>) {
        if std::mem::take(&mut self.hold_pending) {
            out.push(ClientEffect::Cancel(ClientTimer::Hold));
        }
    }

    fn idle_again(&mut self, out: &mut Vec<ClientEffect>) {
        let Some(client) = self.habit else { return };
        if self.idle_pending || self.used_up() {
            return;
        }
        let number = if self.is_open() { self.arrived.saturating_add(1) } else { self.next_request.0 };
        let bits = draw(&[self.seed, u64::from(self.node.0), IDLE_DRAWS, number]);
        self.idle_pending = true;
        out.push(ClientEffect::Set(ClientTimer::Idle, client.idle.sample(bits)));
    }

    fn used_up(&self) -> bool {
        let used = if self.is_open() { self.arrived } else { self.entries };
        self.habit.is_none_or(|client| client.entries.is_some_and(|most| used >= most))
    }

    fn is_open(&self) -> bool {
        self.habit.is_some_and(|client| client.kind == LoopKind::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: RequestId = RequestId(7);
    fn acquire() -> Command {
        Command::Acquire { lock: LOCK, request: REQUEST }
    }

    fn release() -> Command {
        Command::Release { lock: LOCK, request: REQUEST }
    }

    fn client(client_loop: &str) -> Client {
        let client_loop = serde_json::from_str(client_loop).expect("a client loop");
        Client::new(NodeId(0), 7, client_loop).reborn(REQUEST, 0)
    }

    /// What the client does when it hears of an outcome.
    fn after(client: &mut Client, outcome: Outcome) -> Vec<ClientEffect> {
        let mut effects = Vec::new();
        client.observe(&outcome, &mut effects);
        effects
    }

    fn entered(request: RequestId) -> Outcome {
        Outcome::Entered { lock: LOCK, request, fence: None }
    }

    fn exited(request: RequestId) -> Outcome {
        Outcome::Exited { lock: LOCK, request }
    }

    #[test]
    fn the_loop_idles_asks_holds_and_releases_until_its_entries_are_used_up() {
        let mut client = client(r#"{"idle":"const:2","hold":"const:5","entries":2}"#);
        let mut effects = Vec::new();
        client.begin(&mut effects);
        assert_eq!(effects, [ClientEffect::Set(ClientTimer::Idle, 2000)]);
        assert_eq!(client.idle_over(&mut Vec::new()), Some(acquire()));
        assert_eq!(after(&mut client, entered(REQUEST)), [ClientEffect::Set(ClientTimer::Hold, 5000)]);
        assert_eq!(client.hold_over(), Some(release()));
        assert_eq!(after(&mut client, exited(REQUEST)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
        assert_eq!(client.idle_over(&mut Vec::new()), Some(Command::Acquire { lock: LOCK, request: RequestId(8) }));
        after(&mut client, entered(RequestId(8)));
        client.hold_over();
        assert_eq!(after(&mut client, exited(RequestId(8))), []);
        assert_eq!(client.idle_over(&mut Vec::new()), None);
    }

    #[test]
    fn entries_of_earlier_lives_count() {
        let loops = r#"{"idle":"0","hold":"0","entries":2}"#;
        for (entries, begins) in [(1, true), (2, false)] {
            let mut client = client(loops).reborn(REQUEST, entries);
            let mut effects = Vec::new();
            client.begin(&mut effects);
            assert_eq!(!effects.is_empty(), begins, "after {entries} entries");
        }
    }

    #[test]
    fn times_depend_on_the_request_and_on_what_they_are_for() {
        let mut client = client(r#"{"idle":"uniform:0..1000","hold":"uniform:0..1000","entries":null}"#);
        let mut effects = Vec::new();
        client.begin(&mut effects);
        client.idle_over(&mut Vec::new());
        effects.extend(after(&mut client, entered(REQUEST)));
        client.hold_over();
        effects.extend(after(&mut client, exited(REQUEST)));
        let times: Vec<Ticks> = effects
            .iter()
            .map(|effect| match effect {
                ClientEffect::Set(_, time) => *time,
                ClientEffect::Cancel(_) => 0,
            })
            .collect();
        assert!(times[0] != times[1] && times[1] != times[2] && times[0] != times[2], "{times:?}");
    }

    #[test]
    fn a_command_with_a_time_releases_by_itself_and_one_without_does_not() {
        for (hold_us, effects) in [(Some(9), vec![ClientEffect::Set(ClientTimer::Hold, 9)]), (None, vec![])] {
            let mut client = client("null");
            let order = Order::Acquire { lock: LOCK, hold_us };
            assert_eq!(client.order(order, &mut Vec::new()), Ok(acquire()));
            assert_eq!(after(&mut client, entered(REQUEST)), effects);
        }
    }

    #[test]
    fn a_release_by_command_cancels_the_hold_timer() {
        let mut client = client("null");
        let mut effects = Vec::new();
        assert_eq!(client.order(Order::Acquire { lock: LOCK, hold_us: Some(9) }, &mut effects), Ok(acquire()));
        after(&mut client, entered(REQUEST));
        assert_eq!(client.order(Order::Release { lock: LOCK }, &mut effects), Ok(release()));
        assert_eq!(effects, [ClientEffect::Cancel(ClientTimer::Hold)]);
        assert_eq!(client.order(Order::Release { lock: LOCK }, &mut effects), Err(OrderError::NotInSection));
    }

    #[test]
    fn an_idle_time_that_ends_during_a_request_begins_anew_with_the_exit() {
        let loops = r#"{"idle":"const:2","hold":"const:5","entries":null}"#;
        for (ends_meanwhile, effects) in [(true, vec![ClientEffect::Set(ClientTimer::Idle, 2000)]), (false, vec![])] {
            let mut client = client(loops);
            client.begin(&mut Vec::new());
            let order = Order::Acquire { lock: LOCK, hold_us: None };
            assert_eq!(client.order(order, &mut Vec::new()), Ok(acquire()));
            if ends_meanwhile {
                assert_eq!(client.idle_over(&mut Vec::new()), None);
            }
            assert_eq!(after(&mut client, entered(REQUEST)), []);
            assert_eq!(client.order(Order::Release { lock: LOCK }, &mut Vec::new()), Ok(release()));
            assert_eq!(after(&mut client, exited(REQUEST)), effects);
        }
    }

    #[test]
    fn in_an_open_loop_requests_come_while_others_wait_and_stand_in_line() {
        let mut client = client(r#"{"idle":"const:2","hold":"const:5","entries":2,"loop":"open"}"#);
        let mut effects = Vec::new();
        client.begin(&mut effects);
        assert_eq!(client.idle_over(&mut effects), Some(acquire()));
        assert_eq!(client.idle_over(&mut effects), None, "the first is not granted yet");
        assert_eq!(effects, [ClientEffect::Set(ClientTimer::Idle, 2000); 2], "two in all");
        after(&mut client, entered(REQUEST));
        client.hold_over();
        assert_eq!(after(&mut client, exited(REQUEST)), [ClientEffect::Set(ClientTimer::Queued, 0)]);
        assert_eq!(client.ask_queued(), Some(Command::Acquire { lock: LOCK, request: RequestId(8) }));
        after(&mut client, entered(RequestId(8)));
        client.hold_over();
        assert_eq!(after(&mut client, exited(RequestId(8))), []);
    }

    #[test]
    fn what_the_contract_forbids_is_refused() {
        let mut client = client("null");
        let mut effects = Vec::new();
        let ask = Order::Acquire { lock: LOCK, hold_us: None };
        let elsewhere = Order::Release { lock: LockId(3) };
        assert_eq!(client.order(elsewhere, &mut effects), Err(OrderError::UnknownLock(LockId(3))));
        assert_eq!(client.order(Order::Release { lock: LOCK }, &mut effects), Err(OrderError::NotInSection));
        assert_eq!(client.order(ask, &mut effects), Ok(acquire()));
        assert_eq!(client.order(ask, &mut effects), Err(OrderError::NotIdle(REQUEST)));
        assert_eq!(effects, []);
    }
}
