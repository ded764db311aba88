//! Routes for runs: create, list, rename, heal, stop, remove.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, Query, read, read_apart, text};
use super::path::Path;
use super::problem::Problem;
use super::to_the_end;
use interlock_model::event::Ending;
use interlock_model::field_error::FieldError;
use interlock_model::specification::Draft;
use interlock_model::strict;
use interlock_orchestrator::run::{Played, Registry, Run, RunError, RunSummary};
use interlock_simulation::scenario::RunStop;
use interlock_simulation::schedule::ScheduleDraft;

/// Default number of runs in a page.
const PAGE: usize = 100;

/// A page of runs, the newest first.
#[derive(Serialize, ToSchema)]
struct Runs {
    items: Vec<RunSummary>,
    /// Value of `after` for the next page; null if this is the last page.
    next: Option<Uuid>,
}

/// Query parameters that select runs.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunsQuery {
    /// Maximum number of runs in the page, 1 … 1,000 [default: 100].
    limit: Option<usize>,
    /// Id of the last run of the previous page, from its field `next`. The page begins with the run after it.
    after: Option<String>,
}

/// The result of an action on a run.
#[derive(Serialize, ToSchema)]
pub struct Done {
    /// Number of the latest event.
    pub seq: u64,
}

/// An empty object: `{}`. The request needs no fields.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The new name of a run.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewName {
    /// The name, 1 … 200 characters.
    name: String,
}

impl Document for NewName {
    const FORM: Option<&'static str> = Some(r#"{"name":"a name"}"#);
}

impl Document for Draft {
    const WRONG: &'static str = "invalid-run";

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        Self::read(document)
    }
}

/// A run that follows a schedule.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Replay {
    /// The schedule, which may be recorded, found by an exploration, or written by a person.
    replay: ScheduleDraft,
    /// Number of actions that are executed before the answer is sent. Fewer are executed if the processes behave
    /// differently from the model [default: 0].
    #[serde(default)]
    until: usize,
}

impl Document for Replay {
    const WRONG: &'static str = "invalid-run";

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        let Given { replay, until } = strict::deserialize(document)?;
        Ok(Self { replay: ScheduleDraft::read(&replay).map_err(|error| error.below("/replay"))?, until })
    }
}

/// The body of a request for a [`Replay`]. The schedule in it is still unparsed JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    replay: Value,
    #[serde(default)]
    until: usize,
}

/// A run of live processes without a schedule, and the condition for its end.
#[derive(Clone, Debug, ToSchema)]
struct LiveRun {
    #[serde(flatten)]
    draft: Draft,
    /// Condition under which the run ends automatically. If absent, the run ends when a client stops it.
    #[schema(value_type = Option<WrittenStop>)]
    stop: Option<RunStop>,
}

/// End of a run: a time, a condition, or a word for a condition, such as `stuck`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the OpenAPI document tells of it")]
enum WrittenStop {
    /// A word for a condition.
    Word(String),
    /// An object with the time or the condition.
    InFull(RunStop),
}

/// A run to create: of live processes without a schedule, or along a schedule.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
enum NewRun {
    /// The run has no schedule.
    Live(Box<LiveRun>),
    /// The run follows a schedule.
    Replay(Box<Replay>),
}

impl<S: Send + Sync> FromRequest<S> for NewRun {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        #[derive(Deserialize)]
        struct Kind {
            replay: Option<IgnoredAny>,
        }
        let text = text(request, state).await?;
        let replays = serde_json::from_slice::<Kind>(&text).is_ok_and(|kind| kind.replay.is_some());
        if replays {
            return Ok(Self::Replay(Box::new(read(&text)?)));
        }
        let (draft, stop) = read_apart(&text, "stop", read)?;
        let stop = stop.map(|stop| RunStop::read(stop, "/stop")).transpose();
        let stop = stop.map_err(|error| Problem::invalid(Draft::WRONG, vec![error]))?;
        Ok(Self::Live(Box::new(LiveRun { draft, stop })))
    }
}

impl Document for Nothing {}

/// Returns the routes for runs.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, rename, remove))
        .routes(routes!(stop))
        .routes(routes!(heal))
}

/// Returns the run `id` if it is in memory. Fails if the run belongs to an earlier instance of the orchestrator,
/// since such a run can only be read.
pub async fn at_hand(registry: &Arc<Registry>, id: Uuid) -> Result<Arc<Run>, RunError> {
    match registry.find(id) {
        Some(run) => Ok(run),
        None => summary(registry, id).await.and(Err(registry.out_of_reach())),
    }
}

/// Returns the run `id` for a manual action. Fails if the run follows a schedule, since such a run accepts no manual
/// actions.
pub async fn by_hand(registry: &Arc<Registry>, id: Uuid) -> Result<Arc<Run>, RunError> {
    let run = at_hand(registry, id).await?;
    run.by_hand()?;
    Ok(run)
}

async fn summary(registry: &Arc<Registry>, id: Uuid) -> Result<RunSummary, RunError> {
    let registry = Arc::clone(registry);
    spawn_blocking(move || registry.summary(id)).await?
}

