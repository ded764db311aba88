//! The core of a run. Everything that happens in the run passes through the core, becomes an event, and is
//! reported to all observers.
//!
//! The core is synchronous and independent of sockets and processes. The surrounding `Run` protects the core with a
//! mutex, which is never locked across an await. `Run` also posts batches to the nodes, and waits until messages are
//! due.

use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_node::Clock;
use uuid::Uuid;

use super::driver::Driver;
use super::event_log::EventLog;
use super::following::{Following, Played};
use super::nodes::Nodes;
use super::streams::{Links, Streams};
use super::temporary_change::TemporaryChanges;
use super::time::Time;
use super::waiters::Waiters;
use crate::journal::Journal;
use interlock_model::event::{Change, Event, Json, Violation, What};
use interlock_model::network::Network;
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::Specification;

/// The core of a run.
pub struct Core {
    id: Uuid,
    specification: Arc<Specification>,
    pub(super) time: Time,
    pub(super) log: EventLog,
    pub(super) network: Network,
    pub(super) nodes: Nodes,
    pub(super) waiters: Waiters,
    pub(super) driver: Driver,
    pub(super) temporary: TemporaryChanges,
    pub(super) streams: Streams,
    pub(super) links: Links,
}

impl Core {
    /// Creates a run that begins now, with or without a schedule to follow, and emits its first event.
    #[must_use]
    pub fn new(
        id: Uuid,
        specification: Arc<Specification>,
        clock: Clock,
        journal: Journal,
        followed: Option<Arc<Played>>,
    ) -> Self {
        let Specification { nodes, seed, network, links, .. } = &*specification;
        let (nodes, seed) = (*nodes, *seed);
        let mut core = Self {
            id,
            time: if followed.is_some() { Time::by_schedule(clock) } else { Time::by(clock) },
            log: EventLog::new(&specification, journal),
            network: Network::new(nodes, seed, network.clone(), links).with_services_from(specification.clients()),
            nodes: Nodes::new(&specification),
            waiters: Waiters::default(),
            driver: followed
                .map_or(Driver::Script(specification.script.len()), |played| Driver::Schedule(Following::new(played))),
            temporary: TemporaryChanges::default(),
            streams: Streams::default(),
            links: Links::default(),
            specification,
        };
        if let Ok(specification) = Json::of(&*core.specification) {
            let warnings = core.specification.warnings();
            core.emit(0, What::Created { specification, warnings });
        }
        core.settle();
        core
    }

    pub(super) const fn id(&self) -> Uuid {
        self.id
    }

    /// Returns the specification of the run.
    #[must_use]
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// Emits an event whose time is the present time.
    pub(super) fn emit_now(&mut self, what: What) -> u64 {
        self.emit(self.time.now_us(), what)
    }

    /// Records an event and the further events that it causes, such as violations, and notifies everything that
    /// observes the run. Returns the `seq` of the given event.
    pub(super) fn emit(&mut self, at_us: u64, what: What) -> u64 {
        let Self { log, waiters, driver, nodes, .. } = self;
        log.record(at_us, what, |event| notify(event, waiters, driver, nodes))
    }

    /// Ends the processing of an input or action: sends the new events to the journal, answers the requests that wait
    /// for a condition of the run as a whole, and wakes the scenario.
    pub(super) fn settle(&mut self) {
        self.nodes.recount(|node| self.log.status(node) == ProcessStatus::Paused);
        // If the run follows a schedule, the schedule also determines when the monitors judge the state.
        if !self.driver.follows() {
            self.judge(self.pending_inputs());
        }
        if self.log.write() {
            self.tell_waiters();
            self.driver.wake();
        }
    }

    /// Answers the requests that wait for a condition of the run as a whole.
    pub(super) fn tell_waiters(&mut self) {
        let (now_us, pending) = (self.time.now_us(), self.pending_inputs());
        self.waiters.settle(self.log.state(), now_us, pending);
    }

    /// Makes the monitors judge the state of the run. `pending` is the number of inputs that nodes have not
    /// handled yet.
    pub(super) fn judge(&mut self, pending: usize) {
        let now_us = self.time.now_us();
        let Self { log, waiters, driver, nodes, .. } = self;
        log.judge(now_us, pending, |event| notify(event, waiters, driver, nodes));
    }

    /// Returns the number of pending inputs other than messages. An input of a node is pending until the node
    /// reports it; inputs of paused nodes do not count. The remaining actions of the script and of the scenario
    /// count as well. So do temporary changes, if undoing them can cause further events.
    pub(super) fn pending_inputs(&self) -> usize {
        self.inputs_under_way() + self.driver.left() + self.motions_to_come()
    }

    pub(super) fn motions_to_come(&self) -> usize {
        self.temporary.motions_to_come(&self.log, &self.network, &self.nodes)
    }

    /// Returns how many of the [pending inputs](Self::pending_inputs) are inputs of nodes.
    pub(super) fn inputs_under_way(&self) -> usize {
        self.nodes.inputs_under_way(|node| self.log.status(node) == ProcessStatus::Paused)
    }

    /// Emits the event of a change of the network, and then calls `settle`.
    pub(super) fn configured(&mut self, change: Change) {
        self.emit_now(What::Configured { change });
        self.follow_stream_faults();
        self.settle();
    }

    /// Emits a `noted` event with the detail `detail`, which belongs to no node, and then calls `settle`.
    pub(super) fn note(&mut self, detail: impl Into<Arc<str>>) {
        self.emit_now(What::Noted { detail: detail.into() });
        self.settle();
    }

    /// Emits an event about an invalid report of a node.
    pub(super) fn misbehaved(&mut self, node: NodeId, detail: impl Into<Arc<str>>) {
        self.emit_now(What::Misbehaved { node, detail: detail.into() });
    }

    /// Returns the `seq` of the latest event.
    #[must_use]
    pub const fn latest(&self) -> u64 {
        self.log.latest()
    }

    /// Returns the first thousand violations, each with the `seq` of its event. The journal contains all
    /// violations.
    #[must_use]
    pub fn violations(&self) -> &[(u64, Violation)] {
        self.log.violations()
    }
}

/// Notifies everything that reacts to an event of the run.
fn notify(event: &Event, waiters: &mut Waiters, driver: &mut Driver, nodes: &mut Nodes) {
    waiters.observe(event);
    nodes.observe(event);
    if let Some((node, timer)) = driver.observe(event) {
        nodes[node].inputs.withdraw_timer(&timer);
    }
}
