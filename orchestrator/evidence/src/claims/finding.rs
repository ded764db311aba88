//! The result of a measurement.

use interlock_model::field_error::FieldError;

/// The result of a measurement, or the reason why nothing was measured.
pub type Measurement = Result<Finding, CouldNotRun>;

/// A measured value, and the expected value with which it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The expected value, which follows from the source, with its formula.
    pub expected: String,
    /// The measured value with the numbers that led to it.
    pub measured: String,
    /// Whether the measured value agrees with the expected value.
    pub holds: bool,
}

/// The reason why nothing was measured: for example, a process did not start, or a wait took too long. Such a failure
/// says nothing about the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CouldNotRun(String);

impl CouldNotRun {
    /// Creates the error with the reason `reason`.
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
