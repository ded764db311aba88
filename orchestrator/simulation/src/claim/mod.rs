//! The map of the sources: the claims of papers, books and lectures, and the places where the sources make them.
//!
//! The claims are data, with one file for each system. `interlock claims` checks the claims by running the systems.

pub mod question;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use interlock_model::field_error::FieldError;
use interlock_model::strict;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::library::{self, LibraryError};
use crate::words::Words;

/// Returns the texts of the named files.
macro_rules! documents {
    ($($name:literal,)*) => {
        &[$(include_str!(concat!($name, ".yaml")),)*]
    };
}

/// Claims of each system, in the order in which `interlock claims` checks them.
const SYSTEMS: &[&str] = documents![
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
    "sanders",
    "naimi-trehel",
    "order",
    "comparison",
    "bully",
    "ring",
    "hirschberg-sinclair",
    "deadlock",
    "paxos",
    "replicated-log",
    "workloads",
];

/// A paper, a book or a lecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClaimSource)]
pub struct Source {
    /// Name of the source in the API and on the command line.
    pub name: String,
    /// Title of the source, as the source states it.
    pub title: String,
    /// Language of the source: `de`, `cs` or `en`.
    pub language: String,
    /// Unit in which the places of the source are counted.
    pub unit: Unit,
}

/// Unit in which the places of a source are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ClaimSourceUnit)]
pub enum Unit {
    /// Slides, by number.
    Slide,
    /// Sections, by heading or number.
    Section,
}

/// A statement of the sources about a system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Name of the claim: the letters of its system and a number, such as `LAM-1`.
    pub id: String,
    /// The statement, in one sentence.
    pub says: Words,
    /// Places where the sources make this statement or one like it. Empty if the statement is a measurement of this
    /// project.
    pub sources: Vec<Passage>,
    /// How the statement of the sources compares with what was found.
    pub verdict: Assessment,
    /// The true statement, or the condition under which the statement holds. Absent if the statement holds as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub because: Option<Words>,
    /// Names of the examples that show the statement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub examples: Vec<String>,
    /// Bodies of the `POST /explorations` that show the statement for small systems.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<Object>)]
    pub explorations: Vec<Value>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClaimPassage)]
pub struct Passage {
    /// Name of the source.
    pub source: String,
    /// Number of the slide, or heading of the section.
    pub at: String,
    /// The paraphrased statement of the source at this place.
    pub says: Words,
}

/// How a statement of the sources compares with what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ClaimVerdict)]
pub enum Assessment {
    /// The statement holds as the sources make it.
    Holds,
    /// The statement holds only under a condition that the sources do not name.
    HoldsWithACondition,
    /// The statement is false.
    Refuted,
    /// The statement is true, and a more precise one was found.
    Sharpened,
}

/// Returns the sources.
#[must_use]
pub fn sources() -> &'static [Source] {
    // This cannot fail, and the same holds for claims and questions: the files are embedded in the program, and a
    // test reads all of them.
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| read(&[include_str!("sources.yaml")]).unwrap_or_default());
    &SOURCES
}

/// Returns all claims, in the order in which `interlock claims` checks them.
#[must_use]
pub fn all() -> &'static [Claim] {
    static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| read(SYSTEMS).unwrap_or_default());
    &CLAIMS
}

/// Returns the source with this name.
///
/// # Errors
/// If no source has this name. The error lists the names of all sources.
pub fn source(name: &str) -> Result<&'static Source, LibraryError> {
    let found = sources().iter().find(|source| source.name == name);
    found.ok_or_else(|| LibraryError::unknown("source", name, sources().iter().map(|source| &*source.name)))
}

/// Returns the claim with this name.
///
/// # Errors
/// If no claim has this name. The error lists the names of all claims.
pub fn find(id: &str) -> Result<&'static Claim, LibraryError> {
    let found = all().iter().find(|claim| claim.id == id);
    found.ok_or_else(|| LibraryError::unknown("claim", id, all().iter().map(|claim| &*claim.id)))
}

impl Claim {
    /// Returns whether a source makes this claim.
    #[must_use]
    pub fn is_of(&self, source: &str) -> bool {
        self.sources.iter().any(|passage| passage.source == source)
    }
}

/// Reads the items of documents, each of which is a list.
fn read<T: DeserializeOwned>(documents: &[&str]) -> Result<Vec<T>, FieldError> {
    let mut all = Vec::new();
    for document in documents {
        all.append(&mut strict::read(&library::value(document)?)?);
    }
    Ok(all)
}
