//! Counterexamples by name. A counterexample is the shortest schedule that violates a property, as found by the
//! exploration of a claim.
//!
//! The schedules are not stored in files, which would become outdated. Each request explores again, so the result is
//! always the shortest counterexample of the current algorithms.

use interlock_exploration::{Exploration, Property, Verdict};
use interlock_simulation::schedule::Schedule;

use super::claim::{Claim, Experiment, Showing};
use super::explored::Scene;
use super::finding::CouldNotRun;

/// A configuration in which some schedule violates a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Name of the counterexample: the name of its claim, such as `LAM-6`. If the claim has several counterexamples,
    /// a number follows: `LAM-4.2`.
    pub name: String,
    /// Claim to which the counterexample belongs.
    pub claim: &'static Claim,
    /// Property that is violated, if the claim names it. A scene from a negative control has no named property.
    pub property: Option<Property>,
    scene: Scene,
}

/// Returns all counterexamples in the order of their claims.
pub fn counterexamples() -> impl Iterator<Item = Counterexample> {
    super::all().flat_map(of_claim)
}

/// Returns the counterexample with this name. Upper and lower case are equivalent.
#[must_use]
pub fn counterexample(name: &str) -> Option<Counterexample> {
    counterexamples().find(|counterexample| counterexample.name.eq_ignore_ascii_case(name))
}

fn of_claim(claim: &'static Claim) -> Vec<Counterexample> {
    let found: Vec<_> = claim.showings.iter().flat_map(of_showing).collect();
    let is_alone = found.len() == 1;
    let named = (1..).zip(found).map(|(number, (scene, property))| {
        let name = if is_alone { claim.id.to_owned() } else { format!("{}.{number}", claim.id) };
        Counterexample { name, claim, property, scene }
    });
    named.collect()
}

/// Returns the scenes of a check in which some schedule violates a property. If all schedules of the check must
/// satisfy the properties, returns the scenes of its negative control instead.
fn of_showing(showing: &Showing) -> Vec<(Scene, Option<Property>)> {
    let Experiment::Schedules(scenes) = showing.experiment else { return Vec::new() };
    let scenes = scenes();
    if scenes.all_keep_the_rules() {
        let Some(Experiment::Schedules(control)) = showing.control else { return Vec::new() };
        return control().each().map(|(scene, _)| (scene, None)).collect();
    }
    scenes.each().filter(|(_, property)| property.is_some()).collect()
}

impl Counterexample {
    /// Describes the explored configuration in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.scene.in_words()
    }

    /// Returns the exploration that finds the counterexample.
    ///
    /// # Errors
    /// If the configuration is invalid.
    pub fn exploration(&self) -> Result<Exploration, CouldNotRun> {
        self.scene.exploration()
    }

    /// Returns the violated property and the shortest schedule that violates it, with the fewest processes.
    ///
    /// # Errors
    /// If no schedule violates the property, or if the exploration does not end.
    pub fn find(&self) -> Result<(Property, Schedule), CouldNotRun> {
        match self.scene.explore()?.verdict {
            Verdict::Violated { property, mut schedule } if self.property.is_none_or(|said| said == property) => {
                schedule.specification.name = format!("{}: {}", self.name, property.name());
                Ok((property, *schedule))
            }
            _ => Err(CouldNotRun::because(format!("{}: no schedule violates the property any longer", self.name))),
        }
    }
}
