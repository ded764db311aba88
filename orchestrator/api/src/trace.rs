//! The events of a run in forms for people and other tools: a story, a diagram, a log, or states.

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

/// Form of the trace, and its last event.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TraceQuery {
    /// Form of the trace.
    #[serde(rename = "as")]
    #[param(inline)]
    form: Form,
    /// Number of the last event of the trace, from 1 [default: the latest].
    until: Option<u64>,
}

/// Returns the route for traces.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(trace))
}

/// Returns the trace of a run in one of six forms. `story` has a sentence for each step, with its reason and the state
/// before and after. The other forms are `events` (one per line), `shiviz` (a log for ShiViz), `itf` (the states),
/// `perfetto` (slices and arrows) and `svg` (a space-time diagram). A trace has at most 100,000 events. For a longer
/// run the problem names the last event that a trace can have.
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
        return Err(Problem::query("until", "it is 0, but the first event has the number 1"));
    }
    let mut source = Source::open(registry, id).await?;
    // Determines the last event of the trace now, because the document may be generated more than once. Each copy
    // must be the same even if the run continues.
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
