//! What happened in a run, for people and other tools: told, drawn, or as a log or states that they read.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use super::shares::{Parts, document};
use super::source::Source;
use interlock_observation::trace::Form;
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{PastView, Registry, RunError};

/// In which form, and up to where.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TraceQuery {
    /// In which form.
    #[serde(rename = "as")]
    #[param(inline)]
    form: Form,
    /// What happened up to this event, 1 or later; all so far if absent.
    until: Option<u64>,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(trace))
}

/// What happened in a run: as a `story`, a sentence for each step with its reason and the state before and after; as
/// `events`, one a line; as a log for `shiviz`; as the states in `itf`; as slices and arrows for `perfetto`; or as an `svg`, a
/// space-time diagram. It has at most 100,000 events; of a longer run the problem tells up to which event it can be had.
#[utoipa::path(get, operation_id = "read_trace", path = "/runs/{run}/trace", tag = "events",
    params(("run" = Uuid, Path), TraceQuery),
    responses((status = 200, content((String = "text/plain"), (String = "application/x-ndjson"),
            (serde_json::Value = "application/json"), (String = "image/svg+xml"))), (status = 409, body = Problem)))]
async fn trace(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(TraceQuery { form, until }): Query<TraceQuery>,
) -> Result<Response, Problem> {
    if until == Some(0) {
        return Err(Problem::query("until", "it is 0: the first event, which says what the run is, has the number 1"));
    }
    let mut source = Source::open(registry, id).await?;
    // Fixes the end: the document must be the same each time that it is written, although the run may continue.
    let until = match until {
        Some(until) => until,
        None => source.ends().await?.1,
    };
    let write = move |reader: &Reader, out: &mut Parts| {
        let written = form.write(&PastView::events(reader, Some(until))?, out);
        written.map_err(RunError::unreadable)
    };
    document(source, form.media_type(), write).await
}
