//! How a run stood after one of its events, and what each event after that changed.

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

/// How many events are told unless told otherwise.
const USUAL: usize = 500;
/// The most events that are told at a time.
const MOST: usize = 1_000;
/// The most bytes of these events, unless one has more: what they change has some times as many.
const MOST_BYTES: usize = 1 << 20;

/// Which events.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// The state after this event, and the events after it.
    #[serde(default)]
    after: u64,
    /// At most so many, 1 … 1,000; 500 if absent.
    limit: Option<usize>,
}

/// Events of a run, the state before them, and what each has changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "events are passed on as the text that they are kept as")]
struct HistoryDocument {
    /// The state before the first of them, and in `under_way` the messages that are held or on their way, by their names.
    state: StateDocument,
    /// The events, in their order.
    items: Vec<Event>,
    /// What each of them has changed.
    changes: Vec<Change>,
    /// The number of the last event of the run so far.
    latest: u64,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(history))
}

/// How a run stood after one of its events, and what each event after that changed.
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

/// The state at which a follower begins, as JSON, and the follower.
pub(super) fn follow(reader: &Reader, run: Uuid, after: u64) -> Result<(Value, Follower), RunError> {
    let follower = Follower::new(run, PastView::at(reader, Some(after))?.state);
    Ok((follower.document(), follower))
}

/// What these events change, which follow those that are known: each by itself, or together if they are more than `most`.
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
