//! Named examples: runs that one command or one click starts.
//!
//! Each example is a scenario of the library in `tests/scenarios/`, and has the name of its file. An example can be
//! executed in two ways. `interlock run` executes the scenario and reports a verdict. A run that is started by the name
//! of the example has the same steps in its script. This run has no verdict, and continues until a user ends it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::library::{self, Library, LibraryError};
use crate::scenario::OWN;
use interlock_model::field_error::FieldError;
use interlock_model::specification::Draft;

/// Expands to the documents with these names.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../../tests/scenarios/examples/", $name, ".yaml"))),)*]
    };
}

/// The names and texts of the documents, in display order.
const DOCUMENTS: &[(&str, &str)] = documents![
    "cash-machines",
    "cash-machines-unprotected",
    "files-one-by-one",
    "files-together",
    "directory",
    "ricart-agrawala",
    "lamport-without-fifo",
    "maekawa-deadlock",
    "maekawa-inquire",
    "maekawa-displaced",
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

/// A run that can be started by name.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Example {
    /// The name on the command line and in the API.
    pub name: String,
    /// The title.
    pub title: String,
    /// A description of what the example shows.
    pub about: String,
    /// The source of the example.
    pub source: String,
    /// The body of the `POST /runs` request that starts the run. The steps of the example are the script of the run,
    /// and the body contains no expectations.
    #[schema(value_type = Object)]
    pub specification: Value,
    /// The body of the `POST /scenarios` request that executes the scenario and reports its verdict.
    #[schema(value_type = Object)]
    pub scenario: Value,
    /// The text of the scenario.
    #[serde(skip)]
    pub text: &'static str,
}

impl Example {
    /// Reads an example from its document.
    fn read(name: &str, text: &'static str) -> Result<Self, FieldError> {
        let scenario = library::value(text)?;
        let read = library::scenario(&scenario)?;
        let script = read.script().ok_or_else(|| FieldError::new("/steps", "its steps do not form a script"))?;
        let word = |field| library::word(&scenario, field);
        let (title, about, source) = (word("name")?, word("about")?, word("source")?);
        let mut specification: Map<String, Value> = scenario.as_object().cloned().unwrap_or_default();
        specification.retain(|field, _| !OWN.contains(&&**field));
        if !script.is_empty() {
            specification.insert("script".to_owned(), json!(script));
        }
        Ok(Self { name: name.to_owned(), title, about, source, specification: specification.into(), scenario, text })
    }

    /// Returns the specification of the run.
    ///
    /// # Errors
    /// Returns an error if the document does not contain a specification.
    pub fn draft(&self) -> serde_json::Result<Draft> {
        Draft::deserialize(&self.specification)
    }
}

/// The library of examples.
pub const LIBRARY: Library<Example> = Library { kind: "example", documents: DOCUMENTS, read: Example::read };

/// Returns the example of this name.
///
/// # Errors
/// Returns an error with all names and the nearest one, if there is no such example.
pub fn find(name: &str) -> Result<Example, LibraryError> {
    LIBRARY.find(name)
}

#[cfg(test)]
mod tests;
