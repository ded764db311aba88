//! Reasons why the scenario of a seed cannot be run.

use interlock_algorithm::Refusal;
use interlock_model::field_error::FieldErrors;
use interlock_orchestrator::run::RunError;

/// The reason why the scenario of a seed cannot be run.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unplayable {
    #[error("no scenario can be drawn for this variant")]
    NoScenario,
    #[error(transparent)]
    Document(#[from] FieldErrors),
    #[error(transparent)]
    Algorithm(#[from] Refusal),
    #[error(transparent)]
    Live(#[from] RunError),
    #[error("{}", .0.join("; "))]
    Scenario(Vec<String>),
}
