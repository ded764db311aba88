//! Runs checks of claims and reports their results.

use std::time::Instant;

use serde::{Serialize, Serializer};

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};
use super::live::Playground;

/// Result of one check of a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examined {
    /// Name of the claim.
    pub id: &'static str,
    /// Statement of the source.
    pub claim: &'static str,
    /// Method of the check.
    pub how: How,
    /// Expected value; none if nothing was measured.
    pub expected: Option<String>,
    /// Measured value, or the reason why there is none.
    pub measured: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Duration in seconds.
    #[serde(serialize_with = "in_thousandths")]
    pub seconds: f64,
}

/// Verdict on a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// The measurement agrees with the source, and its negative control differs.
    #[serde(rename = "holds")]
    Holds,
    /// The measurement does not agree, or its negative control does not differ.
    #[serde(rename = "fails")]
    Fails,
    /// Nothing could be measured.
    #[serde(rename = "could not run")]
    CouldNotRun,
}

impl Verdict {
    /// Returns the verdict in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::CouldNotRun => "could not run",
        }
    }
}

/// Result of an examination of several claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All claims hold.
    AllHold,
    /// At least one claim fails.
    SomethingFails,
    /// No claim fails, and at least one could not be run.
    SomethingCouldNotRun,
}

/// Returns the result of an examination with these verdicts.
#[must_use]
pub fn ending(verdicts: &[Verdict]) -> Ending {
    if verdicts.contains(&Verdict::Fails) {
        Ending::SomethingFails
    } else if verdicts.contains(&Verdict::CouldNotRun) {
        Ending::SomethingCouldNotRun
    } else {
        Ending::AllHold
    }
}

/// Runs one check of a claim and its negative control.
#[must_use]
pub fn examine(claim: &Claim, showing: &Showing, playground: &Playground) -> Examined {
    let start = Instant::now();
    let found = with_control(showing.experiment.run(playground), showing.control, playground);
    let (expected, measured, verdict) = match found {
        Ok(Finding { expected, measured, holds }) => {
            (Some(expected), measured, if holds { Verdict::Holds } else { Verdict::Fails })
        }
        Err(error) => (None, error.to_string(), Verdict::CouldNotRun),
    };
    let seconds = start.elapsed().as_secs_f64();
    Examined { id: claim.id, claim: claim.says, how: showing.how, expected, measured, verdict, seconds }
}

/// A measurement that holds counts only if its negative control does not hold. If the measurement does not hold,
/// the negative control is not run.
fn with_control(measurement: Measurement, control: Option<Experiment>, playground: &Playground) -> Measurement {
    let (finding, control) = match (measurement?, control) {
        (finding, Some(control)) if finding.holds => (finding, control),
        (finding, _) => return Ok(finding),
    };
    let control =
        control.run(playground).map_err(|error| CouldNotRun::because(format!("its negative control: {error}")))?;
    let role = if control.holds { "its negative control comes out the same" } else { "negative control" };
    Ok(Finding {
        expected: format!("{}; negative control: {}", finding.expected, control.expected),
        measured: format!("{}; {role}: {}", finding.measured, control.measured),
        holds: !control.holds,
    })
}

fn in_thousandths<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1_000.0).round() / 1_000.0)
}
