//! A live run for claims. Each call that causes an effect waits until the effect has happened.

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

/// Maximum wait for an event that must happen. The wait is long enough even on a busy machine, and no result of a
/// claim depends on it.
const PATIENCE: Duration = Duration::from_mins(5);
/// The only lock of a run.
const LOCK: LockId = LockId(0);

/// A live run. When it is dropped, its processes end and its journal is removed.
pub struct Stage {
    opened: Arc<Opened>,
    run: Arc<Run>,
}

/// An event that a caller waits for.
pub struct Expected {
    coming: oneshot::Receiver<Heard>,
    what: &'static str,
}

/// A step of a manual schedule, in a run whose messages are held.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// The client of the node requests the lock.
    Acquire(u32),
    /// The client of the node releases the lock.
    Release(u32),
    /// The oldest message of the given kind on the link from the first node to the second is delivered.
    Deliver(&'static str, u32, u32),
}

impl Stage {
    pub(super) const fn new(opened: Arc<Opened>, run: Arc<Run>) -> Self {
        Self { opened, run }
    }

    /// Executes a manual schedule. Each step of the schedule starts when the previous step has had its effect.
    ///
    /// # Errors
    /// If a step is impossible.
    pub fn play(&self, schedule: &[Move]) -> Result<(), CouldNotRun> {
        schedule.iter().try_for_each(|step| match *step {
            Move::Acquire(node) => self.acquire(node),
            Move::Release(node) => self.release(node),
            Move::Deliver(kind, from, to) => self.deliver(kind, from, to),
        })
    }

    /// Makes a node request the lock. Does not wait for the entry.
    ///
    /// # Errors
    /// If the node cannot request the lock.
    pub fn acquire(&self, node: u32) -> Result<(), CouldNotRun> {
        self.acquire_lock(node, LOCK)
    }

    /// Makes a node request the lock `lock`. Does not wait for the entry.
    ///
    /// # Errors
    /// If the node cannot request the lock.
    pub fn acquire_lock(&self, node: u32, lock: LockId) -> Result<(), CouldNotRun> {
        let node = NodeId(node);
        let requested = self.coming(&Until::Event(at(node, "requested")));
        self.block_on(self.run.acquire(node, lock, None, Duration::ZERO)).map_err(could_not)?;
        self.wait_for(requested, "a request")
    }

    /// Makes a node request the lock `lock`, and waits until the node enters.
    ///
    /// # Errors
    /// If the node cannot request the lock, or does not enter.
    pub fn enter_lock(&self, node: u32, lock: LockId) -> Result<(), CouldNotRun> {
        let entered = self.expect(node, "entered");
        self.acquire_lock(node, lock)?;
        self.wait_expected(entered)
    }

    /// Makes a node request the lock, and waits until the node enters.
    ///
    /// # Errors
    /// If the node cannot request the lock, or does not enter.
    pub fn enter(&self, node: u32) -> Result<(), CouldNotRun> {
        self.acquire(node)?;
        self.wait(&Until::Entered { node: Some(NodeId(node)), lock: None })
    }

    /// Makes a node leave the critical section.
    ///
    /// # Errors
    /// If the node is not in the critical section.
    pub fn release(&self, node: u32) -> Result<(), CouldNotRun> {
        let node = NodeId(node);
        let exited = self.coming(&Until::Event(at(node, "exited")));
        self.block_on(self.run.release(node, LOCK)).map_err(could_not)?;
        self.wait_for(exited, "an exit")
    }

    /// Makes a node call an election.
    ///
    /// # Errors
    /// If the node cannot call an election.
    pub fn elect(&self, node: u32) -> Result<(), CouldNotRun> {
        self.order(node, Order::Elect {})
    }

    /// Makes a node propose a value in the first instance of agreement.
    ///
    /// # Errors
    /// If the node cannot propose the value.
    pub fn propose(&self, node: u32, value: &str) -> Result<(), CouldNotRun> {
        self.order(node, Order::Propose { instance: 0, value: value.to_owned() })
    }

    /// Overwrites the states of the first nodes, one node for each number, all at the same time. The number
    /// determines the new state of its node.
    ///
    /// # Errors
    /// If a state cannot be overwritten.
    pub fn corrupt(&self, choices: &[u64]) -> Result<(), CouldNotRun> {
        let overwrite = |(node, &choice)| self.run.ordered(NodeId(node), Order::Corrupt { choice });
        let all = try_join_all((0..).zip(choices).map(overwrite));
        self.block_on(all).map(drop).map_err(could_not)
    }

