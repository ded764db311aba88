//! A live run as the claims use it: every call waits until what it asks for has happened.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use interlock_algorithm::{LockId, NodeId, View};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{ClientTimer, Order, TimerName};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::finding::CouldNotRun;
use super::Opened;
use interlock_model::event::RestartState;
use interlock_model::impossible::Impossible;
use interlock_observation::document::{NodeDocument, StateDocument};
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::state::MessageStatus;
use interlock_orchestrator::run::{Core, Heard, Run, RunError};
use interlock_simulation::scenario::{EventPattern, Until};

/// How long something may take that must come about, also on a machine that is busy with something else; nothing is concluded
/// from how long it took.
const PATIENCE: Duration = Duration::from_mins(5);
/// The only lock of a run.
const LOCK: LockId = LockId(0);

/// A live run, whose processes end and whose journal goes with this.
pub struct Stage {
    opened: Arc<Opened>,
    run: Arc<Run>,
}

/// Something that is waited for.
pub struct Expected {
    coming: oneshot::Receiver<Heard>,
    what: &'static str,
}

/// A step of a schedule made by hand, on a run whose messages are held.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// The client of this node asks.
    Acquire(u32),
    /// The client of this node leaves.
    Release(u32),
    /// The oldest message of this kind from one node to another arrives.
    Deliver(&'static str, u32, u32),
}

impl Stage {
    pub(super) const fn new(opened: Arc<Opened>, run: Arc<Run>) -> Self {
        Self { opened, run }
    }

    /// Plays a schedule, each move once the one before has happened.
    ///
    /// # Errors
    /// When a move cannot be made.
    pub fn play(&self, schedule: &[Move]) -> Result<(), CouldNotRun> {
        schedule.iter().try_for_each(|step| match *step {
            Move::Acquire(node) => self.acquire(node),
            Move::Release(node) => self.release(node),
            Move::Deliver(kind, from, to) => self.deliver(kind, from, to),
        })
    }

    /// A node asks, and need not enter.
    ///
    /// # Errors
    /// When it cannot.
    pub fn acquire(&self, node: u32) -> Result<(), CouldNotRun> {
        self.acquire_lock(node, LOCK)
    }

    /// A node asks for this lock, and need not enter.
    ///
    /// # Errors
    /// When it cannot.
    pub fn acquire_lock(&self, node: u32, lock: LockId) -> Result<(), CouldNotRun> {
        let node = NodeId(node);
        let requested = self.coming(&Until::Event(at(node, "requested")));
        self.block_on(self.run.acquire(node, lock, None, Duration::ZERO)).map_err(could_not)?;
        self.wait_for(requested, "a request")
    }

    /// A node asks for this lock and enters.
    ///
    /// # Errors
    /// When it cannot, or does not enter.
    pub fn enter_lock(&self, node: u32, lock: LockId) -> Result<(), CouldNotRun> {
        let entered = self.expect(node, "entered");
        self.acquire_lock(node, lock)?;
        self.wait_expected(entered)
    }

    /// A node asks and enters.
    ///
    /// # Errors
    /// When it cannot, or does not enter.
    pub fn enter(&self, node: u32) -> Result<(), CouldNotRun> {
        self.acquire(node)?;
        self.wait(&Until::Entered { node: Some(NodeId(node)), lock: None })
    }

    /// A node leaves the section.
    ///
    /// # Errors
    /// When it is not in it.
    pub fn release(&self, node: u32) -> Result<(), CouldNotRun> {
        let node = NodeId(node);
        let exited = self.coming(&Until::Event(at(node, "exited")));
        self.block_on(self.run.release(node, LOCK)).map_err(could_not)?;
        self.wait_for(exited, "an exit")
    }

    /// A node calls an election.
    ///
    /// # Errors
    /// When it cannot.
    pub fn elect(&self, node: u32) -> Result<(), CouldNotRun> {
        self.order(node, Order::Elect {})
    }

    /// A node proposes a value in the first instance.
    ///
    /// # Errors
    /// When it cannot.
    pub fn propose(&self, node: u32, value: &str) -> Result<(), CouldNotRun> {
        self.order(node, Order::Propose { instance: 0, value: value.to_owned() })
    }

    /// The states of the first nodes are overwritten with those of these numbers, all at the same time.
    ///
    /// # Errors
    /// When they cannot be.
    pub fn corrupt(&self, choices: &[u64]) -> Result<(), CouldNotRun> {
        let overwrite = |(node, &choice)| self.run.ordered(NodeId(node), Order::Corrupt { choice });
        let all = try_join_all((0..).zip(choices).map(overwrite));
        self.block_on(all).map(drop).map_err(could_not)
    }

