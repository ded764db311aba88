//! Running what shows a claim, and what to say of it.

use std::time::Instant;

use serde::{Serialize, Serializer};

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};
use super::live::Playground;

/// What is to be said of a claim, after one way of showing it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examined {
    /// Its name.
    pub id: &'static str,
    /// What the source says.
    pub claim: &'static str,
    /// How it was shown.
    pub how: How,
    /// What must be found; none where nothing was measured.
    pub expected: Option<String>,
    /// What was found, or why nothing was.
    pub measured: String,
    /// What follows.
    pub verdict: Verdict,
    /// How long it took, in seconds.
    #[serde(serialize_with = "in_thousandths")]
    pub seconds: f64,
}

/// What follows from what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// What was found is what the source says, and its negative control comes out otherwise.
    #[serde(rename = "holds")]
    Holds,
    /// It is not.
    #[serde(rename = "fails")]
    Fails,
    /// Nothing could be measured.
    #[serde(rename = "could not run")]
    CouldNotRun,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::CouldNotRun => "could not run",
        }
    }
}

/// How an examination of several claims ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All hold.
    AllHold,
    /// Something fails.
    SomethingFails,
    /// Nothing fails, and something could not be run.
    SomethingCouldNotRun,
}

/// How an examination with these verdicts ends.
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

/// Runs one showing of a claim, and its negative control.
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

/// What holds, holds only if its negative control does not. Of what does not, the negative control says nothing.
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
