//! What people see of a run: its state now or at any event, violations, metrics; and waiting until something is so.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use interlock_machine::quantity::optional_whole_ms;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, Query};
use super::events::Source;
use super::nodes::patience;
use super::path::Path;
use super::problem::Problem;
use super::runs::at_hand;
use crate::journal::{EventQuery, Reader};
use crate::run::{EventPattern, PastView, Registry, Run, RunError, Until, read_until};
use interlock_model::document::StateDocument;
use interlock_model::event::{Event, Violation, What};
use interlock_model::field_error::FieldError;
use interlock_model::metrics::MetricsDocument;
use interlock_model::monitor::sentence;
use interlock_model::schema::Time;

/// The longest that a request waits unless told otherwise, in ms.
const WAIT_MS: u64 = 5_000;
/// The most violations that are told: the latest ones.
const MOST_VIOLATIONS: usize = 1_000;

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
    /// Until when.
    #[schema(value_type = Until)]
    until: Value,
    /// How long, in ms, 0 … 60,000; 5,000 if absent.
    #[serde(default, deserialize_with = "optional_whole_ms")]
    #[schema(value_type = Option<Time>)]
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

impl Document for Wait {}

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
    Ok(Json(state_of(registry, id, query.at).await?))
}

/// The state after event `at`, or now; of a past run that is how it ended.
pub async fn state_of(registry: Arc<Registry>, id: Uuid, at: Option<u64>) -> Result<StateDocument, RunError> {
    if let (Some(run), None) = (registry.find(id), at) {
        return Ok(run.with(|core| core.document()));
    }
    let mut source = Source::open(registry, id).await?;
    let past = source.read(move |reader| PastView::at(reader, at)).await?;
    Ok(past.state.document(id, past.state.at_us(), 0))
}

/// The violations found so far, each with a sentence.
#[utoipa::path(get, path = "/runs/{run}/violations", tag = "observing", params(("run" = Uuid, Path)),
    responses((status = 200, body = Violations)))]
async fn violations(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Violations>, Problem> {
    if let Some(run) = registry.find(id) {
        let items = run.with(|core| core.violations().iter().map(|(seq, found)| document(*seq, found)).collect());
        return Ok(Json(Violations { items }));
    }
    let mut source = Source::open(registry, id).await?;
    Ok(Json(Violations { items: source.read(past_violations).await? }))
}

fn past_violations(reader: &Reader) -> Result<Vec<ViolationDocument>, RunError> {
    let mut query = EventQuery { kinds: vec!["violated".to_owned()], limit: MOST_VIOLATIONS, ..EventQuery::default() };
    let (mut items, latest) = (Vec::new(), reader.latest()?);
    while query.since < latest {
        let page = reader.page(&query)?;
        query.since = page.next_since;
        items.extend(page.items.iter().filter_map(|text| found(text)));
        items.drain(..items.len().saturating_sub(MOST_VIOLATIONS));
    }
    Ok(items)
}

fn found(text: &str) -> Option<ViolationDocument> {
    match serde_json::from_str::<Event>(text).ok()? {
        Event { seq, what: What::Violated { violation }, .. } => Some(document(seq, &violation)),
        _ => None,
    }
}

fn document(seq: u64, violation: &Violation) -> ViolationDocument {
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
    let deadline = Instant::now() + patience("/timeout_ms", wait.timeout_ms.unwrap_or(WAIT_MS))?;
    let until = read_until(wait.until).map_err(|error| {
        Problem::invalid(
            "invalid-document",
            vec![FieldError { pointer: "/until".to_owned(), ..FieldError::said(&error) }],
        )
    })?;
    check(&until, run.specification.nodes)?;
    // Registered before the past is looked at, so that nothing falls between the two.
    let coming = run.with(|core| core.wait(until.clone()));
    if let Some(since) = wait.since
        && let Some(seq) = earlier(registry, id, since, until, deadline).await?
    {
        return Ok(Json(Waited { met: true, seq }));
    }
    let met = told(&run, coming, deadline).await?;
    Ok(Json(Waited { met: met.is_some(), seq: met.unwrap_or_else(|| run.with(|core| core.latest())) }))
}

/// Refuses to wait for what the run cannot have: another node, another kind of event.
fn check(until: &Until, nodes: u32) -> Result<(), Problem> {
    let named = match until {
        Until::Entered { node } => vec![("/until/entered/node", node)],
        Until::Exited { node } => vec![("/until/exited/node", node)],
        Until::Event(pattern) => vec![
            ("/until/event/node", &pattern.node),
            ("/until/event/from", &pattern.from),
            ("/until/event/to", &pattern.to),
        ],
        Until::Elected { leader } => vec![("/until/elected/leader", leader)],
        Until::Stuck | Until::Violation | Until::Idle | Until::Decided { .. } => Vec::new(),
    };
    let missing = named.into_iter().filter_map(|(pointer, node)| Some((pointer, (*node)?)));
    let mut errors: Vec<_> = missing
        .filter(|(_, node)| node.0 >= nodes)
        .map(|(pointer, node)| FieldError::new(pointer, format!("there is no node {}: the run has {nodes}", node.0)))
        .collect();
    if let Until::Event(EventPattern { kind: Some(kind), .. }) = until {
        errors.extend(unknown_kind("/until/event/kind", kind));
    }
    if errors.is_empty() { Ok(()) } else { Err(Problem::invalid("invalid-document", errors)) }
}

/// What is wrong with a kind of events that there is not.
pub fn unknown_kind(pointer: &str, kind: &str) -> Option<FieldError> {
    if What::KINDS.contains(&kind) {
        return None;
    }
    let mut error = FieldError::new(pointer, format!("no event is called `{kind}`"));
    error.allowed = What::KINDS.iter().map(|&kind| kind.to_owned()).collect();
    Some(error.meant_by(kind))
}

/// The event by which it comes about, unless the time is up or the run over before.
async fn told(run: &Run, mut coming: oneshot::Receiver<u64>, deadline: Instant) -> Result<Option<u64>, Problem> {
    let mut committed = run.journal().committed();
    let heard = tokio::select! {
        biased;
        heard = timeout_at(deadline, &mut coming) => heard.ok(),
        // The journal is closed when the run has ended: nothing will happen any more.
        _ = committed.wait_for(|_| false) => coming.try_recv().ok().map(Ok),
    };
    let too_many = |_| Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "too many wait for this run already");
    heard.transpose().map_err(too_many)
}

/// The first event after `since` by which it came about, if it is found in time.
async fn earlier(
    registry: Arc<Registry>,
    id: Uuid,
    since: u64,
    until: Until,
    deadline: Instant,
) -> Result<Option<u64>, RunError> {
    // No event by itself brings these about.
    if until.is_of_the_whole() {
        return Ok(None);
    }
    let mut source = Source::open(registry, id).await?;
    let search = move |reader: &Reader| {
        for event in reader.events_after(since) {
            let event = event?;
            if until.met_by(&event) {
                return Ok(Some(event.seq));
            }
            if Instant::now() > deadline {
                break;
            }
        }
        Ok(None)
    };
    source.read(search).await
}
