//! A run: its processes, its network, its events, and everything that can be done to it.

mod command;
mod control;
mod core;
mod delivery;
mod detector;
mod difference;
mod directed_scenario;
mod directing;
mod end;
mod error;
mod exchange;
mod following;
mod history;
mod hub;
mod life;
mod load;
mod past;
mod process;
mod registry;
mod replay;
mod resource;
mod script;
mod steps;
mod stop;
mod summary;
mod taken;
mod temporary;
mod temporary_change;
mod time;
mod timer_names;
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
use tokio::sync::Notify;
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
pub use process::{Acquired, Ordered};
pub use registry::{Limits, Registry};
pub use steps::ReportError;
pub use summary::RunSummary;
pub use taken::Taken;
pub use temporary_change::Temporary;
pub use waiters::{Awaited, Heard, InVain};

use crate::journal::Journal;
use crate::supervisor::Supervisor;
use interlock_model::event::{Ending, Json};
use interlock_model::impossible::Impossible;
use interlock_model::specification::Specification;

/// A run under way, or over but still at hand.
pub struct Run {
    /// Its name in the API.
    pub id: Uuid,
    /// When it was created.
    pub created_at: Timestamp,
    /// What people call it now.
    name: Mutex<String>,
    /// What it is.
    pub specification: Arc<Specification>,
    document: Json,
    core: Mutex<Core>,
    journal: Journal,
    supervisor: Supervisor,
    hub: Hub,
    armed: Mutex<Armed>,
    changed: Notify,
    /// One for each node: see `turn`.
    turns: Vec<tokio::sync::Mutex<()>>,
    /// Held by whoever lets a schedule go on.
    replaying: tokio::sync::Mutex<()>,
}

/// The alarm of a run, and for when it is set. A run that has ended has none: it would keep a file descriptor.
struct Armed {
    alarm: Option<Arc<Alarm>>,
    due_us: Option<u64>,
}

impl Run {
    /// A run whose processes are not there yet; it follows a schedule, if one is given that the model has played.
    ///
    /// # Errors
    /// When the operating system has no timer left.
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
        let changed = Notify::new();
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
            changed,
            turns,
            replaying: tokio::sync::Mutex::default(),
        }))
    }

    /// Does something with the heart of the run, and sets the alarm for what is due next.
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

    /// The journal of the run.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Whether the run has ended and nothing of it is written any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.core).closed
    }

    /// How the run ended, if it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        lock(&self.core).ended.clone()
    }

    /// Waits until this holds of the heart of the run; looked at whenever a node comes, goes, stands still or reports.
    async fn until(&self, holds: impl Fn(&Core) -> bool) {
        loop {
            let changed = self.changed.notified();
            if holds(&lock(&self.core)) {
                return;
            }
            changed.await;
        }
    }

    /// The node, if the run has it.
    ///
    /// # Errors
    /// When it has not.
    pub fn node(&self, node: NodeId) -> Result<NodeId, RunError> {
        let nodes = self.specification.nodes;
        if node.0 < nodes { Ok(node) } else { Err(Impossible::UnknownNode(node, nodes).into()) }
    }
}

/// Locks a mutex, although a panic may have poisoned it: one turn that panics must not end the run.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
