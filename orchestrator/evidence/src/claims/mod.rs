//! Claims: statements of the sources about the systems, each checked when `interlock claims` runs.
//!
//! A [`Claim`] is a sentence of a source with its checks. A [`Showing`] is a function that runs the system,
//! measures, and compares the measurement with the sentence. Each claim about safety has a negative control: the
//! same measurement of a faulty variant, or of one whose assumptions are not met. If the claim is that a property
//! is violated, the control is a system that satisfies it. If the control gives the same result, the check has no
//! meaning and the claim fails.
//!
//! # How to add a check
//! The claim is defined in the file of its system, in the order of the source. Its function is below it.
//!
//! - Live processes: `Showing::live(function)`. The function receives the [`Playground`](live::Playground) and
//!   creates runs from the body of `POST /runs`. It plays them manually, or lets their clients enter until the run
//!   is idle.
//! - Simulation, exploration or a property: `Showing::of(How::…, function)`. The function takes no arguments. It
//!   makes its runs from a fixed document with a seed, so its result is always the same. `simulated` has shared
//!   documents and measurements, and `explored` explores all schedules of a small configuration. Figures that are
//!   exact in theory are compared exactly; means, over at least 3,000 entries, within 2 %.
//! - Exploration of schedules: `Showing::explored(function)`. The function names the configurations, and the
//!   property that the schedules of each violate, if any. The shortest such schedule has a name, and `interlock
//!   replay` plays it.
//!
//! `.beside(run)` adds the negative control. The function returns a [`Finding`], or the reason why it could not be
//! run. It never derives a result from how long something took.

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
