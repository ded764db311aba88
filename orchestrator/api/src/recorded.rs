//! Routes for the schedule of a run: its events as actions that can be played again. Schedules are made from
//! journals, so past runs have schedules as well.

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

/// Default number of actions in a page.
const PAGE: usize = 1_000;
/// Maximum number of actions in a page.
const LARGEST_PAGE: usize = 10_000;

/// Query parameters of a schedule.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ScheduleQuery {
    /// Number of the last event that the schedule includes [default: the latest].
    until: Option<u64>,
}

/// Query parameters that select actions.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ChoicesQuery {
    /// Number of actions to skip [default: 0].
    #[serde(default)]
    after: usize,
    /// Maximum number of actions in the page, 1 … 10,000 [default: 1,000].
    limit: Option<usize>,
    /// Number of the last event that the schedule includes [default: the latest].
    until: Option<u64>,
}

/// A page of actions.
#[derive(Serialize, ToSchema)]
struct ChoicePage {
    /// The actions, in order.
    items: Vec<Scheduled>,
    /// Value of `after` for the next page.
    next_after: usize,
    /// Total number of actions of the schedule.
    of: usize,
}

/// Returns the routes for schedules.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(schedule)).routes(routes!(choices))
}

/// Returns the schedule of a run: `POST /runs` and `interlock replay` play it again. A schedule has at most
/// 100,000 actions. If the run is longer, or has an event that no schedule can express, the answer is a problem.
/// The problem names the last event up to which a schedule is available.
#[utoipa::path(get, operation_id = "read_schedule", path = "/runs/{run}/schedule", tag = "replay",
    params(("run" = Uuid, Path), ScheduleQuery),
    responses((status = 200, body = ScheduleDraft), (status = 409, body = Problem)))]
async fn schedule(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(ScheduleQuery { until }): Query<ScheduleQuery>,
) -> Result<Response, Problem> {
    let mut source = Source::open(registry, id).await?;
    // The document may be generated more than once. Each copy must be the same even if the run continues, so the
    // last event is determined now.
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

/// Lists the actions of the schedule of a run, page by page.
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
