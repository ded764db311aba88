//! The result of a scenario in one run.

use interlock_observation::phenomenon::PhenomenonDocument;
use serde::Serialize;
use serde_json::Value;

/// The result of a scenario in one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Findings {
    /// The outcome.
    pub outcome: Outcome,
    /// The step that could not be executed, or the wait whose condition was not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The results of the expectations.
    pub expectations: Vec<Judgement>,
    /// Number of completed steps.
    pub steps: usize,
    /// Number of steps of the scenario.
    pub of: usize,
    /// The reason for the end of the run.
    pub ended: String,
    /// The phenomenon that the run shows at its end. The cause of a standstill is read from the views of the nodes, so it
    /// is less exact if a run is only judged and stores no views.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phenomenon: Option<PhenomenonDocument>,
}

/// The outcome of a scenario. The order is from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All expectations are met.
    Met,
    /// The run was aborted before the result was known.
    CutShort,
    /// An expectation is not met.
    NotMet,
    /// The run could not be executed.
    CouldNotRun,
}

/// A step that was not completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Failure {
    /// The location in the document, as a JSON pointer.
    pub place: String,
    /// The reason.
    pub because: String,
}

/// The result of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Judgement {
    /// The expectation in the form in which the document contains it.
    #[schema(value_type = Object)]
    pub expect: Value,
    /// The location in the document as a JSON pointer. It is empty for the implicit expectation.
    pub place: String,
    /// Whether the expectation is met.
    pub met: bool,
    /// The reason, as the end of a sentence.
    pub because: String,
    /// The sequence numbers of the events that decided the result.
    pub events: Vec<u64>,
}

impl Findings {
    /// Returns the findings of a run that could not be executed.
    #[must_use]
    pub fn could_not_run(why: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::CouldNotRun,
            failure: Some(Failure { place: String::new(), because: why.into() }),
            expectations: Vec::new(),
            steps: 0,
            of: 0,
            ended: String::new(),
            phenomenon: None,
        }
    }

    /// Returns one sentence for each problem.
    pub fn complaints(&self) -> impl Iterator<Item = String> {
        self.complaints_by_place().map(|(_, sentence)| sentence)
    }

    /// Returns one sentence for each problem, with the location of the problem as a JSON pointer. If the problem
    /// concerns no part of the document, the pointer is empty.
    pub fn complaints_by_place(&self) -> impl Iterator<Item = (&str, String)> {
        let failed = self.failure.iter().map(|failure| match failure.place.as_str() {
            "" => ("", failure.because.clone()),
            place => (place, format!("{}: {}", step_named(place), failure.because)),
        });
        let missed = self.expectations.iter().filter(|judgement| !judgement.met);
        failed.chain(missed.map(|judgement| {
            let sentence = format!("expected {}, but {}", judgement.expect, judgement.because);
            (judgement.place.as_str(), sentence)
        }))
    }
}

/// Returns the name of the step at a location, counted from 1. `/steps/2` is step 3. `/steps/1/steps/0` is step 2.1:
/// the first of the steps that step 2 repeats.
fn step_named(place: &str) -> String {
    let numbers = place.split('/').filter_map(|part| part.parse::<usize>().ok());
    let numbers: Vec<String> = numbers.map(|number| (number + 1).to_string()).collect();
    format!("step {}", numbers.join("."))
}

impl Outcome {
    /// Returns the name of the outcome in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not-met",
            Self::CutShort => "cut-short",
            Self::CouldNotRun => "could-not-run",
        }
    }
}
