//! Errors of `interlock simulate` and `interlock replay`, each with the option and advice.

use std::path::PathBuf;

use super::plot::PlotError;
use interlock_model::field_error::FieldError;

/// Error that prevents the command from completing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Options or documents are invalid.
    #[error("{}", phrases(.0))]
    Nonsense(Vec<Misfit>),
    /// A file cannot be read or written.
    #[error("{flag} {}: {cause}", file.display())]
    File { flag: &'static str, file: PathBuf, cause: std::io::Error },
    /// The search for a named schedule no longer finds a schedule.
    #[error("{0}")]
    NotFound(String),
    /// Processes for a live replay cannot be started.
    #[error("--live: {0}")]
    Live(std::io::Error),
    /// The plot cannot be drawn.
    #[error("--plot: {0}")]
    Plot(#[from] PlotError),
}

/// An invalid option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Name of the option.
    pub flag: String,
    /// The error as a lower-case phrase, with advice.
    pub detail: String,
}

impl Misfit {
    /// Creates an error about an option.
    pub fn new(flag: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { flag: flag.into(), detail: detail.into() }
    }

    /// Converts an error in the specification to an error in the option that sets the faulty part of the
    /// specification.
    pub fn of(error: FieldError) -> Self {
        Self::at(flag(&error.pointer), error)
    }

    /// Converts an error in the document that an option names to an error in this option.
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

/// Returns the option that sets the part of the specification at a pointer.
fn flag(pointer: &str) -> String {
    let mut parts = pointer.trim_start_matches('/').split('/');
    match (parts.next().unwrap_or_default(), parts.next()) {
        ("parameters", Some(name)) => format!("--set {name}"),
        ("network", Some("delay")) => "--latency".to_owned(),
        ("links", _) => "--link".to_owned(),
        ("workload", Some("overrides")) => "--client".to_owned(),
        ("workload", Some("nodes")) => "--clients".to_owned(),
        ("network", Some(field)) | (field @ ("algorithm" | "variant" | "nodes" | "seed" | "monitors"), _) => {
            format!("--{field}")
        }
        _ => format!("--specification, at {pointer}"),
    }
}
