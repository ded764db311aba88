//! Routes for the observation of a run: its state now or after any event, violations, metrics, and waiting for a
//! condition.

use std::ops::Range;
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
use super::nodes::patience;
use super::path::Path;
use super::problem::Problem;
use super::runs::at_hand;
use super::source::{Source, state_of};
use interlock_model::event::{Event, Violation, What};
use interlock_model::schema::Time;
use interlock_observation::document::StateDocument;
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::monitor::sentence;
use interlock_orchestrator::journal::{EventQuery, Reader};
use interlock_orchestrator::run::{Heard, InVain, PastView, Registry, Run, RunError};
use interlock_simulation::scenario::{Until, Watch};

/// Default time that a request waits, in ms.
const WAIT_MS: u64 = 5_000;
/// Maximum number of violations in an answer. If there are more, the answer has the latest violations.
const MOST_VIOLATIONS: usize = 1_000;

/// Query parameters of the state.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StateQuery {
    /// Number of an event. The answer is the state after this event. If absent, the answer is the present state.
    at: Option<u64>,
}

/// Query parameters of the metrics.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MetricsQuery {
    /// Number of the last event that the metrics include. If absent, they include all events so far.
    at: Option<u64>,
}

/// The violations that the monitors have found.
#[derive(Serialize, ToSchema)]
struct Violations {
    items: Vec<ViolationDocument>,
}

/// A violation of a property, with the events that cause it.
#[derive(Serialize, ToSchema)]
struct ViolationDocument {
    /// Number of the event that reports the violation.
    seq: u64,
    /// Name of the monitor that found the violation.
    monitor: String,
    /// Code of the violation.
    code: String,
    /// Arguments that complete the sentence for the code.
    #[schema(value_type = Object)]
    arguments: Value,
    /// Numbers of the events that cause the violation.
    events: Vec<u64>,
    /// The violation in plain words.
    sentence: String,
}

/// The condition to wait for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// The condition.
    #[schema(value_type = Until)]
    until: Value,
    /// Maximum time to wait, in ms, 0 … 60,000 [default: 5,000].
    #[serde(default, deserialize_with = "optional_whole_ms")]
    #[schema(value_type = Option<Time>)]
    timeout_ms: Option<u64>,
    /// Number of an event. The condition also counts as met if it was met between this event and the request.
    since: Option<u64>,
}

/// The answer if the condition was met.
#[derive(Serialize, ToSchema)]
struct Waited {
    /// Always true: if a condition is not met, the answer is a problem instead.
    met: bool,
    /// Number of the event that met the condition, or of the latest event if the condition is about the run as a whole.
    seq: u64,
    /// The event that met the condition.
    #[schema(value_type = Object)]
    event: Option<Event>,
}

impl Document for Wait {
    const FORM: Option<&'static str> = Some(r#"{"until":{"entered":{"node":2}},"timeout_ms":1000}"#);
}

/// Returns the routes for observation.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(violations))
        .routes(routes!(metrics))
        .routes(routes!(wait))
}

/// Returns the global state of a run, now or after any of its events.
#[utoipa::path(get, path = "/runs/{run}/state", tag = "observing", params(("run" = Uuid, Path), StateQuery),
    responses((status = 200, body = StateDocument)))]
async fn state(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(query): Query<StateQuery>,
) -> Result<Json<StateDocument>, Problem> {
    Ok(Json(state_of(registry, id, query.at).await?))
}

/// Lists the violations that the monitors have found so far, each with a sentence.
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
    match Event::from_json(text.as_bytes()).ok()? {
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

/// Returns the metrics of a run up to now, or up to one of its events: numbers of messages and entries, and
/// delays.
#[utoipa::path(get, path = "/runs/{run}/metrics", tag = "observing", params(("run" = Uuid, Path), MetricsQuery),
    responses((status = 200, body = MetricsDocument)))]
async fn metrics(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(MetricsQuery { at }): Query<MetricsQuery>,
) -> Result<Json<MetricsDocument>, Problem> {
    if let (Some(run), None) = (registry.find(id), at) {
        return Ok(Json(run.with(|core| core.metrics().document())));
    }
    let mut source = Source::open(registry, id).await?;
    Ok(Json(source.read(move |reader| PastView::metrics(reader, at).map(|metrics| metrics.document())).await?))
}

/// Waits until a condition is met. If the condition is not met in time, the answer is the problem 408. If the
/// condition can no longer be met because the run is over or stuck, the answer is the problem 409. Both problems
/// include the verdict of the run.
#[utoipa::path(post, path = "/runs/{run}/wait", tag = "observing", params(("run" = Uuid, Path)), request_body = Wait,
    responses((status = 200, body = Waited), (status = 408, body = Problem), (status = 429, body = Problem)))]
