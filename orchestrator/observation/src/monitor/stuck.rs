//! Monitor of stuck runs: a process wants something, but nothing in the system can move.
//!
//! A system is quiescent if every process is passive and no message is in transit. Algorithms for termination
//! detection look for this condition (Dijkstra, Feijen, van Gasteren 1983, "Derivation of a Termination Detection
//! Algorithm for Distributed Computations"). Quiescence is a stable property (Chandy, Lamport 1985, "Distributed
//! Snapshots"): once it holds, only an action from outside the system can end it. The network keeps a record of
//! each message and each input until the resulting step is reported. The monitor therefore decides from the state
//! whether the run is quiescent, without any time-out.

use super::finding::{Finding, Monitor, Property, findings, names, wait};
use super::interventions::Interventions;
use crate::state::{Inside, STUCK, Standstill, State, Waiting};
use interlock_algorithm::NodeId;
use interlock_model::event::Violation;
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = STUCK;

findings! {
    /// A process wants something, nothing can move, and no manual action can change that. Arguments: `waiting`,
    /// `dead`, `inside` (the processes in a section, each with the lock of the section; absent if there are none).
    pub const QUIESCENT = "quiescent";
    Quiescent {
        waiting: Vec<Waiting>,
        dead: Vec<NodeId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        inside: Vec<Inside>,
    } => {
        let dead = match dead.as_slice() {
            [] => String::new(),
            [one] => format!(" {one} has crashed."),
            several => format!(" {} have crashed.", names(several)),
        };
        let waiting = wait(&waiting.iter().map(|waiting| waiting.node).collect::<Vec<_>>());
        if inside.is_empty() {
            return format!(
                "{waiting} forever: no message is in transit, no timer is set, and no process is in the critical \
                 section.{dead}"
            );
        }
        let inside: Vec<String> = inside.iter().map(|Inside { node, lock }| format!("{node} (lock {lock})")).collect();
        let inside = inside.join(", ");
        format!(
            "{waiting} forever: no message is in transit, and no timer is set. In a critical section: {inside}.{dead}"
        )
    }
}

impl From<&Standstill> for Quiescent {
    fn from(Standstill { waiting, dead, inside, .. }: &Standstill) -> Self {
        Self { waiting: waiting.clone(), dead: dead.clone(), inside: inside.clone() }
    }
}

/// The monitor of stuck runs. It reports one violation each time that a run gets stuck.
#[derive(Debug, Default)]
pub struct Stuck {
    told: bool,
}

impl Monitor for Stuck {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(_: &Specification) -> Self {
        Self::default()
    }

    fn settle(&mut self, state: &State, pending_inputs: usize, _: &Interventions, found: &mut Vec<Violation>) {
        found.extend(self.judge(state, pending_inputs));
    }
}

impl Stuck {
    /// Returns a violation if the run has got stuck since the last call.
    pub(crate) fn judge(&mut self, state: &State, pending_inputs: usize) -> Option<Violation> {
        let standstill = state.standstill(pending_inputs).filter(|standstill| standstill.hands.are_tied());
        let told = std::mem::replace(&mut self.told, standstill.is_some());
        standstill.filter(|_| !told).map(|standstill| {
            let events: Vec<u64> = standstill.waiting.iter().map(|waiting| waiting.seq).collect();
            Quiescent::from(&standstill).violation(events)
        })
    }
}
