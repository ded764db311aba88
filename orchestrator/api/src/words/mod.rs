//! The German and Czech translations of texts that the server sends in English. The page fetches one dictionary
//! for each language.
//!
//! The translations are data beside the English texts: a file beside each algorithm, a file beside the list of
//! examples, and the marks of the lessons. The keys of a dictionary are names and codes. Only a mark has no name,
//! so its key is its English text.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::get;
use interlock_model::field_error::FieldError;
use interlock_simulation::library;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::assets::cached;
use super::lesson::{self, Lesson};

/// Returns the texts of the named files in the folder of the algorithms.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(include_str!(concat!("../../../../node/algorithm/src/", $name, ".yaml")),)*]
    };
}

/// Translations of the algorithms, indexed by name. Reasons that several algorithms share are listed under the name
/// of the family. A reason that is part of another reason is listed under the code of the other reason.
const ALGORITHMS: &[&str] = documents![
    "agreement/paxos",
    "agreement/replicated_lock",
    "deadlock/banker",
    "deadlock/central_detection",
    "deadlock/edge_chasing",
    "deadlock/prevention",
    "deadlock/reason",
    "deadlock/wait_die",
    "deadlock/wound_wait",
    "election/acknowledged_ring",
    "election/bully",
    "election/chang_roberts",
    "election/hirschberg_sinclair",
    "mutual_exclusion/bakery",
    "mutual_exclusion/carvalho_roucairol",
    "mutual_exclusion/centralised",
    "mutual_exclusion/centralised_failover",
    "mutual_exclusion/dijkstra_ring",
    "mutual_exclusion/lamport",
    "mutual_exclusion/le_lann",
    "mutual_exclusion/maekawa",
    "mutual_exclusion/naimi_trehel",
    "mutual_exclusion/raymond",
    "mutual_exclusion/regeneration",
    "mutual_exclusion/ricart_agrawala",
    "mutual_exclusion/ricart_agrawala_token",
    "mutual_exclusion/sanders",
    "mutual_exclusion/suzuki_kasami",
];

/// Translations of the examples, indexed by name.
const EXAMPLES: &str = include_str!("../../../simulation/src/example/words.yaml");

/// The languages of the page, except English.
const LANGUAGES: [&str; 2] = ["de", "cs"];

/// Serves the dictionary of each language, such as `/strings/de.json`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    LANGUAGES.into_iter().fold(Router::new(), |router, language| {
        let path = format!("/strings/{language}.json");
        router.route(&path, get(async move |request: HeaderMap| served(language, &request)))
    })
}

fn served(language: &str, request: &HeaderMap) -> Response {
    // This cannot fail: the words are embedded in the program, and a test reads all of them.
    static WORDS: LazyLock<Value> = LazyLock::new(|| read().unwrap_or_default());
    let dictionary = spoken(&WORDS, language).to_string();
    let kind = [(header::CONTENT_TYPE, "application/json")];
    cached(&Sha256::digest(&dictionary), request, || (kind, dictionary))
}

/// Reads all translations: a tree whose leaves are objects with one text for each language.
fn read() -> Result<Value, FieldError> {
    let mut algorithms = Map::new();
    for document in ALGORITHMS {
        algorithms.extend(library::value(document)?.as_object().cloned().unwrap_or_default());
    }
    let lessons = lesson::LIBRARY.all().unwrap_or_default();
    let marks = lessons.iter().flat_map(Lesson::marks).map(|mark| (mark.en.clone(), json!(mark)));
    let marks: Map<_, _> = marks.collect();
    Ok(json!({ "algorithms": algorithms, "examples": library::value(EXAMPLES)?, "marks": marks }))
}

/// Returns the tree `words`, in which each leaf is replaced with its text in `language`.
fn spoken(words: &Value, language: &str) -> Value {
    match words.get(language) {
        Some(text @ Value::String(_)) => text.clone(),
        _ => {
            words.as_object().into_iter().flatten().map(|(key, words)| (key.clone(), spoken(words, language))).collect()
        }
    }
}
