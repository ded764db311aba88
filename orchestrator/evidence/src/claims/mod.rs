//! Claims: statements of the sources about the systems. `interlock claims` runs the checks of the claims.
//!
//! A [`Claim`] is a sentence from a source with its checks. A [`Showing`] is a check: it runs the system, measures,
//! and compares the measurement with the sentence. Each claim about safety has a negative control. The control is the
//! same measurement of a faulty variant, or of a variant whose assumptions are not met. If the claim says that a
//! property is violated, the control is a system that satisfies the property. If the control gives the same result as
//! the check, the check has no meaning and the claim fails.
//!
//! # How to add a check
//! The claim is defined in the file of its system, in the order of the source. The function of its check is below it.
//!
//! - Live processes: `Showing::live(function)`. The function receives the [`Playground`](live::Playground) and
//!   creates runs from `POST /runs` bodies. It executes manual actions, or waits until the clients have entered and
//!   the run is idle.
//! - Simulation, exploration or a property: `Showing::of(How::…, function)`. The function has no arguments. It
//!   creates its runs from a fixed document with a seed, so its result is always the same. `simulated` contains
//!   shared documents and measurements, and `explored` explores all schedules of a small configuration. Numbers that
//!   theory determines exactly are compared exactly. Means over at least 3,000 entries may differ from theory by 2 %.
//! - Exploration of schedules: `Showing::explored(function)`. The function returns the configurations, each with the
//!   property that some schedule violates, if any. The shortest such schedule has a name, and `interlock replay`
//!   executes it.
//!
//! `.beside(run)` adds the negative control. The function returns a [`Finding`], or the reason why nothing was
//! measured. The result must never depend on how long something took.

mod agreement;
mod claim;
mod counterexamples;
mod deadlock;
mod election;
mod examination;
mod explored;
mod finding;
pub mod live;
mod mutual_exclusion;
mod selection;
mod simulated;
mod table;
#[cfg(test)]
mod tests;
mod workloads;

pub use claim::{Claim, Experiment, How, Showing};
pub use counterexamples::{Counterexample, counterexample, counterexamples};
pub use examination::{Ending, Examined, Verdict, ending, examine};
pub use explored::Scenes;
pub use finding::{CouldNotRun, Finding, Measurement};
pub use selection::{SelectionError, select};
pub use table::Table;

/// Returns all claims, in the order of their sources.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    let systems = [mutual_exclusion::SYSTEMS, election::SYSTEMS, deadlock::SYSTEMS, agreement::SYSTEMS];
    systems.into_iter().flatten().copied().flatten().chain(workloads::CLAIMS)
}
