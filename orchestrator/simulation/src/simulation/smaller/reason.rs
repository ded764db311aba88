//! The reason why a scenario is not met, in a form that can be compared with the reason of a smaller scenario.

use super::edit::Edit;
use crate::scenario::{Failure, Findings, Judgement, Outcome, UNREACHED};
use interlock_model::event::Violation;

/// The reason why a scenario is not met: its first missed expectation or, if it misses none, its failed step.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Place of the expectation or the step; empty for the implicit expectation.
    place: String,
    kind: Kind,
    /// Place of the failed step, if any. A smaller scenario fails for the same reason only if the same step or no
    /// step fails.
    step: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// An expectation is missed.
    Missed {
        /// The monitor and the code of the violation, if the expectation is about violations.
        broken: Option<(String, String)>,
        /// Whether the expectation is missed because a forbidden event occurred. If false, a required event did not
        /// occur.
        came_about: bool,
        /// Whether the expectation is missed because the run never reached its mark.
        unreached: bool,
    },
    /// A step failed. The value describes how.
    Failed(String),
}

impl Reason {
    /// Returns the reason why a scenario is not met. Returns none if the scenario is met or could not be judged.
    pub fn of(findings: &Findings, broken: &[(u64, Violation)]) -> Option<Self> {
        if findings.outcome != Outcome::NotMet {
            return None;
        }
        let step = findings.failure.as_ref().map(|failure| failure.place.clone());
        let missed = findings.expectations.iter().find(|judgement| !judgement.met);
        Some(match (missed, &findings.failure) {
            (Some(missed), _) => Self { place: missed.place.clone(), kind: Kind::of(missed, broken), step },
            (None, failure) => {
                let failure = failure.as_ref()?;
                Self { place: failure.place.clone(), kind: Kind::Failed(manner(failure)), step }
            }
        })
    }

    /// Returns the same reason with the places that its parts have after an edit. Returns none if the edit changes
    /// the part that fails.
    pub fn after(&self, edit: &Edit) -> Option<Self> {
        let step = self.step.as_deref().and_then(|step| edit.moves(step));
        Some(Self { place: edit.moves(&self.place)?, kind: self.kind.clone(), step })
    }

    /// Returns whether these findings have the same reason.
    pub fn is_that_of(&self, findings: &Findings, broken: &[(u64, Violation)]) -> bool {
        let failed = findings.failure.as_ref();
        let missed = |judgement: &Judgement| {
            !judgement.met && judgement.place == self.place && Kind::of(judgement, broken) == self.kind
        };
        findings.outcome == Outcome::NotMet
            && failed.is_none_or(|failure| self.step.as_ref() == Some(&failure.place))
            && match &self.kind {
                Kind::Missed { .. } => findings.expectations.iter().any(missed),
                Kind::Failed(how) => {
                    failed.is_some_and(|failure| failure.place == self.place && manner(failure) == *how)
                }
            }
    }
}

impl Kind {
    fn of(missed: &Judgement, broken: &[(u64, Violation)]) -> Self {
        let violation = broken.iter().find(|(seq, _)| missed.events.contains(seq)).map(|(_, violation)| violation);
        // The event that decides an expectation may also violate a property to which the expectation does not refer.
        let about_rules = missed.expect.to_string().contains("violation");
        let broken = violation.filter(|_| about_rules);
        Self::Missed {
            broken: broken.map(|violation| (violation.monitor.to_string(), violation.code.to_string())),
            came_about: !missed.events.is_empty(),
            unreached: missed.because.ends_with(UNREACHED),
        }
    }
}

/// Returns the description of how a step failed, without the condition that was not met.
fn manner(failure: &Failure) -> String {
    failure.because.split(':').next().unwrap_or_default().to_owned()
}