    /// Makes the failure detector of a node suspect another node, and waits until the detector's node has processed
    /// the suspicion.
    ///
    /// # Errors
    /// If `node` cannot suspect `whom`, or already suspects `whom`.
    pub fn suspect(&self, node: u32, whom: u32) -> Result<(), CouldNotRun> {
        let suspected = self.coming(&Until::Event(at(NodeId(node), "suspected")));
        self.order(node, Order::Suspect { whom: NodeId(whom) })?;
        self.wait_for(suspected, "a suspicion")
    }

    fn order(&self, node: u32, order: Order) -> Result<(), CouldNotRun> {
        self.block_on(self.run.ordered(NodeId(node), order)).map(drop).map_err(could_not)
    }

    /// Fires the timer that the algorithm of a node has set most recently. This is for runs in which timers do not
    /// expire by themselves.
    ///
    /// # Errors
    /// If no such timer is pending.
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

    /// Fires the timer `timer` of the client of each node in `nodes`. All of these timers fire before any of the
    /// nodes receives another input. This is for runs in which timers do not expire by themselves.
    ///
    /// # Errors
    /// If the timer is not pending at one of the nodes.
    pub fn fire_together(&self, nodes: &[u32], timer: ClientTimer) -> Result<(), CouldNotRun> {
        let fire =
            |core: &mut Core| nodes.iter().try_for_each(|&node| core.fire(NodeId(node), &TimerName::Client(timer)));
        self.run.with(fire).map_err(could_not)
    }

    /// Returns the codes of the violations, without repetitions.
    #[must_use]
    pub fn codes(&self) -> Vec<String> {
        let violations = |core: &mut Core| core.violations().iter().map(|(_, found)| found.code.to_string()).collect();
        let mut codes: Vec<String> = self.run.with(violations);
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Crashes a process.
    ///
    /// # Errors
    /// If the process has already crashed.
    pub fn crash(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.crash(NodeId(node))).map(drop).map_err(could_not)
    }

    /// Restarts a crashed process, with or without its stored state.
    ///
    /// # Errors
    /// If the process has not crashed.
    pub fn restart(&self, node: u32, state: RestartState) -> Result<(), CouldNotRun> {
        self.block_on(self.run.restart(NodeId(node), state)).map(drop).map_err(could_not)
    }

