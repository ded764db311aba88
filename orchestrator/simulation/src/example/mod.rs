//! Examples with a name: runs that anybody can start with one command or one click, and follow.
//!
//! Each is a scenario of the library in `tests/scenarios/`, where it is called as its file is. Whoever starts it by name
//! gets its verdict with `interlock run`, and without it a run that goes on until somebody has seen enough of it: the same
//! steps as a script.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::library::{self, Library, LibraryError};
use crate::scenario::OWN;
use interlock_model::field_error::FieldError;
use interlock_model::specification::Draft;

/// The documents with these names.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../../tests/scenarios/examples/", $name, ".yaml"))),)*]
    };
}

/// The names and the texts of the documents, in the order in which they are shown.
const DOCUMENTS: &[(&str, &str)] = documents![
    "cash-machines",
    "cash-machines-unprotected",
    "files-one-by-one",
    "files-together",
    "directory",
    "ricart-agrawala",
    "lamport-without-fifo",
    "maekawa-deadlock",
    "suzuki-kasami-lost-token",
    "lease-fenced",
    "lease-unfenced",
    "bully",
    "ring-best",
    "ring-worst",
    "ring-dead-successor",
    "failover",
    "two-coordinators",
    "philosophers",
    "philosophers-ordered",
    "philosophers-together",
    "philosophers-give-way",
    "philosophers-shared",
    "corridor",
    "corridor-random",
    "priority-starvation",
    "distributed-deadlock",
    "phantom-deadlock",
    "probes",
    "wait-die",
    "wound-wait",
    "banker",
    "paxos",
    "paxos-promises",
    "paxos-ignored-prepare",
    "paxos-ignored-accept",
    "paxos-two-values",
    "paxos-duel",
];

/// A run that can be started by its name.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Example {
    /// Its name on the command line and in the API.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What there is to be seen.
    pub about: String,
    /// Where it comes from.
    pub source: String,
    /// The body of `POST /runs` that starts it: what is done to it is in its script, and nothing is expected.
    #[schema(value_type = Object)]
    pub specification: Value,
    /// The body of `POST /scenarios` that plays it, with its verdict.
    #[schema(value_type = Object)]
    pub scenario: Value,
    /// The scenario as it is written.
    #[serde(skip)]
    pub text: &'static str,
}

impl Example {
    /// Reads a document.
    fn read(name: &str, text: &'static str) -> Result<Self, FieldError> {
        let scenario = library::value(text)?;
        let read = library::scenario(&scenario)?;
        let script = read.script().ok_or_else(|| FieldError::new("/steps", "its steps are no script"))?;
        let word = |field| library::word(&scenario, field);
        let (title, about, source) = (word("name")?, word("about")?, word("source")?);
        let mut specification: Map<String, Value> = scenario.as_object().cloned().unwrap_or_default();
        specification.retain(|field, _| !OWN.contains(&&**field));
        if !script.is_empty() {
            specification.insert("script".to_owned(), json!(script));
        }
        Ok(Self { name: name.to_owned(), title, about, source, specification: specification.into(), scenario, text })
    }

    /// The run that it describes.
    ///
    /// # Errors
    /// When it describes none.
    pub fn draft(&self) -> serde_json::Result<Draft> {
        Draft::deserialize(&self.specification)
    }
}

/// The examples by their names.
pub const LIBRARY: Library<Example> = Library { kind: "example", documents: DOCUMENTS, read: Example::read };

/// Returns the example of this name.
///
/// # Errors
/// If there is none; with the names of all, and the nearest one.
pub fn find(name: &str) -> Result<Example, LibraryError> {
    LIBRARY.find(name)
}

#[cfg(test)]
mod tests;
