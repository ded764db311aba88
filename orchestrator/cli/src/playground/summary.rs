//! A run, as the API lists it.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

/// What is said of a run in a list: of what the API tells, what the commands need.
#[derive(Clone, Debug, Deserialize)]
pub struct RunSummary {
    /// Its name in the API.
    pub id: Uuid,
    /// What people call it.
    pub name: String,
    /// Whether it is under way: `running`, `stopped`, `failed`.
    pub status: String,
    /// How it stands by the rules; none if its events cannot be read, or have not been yet.
    pub verdict: Option<String>,
    /// How often locks were entered; none where there is no verdict.
    pub entries: Option<u64>,
    /// When it was created, or loaded.
    pub created_at: Timestamp,
    /// What it is.
    pub specification: Specified,
}

/// What a run is.
#[derive(Clone, Debug, Deserialize)]
pub struct Specified {
    /// The name of the algorithm in the catalogue.
    pub algorithm: String,
    /// The variant.
    pub variant: String,
    /// How many nodes.
    pub nodes: u32,
}

impl Specified {
    /// The algorithm and its variant, as the other commands take them.
    pub fn in_a_word(&self) -> String {
        format!("{}/{}", self.algorithm, self.variant)
    }
}
