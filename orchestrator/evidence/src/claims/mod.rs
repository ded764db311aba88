//! What the sources say of the systems, each sentence shown by running it now: `interlock claims`.
//!
//! A [`Claim`] is a sentence of a source and the ways in which it is shown. A [`Showing`] is a function that runs the
//! system, measures, and sets what it found beside what the sentence says. Beside a claim of safety stands its negative
//! control: the same measurement of a broken variant, or of one whose assumptions are not met. Where the claim is that a
//! rule is broken, the control is a system that keeps it. A claim whose control comes out the same has shown nothing, and
//! fails.
//!
//! # How to add a showing
//! The definition stands in the file of its system, in the order of the source; the function that shows it below.
//!
//! - By live processes: `Showing::live(function)`. The function is handed the [`Playground`](live::Playground), in
//!   which it creates runs from the body of `POST /runs` and plays them by hand, or has their clients enter until
//!   everything has come to rest.
//! - By simulation, exploration or a property: `Showing::of(How::…, function)`. The function needs nothing: it makes its
//!   runs from the same document, seed included, so what it finds is the same each time; `simulated` has the documents
//!   and the measures that many of them share, and `explored` tries all schedules of a small configuration. Figures that are exact in theory are compared exactly; means, over at
//!   least 3,000 entries, within 2 %.
//!   `Showing::explored(function)` says which configurations, and which rule the schedules of each break, if any: the
//!   shortest that does has a name, and `interlock replay` plays it.
//!
//! `.beside(run)` adds the negative control. The function returns a [`Finding`], or says why it could not be run; it
//! never concludes anything from how long something took.

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

/// All claims, in the order of their sources.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    let systems = [mutual_exclusion::SYSTEMS, election::SYSTEMS, deadlock::SYSTEMS, agreement::SYSTEMS];
    systems.into_iter().flatten().copied().flatten().chain(workloads::CLAIMS)
}
