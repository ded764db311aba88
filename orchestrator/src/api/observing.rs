//! What people see of a run: its state now or at any event, violations, metrics; and waiting until something is so.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Path, Query};
use super::events::Source;
use super::nodes::patience;
use super::problem::Problem;
use super::runs::at_hand;
use crate::event::{Event, Violation, What};
use crate::journal::EventQuery;
use crate::metrics::MetricsDocument;
use crate::monitor::sentence;
use crate::run::{PastView, Registry, RunError, Until, read_until};
use crate::specification::FieldError;
use crate::state::StateDocument;

/// The longest that a request waits unless told otherwise, in ms.
const WAIT_MS: u64 = 5_000;

/// At which event.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StateQuery {
    /// The state after this event; the state now if absent.
    at: Option<u64>,
}

/// The violations found.
#[derive(Serialize, ToSchema)]
struct Violations {
    items: Vec<ViolationDocument>,
}

/// A rule broken, and by what.
#[derive(Serialize, ToSchema)]
struct ViolationDocument {
    /// The event that tells of it.
    seq: u64,
    /// The monitor that found it.
    monitor: String,
    /// What is broken.
    code: String,
    /// The numbers of the sentence.
    #[schema(value_type = Object)]
    arguments: Value,
    /// The events that make the violation.
    events: Vec<u64>,
    /// For people.
    sentence: String,
}

/// What to wait for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// `{"entered":{"node":2}}`, `{"exited":{}}`, `"stuck"`, `"violation"`, `"idle"`,
    /// `{"event":{"kind":"delivered","message_kind":"REPLY"}}`.
    #[schema(value_type = Object)]
    until: Value,
    /// How long, in ms, 0 … 60,000; 5,000 if absent.
    timeout_ms: Option<u64>,
    /// It also counts if it came about after this event.
    since: Option<u64>,
}

/// Whether it came about.
#[derive(Serialize, ToSchema)]
struct Waited {
    met: bool,
    /// The event by which it came about, or the latest one.
    seq: u64,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(violations))
        .routes(routes!(metrics))
        .routes(routes!(wait))
}

/// The global state of a run, now or after any of its events.
#[utoipa::path(get, path = "/runs/{run}/state", tag = "observing", params(("run" = Uuid, Path), StateQuery),
    responses((status = 200, body = StateDocument), (status = 404, body = Problem)))]
async fn state(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(query): Query<StateQuery>,
) -> Result<Json<StateDocument>, Problem> {
    if let (Some(run), None) = (registry.find(id), query.at) {
        return Ok(Json(run.with(|core| core.document())));
    }
    let mut source = Source::open(registry, id).await?;
    let past = source.read(move |reader| PastView::at(reader, query.at)).await?;
    Ok(Json(past.state.document(id, past.state.at_us(), 0)))
}

/// The violations found so far, each with a sentence.
#[utoipa::path(get, path = "/runs/{run}/violations", tag = "observing", params(("run" = Uuid, Path)),
    responses((status = 200, body = Violations)))]
async fn violations(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Violations>, Problem> {
    if let Some(run) = registry.find(id) {
        let items = run.with(|core| core.violations().iter().map(|(seq, found)| told(*seq, found)).collect());
        return Ok(Json(Violations { items }));
    }
    let mut source = Source::open(registry, id).await?;
    let items = source.read(|reader| {
        let mut query = EventQuery { kinds: vec!["violated".to_owned()], limit: 1_000, ..EventQuery::default() };
        let (mut items, latest) = (Vec::new(), reader.latest()?);
        while query.since < latest && items.len() < 1_000 {
            let page = reader.page(&query)?;
            query.since = page.next_since;
            items.extend(page.items.iter().filter_map(|text| found(text)));
        }
        Ok(items)
    });
    Ok(Json(Violations { items: items.await? }))
}

fn found(text: &str) -> Option<ViolationDocument> {
    match serde_json::from_str::<Event>(text).ok()? {
        Event { seq, what: What::Violated { violation }, .. } => Some(told(seq, &violation)),
        _ => None,
    }
}

fn told(seq: u64, violation: &Violation) -> ViolationDocument {
    ViolationDocument {
        seq,
        monitor: violation.monitor.to_string(),
        code: violation.code.to_string(),
        arguments: violation.arguments.clone(),
        events: violation.events.clone(),
        sentence: sentence(violation),
    }
}

/// What a run has cost so far and how long it took.
#[utoipa::path(get, path = "/runs/{run}/metrics", tag = "observing", params(("run" = Uuid, Path)),
    responses((status = 200, body = MetricsDocument)))]
async fn metrics(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
) -> Result<Json<MetricsDocument>, Problem> {
    if let Some(run) = registry.find(id) {
        return Ok(Json(run.with(|core| core.metrics_document())));
    }
    let mut source = Source::open(registry, id).await?;
    Ok(Json(source.read(|reader| PastView::metrics(reader).map(|metrics| metrics.document())).await?))
}

/// Waits until something is so.
#[utoipa::path(post, path = "/runs/{run}/wait", tag = "observing", params(("run" = Uuid, Path)), request_body = Wait,
    responses((status = 200, body = Waited), (status = 422, body = Problem)))]
async fn wait(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(wait): Body<Wait>,
) -> Result<Json<Waited>, Problem> {
    let run = at_hand(&registry, id).await?;
    let patience = patience("/timeout_ms", wait.timeout_ms.unwrap_or(WAIT_MS))?;
    let until = read_until(wait.until)
        .map_err(|error| Problem::invalid("invalid-document", vec![FieldError::new("/until", error.to_string())]))?;
    // Registered before the past is looked at, so that nothing falls between the two.
    let coming = run.with(|core| core.wait(until.clone()));
    if let Some(since) = wait.since
        && let Some(seq) = earlier(registry, id, since, until).await?
    {
        return Ok(Json(Waited { met: true, seq }));
    }
    let met = timeout(patience, coming).await.ok().and_then(Result::ok);
    Ok(Json(Waited { met: met.is_some(), seq: met.unwrap_or_else(|| run.with(|core| core.latest())) }))
}

/// The first event after `since` by which it came about.
async fn earlier(registry: Arc<Registry>, id: Uuid, since: u64, until: Until) -> Result<Option<u64>, RunError> {
    let mut source = Source::open(registry, id).await?;
    source
        .read(move |reader| {
            for event in reader.events_after(since) {
                let event = event?;
                if until.met_by(&event) {
                    return Ok(Some(event.seq));
                }
            }
            Ok(None)
        })
        .await
}
