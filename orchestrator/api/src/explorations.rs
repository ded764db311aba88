//! Routes for explorations, which execute all schedules of a small run.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use interlock_exploration::ExplorationDraft;
use interlock_model::field_error::FieldError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, Query};
use super::problem::Problem;
use crate::exploring::{Explorations, Explored, MOST_MEMORY, NoRoom};
use interlock_orchestrator::run::Registry;

/// Maximum time that a request waits for the end of an exploration, in ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// Explorations that are running or have ended recently, the newest first, each without its schedule and its table
/// of violations.
#[derive(Serialize, ToSchema)]
struct Listed {
    items: Vec<Explored>,
}

/// Time to wait.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Patience {
    /// Time to wait for the end of the exploration, in ms, 0 … 60,000 [default: 0].
    wait_ms: Option<u64>,
}

impl Document for ExplorationDraft {
    const WRONG: &'static str = "invalid-exploration";

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        Self::read(document)
    }
}

/// Returns the routes for explorations.
pub fn routes(explorations: Arc<Explorations>) -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(list, begin)).routes(routes!(one, remove)).with_state(explorations)
}

/// Lists all explorations that are running or have ended recently, the newest first.
#[utoipa::path(get, operation_id = "list_explorations", path = "/explorations", tag = "explorations",
    responses((status = 200, body = Listed)))]
async fn list(State(explorations): State<Arc<Explorations>>) -> Json<Listed> {
    Json(Listed { items: explorations.list() })
}

/// Starts to execute all schedules of a small run, until one of them violates a property. The exploration ends
/// with a verdict. If a property is violated, the result has a shortest schedule that violates the property, with
/// as few processes as possible; `POST /runs` plays this schedule with real processes. If all schedules were
/// executed without a violation, all properties hold in this configuration. Otherwise the exploration is
/// unfinished, and the result contains the reason.
#[utoipa::path(post, operation_id = "begin_exploration", path = "/explorations", tag = "explorations",
    request_body = ExplorationDraft,
    responses((status = 202, body = Explored), (status = 429, body = Problem)))]
async fn begin(
    State(explorations): State<Arc<Explorations>>,
    Body(draft): Body<ExplorationDraft>,
) -> Result<Response, Problem> {
    let limits = draft.limits();
    if limits.memory > MOST_MEMORY {
        let error = FieldError::new(
            "/memory_limit",
            format!("more than {MOST_MEMORY} are possible only with `interlock explore`"),
        );
        return Err(Problem::invalid(ExplorationDraft::WRONG, vec![error]));
    }
    let exploration = draft.complete().map_err(|errors| Problem::invalid(ExplorationDraft::WRONG, errors))?;
    Ok(begun(&explorations.begin(exploration, limits)?))
}

/// Answers a request that has started an exploration.
pub fn begun(explored: &Explored) -> Response {
    let location = format!("/api/v1/explorations/{}", explored.id);
    (StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(explored)).into_response()
}

/// Returns the state of an exploration, with its result so far.
#[utoipa::path(get, operation_id = "find_exploration", path = "/explorations/{exploration}", tag = "explorations",
    params(("exploration" = Uuid, Path), Patience),
    responses((status = 200, body = Explored)))]
async fn one(
    State(explorations): State<Arc<Explorations>>,
    Path(name): Path<String>,
    Query(query): Query<Patience>,
) -> Result<Json<Explored>, Problem> {
    let wait_ms = query.wait_ms.unwrap_or(0);
    if wait_ms > LONGEST_WAIT_MS {
        return Err(Problem::query("wait_ms", "it is outside 0 … 60,000"));
    }
    let found = explorations.find(id(&name)?, Duration::from_millis(wait_ms)).await;
    found.map(Json).ok_or_else(|| unknown(&name))
}

/// Removes an exploration, and stops it if it is running.
#[utoipa::path(delete, operation_id = "remove_exploration", path = "/explorations/{exploration}", tag = "explorations",
    params(("exploration" = Uuid, Path)), responses((status = 204)))]
async fn remove(
    State(explorations): State<Arc<Explorations>>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    if explorations.remove(id(&name)?) { Ok(StatusCode::NO_CONTENT) } else { Err(unknown(&name)) }
}

fn id(name: &str) -> Result<Uuid, Problem> {
    name.parse().map_err(|_| unknown(name))
}

fn unknown(name: &str) -> Problem {
    Problem::not_found(format!(
        "there is no exploration `{name}`: write the id of one; old finished explorations are removed"
    ))
}

impl From<NoRoom> for Problem {
    fn from(error: NoRoom) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", error.to_string())
    }
}