/// Lists all runs, the newest first: the runs in memory and the runs that have a journal.
#[utoipa::path(get, path = "/runs", tag = "runs", params(RunsQuery), responses((status = 200, body = Runs)))]
async fn list(State(registry): State<Arc<Registry>>, Query(query): Query<RunsQuery>) -> Result<Json<Runs>, Problem> {
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=1_000).contains(&limit) {
        return Err(Problem::query("limit", "it is outside 1 … 1,000"));
    }
    let all = spawn_blocking(move || registry.list()).await.map_err(RunError::from)?;
    let first = match query.after {
        None => 0,
        Some(id) => {
            let after = id.parse::<Uuid>().map_err(|_| {
                Problem::query("after", format!("`{id}` is not the id of a run; write the `next` of the previous page"))
            })?;
            match all.iter().position(|run| run.id == after) {
                Some(place) => place + 1,
                None => return Err(Problem::query("after", "there is no such run")),
            }
        }
    };
    let more = all.len() > first + limit;
    let items: Vec<_> = all.into_iter().skip(first).take(limit).collect();
    let next = items.last().filter(|_| more).map(|run| run.id);
    Ok(Json(Runs { items, next }))
}

/// Creates a run. The answer is sent when all its processes have started and have executed their first step. With
/// `stop`, the run ends automatically: after a time, when a condition is met, or as soon as either happens. With
/// `replay`, the run follows a schedule: only the actions of the schedule are executed, and each event is compared
/// with the event of the model; see `/runs/{run}/replay/step`.
#[utoipa::path(post, path = "/runs", tag = "runs", request_body = NewRun,
    responses((status = 201, body = RunSummary), (status = 409, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem)))]
async fn create(State(registry): State<Arc<Registry>>, new: NewRun) -> Result<Response, Problem> {
    // The task is independent of the request, so that all processes are started even if the client disconnects.
    let created = match new {
        NewRun::Live(run) => to_the_end(async move { live(&registry, *run).await }).await,
        NewRun::Replay(replay) => to_the_end(async move { follow(&registry, *replay).await }).await,
    };
    match created {
        Ok(run) => {
            let location = format!("/api/v1/runs/{}", run.id);
            Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(run.summary())).into_response())
        }
        Err(RunError::Invalid(errors)) => Err(Problem::invalid("invalid-run", errors)),
        Err(error) => Err(error.into()),
    }
}

async fn live(registry: &Registry, LiveRun { draft, stop }: LiveRun) -> Result<Arc<Run>, RunError> {
    match stop {
        Some(stop) => registry.create_with_an_end(draft, &stop).await,
        None => registry.create(draft).await,
    }
}

async fn follow(registry: &Registry, Replay { replay, until }: Replay) -> Result<Arc<Run>, RunError> {
    let below = |error: FieldError| FieldError { pointer: format!("/replay{}", error.pointer), ..error };
    let invalid = |errors: Vec<FieldError>| RunError::Invalid(errors.into_iter().map(below).collect());
    let schedule = replay.complete().map_err(invalid)?;
    let played = spawn_blocking(move || Played::new(schedule)).await?.map_err(|error| match error {
        RunError::Invalid(errors) => invalid(errors),
        error => error,
    })?;
    registry.follow(Arc::new(played), until).await
}

/// Returns one run.
#[utoipa::path(get, operation_id = "find_run", path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)),
    responses((status = 200, body = RunSummary)))]
async fn one(State(registry): State<Arc<Registry>>, Path(run): Path<Uuid>) -> Result<Json<RunSummary>, Problem> {
    Ok(Json(summary(&registry, run).await?))
}

/// Renames a run. Earlier events, such as the first event, still contain the old name.
#[utoipa::path(patch, path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)), request_body = NewName,
    responses((status = 200, body = RunSummary), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn rename(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Body(NewName { name }): Body<NewName>,
) -> Result<Json<RunSummary>, Problem> {
    Ok(Json(spawn_blocking(move || registry.rename(run, name)).await.map_err(RunError::from)??))
}

/// Removes a run and its journal. If the run is in progress, it is stopped first.
#[utoipa::path(delete, path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)),
    responses((status = 204)))]
async fn remove(State(registry): State<Arc<Registry>>, Path(run): Path<Uuid>) -> Result<StatusCode, Problem> {
    to_the_end(async move { registry.delete(run).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops a run: its processes are killed, and its journal is kept. If the run has already ended, this changes
/// nothing.
#[utoipa::path(post, path = "/runs/{run}/stop", tag = "runs", params(("run" = Uuid, Path)), request_body = Nothing,
    responses((status = 200, body = RunSummary)))]
async fn stop(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<RunSummary>, Problem> {
    let Some(run) = registry.find(id) else { return Ok(Json(summary(&registry, id).await?)) };
    let stopped = async move {
        run.end(Ending::Stopped).await;
        Ok(Json(run.summary()))
    };
    Ok(to_the_end(stopped).await?)
}

/// Heals all faults. From then on, no message is lost, duplicated or held; all partitions are removed, and all
/// paused nodes are resumed.
#[utoipa::path(post, path = "/runs/{run}/heal", tag = "runs", params(("run" = Uuid, Path)), request_body = Nothing,
    responses((status = 200, body = Done), (status = 503, body = Problem)))]
async fn heal(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Done>, Problem> {
    let run = by_hand(&registry, id).await?;
    let seq = to_the_end(async move { run.heal().await }).await?;
    Ok(Json(Done { seq }))
}
