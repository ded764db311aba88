//! What happened in a run, as a schedule that can be played again: recorded by its events, so of past runs, too.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use super::shares::{Parts, document};
use super::source::Source;
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{PastView, Registry, RunError};
use interlock_simulation::schedule::{Schedule, ScheduleDraft, Scheduled};

/// How many choices one page has unless told otherwise.
const PAGE: usize = 1_000;
/// The most choices of one page.
const LARGEST_PAGE: usize = 10_000;

/// Up to where.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ScheduleQuery {
    /// What happened up to this event; all so far if absent.
    until: Option<u64>,
}

/// Which choices.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ChoicesQuery {
    /// Only choices after so many.
    #[serde(default)]
    after: usize,
    /// At most so many, 1 … 10,000; 1,000 if absent.
    limit: Option<usize>,
    /// What happened up to this event; all so far if absent.
    until: Option<u64>,
}

/// A page of what happened.
#[derive(Serialize, ToSchema)]
struct ChoicePage {
    /// What happened, one thing after the other.
    items: Vec<Scheduled>,
    /// The `after` of the next page.
    next_after: usize,
    /// How many choices there are.
    of: usize,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(schedule)).routes(routes!(choices))
}

/// What happened in a run, as a schedule: `POST /runs` and `interlock replay` play it again. It has at most 100,000
/// choices; of a longer run, and of one in which something happened that no schedule can say, the problem tells up to
/// which event it can be had.
#[utoipa::path(get, operation_id = "read_schedule", path = "/runs/{run}/schedule", tag = "replay",
    params(("run" = Uuid, Path), ScheduleQuery),
    responses((status = 200, body = ScheduleDraft), (status = 409, body = Problem)))]
async fn schedule(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(ScheduleQuery { until }): Query<ScheduleQuery>,
) -> Result<Response, Problem> {
    let mut source = Source::open(registry, id).await?;
    // Fixes the end: the document must be the same each time that it is written, although the run may continue.
    let until = match until {
        Some(until) => until,
        None => source.ends().await?.1,
    };
    let write = move |reader: &Reader, out: &mut Parts| {
        let written = PastView::schedule(reader, Some(until))?.write(out);
        written.map_err(RunError::unreadable)
    };
    document(source, "application/json", write).await
}

/// What happened in a run, page by page: the choices of its schedule.
#[utoipa::path(get, operation_id = "list_choices", path = "/runs/{run}/choices", tag = "replay",
    params(("run" = Uuid, Path), ChoicesQuery),
    responses((status = 200, body = ChoicePage),
        (status = 409, body = Problem)))]
async fn choices(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(ChoicesQuery { after, limit, until }): Query<ChoicesQuery>,
) -> Result<Json<ChoicePage>, Problem> {
    let limit = limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        return Err(Problem::query("limit", "it is outside 1 … 10,000"));
    }
    let Schedule { choices, .. } = recorded(registry, id, until).await?;
    let of = choices.len();
    let items: Vec<Scheduled> = choices.into_iter().skip(after).take(limit).collect();
    Ok(Json(ChoicePage { next_after: after.saturating_add(items.len()), items, of }))
}

async fn recorded(registry: Arc<Registry>, id: Uuid, until: Option<u64>) -> Result<Schedule, RunError> {
    Source::open(registry, id).await?.read(move |reader| PastView::schedule(reader, until)).await
}
