//! Lessons: guided tours of the systems that the sources (papers, books and lectures) describe. Each tour starts with
//! the idea of the system, and ends with the problems that the sources mention.
//!
//! A lesson is a scenario in `tests/lessons/`, extended by texts. The scenario is played in virtual time, so it is
//! the same each time. The lesson stops at marks of the scenario. The text of a stop is true when the lesson
//! reaches the stop, because the steps before the mark wait for the described situation.

#[cfg(test)]
mod tests;

use interlock_model::field_error::FieldError;
use interlock_model::strict;
use interlock_simulation::library::{self, Library};
use interlock_simulation::words::Words;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

/// Returns pairs of the name and the text of each named document.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../../tests/lessons/", $name, ".yaml"))),)*]
    };
}

/// Names and texts of the documents, in the order of the sources.
const DOCUMENTS: &[(&str, &str)] = documents![
    "cash-machines",
    "centralised",
    "bakery",
    "dijkstra-ring",
    "dijkstra-two-states",
    "le-lann",
    "le-lann-repair",
    "lamport",
    "lamport-loss",
    "lamport-no-ack",
    "ricart-agrawala",
    "ricart-agrawala-numbers",
    "ricart-agrawala-ties",
    "clock-condition",
    "carvalho-roucairol",
    "suzuki-kasami",
    "ricart-agrawala-token",
    "maekawa",
    "maekawa-inquire",
    "maekawa-version-2",
    "raymond",
    "naimi-trehel",
    "sanders",
    "comparison",
    "lease",
    "centralised-failover",
    "failure-detectors",
    "bully",
    "chang-roberts",
    "hirschberg-sinclair",
    "acknowledged-ring",
    "philosophers",
    "corridor",
    "central-detection",
    "edge-chasing",
    "wait-die",
    "banker",
    "paxos",
    "paxos-duel",
    "replicated-lock",
];

/// A guided tour of a system.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Lesson {
    /// Name of the lesson in the API and in addresses of the page.
    name: String,
    /// Name of the algorithm.
    algorithm: String,
    /// Source that the lesson follows.
    source: String,
    /// Title of the lesson.
    title: Words,
    /// Claims of the sources that the lesson demonstrates, in the order of its stops.
    claims: Vec<String>,
    /// Stops of the lesson, in order.
    stops: Vec<LessonStop>,
    /// Body of the `POST /simulations` that plays the lesson.
    #[schema(value_type = Object)]
    scenario: Value,
}

/// A stop of a lesson.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LessonStop {
    /// Mark of the scenario at which the lesson stops. The event of the mark has the kind `noted` and the detail
    /// `mark: `, followed by this text.
    #[serde(serialize_with = "english")]
    #[schema(value_type = String)]
    at: Words,
    /// Purpose of the stop: `question` or `answer`. Absent if the stop only shows a situation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    role: Option<Role>,
    /// Claims of the sources that can be seen at the stop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    claims: Vec<String>,
    /// Text of the stop, at most two sentences.
    says: Words,
}

/// Purpose of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = LessonStopRole)]
enum Role {
    /// The stop asks the class a question.
    Question,
    /// The stop answers the question.
    Answer,
}

fn english<S: Serializer>(words: &Words, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&words.en)
}

/// The field `lesson` of a lesson's document. All other fields of the document describe a scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    title: Words,
    stops: Vec<LessonStop>,
}

impl Lesson {
    /// Reads a lesson.
    fn read(name: &str, text: &'static str) -> Result<Self, FieldError> {
        let mut scenario = library::value(text)?;
        let told = scenario.as_object_mut().and_then(|document| document.remove("lesson"));
        let Told { title, stops } = strict::read(&told.unwrap_or_default())?;
        let algorithm = library::scenario(&scenario)?.run.algorithm;
        let source = library::word(&scenario, "source")?;
        let claims = stops.iter().flat_map(|stop| stop.claims.clone()).collect();
        Ok(Self { name: name.to_owned(), algorithm, source, title, claims, stops, scenario })
    }

    /// Returns the claims that the stops of the lesson show.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().map(|claim| &**claim)
    }

    /// Returns the marks at which the lesson stops, in order.
    pub fn marks(&self) -> impl Iterator<Item = &Words> {
        self.stops.iter().map(|stop| &stop.at)
    }
}

/// All lessons, by name.
pub const LIBRARY: Library<Lesson> = Library { kind: "lesson", documents: DOCUMENTS, read: Lesson::read };