    /// The failure detector of a node takes another for dead, and the node has taken note of it.
    ///
    /// # Errors
    /// When it cannot, or does so already.
    pub fn suspect(&self, node: u32, whom: u32) -> Result<(), CouldNotRun> {
        let suspected = self.coming(&Until::Event(at(NodeId(node), "suspected")));
        self.order(node, Order::Suspect { whom: NodeId(whom) })?;
        self.wait_for(suspected, "a suspicion")
    }

    fn order(&self, node: u32, order: Order) -> Result<(), CouldNotRun> {
        self.block_on(self.run.ordered(NodeId(node), order)).map(drop).map_err(could_not)
    }

    /// The timer of the algorithm that was set last runs out, in a run whose nodes' own timers are switched off.
    ///
    /// # Errors
    /// When there is none.
    pub fn run_out(&self, node: u32) -> Result<(), CouldNotRun> {
        let node = NodeId(node);
        self.run
            .with(|core| {
                let mut timers = core.timers(node).into_iter();
                let timer = timers.rfind(|timer| matches!(timer, TimerName::Algorithm(_)));
                timer.map_or_else(|| Err(Impossible::no_timer(node).into()), |timer| core.fire(node, &timer))
            })
            .map_err(could_not)
    }

    /// A timer of the client of each of these nodes runs out, in a run whose nodes' own timers are switched off: all of
    /// them before any of the nodes is handed anything else.
    ///
    /// # Errors
    /// When it is not pending at one of them.
    pub fn fire_together(&self, nodes: &[u32], timer: ClientTimer) -> Result<(), CouldNotRun> {
        let fire =
            |core: &mut Core| nodes.iter().try_for_each(|&node| core.fire(NodeId(node), &TimerName::Client(timer)));
        self.run.with(fire).map_err(could_not)
    }

    /// The codes of the rules that were broken, each once.
    #[must_use]
    pub fn codes(&self) -> Vec<String> {
        let violations = |core: &mut Core| core.violations().iter().map(|(_, found)| found.code.to_string()).collect();
        let mut codes: Vec<String> = self.run.with(violations);
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// A process dies.
    ///
    /// # Errors
    /// When it is dead already.
    pub fn crash(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.crash(NodeId(node))).map(drop).map_err(could_not)
    }

    /// A dead process comes back, with what it had stored or with nothing.
    ///
    /// # Errors
    /// When it is not dead.
    pub fn restart(&self, node: u32, state: RestartState) -> Result<(), CouldNotRun> {
        self.block_on(self.run.restart(NodeId(node), state)).map(drop).map_err(could_not)
    }