async fn wait(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(wait): Body<Wait>,
) -> Result<Json<Waited>, Problem> {
    let run = at_hand(&registry, id).await?;
    let deadline = Instant::now() + patience("/timeout_ms", wait.timeout_ms.unwrap_or(WAIT_MS))?;
    let misfits = |errors| Problem::invalid("invalid-document", errors);
    let until = Until::read(wait.until).map_err(|error| misfits(vec![error.below("/until")]))?;
    let errors = until.errors_if_awaited("/until", &run.specification);
    if !errors.is_empty() {
        return Err(misfits(errors));
    }
    // The wait is registered before the earlier events are searched. In the reverse order, an event between the
    // two steps would be missed.
    let awaited = run.with(|core| core.wait(&until));
    let before = match wait.since {
        Some(since) => {
            let (found, watch) = earlier(Arc::clone(&registry), id, since..awaited.since, &until, deadline).await?;
            if found.is_none() {
                run.with(|core| core.absorb(&awaited, &watch));
            }
            found
        }
        None => None,
    };
    let seq = match (before, wait.since) {
        (Some(seq), _) => seq,
        (None, since) => match (told(awaited.heard, deadline).await?, since) {
            (Ok(seq), _) => seq,
            // The run ended or got stuck before the search of earlier events was complete. All events after
            // `since` are therefore searched now.
            (Err(why @ Unmet::InVain(_)), Some(since)) => {
                let (found, _) = earlier(Arc::clone(&registry), id, since..u64::MAX, &until, deadline).await?;
                found.ok_or_else(|| unmet(&run, why))?
            }
            (Err(why), _) => return Err(unmet(&run, why)),
        },
    };
    Ok(Json(Waited { met: true, seq, event: event(registry, id, seq).await? }))
}

/// Reason why a condition is not met.
#[derive(Clone, Copy, Debug)]
enum Unmet {
    Late,
    InVain(InVain),
}

fn unmet(run: &Run, why: Unmet) -> Problem {
    let in_vain = |why| Problem::new(StatusCode::CONFLICT, "in-vain", why);
    let problem = match why {
        Unmet::Late => {
            Problem::new(StatusCode::REQUEST_TIMEOUT, "not-in-time", "the condition was not met within `timeout_ms`")
        }
        Unmet::InVain(InVain::Ended) => in_vain("the run is over, and the condition was not met"),
        Unmet::InVain(InVain::Stuck) => {
            in_vain("the run is stuck: nothing in it happens by itself, and the condition was not met; act on the run")
        }
    };
    problem.in_a_run_that_stands(run.with(|core| core.document().verdict))
}

/// Waits for the event that meets the condition. Returns its number, or the reason why no event meets the
/// condition.
async fn told(heard: oneshot::Receiver<Heard>, deadline: Instant) -> Result<Result<u64, Unmet>, Problem> {
    match timeout_at(deadline, heard).await {
        Ok(Ok(heard)) => Ok(heard.map_err(Unmet::InVain)),
        Ok(Err(_)) => Err(Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many",
            "cannot wait for this run: too many clients wait for it already",
        )),
        Err(_) => Ok(Err(Unmet::Late)),
    }
}

/// Returns an event from the journal; none if the run has been removed.
async fn event(registry: Arc<Registry>, id: Uuid, seq: u64) -> Result<Option<Event>, RunError> {
    let mut source = Source::open(registry, id).await?;
    source.read_at_once(move |reader| Ok(reader.events_after(seq.saturating_sub(1)).next().transpose()?)).await
}

/// Returns the first event of a range that meets the condition, if the search finds such an event before `deadline`.
/// Also returns the watch, which has observed all events that were searched.
async fn earlier(
    registry: Arc<Registry>,
    id: Uuid,
    after: Range<u64>,
    until: &Until,
    deadline: Instant,
) -> Result<(Option<u64>, Watch), RunError> {
    // If the condition is about the run as a whole, no single event meets it, so this search finds nothing.
    let mut watch = Watch::new(until);
    let mut source = Source::open(registry, id).await?;
    let search = move |reader: &Reader| {
        for event in reader.events_after(after.start) {
            let event = event?;
            if event.seq > after.end || Instant::now() > deadline {
                break;
            }
            if watch.observe(&event) {
                return Ok((Some(event.seq), watch));
            }
        }
        Ok((None, watch))
    };
    source.read_at_once(search).await
}
