//! Runs that follow a schedule: how far they have come, and on they go.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document};
use super::path::Path;
use super::problem::Problem;
use super::runs::at_hand;
use super::to_the_end;
use interlock_model::field_error::FieldError;
use interlock_orchestrator::run::{Registry, ReplayDocument};

/// How far to go on: by so many choices, to so many in all, or from here on without the schedule. One of them; by one
/// choice if none is given.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// By so many choices, or to the end.
    count: Option<usize>,
    /// Until so many choices have happened in all.
    to: Option<usize>,
    /// From here on the run lives by itself: time goes on from that of the schedule, messages arrive and timers run out
    /// when they are due, clients ask, and everything can be done to it by hand.
    fork: Option<bool>,
}

impl Document for Step {}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(replay)).routes(routes!(step))
}

/// How far a run has come in the schedule that it follows, and where its processes did otherwise than the model.
#[utoipa::path(get, operation_id = "find_replay", path = "/runs/{run}/replay", tag = "replay",
    params(("run" = Uuid, Path)), responses((status = 200, body = ReplayDocument), (status = 409, body = Problem)))]
async fn replay(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<ReplayDocument>, Problem> {
    Ok(Json(at_hand(&registry, id).await?.replay()?))
}

/// Lets a run go on in its schedule; the answer comes when that has happened, or when the processes have done otherwise
/// than the model.
#[utoipa::path(post, operation_id = "step_replay", path = "/runs/{run}/replay/step", tag = "replay",
    params(("run" = Uuid, Path)), request_body = Step,
    responses((status = 200, body = ReplayDocument), (status = 429, body = Problem), (status = 503, body = Problem)))]
async fn step(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(step): Body<Step>,
) -> Result<Json<ReplayDocument>, Problem> {
    let run = at_hand(&registry, id).await?;
    let stepped = match step {
        Step { count, to: None, fork: None } => {
            to_the_end(async move { run.replay_on(count.unwrap_or(1)).await }).await
        }
        Step { count: None, to: Some(to), fork: None } => to_the_end(async move { run.replay_to(to).await }).await,
        Step { count: None, to: None, fork: Some(true) } => to_the_end(async move { run.fork().await }).await,
        _ => {
            let error = FieldError::new("", "one of these is expected: `count`, `to`, `fork` with true");
            return Err(Problem::invalid(Step::WRONG, vec![error]));
        }
    };
    Ok(Json(stepped?))
}
