//! The client of a node as a pure machine: it asks, holds and releases, by itself or by command.

use interlock_algorithm::{Command, LockId, NodeId, Outcome, RequestId, Ticks};

use crate::draw::draw;
use crate::wire::{ClientTimer, Initialization, Order};
use crate::workload::ClientLoop;

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
    closed_loop: Option<ClientLoop>,
    seed: u64,
    node: NodeId,
    next_request: RequestId,
    entries: u64,
    phase: Phase,
    idle_pending: bool,
    hold_pending: bool,
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
    /// The client of the node that is being initialized, before the run begins.
    #[must_use]
    pub fn new(initialization: &Initialization) -> Self {
        Self {
            closed_loop: initialization.client_loop,
            seed: initialization.seed,
            node: initialization.node,
            next_request: initialization.next_request,
            entries: initialization.entries,
            phase: Phase::Idle,
            idle_pending: false,
            hold_pending: false,
        }
    }

    /// The run begins, or the node is back after a crash.
    pub fn begin(&mut self, out: &mut Vec<ClientEffect>) {
        self.idle_again(out);
    }

    /// The idle timer has run out.
    pub fn idle_over(&mut self) -> Option<Command> {
        self.idle_pending = false;
        (self.phase == Phase::Idle && !self.used_up()).then(|| self.ask(Hold::Drawn))
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
    pub fn observe(&mut self, outcome: Outcome, out: &mut Vec<ClientEffect>) {
        match outcome {
            Outcome::Requested { .. } => {}
            Outcome::Entered { request, .. } => self.entered(request, out),
            Outcome::Exited { .. } => {
                self.phase = Phase::Idle;
                self.forget_hold(out);
                self.idle_again(out);
            }
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
                .closed_loop
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
        let Some(client) = self.closed_loop else { return };
        if self.idle_pending || self.used_up() {
            return;
        }
        let bits = draw(&[self.seed, u64::from(self.node.0), IDLE_DRAWS, self.next_request.0]);
        self.idle_pending = true;
        out.push(ClientEffect::Set(ClientTimer::Idle, client.idle.sample(bits)));
    }

    fn used_up(&self) -> bool {
        self.closed_loop.is_none_or(|client| client.entries.is_some_and(|most| self.entries >= most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::test_support::initialization;

    const REQUEST: RequestId = RequestId(7);
    const ACQUIRE: Command = Command::Acquire { lock: LOCK, request: REQUEST };
    const RELEASE: Command = Command::Release { lock: LOCK, request: REQUEST };

    fn client(client_loop: &str) -> Client {
        let client_loop = serde_json::from_str(client_loop).expect("a client loop");
        Client::new(&Initialization { client_loop, next_request: REQUEST, ..initialization("ricart-agrawala", 3) })
    }

    /// What the client does when it hears of an outcome.
    fn after(client: &mut Client, outcome: Outcome) -> Vec<ClientEffect> {
        let mut effects = Vec::new();
        client.observe(outcome, &mut effects);
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
        assert_eq!(client.idle_over(), Some(ACQUIRE));
        assert_eq!(after(&mut client, entered(REQUEST)), [ClientEffect::Set(ClientTimer::Hold, 5000)]);
        assert_eq!(client.hold_over(), Some(RELEASE));
        assert_eq!(after(&mut client, exited(REQUEST)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
        assert_eq!(client.idle_over(), Some(Command::Acquire { lock: LOCK, request: RequestId(8) }));
        after(&mut client, entered(RequestId(8)));
        client.hold_over();
        assert_eq!(after(&mut client, exited(RequestId(8))), []);
        assert_eq!(client.idle_over(), None);
    }

    #[test]
    fn entries_of_earlier_lives_count() {
        let loops = r#"{"idle":"0","hold":"0","entries":2}"#;
        for (entries, begins) in [(1, true), (2, false)] {
            let mut client = Client { entries, ..client(loops) };
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
        client.idle_over();
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
            assert_eq!(client.order(order, &mut Vec::new()), Ok(ACQUIRE));
            assert_eq!(after(&mut client, entered(REQUEST)), effects);
        }
    }

    #[test]
    fn a_release_by_command_cancels_the_hold_timer() {
        let mut client = client("null");
        let mut effects = Vec::new();
        assert_eq!(client.order(Order::Acquire { lock: LOCK, hold_us: Some(9) }, &mut effects), Ok(ACQUIRE));
        after(&mut client, entered(REQUEST));
        assert_eq!(client.order(Order::Release { lock: LOCK }, &mut effects), Ok(RELEASE));
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
            assert_eq!(client.order(order, &mut Vec::new()), Ok(ACQUIRE));
            if ends_meanwhile {
                assert_eq!(client.idle_over(), None);
            }
            assert_eq!(after(&mut client, entered(REQUEST)), []);
            assert_eq!(client.order(Order::Release { lock: LOCK }, &mut Vec::new()), Ok(RELEASE));
            assert_eq!(after(&mut client, exited(REQUEST)), effects);
        }
    }

    #[test]
    fn what_the_contract_forbids_is_refused() {
        let mut client = client("null");
        let mut effects = Vec::new();
        let acquire = Order::Acquire { lock: LOCK, hold_us: None };
        let elsewhere = Order::Release { lock: LockId(3) };
        assert_eq!(client.order(elsewhere, &mut effects), Err(OrderError::UnknownLock(LockId(3))));
        assert_eq!(client.order(Order::Release { lock: LOCK }, &mut effects), Err(OrderError::NotInSection));
        assert_eq!(client.order(acquire, &mut effects), Ok(ACQUIRE));
        assert_eq!(client.order(acquire, &mut effects), Err(OrderError::NotIdle(REQUEST)));
        assert_eq!(effects, []);
    }
}
