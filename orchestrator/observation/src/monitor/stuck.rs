//! Nobody is stuck: whoever wants is not left in a system in which nothing can move any more.
//!
//! The system is quiescent when every process is passive and no message is under way: the condition that termination
//! detection looks for (Dijkstra, Feijen, van Gasteren 1983, "Derivation of a Termination Detection Algorithm for
//! Distributed Computations"). It is a stable property (Chandy, Lamport 1985, "Distributed Snapshots"): once it holds
//! it stays, unless somebody outside acts. The network sees every message and every input until its step is reported,
//! so here it is read off the state and not guessed from a time-out.

use serde_json::{Value, json};

use crate::state::{STUCK, Standstill, State};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = STUCK;
/// Somebody wants, nothing can move, and no hand can change that. Arguments: `waiting`, `dead`, `inside` (who is in which
/// section, if anybody).
pub const QUIESCENT: &str = "quiescent";

fn arguments(Standstill { waiting, dead, inside, .. }: &Standstill) -> Value {
    let mut arguments = json!({ "waiting": waiting, "dead": dead });
    if !inside.is_empty() {
        arguments["inside"] = json!(inside);
    }
    arguments
}

/// Tells once each time that a run gets stuck.
#[derive(Debug, Default)]
pub struct Stuck {
    told: bool,
}

impl Stuck {
    /// Looks at the state between two steps: see [`super::Monitors::settle`].
    pub fn settle(&mut self, state: &State, pending_inputs: usize) -> Option<Violation> {
        let standstill = state.standstill(pending_inputs).filter(|standstill| standstill.hands.are_tied());
        let told = std::mem::replace(&mut self.told, standstill.is_some());
        standstill.filter(|_| !told).map(|standstill| Violation {
            monitor: NAME.into(),
            code: QUIESCENT.into(),
            arguments: arguments(&standstill),
            events: standstill.waiting.iter().map(|waiting| waiting.seq).collect(),
        })
    }
}
