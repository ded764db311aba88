//! Random runs of every algorithm, as adverse as the assumptions of the algorithm allow.
//!
//! A correct variant must not violate a property or leave a process stuck in any run. A faulty variant must be
//! caught. The runs are simulated, and each run is a function of its seed, so every finding is reproducible. Only
//! a [`Soak`] has real processes. The seed determines the document that describes the run, including its script.
//! Other commands can therefore also execute the run.
//!
//! The random choices respect the assumptions in the catalogue. Messages are lost, duplicated or reordered, and
//! processes crash. If the algorithm does not treat a time-out as a crash, processes are also paused, and messages
//! are held or take arbitrarily long. All faults end in the middle of the run, so all requests must be granted in the
//! end. Some algorithms satisfy their properties only if messages are faster than their time-outs. These time-outs
//! are drawn close to the delays, but never shorter: messages that arrive after a time-out would not be a fault of
//! the algorithm.

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

/// A variant of an algorithm, to be tested in random runs.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Algorithm.
    pub entry: &'static Entry,
    /// Variant.
    pub variant: &'static Variant,
}

impl Candidate {
    /// Returns the assumptions under which the variant is correct in random runs. In random runs, no process is
    /// notified of faults, so repairs cannot work. The assumptions of the original algorithm therefore apply.
    fn assumes(self) -> Assumptions {
        let own = catalogue::assumptions(self.entry.name, self.variant.name).unwrap_or(self.entry.assumes);
        let Assumptions { no_crash, no_loss, .. } = self.entry.assumes;
        Assumptions { no_crash: own.no_crash || no_crash, no_loss: own.no_loss || no_loss, ..own }
    }

    /// Returns whether the variant mistakes a slow process for a crashed process. For such a variant, all messages
    /// must be faster than its time-outs.
    fn takes_slow_for_dead(self) -> bool {
        self.assumes().failure_detector == FailureDetector::Perfect
    }

    /// Returns whether the variant makes progress if only a majority is live. This is true for algorithms whose
    /// processes eventually agree on a leader.
    fn survives_with_a_majority(self) -> bool {
        self.assumes().failure_detector == FailureDetector::EventualLeader
    }
}

/// Faulty variants whose flaw becomes visible only after a lost token, or after a crash of which other processes are
/// notified. Only the runs of [`chaos`] contain such faults, because other variants of the same algorithms do not
/// survive them.
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

/// Returns all variants of the families for which random runs exist. Leaves out the faulty variants that random runs
/// cannot distinguish from correct variants.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    all().filter(|candidate| !BEYOND.contains(&candidate.variant.name))
}

fn all() -> impl Iterator<Item = Candidate> {
    let entries = ENTRIES
        .iter()
        .filter(|entry| ["mutual-exclusion", "election", "deadlock", "agreement"].contains(&entry.family));
    entries.flat_map(|entry| entry.variants.iter().map(move |variant| Candidate { entry, variant }))
}

/// Returns the run that is drawn from `seed`, with the format of a `POST /runs` body.
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

/// Returns the simulation of the run that a document describes.
///
/// # Errors
/// Returns all errors of the document.
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
