//! The reason why a scenario is not met, comparable with that of a smaller scenario.

use super::edit::Edit;
use crate::scenario::{Failure, Findings, Judgement, Outcome, UNREACHED};
use interlock_model::event::Violation;

/// Why a scenario is not met: the first missed expectation, or else the failed step.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Place of the expectation or the step; empty for expectations that hold for every scenario.
    place: String,
    kind: Kind,
    /// Place of the failed step, if a step failed as well. A smaller scenario may fail at this step or at no step.
    step: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// An expectation is missed.
    Missed {
        /// The monitor of the violated property and the code of the violation.
        broken: Option<(String, String)>,
        /// Whether a forbidden event occurred; otherwise an expected event did not occur.
        came_about: bool,
        /// Whether the run never reached the mark from which the expectation applies.
        unreached: bool,
    },
    /// A step failed, in this way.
    Failed(String),
}

impl Reason {
    /// Returns why a scenario is not met, or nothing if it is met or was not judged.
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

    /// Returns the reason with the places after an edit, or nothing if the edit changes the part that fails.
    pub fn after(&self, edit: &Edit) -> Option<Self> {
        let step = self.step.as_deref().and_then(|step| edit.moves(step));
        Some(Self { place: edit.moves(&self.place)?, kind: self.kind.clone(), step })
    }

    /// Returns whether a scenario with these findings is not met for this reason.
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
        // An event that decides an expectation about something else may also violate a property.
        let about_rules = missed.expect.to_string().contains("violation");
        let broken = violation.filter(|_| about_rules);
        Self::Missed {
            broken: broken.map(|violation| (violation.monitor.to_string(), violation.code.to_string())),
            came_about: !missed.events.is_empty(),
            unreached: missed.because.ends_with(UNREACHED),
        }
    }
}

/// Returns how a step failed, without the condition that was still missing.
fn manner(failure: &Failure) -> String {
    failure.because.split(':').next().unwrap_or_default().to_owned()
}
