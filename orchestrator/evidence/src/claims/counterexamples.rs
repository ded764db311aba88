//! The shortest schedules that break rules, by name: what claims that are shown by exploration have found.
//!
//! They are not kept as files, which would grow stale: whoever names one has it found anew, so it is the shortest of the
//! algorithms as they are.

use interlock_model::exploration::{Property, Verdict};
use interlock_model::schedule::Schedule;

use super::claim::{Claim, CouldNotRun, Experiment, Way};
use super::explored::Scene;

/// A configuration of which some schedule breaks a rule.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Its name: that of its claim, `LAM-6`, and a number if it has several, `LAM-4.2`.
    pub name: String,
    /// The claim that it shows.
    pub claim: &'static Claim,
    /// The rule that is broken.
    pub property: Property,
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
    let explored = claim.showings.iter().filter_map(|showing| match showing.way {
        Way::By(Experiment::Schedules(scenes)) => Some(scenes()),
        _ => None,
    });
    let broken: Vec<_> = explored.flat_map(super::Scenes::broken).collect();
    let is_alone = broken.len() == 1;
    let named = (1..).zip(broken).map(|(number, (scene, property))| {
        let name = if is_alone { claim.id.to_owned() } else { format!("{}.{number}", claim.id) };
        Counterexample { name, claim, property, scene }
    });
    named.collect()
}

impl Counterexample {
    /// What is explored, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.scene.in_words()
    }

    /// Finds it: the shortest schedule that breaks the rule.
    ///
    /// # Errors
    /// When none does any more, or there is no end of states.
    pub fn schedule(&self) -> Result<Schedule, CouldNotRun> {
        match self.scene.explore()?.verdict {
            Verdict::Violated { property, mut schedule } if property == self.property => {
                schedule.specification.name = format!("{}: {}", self.name, property.name());
                Ok(*schedule)
            }
            _ => Err(CouldNotRun::because(format!("{}: no schedule breaks this rule now", self.name))),
        }
    }
}
