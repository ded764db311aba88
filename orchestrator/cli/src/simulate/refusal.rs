//! Why nothing is simulated: what was wrong, at which word of the command line, and what would be right.

use std::path::PathBuf;

use super::plot::PlotError;
use interlock_model::field_error::FieldError;

/// Why nothing is simulated.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Something that was asked for makes no sense.
    #[error("{}", phrases(.0))]
    Nonsense(Vec<Misfit>),
    /// A file cannot be read or written.
    #[error("{flag} {}: {cause}", file.display())]
    File { flag: &'static str, file: PathBuf, cause: std::io::Error },
    /// A schedule that has a name is not found any more.
    #[error("{0}")]
    NotFound(String),
    /// No live processes can be had.
    #[error("--live: {0}")]
    Live(std::io::Error),
    /// There is no picture.
    #[error("--plot: {0}")]
    Plot(#[from] PlotError),
}

/// A word that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Which word of the command line.
    pub flag: String,
    /// What is wrong, as a lower-case phrase, and what would be right.
    pub detail: String,
}

impl Misfit {
    /// What is wrong with a word.
    pub fn new(flag: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { flag: flag.into(), detail: detail.into() }
    }

    /// What is wrong with a run, in the words of the command line.
    pub fn of(error: FieldError) -> Self {
        Self::at(flag(&error.pointer), error)
    }

    /// What is wrong with what a word of the command line says.
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

/// The word of the command line that belongs to a place in the document.
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
