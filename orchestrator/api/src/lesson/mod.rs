//! Lessons: for each system of the sources one guided walk, from what it is to what the sources warn of.
//!
//! A lesson is a scenario of the library in `tests/lessons/`, which is played in virtual time and so is the same
//! each time, and what is told of it: each stop is a mark of the scenario. What is told at a stop is true there because the
//! steps before the mark wait for it.

#[cfg(test)]
mod tests;

use interlock_model::field_error::FieldError;
use interlock_model::strict;
use interlock_simulation::library::{self, Library};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The documents with these names.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../../tests/lessons/", $name, ".yaml"))),)*]
    };
}

/// The names and the texts of the documents, in the order of the sources.
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

/// A guided walk through a system.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Lesson {
    /// Its name in the API and in addresses of the page.
    name: String,
    /// The algorithm that it is about.
    algorithm: String,
    /// The source that it follows.
    source: String,
    /// Its name for people.
    title: Words,
    /// The claims of the sources that it shows.
    claims: Vec<String>,
    /// Where it stops, in the order in which that comes about.
    stops: Vec<LessonStop>,
    /// The body of the `POST /simulations` that plays it.
    #[schema(value_type = Object)]
    scenario: Value,
}

/// A stop of a lesson.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LessonStop {
    /// The mark of the scenario: the event `noted` with `mark: ` and this is where it stops.
    at: String,
    /// What it is, if it is more than something to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    role: Option<Role>,
    /// What is told there, two sentences at most.
    says: Words,
}

/// What a stop is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = LessonStopRole)]
enum Role {
    /// The class is asked.
    Question,
    /// It is answered.
    Answer,
}

/// The same in each language of the page.
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

/// What is told of a scenario, as it is written in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    title: Words,
    claims: Vec<String>,
    stops: Vec<LessonStop>,
}

impl Lesson {
    /// Reads a document.
    fn read(name: &str, text: &'static str) -> Result<Self, FieldError> {
        let mut scenario = library::value(text)?;
        let told = scenario.as_object_mut().and_then(|document| document.remove("lesson"));
        let Told { title, claims, stops } = strict::read(&told.unwrap_or_default())?;
        let algorithm = library::scenario(&scenario)?.run.algorithm;
        let source = library::word(&scenario, "source")?;
        Ok(Self { name: name.to_owned(), algorithm, source, title, claims, stops, scenario })
    }
}

/// The lessons by their names.
pub const LIBRARY: Library<Lesson> = Library { kind: "lesson", documents: DOCUMENTS, read: Lesson::read };
