//! Random runs of every algorithm, as hard as its assumptions allow.
//!
//! A right variant must break no rule and leave nobody stuck in any of them; a wrong one must be caught. The runs are
//! simulated, and each is a function of its seed, so what is found once is found again; only a [`Soak`] has real processes. Each is drawn as the document that
//! describes a run, its script included, so that anybody can play it elsewhere.
//!
//! What is drawn is what the algorithm can do with, as the catalogue says it: messages that are lost, copied or overtaken;
//! processes that crash; and, unless a time-out stands for a crash, processes that are paused and messages that are held or
//! take as long as they like. All that ends in the middle of the run, so that everything must come to its end. Where an
//! algorithm keeps what it promises only as long as messages are faster than its time-outs, these are drawn close to the
//! delays and never shorter: what is beyond is no fault of the algorithm.

mod agreement;
pub mod chaos;
mod chaos_families;
#[cfg(test)]
mod chaos_tests;
mod deadlock;
mod draws;
mod election;
mod faults;
mod footprint;
mod judge;
mod network;
pub mod saved;
mod scene;
mod soak;
mod structure;
#[cfg(test)]
mod tests;
mod trial;
mod unplayable;

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::{Assumptions, Entry, FailureDetector, LockUse, Variant};
use serde_json::Value;

pub use footprint::Footprint;
use interlock_model::field_error::FieldError;
use interlock_model::specification::Draft;
use interlock_simulation::simulation::{Simulation, Watch};
pub use judge::{Finding, judge};
pub use soak::{Failure, Held, Soak};
pub use trial::{Drawn, Tried, Verdict, try_seeds};

/// A variant of an algorithm to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The algorithm.
    pub entry: &'static Entry,
    /// The variant.
    pub variant: &'static Variant,
}

impl Candidate {
    /// What it needs in order to be right. What repairs would have to repair does not break here: nobody is told of it.
    fn assumes(self) -> Assumptions {
        let own = catalogue::assumptions(self.entry.name, self.variant.name).unwrap_or(self.entry.assumes);
        let Assumptions { no_crash, no_loss, .. } = self.entry.assumes;
        Assumptions { no_crash: own.no_crash || no_crash, no_loss: own.no_loss || no_loss, ..own }
    }

    /// Whether it takes somebody who answers late for one who is dead: it needs all messages to take less time than it
    /// waits.
    fn takes_slow_for_dead(self) -> bool {
        self.assumes().failure_detector == FailureDetector::Perfect
    }

    /// Whether it does with a majority that is alive, as where the processes agree on a leader in the end.
    fn survives_with_a_majority(self) -> bool {
        self.assumes().failure_detector == FailureDetector::EventualLeader
    }
}

/// The variants whose rightness shows only where processes crash and others are told, or where a token is lost: no run but
/// those of [`chaos`] has that, since the other variants of their algorithms do not survive it.
const BEYOND: [&str; 14] = [
    "asked-one-way",
    "asks-at-once",
    "back-as-at-start",
    "dead-announcer",
    "forgetful-succession",
    "half-trees",
    "hasty-bridging",
    "hasty-recovery",
    "hasty-regeneration",
    "lease",
    "no-generation",
    "no-heir",
    "time-out",
    "two-regenerators",
];

/// All variants of the families that have scenes, but for those whose rightness does not show in them.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    all().filter(|candidate| !BEYOND.contains(&candidate.variant.name))
}

fn all() -> impl Iterator<Item = Candidate> {
    let entries = ENTRIES
        .iter()
        .filter(|entry| ["mutual-exclusion", "election", "deadlock", "agreement"].contains(&entry.family));
    entries.flat_map(|entry| entry.variants.iter().map(move |variant| Candidate { entry, variant }))
}

/// The run of this seed, as a body of `POST /runs`.
#[must_use]
pub fn document(candidate: Candidate, seed: u64) -> Value {
    match candidate.entry.family {
        "agreement" => agreement::one_decree(candidate, seed),
        "deadlock" => deadlock::document(candidate, seed),
        "election" => election::document(candidate, seed),
        _ if candidate.survives_with_a_majority() => agreement::lock_service(candidate, seed),
        _ => scene::document(candidate, seed),
    }
}

/// The simulation of a run that a document describes.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn simulation(document: &Value) -> Result<Simulation, Vec<FieldError>> {
    let draft = Draft::read(document).map_err(|error| vec![error])?;
    let specification = draft.complete_simulated()?;
    let most_steps = match catalogue::find(&specification.algorithm).map(|entry| (entry.family, entry.locks)) {
        Ok(("agreement", LockUse::None)) => agreement::MOST_STEPS,
        Ok(("election", _)) => election::MOST_STEPS,
        Ok(("deadlock", _)) => deadlock::most_steps(&specification),
        _ => scene::MOST_STEPS,
    };
    Ok(Simulation { most_steps, entries: None, watch: Watch::Monitors, ..Simulation::new(specification, 0) })
}
