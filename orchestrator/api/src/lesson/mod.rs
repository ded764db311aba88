//! Lessons: for each system of the sources one guided walk, from what it is to what the sources warn of.
//!
//! A lesson is a scenario of the library in `tests/lessons/`, which is played in virtual time and so is the same
//! each time, and what is told of it: each stop is a mark of the scenario. What is told at a stop is true there because the
//! steps before the mark wait for it.

#[cfg(test)]
mod tests;

use interlock_model::nearest::did_you_mean;
use interlock_model::strict;
use interlock_simulation::scenario::{Scenario, Written};
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
    fn read(name: &str, text: &str) -> Result<Self, String> {
        let refused = |why: &str| format!("the lesson `{name}` is none: {why}");
        let mut scenario = Written::read(text).map_err(|malformed| refused(&malformed.detail))?.value;
        let told = scenario.as_object_mut().and_then(|document| document.remove("lesson"));
        let told: Told = strict::read(&told.unwrap_or_default()).map_err(|error| refused(&error.detail))?;
        let read = Scenario::read(scenario.clone());
        let read = read.map_err(|errors| refused(errors.first().map_or("", |error| &error.detail)))?;
        let word = |field: &str| {
            let word = scenario[field].as_str().map(ToOwned::to_owned);
            word.ok_or_else(|| refused(&format!("it has no `{field}`")))
        };
        let (algorithm, source) = (read.run.algorithm.clone(), word("source")?);
        let Told { title, claims, stops } = told;
        Ok(Self { name: name.to_owned(), algorithm, source, title, claims, stops, scenario })
    }
}

/// All lessons.
///
/// # Errors
/// When a document is none.
pub fn all() -> Result<Vec<Lesson>, String> {
    DOCUMENTS.iter().map(|(name, text)| Lesson::read(name, text)).collect()
}

/// The lesson of this name.
///
/// # Errors
/// Says which there are, and which was probably meant.
pub fn find(name: &str) -> Result<Lesson, String> {
    if let Some((name, text)) = DOCUMENTS.iter().find(|(other, _)| *other == name) {
        return Lesson::read(name, text);
    }
    let names: Vec<&str> = DOCUMENTS.iter().map(|(name, _)| *name).collect();
    let meant = did_you_mean(name, names.iter().copied());
    Err(format!("no lesson is called `{name}`{meant}; there are: {}", names.join(", ")))
}
