//! The result of a measurement.

use interlock_model::field_error::FieldError;

/// The result of a measurement.
pub type Measurement = Result<Finding, CouldNotRun>;

/// A measured value beside the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The value that the source predicts, with the formula.
    pub expected: String,
    /// The measured value, with the figures.
    pub measured: String,
    /// Whether both agree.
    pub holds: bool,
}

/// The reason why a measurement failed: a process did not start, or a wait took too long. It says nothing about the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CouldNotRun(String);

impl CouldNotRun {
    /// Creates the error with this reason.
    #[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
    pub fn because(reason: impl ToString) -> Self {
        Self(reason.to_string())
    }

    /// Creates the error from the errors of a document.
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
    pub fn refused(errors: Vec<FieldError>) -> Self {
        Self(FieldError::in_words(&errors))
    }
}
