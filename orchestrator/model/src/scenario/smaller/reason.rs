//! Why a scenario is not met, as it can be looked for in a smaller one.

use super::super::judge::UNREACHED;
use super::super::{Failure, Findings, Judgement, Outcome};
use super::edit::Edit;
use crate::event::Violation;

/// Why a scenario is not met: the first expectation that is missed, or the step that failed if none is.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Where the expectation or the step stands; empty for what is understood.
    place: String,
    kind: Kind,
    /// The step that failed besides, if one did: a smaller scenario may fail there or at no step, but at no other.
    step: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// An expectation is missed.
    Missed {
        /// The monitor that found the rule broken that it is about, and what it found.
        broken: Option<(String, String)>,
        /// Whether something came about, rather than did not.
        came_about: bool,
        /// Whether it never counted, since its mark was not reached.
        unreached: bool,
    },
    /// A step failed, in this way.
    Failed(String),
}

impl Reason {
    /// Why it is not met; nothing if it is, or was not judged.
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

    /// The same by the places that things have after a change; nothing if the change is to what fails.
    pub fn after(&self, edit: &Edit) -> Option<Self> {
        let step = self.step.as_deref().and_then(|step| edit.moves(step));
        Some(Self { place: edit.moves(&self.place)?, kind: self.kind.clone(), step })
    }

    /// Whether this is why a scenario with these findings is not met.
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
        // Where it is not about rules, one may be broken by the event after which it was looked at all the same.
        let about_rules = missed.expect.to_string().contains("violation");
        let broken = violation.filter(|_| about_rules);
        Self::Missed {
            broken: broken.map(|violation| (violation.monitor.to_string(), violation.code.to_string())),
            came_about: !missed.events.is_empty(),
            unreached: missed.because.ends_with(UNREACHED),
        }
    }
}

/// In which way a step failed, without what was still missing.
fn manner(failure: &Failure) -> String {
    failure.because.split(':').next().unwrap_or_default().to_owned()
}
