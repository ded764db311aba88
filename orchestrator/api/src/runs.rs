//! Runs: created, listed, healed, stopped, removed.

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

/// How many runs one page has unless told otherwise.
const PAGE: usize = 100;

/// A page of runs, the newest first.
#[derive(Serialize, ToSchema)]
struct Runs {
    items: Vec<RunSummary>,
    /// The `after` of the next page, if there is one.
    next: Option<Uuid>,
}

/// Which runs.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunsQuery {
    /// At most so many, 1 … 1,000; 100 if absent.
    limit: Option<usize>,
    /// Only those after this one: the `next` of the page before.
    after: Option<String>,
}

/// The seq of the latest event that followed from what was asked.
#[derive(Serialize, ToSchema)]
pub struct Done {
    /// Its number.
    pub seq: u64,
}

/// Nothing: `{}`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What a run is called from now on.
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
    /// The schedule: recorded, found or written by hand.
    replay: ScheduleDraft,
    /// How many of its choices happen before the answer comes, unless the processes do otherwise than the model before.
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

/// A [`Replay`] whose schedule is not read yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    replay: Value,
    #[serde(default)]
    until: usize,
}

/// A run that lives by itself, and when it ends.
#[derive(Clone, Debug, ToSchema)]
struct LiveRun {
    #[serde(flatten)]
    draft: Draft,
    /// When it ends by itself; if absent, when somebody stops it.
    #[schema(value_type = Option<WrittenStop>)]
    stop: Option<RunStop>,
}

/// When a run ends by itself: after a time or when something has come about, or what that is in a word, such as `stuck`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the OpenAPI document tells of it")]
enum WrittenStop {
    /// What has come about.
    Word(String),
    /// In full.
    InFull(RunStop),
}

/// What is created: a run that lives by itself, or one that follows a schedule.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
enum NewRun {
    /// It lives by itself.
    Live(Box<LiveRun>),
    /// It follows a schedule.
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

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, rename, remove))
        .routes(routes!(stop))
        .routes(routes!(heal))
}

/// The run under way of this id, or the reason why there is none: one of an earlier life of the orchestrator can only
/// be read.
pub async fn at_hand(registry: &Arc<Registry>, id: Uuid) -> Result<Arc<Run>, RunError> {
    match registry.find(id) {
        Some(run) => Ok(run),
        None => summary(registry, id).await.and(Err(registry.out_of_reach())),
    }
}

/// The same, to do something to it by hand, which is not for a run that follows a schedule.
pub async fn by_hand(registry: &Arc<Registry>, id: Uuid) -> Result<Arc<Run>, RunError> {
    let run = at_hand(registry, id).await?;
    run.by_hand()?;
    Ok(run)
}

async fn summary(registry: &Arc<Registry>, id: Uuid) -> Result<RunSummary, RunError> {
    let registry = Arc::clone(registry);
    spawn_blocking(move || registry.summary(id)).await?
}

/// All runs, the newest first: those under way and those of which there are journals.
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
                Problem::query("after", format!("`{id}` is not the id of a run; write the `next` of the page before"))
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

/// Creates a run. The answer comes when all its processes are there and have begun. With `stop` it ends by itself: after a
/// time, when something has come about, or whichever is first. With `replay` it follows a schedule:
/// nothing happens but what that says, and each event is held against what the model tells; see
/// `/runs/{run}/replay/step`.
#[utoipa::path(post, path = "/runs", tag = "runs", request_body = NewRun,
    responses((status = 201, body = RunSummary), (status = 409, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem)))]
async fn create(State(registry): State<Arc<Registry>>, new: NewRun) -> Result<Response, Problem> {
    // In a task of its own: who asks may hang up, and processes are not to be started by half.
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

/// One run.
#[utoipa::path(get, operation_id = "find_run", path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)),
    responses((status = 200, body = RunSummary)))]
async fn one(State(registry): State<Arc<Registry>>, Path(run): Path<Uuid>) -> Result<Json<RunSummary>, Problem> {
    Ok(Json(summary(&registry, run).await?))
}

/// Calls a run otherwise; what it did under its name of before, such as its first event, stays as it was.
#[utoipa::path(patch, path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)), request_body = NewName,
    responses((status = 200, body = RunSummary), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn rename(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Body(NewName { name }): Body<NewName>,
) -> Result<Json<RunSummary>, Problem> {
    Ok(Json(spawn_blocking(move || registry.rename(run, name)).await.map_err(RunError::from)??))
}

/// Stops a run if need be and removes its journal.
#[utoipa::path(delete, path = "/runs/{run}", tag = "runs", params(("run" = Uuid, Path)),
    responses((status = 204)))]
async fn remove(State(registry): State<Arc<Registry>>, Path(run): Path<Uuid>) -> Result<StatusCode, Problem> {
    to_the_end(async move { registry.delete(run).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops a run: its processes are killed, its journal stays. Nothing is changed if it has ended.
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

/// Takes all faults away: nothing is lost, copied, held or cut any more, and all paused nodes go on.
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
