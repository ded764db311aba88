//! The events of a run: a page of them as JSON, or all of them as NDJSON or CSV.

use std::io;
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
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use crate::journal::{EventQuery, LARGEST_PAGE_BYTES, Page, Reader};
use crate::run::{Registry, RunError};
use interlock_model::event::Event;
use interlock_model::scenario::unknown_kind;
use interlock_model::schema::Time;
use interlock_model::trace::words::in_a_cell;

/// How many events one page has unless told otherwise.
const PAGE: usize = 1_000;
/// How many events at most are read, and made an answer of, among what takes some milliseconds.
pub(super) const MOST_IN_PASSING: usize = 2_000;
/// How much of an export is made at a time, in bytes, unless one event has more: so much waits for each who reads it.
const PIECE_BYTES: usize = 128 * 1024;
/// The longest that a request may wait for an event, in ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// Which events.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// Only events after this one.
    #[serde(default)]
    since: u64,
    /// No event after this one.
    until: Option<u64>,
    /// At most so many, 1 … 10,000, and 8 MiB unless one has more; 1,000 if absent. NDJSON and CSV go on to the end.
    limit: Option<usize>,
    /// Only events of these kinds, separated by commas.
    kind: Option<String>,
    /// Only events at this node.
    node: Option<u32>,
    /// If there is no such event yet, wait for one for so long, in ms: 0 … 60,000.
    #[serde(default, deserialize_with = "whole_ms")]
    #[param(value_type = Option<Time>)]
    wait_ms: u64,
}

/// A page of events, as the OpenAPI document tells of it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "events are passed on as the text that they are kept as")]
struct EventPage {
    /// The events, in their order.
    items: Vec<Event>,
    /// The `since` of the next page.
    next_since: u64,
    /// The number of the first event of the run that there is.
    oldest: u64,
    /// The number of its last event so far.
    latest: u64,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(events))
}

impl EventsQuery {
    fn query(&self) -> EventQuery {
        EventQuery {
            since: self.since,
            until: self.until,
            limit: self.limit.unwrap_or(PAGE),
            bytes: LARGEST_PAGE_BYTES,
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

/// The events of a run, in order.
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
        answer(&registry, page, oldest, latest).await
    }
}

/// A page as an answer. Who serves everybody does not copy megabytes meanwhile.
async fn answer(registry: &Registry, page: Page, oldest: u64, latest: u64) -> Result<Response, Problem> {
    if page.items.len() <= MOST_IN_PASSING {
        return Ok(document(&page, oldest, latest));
    }
    let written = registry.background().spawn(move || document(&page, oldest, latest)).await;
    Ok(written.map_err(RunError::from)?)
}

fn document(page: &Page, oldest: u64, latest: u64) -> Response {
    let next = page.next_since;
    let end = format!(r#"],"next_since":{next},"oldest":{oldest},"latest":{latest}}}"#);
    let mut text = String::with_capacity(page.items.iter().map(|item| item.len() + 1).sum::<usize>() + end.len() + 16);
    text.push_str(r#"{"items":["#);
    for (place, item) in page.items.iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "," });
        text.push_str(item);
    }
    text.push_str(&end);
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Where events are read from: the journal, which is read on a thread that may block.
pub(super) struct Source {
    registry: Arc<Registry>,
    run: Uuid,
    reader: Option<Reader>,
}

impl Source {
    /// The events of a run.
    pub async fn open(registry: Arc<Registry>, run: Uuid) -> Result<Self, RunError> {
        let mut source = Self { registry: Arc::clone(&registry), run, reader: None };
        source.settle().await?;
        // To open that of a run of before may take long, if nothing is known of it yet.
        let turn = if registry.find(run).is_some() { registry.glancing().await } else { None };
        let reader = spawn_blocking(in_turn(turn, move || registry.reader(run))).await??;
        source.reader = Some(reader);
        Ok(source)
    }

    /// Waits until everything that has happened so far can be read.
    async fn settle(&mut self) -> Result<(), RunError> {
        if let Some(run) = self.registry.find(self.run) {
            let latest = run.with(|core| core.latest());
            // A journal that has failed keeps what it has, and that can be read; that of a run which has just ended has
            // perhaps its last events still to write.
            let _ = run.journal().flushed(latest).await;
        }
        Ok(())
    }

    /// The numbers of the first and the last event.
    async fn ends(&mut self) -> Result<(u64, u64), RunError> {
        self.glance(|reader| Ok((reader.oldest()?, reader.latest()?))).await
    }

