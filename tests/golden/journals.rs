//! Golden journals of every layout version. The tests read them, export them, stream them over a WebSocket, and
//! write them.
//!
//! `live.ndjson` contains the events of a run of real processes. Renewing the golden files does not change it.
//! Journals of layouts 1 and 2 store events in full, journals of layout 3 abbreviate them, and journals of layout 4
//! store them in blocks.

use std::fmt::Write;
use std::io::{Read, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use futures_util::StreamExt;
use reqwest::header::ACCEPT;
use reqwest::{Client, StatusCode};
use rusqlite::types::Value as Column;
use rusqlite::{Connection, OpenFlags, params, params_from_iter};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

use super::kept::{Golden, path};
use crate::support::Playground;

/// Id of the run in the journals that the test creates.
const ID: &str = "0193a5c0-0000-7000-8000-000000000001";

const SNAPSHOT: &str = "CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;";
const IN_FULL: &str =
    "CREATE TABLE event (seq INTEGER PRIMARY KEY, at_us INTEGER NOT NULL, kind TEXT NOT NULL, node INTEGER,
    event TEXT NOT NULL) STRICT;";

fn events() -> String {
    std::fs::read_to_string(path("live.ndjson")).expect("the events")
}

/// Creates a journal of a layout that stores events in full.
fn in_full(directory: &Path, layout: i64) -> Connection {
    let connection = Connection::open(directory.join(format!("{ID}.sqlite"))).expect("a database");
    let origin = if layout == 1 { "" } else { ", origin TEXT NOT NULL CHECK (origin IN ('live', 'loaded'))" };
    let run = format!(
        "CREATE TABLE run (id TEXT NOT NULL, name TEXT NOT NULL, specification TEXT NOT NULL, created_at TEXT NOT NULL,
         status TEXT NOT NULL CHECK (status IN ('running', 'stopped', 'failed')), because TEXT{origin}) STRICT;"
    );
    connection.execute_batch(&format!("{run}{IN_FULL}{SNAPSHOT}PRAGMA user_version = {layout};")).expect("tables");
    for line in events().lines() {
        let event: Value = serde_json::from_str(line).expect("an event");
        let row = params![
            event["seq"].as_u64(),
            event["at_us"].as_u64(),
            event["kind"].as_str(),
            event["node"].as_u64(),
            line
        ];
        connection.execute("INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5)", row).expect("a row");
    }
    connection
}

/// Creates a journal of layout 3 from the rows in `journal-3.txt`, or of layout 4 from the rows in `journal.txt`.
fn from_rows(directory: &Path, layout: i64) -> Connection {
    let connection = Connection::open(directory.join(format!("{ID}.sqlite"))).expect("a database");
    let file = if layout == 3 { "journal-3.txt" } else { "journal.txt" };
    let rows = std::fs::read_to_string(path(file)).expect("the rows");
    let mut events = Vec::new();
    for line in rows.lines() {
        let row: Vec<Value> = serde_json::from_str(line).expect("a row");
        match row[0].as_str().expect("a table") {
            "sqlite_schema" => connection.execute_batch(row[1].as_str().expect("SQL")).expect("a table or view"),
            "event" => events.push(row[1].as_str().expect("an event").to_owned()),
            table => insert(&connection, table, &row[1..]),
        }
    }
    in_blocks(&connection, &events);
    connection.pragma_update(None, "user_version", layout).expect("a version");
    connection
}

/// Inserts events in blocks: in turn 50 events that are compressed, and 3 events that are not.
fn in_blocks(connection: &Connection, events: &[String]) {
    let (mut rest, mut last, mut is_packed) = (events, 0, true);
    while !rest.is_empty() {
        let (block, later) = rest.split_at(rest.len().min(if is_packed { 50 } else { 3 }));
        last += block.len();
        let text = block.concat();
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes()).expect("a vector takes all");
        let (kinds, bytes) = (kinds(&text).join(" "), text.len());
        let stored = if is_packed { Column::Blob(packed.finish().expect("packed")) } else { Column::Text(text) };
        let row = params![last, block.len(), kinds, bytes, stored];
        connection.execute("INSERT INTO block VALUES (?1, ?2, ?3, ?4, ?5)", row).expect("a block");
        (rest, is_packed) = (later, !is_packed);
    }
}

