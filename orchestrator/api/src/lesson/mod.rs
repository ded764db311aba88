//! Lessons: a guided tour of each system in the sources, from its idea to the problems that the sources describe.
//!
//! A lesson is a scenario in `tests/lessons/` with texts. The scenario is played in virtual time, so it is the same
//! each time. Each stop is a mark of the scenario. The text of a stop is true there because the steps before the mark
//! wait for it.

#[cfg(test)]
mod tests;

use interlock_model::field_error::FieldError;
use interlock_model::strict;
use interlock_simulation::library::{self, Library};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Returns the documents with these names.
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
    "le-lann",
    "lamport",
    "ricart-agrawala",
    "carvalho-roucairol",
    "suzuki-kasami",
    "ricart-agrawala-token",
    "maekawa",
    "raymond",
    "naimi-trehel",
    "sanders",
    "lease",
    "centralised-failover",
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
    /// Claims of the sources that the lesson demonstrates.
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
    /// Mark of the scenario at which the lesson stops. Its event is `noted` with the detail `mark: ` and this text.
    at: String,
    /// Purpose of the stop: `question` or `answer`. Absent if there is only something to see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    role: Option<Role>,
    /// Text of the stop, at most two sentences.
    says: Words,
}

/// Purpose of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = LessonStopRole)]
enum Role {
    /// A question to the class.
    Question,
    /// The answer to the question.
    Answer,
}

/// A text in all languages of the page.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Words {
    /// English.
    en: String,
    /// German.
    de: String,
    /// Czech.
    cs: String,
}

/// The texts of a lesson, as its scenario contains them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    title: Words,
    claims: Vec<String>,
    stops: Vec<LessonStop>,
}

impl Lesson {
    /// Reads a lesson.
    fn read(name: &str, text: &'static str) -> Result<Self, FieldError> {
        let mut scenario = library::value(text)?;
        let told = scenario.as_object_mut().and_then(|document| document.remove("lesson"));
        let Told { title, claims, stops } = strict::read(&told.unwrap_or_default())?;
        let algorithm = library::scenario(&scenario)?.run.algorithm;
        let source = library::word(&scenario, "source")?;
        Ok(Self { name: name.to_owned(), algorithm, source, title, claims, stops, scenario })
    }
}

/// All lessons, by name.
pub const LIBRARY: Library<Lesson> = Library { kind: "lesson", documents: DOCUMENTS, read: Lesson::read };
