//! The events of a run: a page as JSON, or all of them as NDJSON or CSV.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use interlock_algorithm::NodeId;
use interlock_machine::quantity::whole_ms;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use super::shares::{self, Parts, SHARE};
use super::source::{BYTES_IN_PASSING, MOST_IN_PASSING, Source};
use interlock_model::event::Event;
use interlock_model::schema::Time;
use interlock_observation::trace::words::{in_a_cell, json_on_one_line};
use interlock_orchestrator::journal::{EventQuery, Page, Reader};
use interlock_orchestrator::run::{Registry, RunError};
use interlock_simulation::scenario::unknown_kind;

/// Default number of events of a page.
const PAGE: usize = 1_000;
/// Maximum number of bytes of the events on a page. Together with punctuation and other fields, the page then has at
/// most [`SHARE`] bytes, which may be pending for one client.
const PAGE_BYTES: usize = SHARE - 64 * 1024;
/// Maximum size of a piece of an export, in bytes; a single larger event is a piece of its own. Each client of an
/// export has at most one such piece in memory.
const PIECE_BYTES: usize = 128 * 1024;
/// Maximum time that a request waits for an event, in ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// Query parameters that select events.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// Only events after this number [default: 0].
    #[serde(default)]
    since: u64,
    /// Only events up to this number.
    until: Option<u64>,
    /// Maximum number of events of a page, 1 … 10,000 [default: 1,000]. A page also has at most 8 MiB, unless one
    /// event alone has more. NDJSON and CSV have no limit.
    limit: Option<usize>,
    /// Only events of these kinds, separated by commas.
    kind: Option<String>,
    /// Only events at this node.
    node: Option<u32>,
    /// Time to wait for such an event if there is none yet, in ms, 0 … 60,000 [default: 0].
    #[serde(default, deserialize_with = "whole_ms")]
    #[param(value_type = Option<Time>)]
    wait_ms: u64,
}

/// A page of events.
#[derive(ToSchema)]
#[expect(dead_code, reason = "events are passed on as the text that they are kept as")]
struct EventPage {
    /// The events, in order.
    items: Vec<Event>,
    /// Value of `since` for the next page.
    next_since: u64,
    /// Number of the first event of the run that is available.
    oldest: u64,
    /// Number of the latest event of the run.
    latest: u64,
}

/// Returns the routes for events.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(events))
}

impl EventsQuery {
    fn query(&self) -> EventQuery {
        EventQuery {
            since: self.since,
            until: self.until,
            limit: self.limit.unwrap_or(PAGE),
            bytes: PAGE_BYTES,
            kinds: self.kind.iter().flat_map(|kinds| kinds.split(',')).map(|kind| kind.trim().to_owned()).collect(),
            node: self.node.map(NodeId),
        }
    }

    fn check(&self) -> Result<(), Problem> {
        let outside = |name: &str, range: &str| Err(Problem::query(name, format!("it is outside {range}")));
        match self {
            Self { limit: Some(0 | 10_001..), .. } => outside("limit", "1 … 10,000"),
            Self { wait_ms, .. } if *wait_ms > LONGEST_WAIT_MS => outside("wait_ms", "0 … 60,000"),
            Self { kind: Some(kinds), .. } => {
                let unknown = kinds.split(',').find_map(|kind| unknown_kind("?kind", kind.trim()));
                unknown.map_or(Ok(()), |error| Err(Problem::invalid_query(error)))
            }
            _ => Ok(()),
        }
    }
}

/// Lists the events of a run, in order.
#[utoipa::path(get, path = "/runs/{run}/events", tag = "events", params(("run" = Uuid, Path), EventsQuery),
    responses(
        (status = 200, description = "A page of events; NDJSON or CSV of all of them, by Accept.", content(
            (EventPage = "application/json"), (String = "application/x-ndjson"), (String = "text/csv"),
        )),
    ))]
async fn events(
    State(registry): State<Arc<Registry>>,
    Path(run): Path<Uuid>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query.check()?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("*/*");
    let mut source = Source::open(Arc::clone(&registry), run).await?;
    if accept.contains("application/x-ndjson") {
        Ok(whole(source, query.query(), "application/x-ndjson", ndjson))
    } else if accept.contains("text/csv") {
        Ok(whole(source, query.query(), "text/csv; charset=utf-8", csv))
    } else {
        let page = source.awaited(query.query(), Duration::from_millis(query.wait_ms)).await?;
        let (oldest, latest) = source.ends().await?;
        match page.items.as_slice() {
            [event] if event.len() > PAGE_BYTES => single(source, page.next_since, oldest, latest).await,
            _ => answer(&registry, page, oldest, latest).await,
        }
    }
}

