//! Why nothing is simulated: what was wrong, at which word of the command line, and what would be right.

use std::path::PathBuf;

use interlock_algorithm::catalogue;

use super::nearest::nearest;
use super::plot::PlotError;
use crate::specification::{Draft, FieldError};

/// Why nothing is simulated.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Something that was asked for makes no sense.
    #[error("{}", phrases(.0))]
    Nonsense(Vec<Misfit>),
    /// A file cannot be read or written.
    #[error("{flag} {}: {cause}", file.display())]
    File { flag: &'static str, file: PathBuf, cause: std::io::Error },
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
    pub fn of(error: FieldError, draft: &Draft) -> Self {
        let flag = flag(&error.pointer);
        let right = right(&error, draft);
        Self { flag, detail: error.detail + &right }
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

/// What would be right, and what comes nearest to what was given.
fn right(error: &FieldError, draft: &Draft) -> String {
    if error.allowed.is_empty() {
        return String::new();
    }
    let known = error.allowed.join(", ");
    let given = given(&error.pointer, draft);
    let nearest = given.as_deref().and_then(|given| nearest(given, error.allowed.iter().map(String::as_str)));
    match nearest {
        Some(nearest) if error.allowed.len() > 1 && given.as_deref() != Some(nearest) => {
            format!("; did you mean `{nearest}`? There are: {known}")
        }
        _ => format!("; possible: {known}"),
    }
}

/// What stands at a place in the document.
fn given(pointer: &str, draft: &Draft) -> Option<String> {
    match pointer {
        "/algorithm" => Some(draft.algorithm.clone()),
        "/variant" => draft.variant.clone(),
        _ => {
            let name = pointer.strip_prefix("/parameters/")?;
            let entry = catalogue::find(&draft.algorithm).ok()?;
            let known = entry.parameters.iter().any(|parameter| parameter.name == name);
            if known { draft.parameters.get(name).map(ToString::to_string) } else { Some(name.to_owned()) }
        }
    }
}