    /// Pauses a process.
    ///
    /// # Errors
    /// If the process is not running.
    pub fn pause(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.pause(NodeId(node), None)).map(drop).map_err(could_not)
    }

    /// Resumes a paused process.
    ///
    /// # Errors
    /// If the process is not paused.
    pub fn resume(&self, node: u32) -> Result<(), CouldNotRun> {
        self.block_on(self.run.resume(NodeId(node))).map(drop).map_err(could_not)
    }
    /// Starts to watch for an event of the kind `kind` from a node. Must be called before the action that causes the
    /// event.
    #[must_use]
    pub fn expect(&self, node: u32, kind: &'static str) -> Expected {
        Expected { coming: self.coming(&Until::Event(at(NodeId(node), kind))), what: kind }
    }

    /// Waits for the expected event.
    ///
    /// # Errors
    /// If the event does not happen.
    pub fn wait_expected(&self, expected: Expected) -> Result<(), CouldNotRun> {
        self.wait_for(expected.coming, expected.what)
    }

    /// Starts to watch for an event of the kind `kind` from any node. Must be called before the action that causes
    /// the event.
    #[must_use]
    pub fn expect_anywhere(&self, kind: &'static str) -> Expected {
        let pattern = EventPattern { kind: Some(kind.to_owned()), ..EventPattern::default() };
        Expected { coming: self.coming(&Until::Event(pattern)), what: kind }
    }

    /// Manually delivers the oldest held message of the kind `kind` on the link from `from` to `to`, and waits until
    /// its receiver has processed it.
    ///
    /// # Errors
    /// If no such message is held.
    pub fn deliver(&self, kind: &str, from: u32, to: u32) -> Result<(), CouldNotRun> {
        let (from, to) = (NodeId(from), NodeId(to));
        let held = self.run.with(|core| core.state().messages(Some(MessageStatus::Held)));
        let wanted = held.into_iter().find(|held| (held.from, held.to, &*held.message_kind) == (from, to, kind));
        match wanted {
            Some(held) => self.hand_over(held.message),
            None => Err(CouldNotRun::because(format!("no {kind} from {from} to {to} is held"))),
        }
    }

    /// Manually delivers all held messages, link by link, until no message is held.
    ///
    /// # Errors
    /// If the delivered messages lead to new messages without end.
    pub fn deliver_all(&self) -> Result<(), CouldNotRun> {
        const MOST: u32 = 1_000;
        match self.deliver_at_most(MOST)? {
            count if count < MOST => Ok(()),
            count => Err(CouldNotRun::because(format!("there is no end of messages after {count}"))),
        }
    }

    /// Manually delivers at most `most` held messages, link by link. Returns the number of delivered messages.
    ///
    /// # Errors
    /// If a message cannot be delivered.
    pub fn deliver_at_most(&self, most: u32) -> Result<u32, CouldNotRun> {
        for count in 0..most {
            let held = self.run.with(|core| core.state().messages(Some(MessageStatus::Held)));
            match held.first() {
                Some(held) => self.hand_over(held.message)?,
                None => return Ok(count),
            }
        }
        Ok(most)
    }

    /// Makes `nodes` enter one after the other. Returns the cost of each entry: the number of messages until the run
    /// is idle again.
    ///
    /// # Errors
    /// If one of the nodes does not enter.
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

    /// Waits until the condition `until` is met.
    ///
    /// # Errors
    /// If the condition is not met within five minutes, or can no longer be met.
    pub fn wait(&self, until: &Until) -> Result<(), CouldNotRun> {
        let coming = self.run.with(|core: &mut Core| core.wait(until)).heard;
        self.wait_for(coming, &format!("{until:?}"))
    }

    /// Returns the nodes in the critical section, in order of entry.
    #[must_use]
    pub fn inside(&self) -> Vec<u32> {
        let locks = self.state().locks;
        locks.iter().flat_map(|lock| &lock.holders).map(|node| node.0).collect()
    }

    /// Returns the number of violations.
    #[must_use]
    pub fn violations(&self) -> u64 {
        self.metrics().violations
    }

    /// Returns whether the monitors have proved that the waiting nodes wait forever. Returns false if no node
    /// waits.
    ///
    /// # Errors
    /// If nodes wait, but the monitors do not prove that these nodes wait forever.
    pub fn is_stuck(&self) -> Result<bool, CouldNotRun> {
        if self.state().locks.iter().all(|lock| lock.waiting.is_empty()) {
            return Ok(false);
        }
        self.wait(&Until::Stuck).map(|()| true)
    }

    /// Returns the global state.
    #[must_use]
    pub fn state(&self) -> StateDocument {
        self.run.with(|core| core.document())
    }

    /// Returns the metrics of the run so far.
    #[must_use]
    pub fn metrics(&self) -> MetricsDocument {
        self.run.with(|core| core.metrics().document())
    }

    /// Returns the variables of each node, as each node has reported them most recently, in the order of the nodes.
    ///
    /// # Errors
    /// If a node has not reported its variables.
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

    /// Returns a receiver that is notified when an event after this call meets the condition `until`. The caller may
    /// wait on the receiver later without missing the notification. Until the caller acts, the run may make no
    /// progress; this does not count as a failure.
    fn coming(&self, until: &Until) -> oneshot::Receiver<Heard> {
        self.run.with(|core: &mut Core| core.wait_to_the_end(until))
    }

    fn wait_for(&self, coming: oneshot::Receiver<Heard>, what: &str) -> Result<(), CouldNotRun> {
        match self.block_on(async { timeout(PATIENCE, coming).await }) {
            Ok(Ok(Ok(_))) => Ok(()),
            Ok(Ok(Err(_))) => Err(CouldNotRun::because(format!("{what} can no longer come about"))),
            _ => Err(CouldNotRun::because(format!("{what} did not come about within {} s", PATIENCE.as_secs()))),
        }
    }

    fn block_on<R>(&self, future: impl Future<Output = R>) -> R {
        self.opened.runtime.block_on(future)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // If the journal cannot be removed now, it is removed later with its folder. In either case, the processes
        // end.
        drop(self.block_on(self.opened.ephemeral.registry.delete(self.run.id)));
    }
}

fn at(node: NodeId, kind: &str) -> EventPattern {
    EventPattern { kind: Some(kind.to_owned()), node: Some(node), ..EventPattern::default() }
}

fn could_not(error: RunError) -> CouldNotRun {
    CouldNotRun::because(error)
}
