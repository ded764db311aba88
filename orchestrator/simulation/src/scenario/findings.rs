//! What came of a scenario.

use serde::Serialize;
use serde_json::Value;

/// What came of a scenario in one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Findings {
    /// In a word.
    pub outcome: Outcome,
    /// The step that could not be done, or at which it was waited for in vain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Each expectation, with what came of it.
    pub expectations: Vec<Judgement>,
    /// How many steps were done.
    pub steps: usize,
    /// Of how many.
    pub of: usize,
    /// Why the run ended.
    pub ended: String,
}

/// What came of a scenario, in a word; the worse outweighs the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All that was expected is so.
    Met,
    /// It was broken off before that was known.
    CutShort,
    /// Something that was expected is not so.
    NotMet,
    /// The run could not be had.
    CouldNotRun,
}

/// A step that was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Failure {
    /// Where it stands in the document, as a JSON pointer.
    pub place: String,
    /// Why.
    pub because: String,
}

/// What came of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Judgement {
    /// The expectation, as it is written.
    #[schema(value_type = Object)]
    pub expect: Value,
    /// Where it stands in the document, as a JSON pointer; empty if it is understood.
    pub place: String,
    /// Whether it is met.
    pub met: bool,
    /// Why, as the end of a sentence.
    pub because: String,
    /// The events that decided it.
    pub events: Vec<u64>,
}

impl Findings {
    /// Those of a run that could not be had.
    #[must_use]
    pub fn could_not_run(why: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::CouldNotRun,
            failure: Some(Failure { place: String::new(), because: why.into() }),
            expectations: Vec::new(),
            steps: 0,
            of: 0,
            ended: String::new(),
        }
    }

    /// What is wrong, a sentence each.
    pub fn complaints(&self) -> impl Iterator<Item = String> {
        self.complaints_by_place().map(|(_, sentence)| sentence)
    }

    /// The same with the place in the document that each is about, as a JSON pointer; empty if it stands nowhere.
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

/// The step at a place, counted from 1: `/steps/2` is step 3, and `/steps/1/steps/0` is step 2.1, the first of those that
/// step 2 repeats.
fn step_named(place: &str) -> String {
    let numbers = place.split('/').filter_map(|part| part.parse::<usize>().ok());
    let numbers: Vec<String> = numbers.map(|number| (number + 1).to_string()).collect();
    format!("step {}", numbers.join("."))
}

impl Outcome {
    /// Its name in documents.
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
