//! Errors of `interlock simulate`: what was wrong, in which option, and what would be right.

use std::path::PathBuf;

use super::plot::PlotError;
use interlock_model::field_error::FieldError;

/// Error if nothing is simulated.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The request is invalid.
    #[error("{}", phrases(.0))]
    Nonsense(Vec<Misfit>),
    /// A file cannot be read or written.
    #[error("{flag} {}: {cause}", file.display())]
    File { flag: &'static str, file: PathBuf, cause: std::io::Error },
    /// The search for a named schedule no longer finds it.
    #[error("{0}")]
    NotFound(String),
    /// Live processes are not available.
    #[error("--live: {0}")]
    Live(std::io::Error),
    /// The plot cannot be drawn.
    #[error("--plot: {0}")]
    Plot(#[from] PlotError),
}

/// An invalid option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The option.
    pub flag: String,
    /// The error as a lower-case phrase, and what would be right.
    pub detail: String,
}

impl Misfit {
    /// Creates an error about an option.
    pub fn new(flag: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { flag: flag.into(), detail: detail.into() }
    }

    /// Creates an error from one in the specification, in terms of the command line.
    pub fn of(error: FieldError) -> Self {
        Self::at(flag(&error.pointer), error)
    }

    /// Creates an error from one in the document that an option gives.
    pub fn at(flag: impl Into<String>, error: FieldError) -> Self {
        Self { flag: flag.into(), detail: error.sentence() }
    }
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        Self::Nonsense(vec![misfit])
    }
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.flag, self.detail)
    }
}

fn phrases(misfits: &[Misfit]) -> String {
    misfits.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the option that corresponds to a place in the document.
fn flag(pointer: &str) -> String {
    let mut parts = pointer.trim_start_matches('/').split('/');
    match (parts.next().unwrap_or_default(), parts.next()) {
        ("parameters", Some(name)) => format!("--set {name}"),
        ("network", Some("delay")) => "--latency".to_owned(),
        ("links", _) => "--link".to_owned(),
        ("workload", Some("overrides")) => "--client".to_owned(),
        ("workload", Some("nodes")) => "--clients".to_owned(),
        ("network", Some(field)) | (field @ ("algorithm" | "variant" | "nodes" | "seed"), _) => format!("--{field}"),
        _ => format!("--specification, at {pointer}"),
    }
}