/// Returns the JSON of the events in the text of a block.
fn parsed(text: &str) -> Vec<Value> {
    text.split_terminator('\n').map(|event| serde_json::from_str(&event[1..]).expect("an event")).collect()
}

/// Returns the kinds of the events in the text of a block, each once, in the order in which they first occur.
fn kinds(text: &str) -> Vec<String> {
    let mut kinds = Vec::new();
    for event in parsed(text) {
        let kind = event["kind"].as_str().expect("a kind").to_owned();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

fn insert(connection: &Connection, table: &str, row: &[Value]) {
    let places = vec!["?"; row.len()].join(", ");
    let columns = row.iter().map(|value| match value {
        Value::Number(number) => Column::Integer(number.as_i64().expect("a whole number")),
        Value::String(text) => Column::Text(text.clone()),
        _ => Column::Null,
    });
    let insert = format!("INSERT INTO {table} VALUES ({places})");
    connection.execute(&insert, params_from_iter(columns)).expect("a row");
}

/// Writes the header of the run in the form of layout `layout`.
fn head(connection: &Connection, layout: i64) {
    let first: Value = serde_json::from_str(events().lines().next().expect("an event")).expect("JSON");
    let mut row = vec![json!(ID), json!("golden"), json!(first["specification"].to_string())];
    row.extend([json!("2026-11-21T09:00:00Z"), json!("stopped"), Value::Null]);
    if layout > 1 {
        row.push(json!("live"));
    }
    insert(connection, "run", &row);
}

/// Returns the text of an answer of the API, byte for byte.
async fn text(playground: &Playground, path: &str, accept: &str) -> String {
    let client = Client::builder().no_proxy().build().expect("a client");
    let response = client.get(playground.api(path)).header(ACCEPT, accept).send().await.expect("an answer");
    let status = response.status();
    let text = response.text().await.expect("a text");
    // For a finished run, some documents do not exist, for example the network. In this case, the rejection is
    // compared instead.
    if status == StatusCode::OK { text } else { format!("{status} {text}") }
}

/// Returns the frames of a stream until its end, with one frame in each line.
async fn frames(playground: &Playground, query: &str) -> String {
    let url = playground.api(&format!("/runs/{ID}/stream?{query}")).replace("http://", "ws://");
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a stream");
    let mut frames = String::new();
    while let Some(message) = socket.next().await {
        match message.expect("a frame") {
            Message::Text(text) => writeln!(frames, "{text}").expect("a string takes all"),
            Message::Close(frame) => {
                let (code, reason) = frame.map(|frame| (frame.code, frame.reason)).expect("a reason");
                writeln!(frames, "{code} {reason}").expect("a string takes all");
                break;
            }
            _ => {}
        }
    }
    frames
}

/// Paths of the API that describe a finished run.
const PARTS: [&str; 22] = [
    "",
    "/state",
    "/state?at=40",
    "/metrics",
    "/violations",
    "/network",
    "/nodes",
    "/nodes/1",
    "/resources",
    "/schedule",
    "/choices",
    "/network/messages",
    "/history?since=0&limit=100",
    "/events?since=10&limit=20",
    "/events?kind=sent,dropped&node=2&limit=100",
    "/trace?as=story",
    "/trace?as=events",
    "/trace?as=shiviz",
    "/trace?as=itf",
    "/trace?as=perfetto",
    "/trace?as=svg",
    "/trace?as=story&until=30",
];

#[tokio::test(flavor = "multi_thread")]
async fn journals_of_all_layouts_say_the_same_as_before() {
    let mut golden = Golden::new("journal-answers.txt");
    for layout in 1..=4 {
        let folder = TempDir::new().expect("a folder");
        let journal = if layout < 3 { in_full(folder.path(), layout) } else { from_rows(folder.path(), layout) };
        head(&journal, layout);
        journal.close().expect("it is closed");
        let playground = Playground::open_in(folder.path(), &["--no-demo"]);
        let exported = text(&playground, &format!("/runs/{ID}/events"), "application/x-ndjson").await;
        if layout < 3 {
            assert!(exported == events(), "layout {layout} exports other events");
        }
        golden.digest(&format!("layout {layout} as NDJSON"), exported);
        golden.digest(
            &format!("layout {layout} as CSV"),
            text(&playground, &format!("/runs/{ID}/events"), "text/csv").await,
        );
        for part in PARTS {
            let mut answer = text(&playground, &format!("/runs/{ID}{part}"), "*/*").await;
            if part.is_empty() {
                // The file size is left out, because it depends on the pages of the database. These pages differ
                // between versions of SQLite.
                let mut run: Value = serde_json::from_str(&answer).expect("JSON");
                run.as_object_mut().expect("a run").remove("journal");
                answer = run.to_string();
            }
            golden.digest(&format!("layout {layout} {part}"), answer);
        }
        for query in ["since=0", "since=30", "since=0&states=true", "since=30&states=true"] {
            golden.digest(&format!("layout {layout} stream {query}"), frames(&playground, query).await);
        }
    }
    golden.check();
}

/// Returns the tables and all rows of a journal except the header, as JSON. The beginnings of blocks depend on the
/// time, so the events are listed without the other columns of their blocks.
fn rows(journal: &Connection) -> Vec<String> {
    let list = |table: &str, columns: &str, order: &str| {
        let select = format!("SELECT json_array('{table}', {columns}) FROM {table} {order}");
        let mut statement = journal.prepare(&select).expect("SQL");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<rusqlite::Result<Vec<String>>>().expect("rows")
    };
    // A golden file has one row of the journal, or one event, in each line.
    let mut all = list("sqlite_schema", "sql", "WHERE sql IS NOT NULL ORDER BY type, name");
    let text = text_of_blocks(journal);
    all.extend(text.split_inclusive('\n').map(|event| json!(["event", event]).to_string()));
    all.extend(list("snapshot", "seq, state", "ORDER BY seq"));
    all
}

/// Returns the text of all blocks, and asserts that the other columns match it.
fn text_of_blocks(journal: &Connection) -> String {
    let mut select = journal.prepare("SELECT last, events, kinds, bytes, text FROM block ORDER BY last").expect("SQL");
    let mut rows = select.query([]).expect("rows");
    let mut all = String::new();
    while let Some(row) = rows.next().expect("rows") {
        let mut text = String::new();
        match row.get(4).expect("a text") {
            Column::Text(loose) => text = loose,
            Column::Blob(packed) => drop(ZlibDecoder::new(&*packed).read_to_string(&mut text).expect("zlib")),
            other => panic!("{other:?}"),
        }
        let events = parsed(&text);
        assert_eq!(row.get::<_, u64>(0).ok(), events.last().and_then(|event| event["seq"].as_u64()));
        assert_eq!(row.get(1), Ok(events.len()));
        assert_eq!(row.get(2), Ok(kinds(&text).join(" ")));
        assert_eq!(row.get(3), Ok(text.len()));
        all.push_str(&text);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_is_written_as_before() {
    let playground = Playground::open();
    let client = Client::builder().no_proxy().build().expect("a client");
    let sent =
        client.post(playground.api("/runs/import")).header("content-type", "application/x-ndjson").body(events());
    let answer = sent.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
    let run: Value = answer.json().await.expect("a run");
    let file = playground.directory.join(format!("{}.sqlite", run["id"].as_str().expect("an id")));
    let journal = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the journal");
    let version: i64 = journal.pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version");
    assert_eq!(version, 4, "a new layout needs a golden journal of its own");
    let mut golden = Golden::new("journal.txt");
    for row in rows(&journal) {
        golden.line(&row);
    }
    golden.check();
    // Importing sorts the keys of documents, for example of the specification. The test therefore compares parsed
    // values instead of texts.
    let expected: Vec<Value> = events().lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(parsed(&text_of_blocks(&journal)), expected);
}
