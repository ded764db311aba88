//! Parameters of a path, such as runs and nodes, which are named by a number or a name.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use interlock_algorithm::NodeId;
use interlock_machine::wording::number_meant;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::problem::Problem;
use super::source::with_state;
use interlock_model::field_error::FieldError;
use interlock_model::nearest::did_you_mean;
use interlock_orchestrator::run::{Registry, RunError, RunSummary};
use interlock_simulation::scenario::role::{self, Role};

/// The word that names the newest run in a path.
const LATEST: &str = "latest";

/// Extractor for the parameters of a path, in order.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<Registry>> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, registry: &Arc<Registry>) -> Result<Self, Problem> {
        let named = RawPathParams::from_request_parts(parts, registry).await;
        let named = named.map_err(|_| Problem::not_found("the path is not UTF-8"))?;
        let mut values = Vec::new();
        for (name, text) in &named {
            values.push(match name {
                "run" => Value::String(run_named(registry, text).await?.to_string()),
                "node" | "from" | "to" => match text.parse::<u64>() {
                    Ok(number) => number.into(),
                    Err(_) => json!(node_named(registry, run_in(&values)?, text).await?),
                },
                "partition" | "rule" => number(name, text)?,
                _ => Value::String(text.to_owned()),
            });
        }
        let whole = if values.len() == 1 { values.swap_remove(0) } else { Value::Array(values) };
        // A number that is too large for its type cannot be the number of an existing resource, so the answer is
        // 404.
        serde_json::from_value(whole).map(Self).map_err(|error| Problem::not_found(FieldError::said(&error).detail))
    }
}

/// Returns the run that an earlier parameter of the path names.
fn run_in(values: &[Value]) -> Result<Uuid, Problem> {
    let named = values.first().and_then(Value::as_str).and_then(|id| id.parse().ok());
    named.ok_or_else(|| Problem::not_found("the path does not name a run"))
}

/// Returns the node that has the role `name` in the present state of the run.
async fn node_named(registry: &Arc<Registry>, run: Uuid, name: &str) -> Result<NodeId, Problem> {
    let found = with_state(registry, run, |state| role::node_named(name, state)).await?;
    found
        .ok_or_else(|| {
            let known = number_meant(name).map(|number| format!("; did you mean `{number}`?"));
            let meant = known.unwrap_or_else(|| did_you_mean(name, Role::NAMES));
            let roles = Role::NAMES.map(|role| format!("`{role}`")).join(", ");
            Problem::not_found(format!("there is no node `{name}`: write a whole number, or one of {roles}{meant}"))
        })?
        .map_err(Problem::from)
}

fn number(what: &str, text: &str) -> Result<Value, Problem> {
    text.parse::<u64>().map(Value::from).map_err(|_| {
        let meant = number_meant(text).map(|number| format!("; did you mean `{number}`?")).unwrap_or_default();
        Problem::not_found(format!("there is no {what} `{text}`: write a whole number{meant}"))
    })
}

/// Returns the id of the run that `text` denotes: `text` is an id, `latest`, or a name that only one run has.
pub async fn run_named(registry: &Arc<Registry>, text: &str) -> Result<Uuid, Problem> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let registry = Arc::clone(registry);
    let runs = spawn_blocking(move || registry.list()).await.map_err(RunError::from)?;
    choose(&runs, text).map_err(|unnamed| Problem::not_found(unnamed.to_string()))
}

/// Reason why a text does not denote exactly one run.
#[derive(Debug, thiserror::Error)]
pub enum Unnamed {
    /// The list of runs is empty.
    #[error("there is no run")]
    NoRun,
    /// No run has this name. The second text is a suggestion of a similar name, or empty.
    #[error("there is no run `{0}`: write the id or the name of a run, or `{LATEST}`{1}")]
    Unknown(String, String),
    /// Several runs have this name.
    #[error("{} runs have the name `{name}`; write the id of one: {}", ids.len(), ids.join(" or "))]
    Several {
        /// The name.
        name: String,
        /// The ids of the runs.
        ids: Vec<String>,
    },
}

/// Returns the id of the run that `name` denotes. The runs must be ordered, the newest first.
///
/// # Errors
/// If no run or several runs have this name.
pub fn choose(runs: &[RunSummary], name: &str) -> Result<Uuid, Unnamed> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    if name == LATEST {
        return runs.first().map(|run| run.id).ok_or(Unnamed::NoRun);
    }
    let called: Vec<Uuid> = runs.iter().filter(|run| run.name == name).map(|run| run.id).collect();
    match called.as_slice() {
        [only] => Ok(*only),
        [] => {
            let meant = did_you_mean(name, runs.iter().map(|run| &*run.name).chain([LATEST]));
            Err(Unnamed::Unknown(name.to_owned(), meant))
        }
        several => {
            let ids = several.iter().map(Uuid::to_string).collect();
            Err(Unnamed::Several { name: name.to_owned(), ids })
        }
    }
}
