//! What the sources say of the systems, each sentence shown by running it now: `interlock claims`.
//!
//! A [`Claim`] is a sentence of a source and the ways in which it is shown. A [`Showing`] is a function that runs the
//! system, measures, and sets what it found beside what the sentence says. Beside a claim of safety stands its twin: the same
//! measurement of a broken variant, or of one whose assumptions are not met. Where the claim is that a rule is broken,
//! the twin is a system that keeps it. A claim whose twin comes out the same has shown nothing, and fails.
//!
//! # How to add a showing
//! One in virtual time, an exploration or a property is `Showing::of(How::…, function)`: the function takes nothing and
//! returns a [`Finding`], or says why it could not be run. One with live processes is `Showing::live(function)`: the
//! function is handed the [`Playground`](live::Playground) in which it may create runs. What no capability shows yet is
//! `Showing::not_yet(How::…)`. The definition stands in the file of its system, in the order of the source.

mod claim;
mod examination;
pub mod live;
mod mutual_exclusion;
mod selection;
mod table;
#[cfg(test)]
mod tests;

pub use claim::{Claim, CouldNotRun, Finding, How, Outcome, Run, Showing, Way};
pub use examination::{Ending, Examined, Verdict, ending, examine};
pub use selection::{SelectionError, select};
pub use table::Table;

/// All claims, in the order of their sources.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    mutual_exclusion::SYSTEMS.iter().copied().flatten()
}