/// Returns a page as an answer. A large page is formatted on a background thread, because the thread that serves
/// all clients must not copy megabytes for one of them.
async fn answer(registry: &Registry, page: Page, oldest: u64, latest: u64) -> Result<Response, Problem> {
    let bytes: usize = page.items.iter().map(String::len).sum();
    if page.items.len() <= MOST_IN_PASSING && bytes <= BYTES_IN_PASSING {
        return Ok(document(&page, oldest, latest));
    }
    let written = registry.background().spawn(move || document(&page, oldest, latest)).await;
    Ok(written.map_err(RunError::from)?)
}

/// Answers with a page that contains only one event, which is larger than a normal page.
async fn single(source: Source, seq: u64, oldest: u64, latest: u64) -> Result<Response, Problem> {
    let query = EventQuery { since: seq.saturating_sub(1), until: Some(seq), limit: 1, ..EventQuery::default() };
    let write = move |reader: &Reader, out: &mut Parts| {
        let text = text(&reader.page(&query)?, oldest, latest);
        out.write_all(text.as_bytes()).map_err(RunError::unreadable)
    };
    shares::document(source, "application/json", write).await
}

fn document(page: &Page, oldest: u64, latest: u64) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text(page, oldest, latest)).into_response()
}

fn text(page: &Page, oldest: u64, latest: u64) -> String {
    let next = page.next_since;
    let end = format!(r#"],"next_since":{next},"oldest":{oldest},"latest":{latest}}}"#);
    let mut text = String::with_capacity(page.items.iter().map(|item| item.len() + 1).sum::<usize>() + end.len() + 16);
    text.push_str(r#"{"items":["#);
    for (place, item) in page.items.iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "," });
        text.push_str(item);
    }
    text.push_str(&end);
    text
}

fn whole(source: Source, query: EventQuery, kind: &'static str, format: fn(&Page, bool) -> Bytes) -> Response {
    let latest = source.latest();
    let until = query.until.or(latest).unwrap_or(u64::MAX);
    let most = query.limit;
    let query = EventQuery { until: Some(until), limit: PAGE.max(most), bytes: PIECE_BYTES, ..query };
    let body = Body::from_stream(pages(source, query, format));
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// Returns the pages of a query until its end, each formatted. The second argument of `format` is true only for
/// the first page.
fn pages(
    source: Source,
    query: EventQuery,
    format: fn(&Page, bool) -> Bytes,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((source, query, true), move |(mut source, mut query, first)| async move {
        let wanted = query.clone();
        let read = move |reader: &Reader| {
            let page = reader.page(&wanted)?;
            Ok((page.next_since, format(&page, first)))
        };
        let (next_since, text) = source.read_in_background(read).await.map_err(io::Error::other)?;
        if next_since == query.since && !first {
            return Ok(None);
        }
        query.since = next_since;
        Ok(Some((text, (source, query, false))))
    })
}

fn ndjson(page: &Page, _first: bool) -> Bytes {
    page.items.iter().flat_map(|item| [item.as_str(), "\n"]).collect::<String>().into()
}

/// Columns of a CSV table: the most frequently used fields of events. After them, the column `event` has the whole
/// event as JSON.
const COLUMNS: [&str; 13] = [
    "seq",
    "at_us",
    "kind",
    "node",
    "incarnation",
    "step",
    "lock",
    "request",
    "message",
    "from",
    "to",
    "message_kind",
    "rule",
];

/// Returns a page as CSV. The columns are the most frequently used fields, and the last column is the whole event
/// as JSON.
fn csv(page: &Page, first: bool) -> Bytes {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // These writes cannot fail: they go to memory, and all rows have as many fields as the header.
    if first {
        let _ = writer.write_record(COLUMNS.iter().copied().chain(["event"]));
    }
    for item in &page.items {
        let event: serde_json::Value = serde_json::from_str(item).unwrap_or_default();
        let _ = writer.write_record(COLUMNS.iter().map(|column| cell(&event, column)).chain([json_on_one_line(item)]));
    }
    writer.into_inner().unwrap_or_default().into()
}

/// Returns the field of an event for a column. If an event has no field `from` or `to`, the number of this node is
/// taken from the name of the message.
fn cell(event: &serde_json::Value, column: &str) -> String {
    let named = |place: usize| {
        let ends = event["message"].as_str().and_then(|name| name.split('.').nth(place));
        ends.unwrap_or_default().to_owned()
    };
    match (&event[column], column) {
        (serde_json::Value::Null, "from") => named(0),
        (serde_json::Value::Null, "to") => named(1),
        (serde_json::Value::Null, _) => String::new(),
        (serde_json::Value::String(text), _) => in_a_cell(text),
        (other, _) => other.to_string(),
    }
}
