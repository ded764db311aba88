//! The reason why a scenario fails (its outcome is `NotMet`). The reason can be compared with the reason why a
//! smaller scenario fails.

use super::edit::Edit;
use crate::scenario::{Failure, Findings, Judgement, Outcome, UNREACHED};
use interlock_model::event::Violation;

/// The reason why a scenario fails: its first expectation that was not met or, if all expectations were met, its
/// failed step.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// JSON pointer to the expectation or the step; empty for the implicit expectation.
    place: String,
    kind: Kind,
    /// JSON pointer to the failed step, if any. A smaller scenario fails for the same reason only if the same step
    /// or no step fails.
    step: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// An expectation was not met.
    Missed {
        /// The monitor and the code of the violation, if the expectation is about violations.
        broken: Option<(String, String)>,
        /// Whether the expectation failed because a forbidden event occurred. If false, a required event did not
        /// occur.
        came_about: bool,
        /// Whether the expectation failed because the run never reached its mark.
        unreached: bool,
    },
    /// A step failed. The text describes how it failed.
    Failed(String),
}

impl Reason {
    /// Returns the reason why a scenario fails. Returns none if the scenario succeeds or could not be judged.
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

    /// Returns the same reason, with the JSON pointers that are valid after the edit. Returns none if the edit
    /// changes the part that fails.
    pub fn after(&self, edit: &Edit) -> Option<Self> {
        let step = self.step.as_deref().and_then(|step| edit.moves(step));
        Some(Self { place: edit.moves(&self.place)?, kind: self.kind.clone(), step })
    }

    /// Returns whether a run with these findings failed for the same reason.
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
