//! Counterexamples by name: the shortest schedules that violate properties, as found by the explorations of claims.
//!
//! They are not stored in files, which would become outdated. Each request explores again, so the result is the
//! shortest counterexample of the current algorithms.

use interlock_exploration::{Property, Verdict};
use interlock_simulation::schedule::Schedule;

use super::claim::{Claim, Experiment, Showing};
use super::explored::Scene;
use super::finding::CouldNotRun;

/// A configuration with a schedule that violates a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Name: that of its claim, `LAM-6`, with a number if the claim has several, `LAM-4.2`.
    pub name: String,
    /// Claim that it belongs to.
    pub claim: &'static Claim,
    /// Property that is violated, if the claim names one. A negative control names none.
    pub property: Option<Property>,
    scene: Scene,
}

/// Returns all counterexamples in the order of their claims.
pub fn counterexamples() -> impl Iterator<Item = Counterexample> {
    super::all().flat_map(of_claim)
}

/// Returns the counterexample of this name. Case does not matter.
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

/// Returns the scenes of a check that violate a property. If the claim says that none does, these are the scenes of
/// the negative control.
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

    /// Returns the shortest schedule that violates the property, with the fewest processes, and the property.
    ///
    /// # Errors
    /// If no schedule violates it now, or the exploration does not end.
    pub fn find(&self) -> Result<(Property, Schedule), CouldNotRun> {
        match self.scene.explore()?.verdict {
            Verdict::Violated { property, mut schedule } if self.property.is_none_or(|said| said == property) => {
                schedule.specification.name = format!("{}: {}", self.name, property.name());
                Ok((property, *schedule))
            }
            _ => Err(CouldNotRun::because(format!("{}: no schedule violates this property now", self.name))),
        }
    }
}
