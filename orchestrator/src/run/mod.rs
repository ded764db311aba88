//! A run: its processes, its network, its events, and the actions on them.

mod command;
mod control;
mod core;
mod delivery;
mod detector;
mod difference;
mod directed_scenario;
mod directing;
mod driver;
mod end;
mod error;
mod event_log;
mod exchange;
mod following;
mod history;
mod hub;
mod inputs;
mod life;
mod load;
mod nodes;
mod past;
mod process;
mod registry;
mod replay;
mod reports;
mod resource;
mod script;
mod snapshot_pace;
mod steps;
mod stop;
mod stream_events;
mod stream_faults;
mod streams;
mod summary;
mod taken;
mod temporary;
mod temporary_change;
mod time;
mod timer_names;
mod under_way;
mod view;
mod waiters;
mod waiting;

#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interlock_algorithm::NodeId;
use interlock_node::{Alarm, Clock};
use jiff::Timestamp;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

pub use core::Core;
pub use delivery::Handing;
pub use difference::{Difference, NotDone, ReplayDocument};
pub use error::RunError;
pub use following::Played;
pub use history::{Change, Follower};
pub use hub::{Hub, HubError};
pub use load::{LoadError, load};
pub use past::{MOST_LOADED_NODES, PastView};
pub use registry::{Limits, Registry};
pub use steps::ReportError;
pub use streams::{Links, LinksError};
pub use summary::RunSummary;
pub use taken::{Acquired, Taken};
pub use temporary_change::Temporary;
pub use waiters::{Awaited, Heard, InVain};

use crate::journal::Journal;
use crate::supervisor::Supervisor;
use interlock_model::event::{Ending, Json};
use interlock_model::impossible::Impossible;
use interlock_model::specification::Specification;
use interlock_simulation::scenario::Findings;

/// A run in memory, which is in progress or has ended.
pub struct Run {
    /// Identifier in the API.
    pub id: Uuid,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Present name; a user can change it.
    name: Mutex<String>,
    /// Specification of the run.
    pub specification: Arc<Specification>,
    document: Json,
    core: Mutex<Core>,
    journal: Journal,
    supervisor: Supervisor,
    hub: Hub,
    armed: Mutex<Armed>,
    changed: Notify,
    /// Findings of the scenario, once they are known.
    findings: watch::Sender<Option<Findings>>,
    /// Locks for actions on the processes of nodes, one for each node: see `turn`.
    turns: Vec<tokio::sync::Mutex<()>>,
    /// Locked while the run executes actions of its schedule, so that two clients cannot continue it at the same
    /// time.
    replaying: tokio::sync::Mutex<()>,
}

/// The alarm of a run, and the time for which it is set. A run whose journal is closed has no alarm, since the alarm
/// would occupy a file descriptor.
struct Armed {
    alarm: Option<Arc<Alarm>>,
    due_us: Option<u64>,
}

impl Run {
    /// Creates a run whose processes have not started. If `followed` contains a schedule, the run follows that
    /// schedule.
    ///
    /// # Errors
    /// If the operating system provides no further timer.
    #[expect(clippy::too_many_arguments, reason = "each is another thing, and there is one caller")]
    pub(super) fn new(
        id: Uuid,
        created_at: Timestamp,
        specification: Arc<Specification>,
        document: Json,
        journal: Journal,
        supervisor: Supervisor,
        hub: Hub,
        followed: Option<Arc<Played>>,
    ) -> io::Result<Arc<Self>> {
        let clock = Clock::starting_now();
        let alarm = hub.alarm(clock)?;
        let core = Mutex::new(Core::new(id, Arc::clone(&specification), clock, journal.clone(), followed));
        let armed = Mutex::new(Armed { alarm: Some(Arc::new(alarm)), due_us: None });
        let name = Mutex::new(specification.name.clone());
        let turns = NodeId::all(specification.nodes).map(|_| tokio::sync::Mutex::default()).collect();
        Ok(Arc::new(Self {
            id,
            created_at,
            name,
            specification,
            document,
            core,
            journal,
            supervisor,
            hub,
            armed,
            changed: Notify::new(),
            findings: watch::Sender::new(None),
            turns,
            replaying: tokio::sync::Mutex::default(),
        }))
    }

    /// Calls `action` with the core of the run, and then sets the alarm for the next due time (see
    /// [`Core::next_due_us`]).
    pub fn with<R>(&self, action: impl FnOnce(&mut Core) -> R) -> R {
        let mut core = lock(&self.core);
        let result = action(&mut core);
        self.rearm(core.next_due_us());
        result
    }

    fn rearm(&self, due_us: Option<u64>) {
        let mut armed = lock(&self.armed);
        if armed.due_us != due_us && armed.alarm.as_ref().is_some_and(|alarm| alarm.set(due_us).is_ok()) {
            armed.due_us = due_us;
        }
    }

    /// Returns the journal of the run.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Whether the run has ended and its journal is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.armed).alarm.is_none()
    }

    /// Returns how the run ended; none while it is in progress.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        lock(&self.core).log.ended().cloned()
    }

    /// Waits until a condition of the core is met. The condition is checked whenever a node starts, ends, is
    /// paused or reports.
    async fn until(&self, holds: impl Fn(&Core) -> bool) {
        loop {
            let changed = self.changed.notified();
            if holds(&lock(&self.core)) {
                return;
            }
            changed.await;
        }
    }

    /// Returns the node if it is a node of the run.
    ///
    /// # Errors
    /// If the run has no such node.
    pub fn node(&self, node: NodeId) -> Result<NodeId, RunError> {
        let nodes = self.specification.nodes;
        if node.0 < nodes { Ok(node) } else { Err(Impossible::UnknownNode(node, nodes).into()) }
    }
}

/// Locks a mutex, even if a panic has poisoned it: a panic in one action must not make the run unusable.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
