//! The shortest schedules that break rules, by name: what claims that are shown by exploration have found.
//!
//! They are not kept as files, which would grow stale: whoever names one has it found anew, so it is the shortest of the
//! algorithms as they are.

use interlock_exploration::{Property, Verdict};
use interlock_simulation::schedule::Schedule;

use super::claim::{Claim, Experiment, Showing};
use super::explored::Scene;
use super::finding::CouldNotRun;

/// A configuration of which some schedule breaks a rule.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Its name: that of its claim, `LAM-6`, and a number if it has several, `LAM-4.2`.
    pub name: String,
    /// The claim that it shows.
    pub claim: &'static Claim,
    /// The rule that is broken, if the claim says which: of a negative control it does not.
    pub property: Option<Property>,
    scene: Scene,
}

/// All that have a name, in the order of their claims.
pub fn counterexamples() -> impl Iterator<Item = Counterexample> {
    super::all().flat_map(of_claim)
}

/// The one of this name, in small letters or capitals.
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

/// What breaks a rule in one way of showing a claim: what the claim says does, or, where it says that nothing does, the
/// negative control.
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
    /// What is explored, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.scene.in_words()
    }

    /// Finds it: the shortest schedule that breaks the rule, with the fewest processes, and which rule that is.
    ///
    /// # Errors
    /// When none does any more, or there is no end of states.
    pub fn find(&self) -> Result<(Property, Schedule), CouldNotRun> {
        match self.scene.explore()?.verdict {
            Verdict::Violated { property, mut schedule } if self.property.is_none_or(|said| said == property) => {
                schedule.specification.name = format!("{}: {}", self.name, property.name());
                Ok((property, *schedule))
            }
            _ => Err(CouldNotRun::because(format!("{}: no schedule breaks this rule now", self.name))),
        }
    }
}