    /// A page of events: at once if it is a usual one, in turn and in the background if it is larger or has to be searched for.
    pub async fn page(&mut self, query: EventQuery) -> Result<Page, RunError> {
        let is_usual = query.limit <= MOST_IN_PASSING && query.kinds.is_empty() && query.node.is_none();
        let read = move |reader: &Reader| Ok(reader.page(&query)?);
        if is_usual { self.glance(read).await } else { self.read_in_background(read).await }
    }

    /// Has something read that may take long: when others who do so have had their turn.
    pub async fn read<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.reading().await;
        self.act(turn, action).await
    }

    /// The same, where nobody sees anything of it before it is whole: it gives way to whoever watches, and to runs under way.
    async fn read_in_background<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.paging().await;
        let registry = Arc::clone(&self.registry);
        let action = self.whole_of(turn, action)?;
        self.done(registry.background().spawn(action).await?)
    }

    /// Has something read at once, however long it takes: somebody has said until when it is waited for, or watches.
    pub async fn read_at_once<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        self.act(None, action).await
    }

    /// Reads something that takes some milliseconds at most.
    pub async fn glance<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.glancing().await;
        self.act(turn, action).await
    }

    /// Reads and folds for a stream with states: clients take turns.
    pub async fn fold<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.folding().await;
        self.act(turn, action).await
    }

    async fn act<T: Send + 'static>(
        &mut self,
        turn: Option<OwnedSemaphorePermit>,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let action = self.whole_of(turn, action)?;
        self.done(spawn_blocking(action).await?)
    }

    /// What a thread does that may block: it has the reader meanwhile.
    fn whole_of<T: Send + 'static>(
        &mut self,
        turn: Option<OwnedSemaphorePermit>,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<impl FnOnce() -> (Result<T, RunError>, Reader) + Send + 'static, RunError> {
        let Some(reader) = self.reader.take() else { return Err(RunError::UnknownRun(self.run)) };
        Ok(in_turn(turn, move || (action(&reader), reader)))
    }

    /// What came of it; the reader is back.
    fn done<T>(&mut self, (read, reader): (Result<T, RunError>, Reader)) -> Result<T, RunError> {
        self.reader = Some(reader);
        read
    }

    /// A page of events; if there is none, waits for one for at most `patience`.
    async fn awaited(&mut self, mut query: EventQuery, patience: Duration) -> Result<Page, RunError> {
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let page = self.page(query.clone()).await?;
            query.since = page.next_since;
            // Neither what comes after the last that is asked for is waited for, nor what goes on and on beside what is.
            let is_last = query.until.is_some_and(|until| until <= page.next_since);
            if !page.items.is_empty() || is_last || tokio::time::Instant::now() >= deadline {
                return Ok(page);
            }
            let more = self.more_than(page.next_since);
            if !tokio::time::timeout_at(deadline, more).await.unwrap_or(false) {
                return Ok(page);
            }
        }
    }

    /// Waits until there are events after this one; false if there will be none.
    pub async fn more_than(&mut self, seq: u64) -> bool {
        let Some(run) = self.registry.find(self.run) else { return false };
        let mut committed = run.journal().committed();
        committed.wait_for(|&last| last > seq).await.is_ok()
    }
}

/// Something to do in a turn, which is over when it is done, also if nobody waits for it any more.
fn in_turn<T>(
    turn: Option<OwnedSemaphorePermit>,
    action: impl FnOnce() -> T + Send + 'static,
) -> impl FnOnce() -> T + Send + 'static {
    move || {
        let _turn = turn;
        action()
    }
}

fn whole(source: Source, query: EventQuery, kind: &'static str, format: fn(&Page, bool) -> Bytes) -> Response {
    let latest = source.registry.find(source.run).map(|run| run.with(|core| core.latest()));
    let until = query.until.or(latest).unwrap_or(u64::MAX);
    let most = query.limit;
    let query = EventQuery { until: Some(until), limit: PAGE.max(most), bytes: PIECE_BYTES, ..query };
    let body = Body::from_stream(pages(source, query, format));
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// The pages of a query to its end, each formatted; the first one is told that it is.
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

/// What most people ask for; `event`, the whole event as JSON, comes last.
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

/// Columns for what most people ask for, and the whole event as JSON in the last one.
fn csv(page: &Page, first: bool) -> Bytes {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail, and all rows have as many fields as the header.
    if first {
        let _ = writer.write_record(COLUMNS.iter().copied().chain(["event"]));
    }
    for item in &page.items {
        let event: serde_json::Value = serde_json::from_str(item).unwrap_or_default();
        let _ = writer.write_record(COLUMNS.iter().map(|column| cell(&event, column)).chain([item.clone()]));
    }
    writer.into_inner().unwrap_or_default().into()
}

/// What an event says of this; who sent a message, and to whom, says its name where the event does not.
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
