//! Determines whether a random run shows a fault of the algorithm.
//!
//! Some violations do not count, because no algorithm promises to avoid them. [`super::deadlock::is_wrong`]
//! determines which reports about cycles of waits count.

use interlock_algorithm::NodeId;
use serde::Serialize;

use super::{Candidate, deadlock};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::specification::Specification;
use interlock_observation::monitor;
use interlock_simulation::simulation::{Report, Simulation};

/// A fault that a run has exposed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// Code of the violation. The codes `no-end` and `unfinished` are defined in this module; all other codes
    /// occur in events.
    pub code: String,
    /// Description of what happened.
    pub because: String,
}

/// Returns the first fault of a run, if any: a violated property, a run without an end, or requests that were not
/// granted.
#[must_use]
pub fn judge(candidate: Candidate, simulation: &Simulation, report: &Report) -> Option<Finding> {
    let mut found = report.violations.iter().map(|(_, violation)| violation);
    if let Some(violation) = found.find(|violation| deadlock::is_wrong(candidate, violation)) {
        return Some(Finding { code: violation.code.to_string(), because: monitor::sentence(violation) });
    }
    if let Some(cut) = report.cut {
        return Some(Finding { code: "no-end".into(), because: format!("it did not end: {}", cut.name()) });
    }
    let least = promised_rounds(&simulation.specification);
    let because = if report.engaged > 0 {
        format!("{} of the processes still want or have something at the end", report.engaged)
    } else if report.rounds < least {
        format!("{} of {least} rounds were made", report.rounds)
    } else {
        return None;
    };
    Some(Finding { code: "unfinished".into(), because })
}

/// Returns the minimum number of rounds that must be completed. The rounds of all processes count, except those of
/// processes that stay crashed or whose last restart is without their state. Such processes may complete rounds
/// before their crashes, but need not.
fn promised_rounds(specification: &Specification) -> u64 {
    let is_lost = |node: NodeId| {
        let mut fate = specification.script.iter().filter_map(|scripted| match scripted.choice {
            Choice::Crash { node: dies } if dies == node => Some(true),
            Choice::Restart { node: back, state } if back == node => Some(state == RestartState::None),
            _ => None,
        });
        fate.next_back().unwrap_or(false)
    };
    let clients = NodeId::all(specification.nodes).filter(|&node| !is_lost(node));
    clients.filter_map(|node| specification.client_loop(node)?.entries).sum()
}
