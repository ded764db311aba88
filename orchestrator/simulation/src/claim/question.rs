//! Questions: the thinking exercises of the sources. Students predict an answer, and a run then shows what happens.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::read;
use crate::words::Words;

/// A thinking exercise of the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Name of the question.
    pub name: String,
    /// Places where the sources ask the question.
    pub sources: Vec<Place>,
    /// Claims that answer the question.
    pub claims: Vec<String>,
    /// The question, which students answer before they see the run.
    pub asks: Words,
    /// Answers to choose from. Exactly one answer is right.
    pub choices: Vec<Choice>,
    /// Explanation of the right answer.
    pub because: Words,
    /// The run that shows the answer.
    pub run: Shown,
}

/// A place in a source, without a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuestionPlace)]
pub struct Place {
    /// Name of the source.
    pub source: String,
    /// Number of the slide, or heading of the section.
    pub at: String,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuestionChoice)]
pub struct Choice {
    /// The answer.
    pub says: Words,
    /// Whether the answer is right.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub right: bool,
    /// Why the answer is wrong. Absent if the answer is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub because: Option<Words>,
}

/// The run that shows the answer of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = QuestionRun)]
pub enum Shown {
    /// A counterexample, which `interlock replay NAME` plays.
    Counterexample(String),
    /// An example, which `POST /runs` starts.
    Example(String),
    /// A lesson of the page.
    Lesson(String),
    /// A command.
    Command(String),
}

/// Returns all questions, in the order of the sources.
#[must_use]
pub fn all() -> &'static [Question] {
    static QUESTIONS: LazyLock<Vec<Question>> =
        LazyLock::new(|| read(&[include_str!("questions.yaml")]).unwrap_or_default());
    &QUESTIONS
}