    /// A process is stopped in its tracks.
    ///
    /// # Errors
    /// When it is not running.
    pub fn pause(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.pause(NodeId(node), None)).map(drop).map_err(could_not)
    }

    /// A paused process goes on.
    ///
    /// # Errors
    /// When it is not paused.
    pub fn resume(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.resume(NodeId(node))).map(drop).map_err(could_not)
    }
    /// Told once a node tells an event of this kind, from now on: ask before you do what brings it about.
    #[must_use]
    pub fn expect(&self, node: u32, kind: &'static str) -> Expected {
        Expected { coming: self.coming(&Until::Event(at(NodeId(node), kind))), what: kind }
    }

    /// Waits for what was expected.
    ///
    /// # Errors
    /// When it does not come about.
    pub fn wait_expected(&self, expected: Expected) -> Result<(), CouldNotRun> {
        self.wait_for(expected.coming, expected.what)
    }

    /// Told once anybody tells an event of this kind, from now on: ask before you do what brings it about.
    #[must_use]
    pub fn expect_anywhere(&self, kind: &'static str) -> Expected {
        let pattern = EventPattern { kind: Some(kind.to_owned()), ..EventPattern::default() };
        Expected { coming: self.coming(&Until::Event(pattern)), what: kind }
    }

    /// The oldest held message of this kind on this link is delivered by hand, and its receiver has taken it.
    ///
    /// # Errors
    /// When none is held there.
    pub fn deliver(&self, kind: &str, from: u32, to: u32) -> Result<(), CouldNotRun> {
        let (from, to) = (NodeId(from), NodeId(to));
        let held = self.run.with(|core| core.messages(Some(MessageStatus::Held)));
        let wanted = held.into_iter().find(|held| (held.from, held.to, &*held.message_kind) == (from, to, kind));
        match wanted {
            Some(held) => self.hand_over(held.message),
            None => Err(CouldNotRun::because(format!("no {kind} from {from} to {to} is held"))),
        }
    }

    /// Delivers held messages by hand, those of the first link first, until none is left.
    ///
    /// # Errors
    /// When there is no end of them.
    pub fn deliver_all(&self) -> Result<(), CouldNotRun> {
        const MOST: u32 = 1_000;
        match self.deliver_at_most(MOST)? {
            count if count < MOST => Ok(()),
            count => Err(CouldNotRun::because(format!("there is no end of messages after {count}"))),
        }
    }

    /// Delivers held messages by hand, those of the first link first, until none is left or so many have been
    /// delivered, and says how many.
    ///
    /// # Errors
    /// When one is not taken.
    pub fn deliver_at_most(&self, most: u32) -> Result<u32, CouldNotRun> {
        for count in 0..most {
            let held = self.run.with(|core| core.messages(Some(MessageStatus::Held)));
            match held.first() {
                Some(held) => self.hand_over(held.message)?,
                None => return Ok(count),
            }
        }
        Ok(most)
    }

    /// What entries cost that are made one after the other: the messages until all is at rest again.
    ///
    /// # Errors
    /// When one of these nodes does not enter.
    pub fn prices(&self, nodes: &[u32]) -> Result<Vec<u64>, CouldNotRun> {
        let price = |&node| {
            let before = self.metrics().messages;
            self.enter(node)?;
            self.release(node)?;
            self.wait(&Until::Idle)?;
            Ok(self.metrics().messages - before)
        };
        nodes.iter().map(price).collect()
    }

    /// Waits until this is so.
    ///
    /// # Errors
    /// When it does not come about.
    pub fn wait(&self, until: &Until) -> Result<(), CouldNotRun> {
        let coming = self.run.with(|core: &mut Core| core.wait(until)).heard;
        self.wait_for(coming, &format!("{until:?}"))
    }

    /// Who is in the section, in the order of entry.
    #[must_use]
    pub fn inside(&self) -> Vec<u32> {
        let locks = self.state().locks;
        locks.iter().flat_map(|lock| &lock.holders).map(|node| node.0).collect()
    }

    /// How often any rule was found broken.
    #[must_use]
    pub fn violations(&self) -> u64 {
        self.metrics().violations
    }

    /// Whether those who wait, once nobody is inside and nothing is held, wait for ever. If so, it is proved.
    ///
    /// # Errors
    /// When they wait, and neither is so.
    pub fn is_stuck(&self) -> Result<bool, CouldNotRun> {
        if self.state().locks.iter().all(|lock| lock.waiting.is_empty()) {
            return Ok(false);
        }
        self.wait(&Until::Stuck).map(|()| true)
    }

    /// The global state now.
    #[must_use]
    pub fn state(&self) -> StateDocument {
        self.run.with(|core| core.document())
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn metrics(&self) -> MetricsDocument {
        self.run.with(|core| core.metrics_document())
    }

    /// What the nodes last showed of their variables, by node.
    ///
    /// # Errors
    /// When a node has shown none.
    pub fn views(&self) -> Result<Vec<View>, CouldNotRun> {
        let view = |node: NodeDocument| {
            let view = node.view.ok_or_else(|| CouldNotRun::because(format!("{} shows no variables", node.node)))?;
            serde_json::from_str(view.as_str()).map_err(CouldNotRun::because)
        };
        self.state().nodes.into_iter().map(view).collect()
    }

    fn hand_over(&self, message: MessageId) -> Result<(), CouldNotRun> {
        let delivered = EventPattern { message: Some(message), ..at(message.to, "delivered") };
        let delivered = self.coming(&Until::Event(delivered));
        self.run.with(|core| core.deliver(message)).map_err(could_not)?;
        self.wait_for(delivered, "a delivery")
    }

    /// Told when this is so from now on, though it may come about before anybody listens, and though nothing moves until
    /// whoever asks has done what brings it about.
    fn coming(&self, until: &Until) -> oneshot::Receiver<Heard> {
        self.run.with(|core: &mut Core| core.wait_to_the_end(until))
    }

    fn wait_for(&self, coming: oneshot::Receiver<Heard>, what: &str) -> Result<(), CouldNotRun> {
        match self.block_on(async { timeout(PATIENCE, coming).await }) {
            Ok(Ok(Ok(_))) => Ok(()),
            Ok(Ok(Err(_))) => Err(CouldNotRun::because(format!("{what} does not come about any more"))),
            _ => Err(CouldNotRun::because(format!("{what} did not come about within {} s", PATIENCE.as_secs()))),
        }
    }

    fn block_on<R>(&self, future: impl Future<Output = R>) -> R {
        self.opened.runtime.block_on(future)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // If its journal cannot be removed now, it goes with the folder; its processes are gone either way.
        drop(self.block_on(self.opened.grounds.registry.delete(self.run.id)));
    }
}

fn at(node: NodeId, kind: &str) -> EventPattern {
    EventPattern { kind: Some(kind.to_owned()), node: Some(node), ..EventPattern::default() }
}

fn could_not(error: RunError) -> CouldNotRun {
    CouldNotRun::because(error)
}
