//! A run, as the API lists it.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

/// Summary of a run: those fields of the API's list that the commands need.
#[derive(Clone, Debug, Deserialize)]
pub struct RunSummary {
    /// Identifier in the API.
    pub id: Uuid,
    /// Name that the user gave the run.
    pub name: String,
    /// Status: `running`, `stopped` or `failed`.
    pub status: String,
    /// Verdict of the monitors; none if the events have not been read yet or cannot be read.
    pub verdict: Option<String>,
    /// Number of entries into critical sections; none if there is no verdict.
    pub entries: Option<u64>,
    /// Time at which the run was created or loaded.
    pub created_at: Timestamp,
    /// Specification of the run.
    pub specification: Specified,
}

/// Specification of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct Specified {
    /// Name of the algorithm in the catalogue.
    pub algorithm: String,
    /// Name of the variant.
    pub variant: String,
    /// Number of nodes.
    pub nodes: u32,
}

impl Specified {
    /// Returns `ALGORITHM/VARIANT`, the form that other commands accept as an argument.
    pub fn in_a_word(&self) -> String {
        format!("{}/{}", self.algorithm, self.variant)
    }
}
