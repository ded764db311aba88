//! The state of a run after one of its events, and the change that each later event made to the state.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use interlock_model::event::Event;
use interlock_observation::document::StateDocument;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use super::source::Source;
use interlock_orchestrator::journal::{EventQuery, Reader};
use interlock_orchestrator::run::{Change, Follower, PastView, Registry, RunError};

/// Default number of events in an answer.
const USUAL: usize = 500;
/// Maximum number of events in an answer.
const MOST: usize = 1_000;
/// Maximum total size of the events in an answer, in bytes, unless the first event alone is larger. The changes of
/// these events are several times as large as the events.
const MOST_BYTES: usize = 1 << 20;

/// Query parameters that select events.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// Number of an event. The answer contains the state after this event, and the events that follow it [default:
    /// 0].
    #[serde(default)]
    after: u64,
    /// Maximum number of events, 1 … 1,000 [default: 500].
    limit: Option<usize>,
}

/// Events of a run, the state before the first of them, and the change that each event made to the state.
#[derive(ToSchema)]
#[expect(dead_code, reason = "events are passed on as the text that they are kept as")]
struct HistoryDocument {
    /// State before the first of these events. Its field `under_way` lists the messages that are held or in
    /// transit, indexed by their names.
    state: StateDocument,
    /// The events, in order.
    items: Vec<Event>,
    /// The change that each event made to the state.
    changes: Vec<Change>,
    /// Number of the latest event of the run.
    latest: u64,
}

/// Returns the route for the history of a run.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(history))
}

/// Returns the state of a run after one of its events, and the change that each later event made to the state.
#[utoipa::path(get, path = "/runs/{run}/history", tag = "observing", params(("run" = Uuid, Path), HistoryQuery),
    responses((status = 200, body = HistoryDocument)))]
async fn history(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Query(HistoryQuery { after, limit }): Query<HistoryQuery>,
) -> Result<Response, Problem> {
    let limit = limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(Problem::query("limit", "it is outside 1 … 1,000"));
    }
    let mut source = Source::open(registry, run).await?;
    let text = source.read(move |reader| told(reader, run, after, limit)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

fn told(reader: &Reader, run: Uuid, after: u64, limit: usize) -> Result<String, RunError> {
    let (state, mut follower) = follow(reader, run, after)?;
    let page = reader.page(&EventQuery { since: after, limit, bytes: MOST_BYTES, ..EventQuery::default() })?;
    let changes = changes(&mut follower, &page.items, limit)?;
    let (items, latest) = (page.items.join(","), reader.latest()?);
    let changes = json!(changes);
    Ok(format!(r#"{{"state":{state},"items":[{items}],"changes":{changes},"latest":{latest}}}"#))
}

/// Returns the state of a run after event `after` as JSON, and a follower that starts from this state.
pub(super) fn follow(reader: &Reader, run: Uuid, after: u64) -> Result<(Value, Follower), RunError> {
    let follower = Follower::new(run, PastView::at(reader, Some(after))?.state);
    Ok((follower.document(), follower))
}

/// Applies events to the follower, and returns the changes: one change for each event, or a single change for all
/// events if there are more than `most`.
pub(super) fn changes(follower: &mut Follower, items: &[String], most: usize) -> Result<Vec<Change>, RunError> {
    let mut changes = Vec::new();
    for (place, text) in (1..).zip(items) {
        let event = Event::from_json(text.as_bytes()).map_err(RunError::unreadable)?;
        if items.len() <= most || place == items.len() {
            changes.push(follower.take(&event));
        } else {
            follower.pass(&event);
        }
    }
    Ok(changes)
}
