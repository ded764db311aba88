//! Routes for runs that follow a schedule: their progress, and commands to continue.

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

/// How far to continue: `count`, `to` or `fork`, at most one of the three. If none is given, the run executes one
/// action.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Number of actions to execute. The run stops earlier if the schedule ends.
    count: Option<usize>,
    /// Total number of executed actions after which the run stops, counted from the beginning of the schedule.
    to: Option<usize>,
    /// True to leave the schedule. From then on, the clock of the run advances in real time, beginning with the
    /// present time of the schedule. Messages are delivered and timers fire when they are due, clients make
    /// requests, and manual actions are accepted.
    fork: Option<bool>,
}

impl Document for Step {}

/// Returns the routes for runs that follow a schedule.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(replay)).routes(routes!(step))
}

/// Returns the progress of a run in its schedule and, if its processes behave differently from the model, the
/// first difference.
#[utoipa::path(get, operation_id = "find_replay", path = "/runs/{run}/replay", tag = "replay",
    params(("run" = Uuid, Path)), responses((status = 200, body = ReplayDocument), (status = 409, body = Problem)))]
async fn replay(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<ReplayDocument>, Problem> {
    Ok(Json(at_hand(&registry, id).await?.replay()?))
}

/// Continues a run in its schedule. The answer is sent when the actions have been executed, or when the processes
/// behave differently from the model.
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
            let error = FieldError::new("", "write only one of `count`, `to` and `fork: true`");
            return Err(Problem::invalid(Step::WRONG, vec![error]));
        }
    };
    Ok(Json(stepped?))
}
