//! Agreement: the claims of the lecture, and the claims about a lock service on a replicated log. The lock service
//! serves as a comparison.

mod live;
mod paxos;
mod replicated_lock;

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};

/// Claims of each system.
pub(super) const SYSTEMS: &[&[Claim]] = &[paxos::CLAIMS, replicated_lock::CLAIMS];

/// Runs a variant with `seeds` random runs that respect its assumptions, and returns the result.
///
/// # Errors
/// If there is no such variant.
fn under_fire(algorithm: &str, variant: &str, seeds: u64) -> Measurement {
    let mut candidates = crate::fuzz::candidates();
    let is_it =
        |candidate: &crate::fuzz::Candidate| candidate.entry.name == algorithm && candidate.variant.name == variant;
    let candidate = candidates.find(is_it).ok_or_else(|| CouldNotRun::because("there is no such variant"))?;
    let tried = crate::fuzz::try_seeds(candidate, crate::fuzz::Drawn::Run, 1, seeds, &|| ());
    let caught = tried.because.unwrap_or_else(|| "no property was violated".to_owned());
    Ok(Finding {
        expected: format!("no property violated in {seeds} runs with loss, copies, overtaking, crash and restart"),
        measured: format!("{} runs, {} messages: {caught}", tried.seeds, tried.messages),
        holds: tried.caught_by.is_none(),
    })
}
