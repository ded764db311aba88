//! Runs the checks of claims and returns their results.

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
    /// Expected value; absent if nothing was measured.
    pub expected: Option<String>,
    /// Measured value, or the reason why nothing was measured.
    pub measured: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Duration of the check, in seconds.
    #[serde(serialize_with = "in_thousandths")]
    pub seconds: f64,
}

/// Verdict on a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// The measurement agrees with the source, and the negative control does not.
    #[serde(rename = "holds")]
    Holds,
    /// The measurement does not agree with the source, or the negative control agrees too.
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

/// Overall result for several claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All claims hold.
    AllHold,
    /// At least one claim fails.
    SomethingFails,
    /// No claim fails, but at least one could not be run.
    SomethingCouldNotRun,
}

/// Returns the overall result for `verdicts`.
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
    Examined { id: claim.id, claim: claim.says(), how: showing.how, expected, measured, verdict, seconds }
}

/// Returns the measurement, changed to a failure if its negative control holds as well. The negative control is
/// run only if the measurement holds.
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
